/** Characters of names that stand in a list as they are. */
const PLAIN = /^[A-Za-z0-9_.\-~!*'()]+$/;

/**
 * Names as the value of a header: each once, separated by commas, and of more than `most` how many more there are, as `+180 more`.
 * A name that holds what a header or a list in it cannot is percent-encoded. `undefined` for no names.
 */
export function headerList(names: readonly string[], most: number): string | undefined {
  const distinct = [...new Set(names)];
  if (distinct.length === 0) return undefined;
  const more = distinct.length - most;
  const named = distinct
    .slice(0, most)
    .map((name) => (PLAIN.test(name) ? name : encodeURIComponent(name.toWellFormed())));
  return [...named, ...(more > 0 ? [`+${more} more`] : [])].join(",");
}

/** Adds names of request headers to `Vary`. */
export function appendVary(headers: Headers, ...names: readonly string[]): void {
  const vary = headers.get("Vary");
  headers.set("Vary", [...(vary === null ? [] : [vary]), ...names].join(", "));
}
