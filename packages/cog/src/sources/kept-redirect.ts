/** An address is no longer asked this long before its signature ends, ms: a request takes seconds, and clocks differ. */
const MARGIN_MS = 60_000;
/** Longest that an address is kept, ms. */
const LONGEST_MS = 3_600_000;

/**
 * Returns the time until which the signature in an address holds, ms since 1970; undefined for an address without one.
 *
 * It reads `Expires` (seconds since 1970; signed URLs of CloudFront, S3 signature version 2), `X-Amz-Date` with
 * `X-Amz-Expires` (S3 signature version 4) and `se` (shared access signatures of Azure).
 */
export function signedUntil(url: URL): number | undefined {
  const query = new Map([...url.searchParams].map(([name, value]) => [name.toLowerCase(), value]));
  const seconds = query.get("expires");
  if (query.has("signature") && seconds !== undefined && /^\d{1,11}$/.test(seconds)) return Number(seconds) * 1000;
  const lasts = query.get("x-amz-expires");
  const [, y, mo, d, h, mi, s] = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(query.get("x-amz-date") ?? "") ?? [];
  if (query.has("x-amz-signature") && lasts !== undefined && /^\d{1,6}$/.test(lasts) && s !== undefined) {
    const begun = Date.parse(`${y}-${mo}-${d}T${h}:${mi}:${s}Z`);
    return Number.isNaN(begun) ? undefined : begun + Number(lasts) * 1000;
  }
  const end = query.has("sig") ? Date.parse(query.get("se") ?? "") : Number.NaN;
  return Number.isNaN(end) ? undefined : end;
}

/** The signed address that a redirect of a file led to: it is asked in place of the file's own while its signature holds. */
export class KeptRedirect {
  #kept: { readonly url: URL; readonly until: number } | undefined;

  /** The kept address; undefined where there is none any more. */
  at(now: number): URL | undefined {
    return this.#kept !== undefined && now < this.#kept.until ? this.#kept.url : undefined;
  }

  /** Keeps an address, where it says for how long it is good. */
  keep(url: URL, now: number): void {
    const until = signedUntil(url);
    if (until !== undefined) this.#kept = { url, until: Math.min(until - MARGIN_MS, now + LONGEST_MS) };
  }

  forget(): void {
    this.#kept = undefined;
  }
}
