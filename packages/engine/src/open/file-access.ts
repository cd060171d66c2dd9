import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import type { CredentialSettings } from "../run/files/access/asset-credentials.ts";
import { assetHosts } from "../run/files/access/asset-hosts.ts";
import {
  type CredentialFault,
  type CredentialName,
  credentialFault,
  credentialVariables,
} from "../run/files/access/credentials.ts";
import { findBucket, findServer } from "../run/files/access/file-storage.ts";
import { planS3 } from "../run/files/access/s3-plan.ts";
import type { S3Settings } from "../run/files/access/s3-settings.ts";

/** A key or token of the service that files of collections want. */
export interface CredentialReport {
  readonly credential: CredentialName;
  /** `missing`: the service has none; `expired`: it says so itself; `refused`: an archive did not take it the last time. */
  readonly status: "ok" | "missing" | "expired" | "refused";
  /** Environment variables that hold it. */
  readonly variables: readonly string[];
  /** The fault in words for the owner of the service; nothing secret. */
  readonly detail?: string;
}

/** Whether the files of a collection can be read with what the service has. */
export interface CollectionAccess {
  /** `partial`: those of some hosts, or of some members of a virtual collection. */
  readonly status: "available" | "partial" | "unavailable";
  /** The missing keys and tokens; absent where none is missing. */
  readonly missing?: readonly CredentialReport[];
}

/** The collections that can be read here, and the keys that the others lack. */
export interface FileAccess {
  of(collection: CollectionSchema): CollectionAccess;
  /** Returns the keys and tokens that live collections want, with the collections that want them. */
  credentials(): readonly (CredentialReport & { readonly collections: readonly string[] })[];
}

/** The settings that files are read with, as far as they say what can be read. */
export interface FileAccessSources {
  /** Hosts that files may be read from; none: those that the collections name. */
  readonly assetHosts: readonly string[];
  readonly upstreamUrl?: string | undefined;
  /** Addresses of further upstreams. */
  readonly otherUpstreamUrls?: readonly string[] | undefined;
  readonly s3: S3Settings;
  readonly credentials?: CredentialSettings | undefined;
}

/** Facts by which it is judged what can be read. */
export interface FileAccessOptions {
  readonly registry: CollectionRegistry;
  readonly sources: FileAccessSources;
  /** Names of upstreams whose files are on this machine. */
  readonly localUpstreams: readonly string[];
  /** Whether an archive has refused a key or token lately. */
  readonly isRefused: (credential: CredentialName) => boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The demand of a host of files: nothing, or a key or token, which the service has or has not. */
type Want = "nothing" | CredentialName;

/**
 * Judges by what collection files say of hosts and buckets, by the settings, and by what archives refused lately. A host
 * whose signatures come from a token service counts where an upstream of the service is beside that token service; one
 * where people log in by hand does not count.
 */
export function createFileAccess(options: FileAccessOptions): FileAccess {
  const { registry, sources, isRefused, now } = options;
  const wants = new Map(registry.collections.map((each) => [each.id, wantsOf(each, options)]));
  const reportOf = (credential: CredentialName): CredentialReport => {
    const status = statusOf(credential, sources, isRefused(credential), now());
    const variables = credentialVariables(credential);
    return status === "ok"
      ? { credential, status, variables }
      : { credential, status, variables, detail: words(credential, status) };
  };
  const own = ({ id }: CollectionSchema): CollectionAccess => {
    const wanted = wants.get(id) ?? ["nothing"];
    const reports = wanted.flatMap((want) => (want === "nothing" ? [] : [reportOf(want)]));
    const missing = reports.filter(({ status }) => status !== "ok");
    if (missing.length === 0) return { status: "available" };
    return { status: missing.length < wanted.length ? "partial" : "unavailable", missing };
  };
  return {
    of(collection) {
      const all = (collection.virtual?.members ?? [collection]).map(own);
      const missing = uniqueReports(all.flatMap((each) => each.missing ?? []));
      if (missing.length === 0) return { status: "available" };
      return { status: all.every(({ status }) => status === "unavailable") ? "unavailable" : "partial", missing };
    },
    credentials() {
      const names = new Set([...wants.values()].flat().filter((want) => want !== "nothing"));
      return [...names].map((name) => ({
        ...reportOf(name),
        collections: [...wants].filter(([, wanted]) => wanted.includes(name)).map(([id]) => id),
      }));
    },
  };
}

/** Returns the demands of the hosts from which files of a collection may be read; one entry for each different want. */
function wantsOf(
  { upstream, storage }: CollectionSchema,
  { registry, sources, localUpstreams }: FileAccessOptions,
): readonly Want[] {
  if (localUpstreams.includes(upstream.name)) return ["nothing"];
  const { upstreamUrl, otherUpstreamUrls = [], s3 } = sources;
  const addresses = [...(upstreamUrl === undefined ? [] : [upstreamUrl]), ...otherUpstreamUrls];
  const allowed = assetHosts(sources.assetHosts, addresses, registry.assetHosts);
  const near = new Set(addresses.map((address) => new URL(address).host));
  const wants = storage.hosts.flatMap((host): readonly Want[] => {
    if (host.startsWith("s3://")) {
      if (!allowed.allows(`${host.replace("*", "x")}/x`)) return [];
      const plan = planS3(findBucket(registry.storage, host.slice("s3://".length)), s3);
      return [plan.missing ?? plan.credential ?? "nothing"];
    }
    const url = new URL(`https://${host.replace("*", "x")}/`);
    if (!allowed.allows(url.href)) return [];
    const { token, tokenService, loginHosts } = findServer(registry.storage, url) ?? {};
    if (token !== undefined) return [token];
    if (tokenService !== undefined) return near.has(new URL(tokenService).host) ? ["nothing"] : [];
    return loginHosts === undefined ? ["nothing"] : [];
  });
  return [...new Set(wants)];
}

function statusOf(
  credential: CredentialName,
  { s3, credentials }: FileAccessSources,
  refused: boolean,
  now: number,
): CredentialReport["status"] {
  const token = credentials?.earthdata?.token;
  const isThere =
    credential === "earthdata"
      ? token !== undefined
      : credential === "aws"
        ? s3.credentials !== undefined
        : s3.namedKeys?.[credential.slice("s3:".length)] !== undefined;
  if (!isThere) return "missing";
  const end = credential === "earthdata" ? tokenEnd(token ?? "") : undefined;
  if (end !== undefined && end <= now) return "expired";
  return refused ? "refused" : "ok";
}

/**
 * Returns the end of a token, ms since 1970, where it is a JSON Web Token that states it (RFC 7519, `exp`), as those of
 * NASA Earthdata are; undefined for others. It is not verified: the archive does that.
 */
export function tokenEnd(token: string): number | undefined {
  const [, payload] = /^[\w-]+\.([\w-]+)\.[\w-]*$/.exec(token) ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    const end = typeof claims === "object" && claims !== null && "exp" in claims ? claims.exp : undefined;
    return typeof end === "number" && Number.isFinite(end) ? end * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function words(credential: CredentialName, status: "missing" | "expired" | "refused"): string {
  const fault: CredentialFault = status === "missing" ? "missing" : "refused";
  const text =
    status === "expired"
      ? `the service's token has expired (${credentialVariables(credential).join(", ")})`
      : credentialFault(credential, fault);
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function uniqueReports(reports: readonly CredentialReport[]): readonly CredentialReport[] {
  return [...new Map(reports.map((report) => [report.credential, report])).values()];
}
