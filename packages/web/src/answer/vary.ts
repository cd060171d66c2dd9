/** Adds names of request headers to `Vary`. */
export function appendVary(headers: Headers, ...names: readonly string[]): void {
  const vary = headers.get("Vary");
  headers.set("Vary", [...(vary === null ? [] : [vary]), ...names].join(", "));
}
