import type { Queries } from "@swath/store";
import type { LimitSettings, Rate } from "./limit-settings.ts";

/** Whose rate a request exceeds. */
export type Exceeded = "key" | "service";

/** The tokens of one row, as this process has them. */
export interface Bucket {
  /** Whether it was empty a moment ago, so that asking is no use. */
  isEmpty(): boolean;
  /** Takes a token. False: there is none. */
  take(): boolean | Promise<boolean>;
  /** Gives a token back that was taken in vain. */
  giveBack(): void;
  /**
   * Writes what has changed, within a transaction.
   *
   * @returns whether it is remembered: one that was not used for a while is as a new one would be.
   */
  save(db: Queries): Promise<boolean>;
}

/** Limits requests to the rates of their key and of the whole service. */
export interface RateLimiter {
  /** Takes a token of both buckets and gives undefined; or takes none and says which bucket is empty. */
  take(keyId: string): Promise<Exceeded | undefined>;
  /** Writes what has changed to the store, within a transaction. */
  save(db: Queries): Promise<void>;
}

/** @param open makes the bucket of a row, which fills by a rate. */
export function rateLimiter(settings: LimitSettings, open: (row: string, rate: Rate) => Bucket): RateLimiter {
  const service = open("service", settings.service);
  const keys = new Map<string, Bucket>();
  const bucketOf = (keyId: string): Bucket => {
    let bucket = keys.get(keyId);
    if (bucket === undefined) {
      bucket = open(`key:${keyId}`, settings.key);
      keys.set(keyId, bucket);
    }
    return bucket;
  };
  return {
    async take(keyId) {
      const key = bucketOf(keyId);
      if (key.isEmpty()) return "key";
      if (service.isEmpty()) return "service";
      const [ofKey, ofService] = await Promise.all([key.take(), service.take()]);
      if (ofKey && ofService) return undefined;
      if (ofKey) key.giveBack();
      if (ofService) service.giveBack();
      return ofKey ? "service" : "key";
    },
    async save(db) {
      await service.save(db);
      for (const [keyId, bucket] of keys) if (!(await bucket.save(db))) keys.delete(keyId);
    },
  };
}
