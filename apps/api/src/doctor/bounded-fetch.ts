import type { Fetch } from "@swath/http";

/** A `fetch` that counts, and that sends no more than it may. */
export interface BoundedFetch {
  readonly fetch: Fetch;
  /** Requests that were sent. */
  readonly requests: number;
  /** Bytes of answers, after decompression. */
  readonly bytes: number;
  /** Status of the last answer. */
  readonly lastStatus: number | undefined;
  /** Requests that were refused here. */
  readonly refused: number;
  /** Requests that may still be sent, of those that all callers share. */
  readonly left: number;
  /** Lets at most so many of the requests that are left be sent, until it is called again. */
  allow(requests: number): void;
}

/** @param bound requests that are sent at most; redirects that callers follow themselves count each. */
export function boundedFetch(bound: number, fetch: Fetch): BoundedFetch {
  let [requests, bytes, refused, allowed] = [0, 0, 0, bound];
  let lastStatus: number | undefined;
  return {
    get requests() {
      return requests;
    },
    get bytes() {
      return bytes;
    },
    get lastStatus() {
      return lastStatus;
    },
    get refused() {
      return refused;
    },
    get left() {
      return bound - requests;
    },
    allow: (more) => {
      allowed = Math.min(bound, requests + more);
    },
    fetch: async (input, init) => {
      if (requests >= allowed) {
        refused += 1;
        throw new TypeError(`more than ${allowed} requests are not sent here`);
      }
      requests += 1;
      const response = await fetch(input, init);
      lastStatus = response.status;
      if (response.body === null) return response;
      const counted = response.body.pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            bytes += chunk.byteLength;
            controller.enqueue(chunk);
          },
        }),
      );
      const { status, statusText, headers } = response;
      return new Response(counted, { status, statusText, headers });
    },
  };
}
