/** Public hosts and buckets that Earth Search items name. */
const PUBLIC_HOSTS = [
  "sentinel-cogs.s3.us-west-2.amazonaws.com",
  "sentinel-cogs.s3.amazonaws.com",
  "e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com",
  "landsatlook.usgs.gov",
  "s3://usgs-landsat",
  "s3://sentinel-cogs",
  "s3://e84-earth-search-sentinel-data",
] as const;

/** Which addresses files may be read from. Items come from outside: what they name is not to be trusted. */
export interface AssetHosts {
  /** Whether a file at this http(s) or s3 address may be read. */
  allows(address: string): boolean;
  /**
   * Whether the deployment names this host itself, in full or as its upstream: then it may be a private one. A host
   * that a wildcard or our own list lets through has to be public.
   */
  isNamed(address: string): boolean;
}

/**
 * Reads a list of hosts: `example.org` (any port), `example.org:8443`, `*.example.org` (every name below it), or
 * `s3://bucket`. Names in the list are the only ones allowed.
 *
 * @param upstreamUrl its own host and port are allowed, since the items come from there.
 */
export function assetHosts(names: readonly string[], upstreamUrl?: string): AssetHosts {
  const entries = (names.length === 0 ? [...PUBLIC_HOSTS] : names).map((name) => name.toLowerCase());
  if (upstreamUrl !== undefined) entries.push(new URL(upstreamUrl).host.toLowerCase());
  const exact = new Set(entries.filter((entry) => !entry.startsWith("*.")));
  const own = names
    .map((name) => name.toLowerCase())
    .concat(upstreamUrl === undefined ? [] : new URL(upstreamUrl).host.toLowerCase());
  const named = new Set(own.filter((entry) => !entry.startsWith("*.")));
  const suffixes = entries.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1));
  return {
    allows(address) {
      let url: URL;
      try {
        url = new URL(address);
      } catch {
        return false;
      }
      if (url.protocol === "s3:") return exact.has(`s3://${url.host}`);
      if (url.protocol !== "https:" && url.protocol !== "http:") return false;
      if (url.username !== "" || url.password !== "") return false;
      return exact.has(url.host) || exact.has(url.hostname) || suffixes.some((suffix) => url.hostname.endsWith(suffix));
    },
    isNamed(address) {
      const { host, hostname } = new URL(address);
      return named.has(host) || named.has(hostname);
    },
  };
}
