/** Limits of the requests to a host, all threads of the process together. */
export interface HostBounds {
  readonly requestsAtOnce?: number | undefined;
  readonly requestsPerSecond?: number | undefined;
}

/** The conditions of a bucket for its readers, as collection files state them. */
export interface BucketFacts extends HostBounds {
  /** `name`, or `name-*` for all that begin so. */
  readonly name: string;
  readonly region: string;
  readonly requesterPays: boolean;
  /** Default: where the reader pays. */
  readonly signed?: boolean | undefined;
  /** Name of the keys; default: those of the `AWS_` variables. */
  readonly keys?: string | undefined;
  /** Another S3-compatible service. */
  readonly endpoint?: string | undefined;
}

/** The conditions of an https host for its readers, as collection files state them. */
export interface ServerFacts extends HostBounds {
  /** `example.org`, `example.org:8443`, or `*.example.org`. */
  readonly host: string;
  readonly token?: "earthdata" | undefined;
  /** Gives signatures: `{tokenService}/{account}/{container}`. */
  readonly tokenService?: string | undefined;
  /** Hosts that redirects may lead to, besides those that files are read from. */
  readonly redirectHosts?: readonly string[] | undefined;
  /** Hosts of login pages: redirects there are never followed. */
  readonly loginHosts?: readonly string[] | undefined;
}

/** Facts about where files are. They do not allow that anything is read. */
export interface FileStorage {
  readonly buckets: readonly BucketFacts[];
  readonly servers: readonly ServerFacts[];
}

export const NO_STORAGE: FileStorage = { buckets: [], servers: [] };

/** The facts about a bucket: by its name, else by the longest beginning that fits. */
export function findBucket({ buckets }: FileStorage, name: string): BucketFacts | undefined {
  const whole = buckets.find((bucket) => bucket.name === name);
  if (whole !== undefined) return whole;
  return longest(
    buckets.filter((bucket) => bucket.name.endsWith("*") && name.startsWith(bucket.name.slice(0, -1))),
    (bucket) => bucket.name,
  );
}

/** The facts about the host of an http(s) address: by its name, else by the longest ending that fits. */
export function findServer({ servers }: FileStorage, url: URL): ServerFacts | undefined {
  return longest(
    servers.filter(({ host }) => isHost(host, url)),
    ({ host }) => (host.startsWith("*.") ? host.slice(1) : `${url.hostname} ${host}`),
  );
}

/** Whether an address is on `example.org` (at the default port), `example.org:8443`, or below `*.example.org`. */
export function isHost(pattern: string, url: URL): boolean {
  if (!pattern.startsWith("*.")) return pattern === url.host;
  return url.port === "" && url.hostname.endsWith(pattern.slice(1));
}

function longest<T>(entries: readonly T[], textOf: (entry: T) => string): T | undefined {
  return entries.toSorted((a, b) => textOf(b).length - textOf(a).length)[0];
}
