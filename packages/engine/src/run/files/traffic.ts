import type { RequestRecord } from "@swath/cog";

/** Requests for bytes of files, counted since the last look. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
  /** Requests that ended with no answer or with another than the bytes. */
  readonly failures: number;
  /** Those of `requests` and `bytes` that went to buckets whose reader pays. */
  readonly paidRequests: number;
  readonly paidBytes: number;
}

/** A request for bytes of a file, and its outcome. */
export type OnRead = (record: RequestRecord, isPaid: boolean) => void;

/** Adds reads up until they are taken. */
export class TrafficCount {
  #requests = 0;
  #bytes = 0;
  #failures = 0;
  #paidRequests = 0;
  #paidBytes = 0;

  readonly add: OnRead = ({ bytes, status }, isPaid) => {
    this.#requests += 1;
    this.#bytes += bytes;
    if (status !== 200 && status !== 206) this.#failures += 1;
    if (!isPaid) return;
    this.#paidRequests += 1;
    this.#paidBytes += bytes;
  };

  /** Returns the counts since the last call; undefined for nothing. */
  take(): Traffic | undefined {
    if (this.#requests === 0) return undefined;
    const traffic: Traffic = {
      requests: this.#requests,
      bytes: this.#bytes,
      failures: this.#failures,
      paidRequests: this.#paidRequests,
      paidBytes: this.#paidBytes,
    };
    this.#requests = this.#bytes = this.#failures = this.#paidRequests = this.#paidBytes = 0;
    return traffic;
  }
}
