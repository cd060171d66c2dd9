import type { Queries } from "../state/store.ts";

/** Whose rate is exceeded, if any. */
export type Passage = "open" | "key" | "service";

/** Lets requests through at the rates of their key and of the service. */
export interface RateGate {
  /** Takes a token of both buckets, or of neither. */
  pass(keyId: string): Promise<Passage>;
  /** Writes down what has changed, within a transaction. */
  save(db: Queries): Promise<void>;
}

/** Row of the service's bucket; a key's is `key:` and its id. */
export const SERVICE = "service";
export const rowOfKey = (keyId: string): string => `key:${keyId}`;
