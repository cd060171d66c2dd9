import { CogError } from "@swath/cog";
import { isHost } from "./file-storage.ts";

/**
 * A file on a host that files may not be read from: `not-found` leaves the scene out, `forbidden` is a redirect there.
 * `isPrivate`: its name leads to a private address, and the deployment does not name it.
 */
export class HostError extends CogError {
  override readonly name = "HostError";
  readonly host: string;
  readonly isPrivate: boolean;

  constructor(code: "not-found" | "forbidden", message: string, { host, isPrivate = false }: HostFacts) {
    super(code, message);
    this.host = host;
    this.isPrivate = isPrivate;
  }
}

interface HostFacts {
  readonly host: string;
  readonly isPrivate?: boolean;
}

/** The addresses that files may be read from. Items come from outside: what they name is not to be trusted. */
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
 * Reads a list of hosts: `example.org` (any port), `example.org:8443`, `*.example.org` (every name below it),
 * `s3://bucket`, or `s3://name-*` (every bucket that begins so). Names in the list are the only ones allowed.
 *
 * @param upstreamUrls their own hosts and ports are allowed, since the items come from there.
 * @param known hosts that the collections name, for an empty list.
 */
export function assetHosts(
  names: readonly string[],
  upstreamUrls: readonly string[] = [],
  known: readonly string[] = [],
): AssetHosts {
  const upstreams = upstreamUrls.map((url) => new URL(url).host);
  const own = [...names, ...upstreams].map((name) => name.toLowerCase());
  const entries = names.length === 0 ? [...known.map((name) => name.toLowerCase()), ...own] : own;
  const exact = new Set(entries.filter((entry) => !entry.startsWith("*.")));
  const named = new Set(own.filter((entry) => !entry.startsWith("*.")));
  const suffixes = entries.filter((entry) => entry.startsWith("*.")).map((entry) => entry.slice(1));
  const buckets = entries.filter((entry) => /^s3:\/\/.+\*$/.test(entry)).map((entry) => entry.slice(0, -1));
  return {
    allows(address) {
      if (!URL.canParse(address)) return false;
      const url = new URL(address);
      if (url.username !== "" || url.password !== "") return false;
      if (url.protocol === "s3:") {
        return exact.has(`s3://${url.host}`) || buckets.some((start) => `s3://${url.host}`.startsWith(start));
      }
      if (!isPlainWeb(url)) return false;
      return exact.has(url.host) || exact.has(url.hostname) || suffixes.some((suffix) => url.hostname.endsWith(suffix));
    },
    isNamed(address) {
      const { host, hostname } = new URL(address);
      return named.has(host) || named.has(hostname);
    },
  };
}

/** Whether a redirect may lead to an address: https, or http of a test on this machine, on one of the hosts. */
export function isRedirectHost(url: URL, hosts: readonly string[]): boolean {
  return isPlainWeb(url) && hosts.some((host) => isHost(host, url));
}

function isPlainWeb({ protocol, username, password }: URL): boolean {
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}
