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
  /** Allows at most `requests` of those that are left, until it is called again. */
  allow(requests: number): void;
}

/**
 * @param bound requests that are sent at most; redirects that callers follow themselves count each.
 * @param kept an address whose first good answer is given again: a catalog reads the landing page for itself too.
 */
export function boundedFetch(bound: number, fetch: Fetch, kept?: string): BoundedFetch {
  let answer: { readonly body: ArrayBuffer; readonly headers: Headers } | undefined;
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
      const isKept = kept !== undefined && String(input) === kept && (init?.method ?? "GET") === "GET";
      if (isKept && answer !== undefined) return new Response(answer.body, { headers: answer.headers });
      if (requests >= allowed) {
        refused += 1;
        throw new TypeError(`no more than ${allowed} ${allowed === 1 ? "request is" : "requests are"} sent here`);
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
      const given = new Response(counted, { status, statusText, headers });
      if (!isKept || status !== 200) return given;
      answer = { body: await given.arrayBuffer(), headers };
      return new Response(answer.body, { headers });
    },
  };
}
