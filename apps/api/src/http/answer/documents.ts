export const CACHE_DOCUMENT = "public, max-age=600";
/** Documents that lack what the upstream would have said. */
export const CACHE_FALLBACK = "public, max-age=30";
export const CACHE_ITEM = "public, max-age=300";
export const CACHE_SEARCH = "private, max-age=60";
export const NO_STORE = "no-store";

/**
 * Seconds for which caches that many share may send what a map token shows without asking again. A node takes an ended token for
 * good for 30 s at most: both together are less than the minute within which it stops.
 */
const MAP_SHARED_S = 25;

/** Returns the rule of an answer to a map token: everybody with its address gets the same. */
export function sharedByMap(cacheControl: string): string {
  const age = /max-age=(\d+)/.exec(cacheControl)?.[1];
  return age === undefined ? cacheControl : `public, max-age=${age}, s-maxage=${MAP_SHARED_S}`;
}
