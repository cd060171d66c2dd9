import type { Queries } from "@swath/store";
import type { LimitSettings, Rate } from "./limit-settings.ts";
import { type RateLimiter, rowOfKey, SERVICE } from "./rate-limiter.ts";
import { refill, type TokenBucket } from "./token-bucket.ts";

/** A bucket that was not used for this long is full, and need not be remembered. */
const FORGET_MS = 60_000;

const LOAD = "select tokens, at from bucket where id = $1";
const SAVE = `insert into bucket(id, tokens, at, granted) values ($1, $2, $3, 0)
  on conflict(id) do update set tokens = $2, at = $3`;

interface Entry {
  readonly rate: Rate;
  bucket: TokenBucket;
  changed: boolean;
}

/**
 * The buckets of a single node: in memory, and exact. They are written to the store now and then, so that a restart
 * does not hand out a second burst.
 */
export function localRateLimiter(store: Queries, settings: LimitSettings, now: () => number): RateLimiter {
  const entries = new Map<string, Entry>();
  const loading = new Map<string, Promise<Entry>>();

  const load = async (id: string, rate: Rate): Promise<Entry> => {
    const [row] = await store.query(LOAD, [id]);
    const bucket =
      row === undefined ? { tokens: rate.burst, at: now() } : { tokens: Number(row.tokens), at: Number(row.at) };
    const entry = { rate, bucket, changed: false };
    entries.set(id, entry);
    return entry;
  };
  const entryOf = (id: string, rate: Rate): Entry | Promise<Entry> => {
    const known = entries.get(id) ?? loading.get(id);
    if (known !== undefined) return known;
    const loaded = load(id, rate).finally(() => loading.delete(id));
    loading.set(id, loaded);
    return loaded;
  };

  return {
    async take(keyId) {
      const key = await entryOf(rowOfKey(keyId), settings.key);
      const service = await entryOf(SERVICE, settings.service);
      // from here on nothing waits, so that two requests cannot take the same token
      const time = now();
      for (const entry of [key, service]) entry.bucket = refill(entry.bucket, entry.rate, time);
      if (key.bucket.tokens < 1) return "key";
      if (service.bucket.tokens < 1) return "service";
      for (const entry of [key, service]) {
        entry.bucket = { ...entry.bucket, tokens: entry.bucket.tokens - 1 };
        entry.changed = true;
      }
      return undefined;
    },
    async save(db) {
      const time = now();
      for (const [id, entry] of entries) {
        if (entry.changed) {
          entry.changed = false;
          await db.query(SAVE, [id, entry.bucket.tokens, entry.bucket.at]);
        } else if (time - entry.bucket.at > FORGET_MS) {
          entries.delete(id);
        }
      }
    },
  };
}
