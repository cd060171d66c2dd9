import type { Queries } from "@swath/store";

/** Whose rate a request exceeds. */
export type Exceeded = "key" | "service";

/** Limits requests to the rates of their key and of the whole service. */
export interface RateLimiter {
  /** Takes a token of both buckets and gives undefined; or takes none and says which bucket is empty. */
  take(keyId: string): Promise<Exceeded | undefined>;
  /** Writes what has changed to the store, within a transaction. */
  save(db: Queries): Promise<void>;
}

/** Row of the service's bucket; a key's is `key:` and its id. */
export const SERVICE = "service";
export const rowOfKey = (keyId: string): string => `key:${keyId}`;
