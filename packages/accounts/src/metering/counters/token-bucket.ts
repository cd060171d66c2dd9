import type { Rate } from "./limit-settings.ts";

export interface TokenBucket {
  readonly tokens: number;
  /** Epoch milliseconds at which it held them. */
  readonly at: number;
}

/** The bucket at `now`. A clock that was set back gives nothing and does not stop the bucket from filling. */
export function refill(bucket: TokenBucket, { perSecond, burst }: Rate, now: number): TokenBucket {
  const elapsed = Math.max(0, now - bucket.at);
  return { tokens: Math.min(burst, bucket.tokens + (elapsed * perSecond) / 1000), at: now };
}
