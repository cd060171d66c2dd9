import type { WebContext } from "@swath/web";

export type LegacyHost = "stac" | "tiles";

/** Names of the legacy hosts, with their port where they have one of their own. */
export interface LegacyHostNames {
  readonly stac?: string;
  readonly tiles?: string;
}

/** A request that is meant for a legacy host. */
export interface LegacyTarget {
  readonly host: LegacyHost;
  /** Path below the host or mount: starts with a slash, ends with none. */
  readonly path: string;
  /** Address of the host or mount as the client sees it, without a slash at the end. */
  readonly root: string;
}

const HOSTS: readonly LegacyHost[] = ["stac", "tiles"];
const normal = (path: string): string => `/${path.replace(/^\/+|\/+$/g, "")}`;

/** Returns the legacy host of a request: by its `Host` header, or by the mounts that are always there. */
export function legacyTarget(c: WebContext, names: LegacyHostNames): LegacyTarget | undefined {
  const { host, hostname, pathname } = new URL(c.req.url);
  const baseUrl = c.get("baseUrl");
  for (const each of HOSTS) {
    const name = names[each]?.toLowerCase();
    if (name !== undefined && (name === host || name === hostname)) {
      // the hosts are behind the same proxy as the service, which may end TLS
      return { host: each, path: normal(pathname), root: `${new URL(baseUrl).protocol}//${host}` };
    }
  }
  for (const each of HOSTS) {
    const mount = `/legacy/${each}`;
    if (pathname === mount || pathname.startsWith(`${mount}/`)) {
      return { host: each, path: normal(pathname.slice(mount.length)), root: `${baseUrl}${mount}` };
    }
  }
  return undefined;
}
