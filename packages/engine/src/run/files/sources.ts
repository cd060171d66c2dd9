import { resolve, sep } from "node:path";
import { CogError, httpSource, type Source } from "@swath/cog";
import { fileSource, s3Source } from "@swath/cog/node";
import type { Fetch } from "@swath/http";
import { type CredentialSettings, loginError, webCredentials } from "./access/asset-credentials.ts";
import { type AssetHosts, assetHosts, HostError, isRedirectHost } from "./access/asset-hosts.ts";
import { CredentialError, type CredentialName } from "./access/credentials.ts";
import {
  type FileStorage,
  findBucket,
  findServer,
  isHost,
  NO_STORAGE,
  type ServerFacts,
} from "./access/file-storage.ts";
import { HostPaces, type PaceStates, paceStates } from "./access/host-paces.ts";
import { planS3 } from "./access/s3-plan.ts";
import type { S3Settings } from "./access/s3-settings.ts";
import { createSharedAccess, type SharedAccess } from "./access/shared-access.ts";
import { type FolderFiles, folderPath, folderSource } from "./folder-files.ts";
import { privateHosts, type Resolve } from "./private-addresses.ts";
import type { OnRead } from "./traffic.ts";

/** Settings for reading files: the places that they may be read from, and keys. */
export interface SourceSettings {
  /** Folder that `archive:` addresses lie in. */
  readonly archiveDirectory?: string;
  /** The owner's folder, whose files have signed `archive:` addresses. */
  readonly folder?: FolderFiles;
  readonly assetHosts: readonly string[];
  readonly upstreamUrl?: string;
  /** Addresses of further upstreams. */
  readonly otherUpstreamUrls?: readonly string[];
  /** Hosts that the collections name, where `assetHosts` is empty. */
  readonly knownHosts?: readonly string[];
  /** The conditions of buckets and hosts for their readers. Default: nothing is known of any. */
  readonly storage?: FileStorage;
  /** Times of requests to hosts, kept together with other threads. Default: this one's own. */
  readonly paces?: PaceStates;
  readonly s3: S3Settings;
  /** Bytes of an object that is taken whole from a server that sends no parts of it; default 0. */
  readonly wholeBytes?: number;
  /** Whether what has no checksum is read twice by plain HTTP, and compared; default false. */
  readonly verifyPlainHttp?: boolean;
  /** Keys and tokens for hosts that ask for them. */
  readonly credentials?: CredentialSettings;
  /** Called for every request for bytes that leaves this machine. */
  readonly onRead?: OnRead;
  /** Addresses of a host name; by default those of the system. */
  readonly resolve?: Resolve;
  /** Default: the global one. */
  readonly fetch?: Fetch;
}

/** Opens nothing: says from where and how a file is read. */
export type SourceFor = (href: string) => Source;

/** Buckets whose region was learnt from S3 and is kept. */
const MAX_REGIONS = 256;

/**
 * Sources by address: `archive:` files, http(s) and s3 by ranges, as their hosts and buckets demand.
 *
 * @param access state that threads share; by default this thread's own.
 * @throws {CogError} `not-found` for an address that may not be read, which leaves the scene out like a missing file;
 *   {CredentialError} where the service lacks the key that a bucket asks for.
 */
export function createSources(settings: SourceSettings, access?: SharedAccess): SourceFor {
  const { upstreamUrl, otherUpstreamUrls = [], knownHosts, archiveDirectory, folder, storage = NO_STORAGE } = settings;
  const upstreamUrls = upstreamUrl === undefined ? otherUpstreamUrls : [upstreamUrl, ...otherUpstreamUrls];
  const states = settings.paces ?? paceStates(storage, 1);
  const reading: Reading = {
    settings,
    storage,
    access: access ?? createSharedAccess({ ...settings, paces: states }),
    hosts: assetHosts(settings.assetHosts, upstreamUrls, knownHosts),
    isPrivate: privateHosts(settings.resolve),
    paces: new HostPaces(states),
    knownRegions: new Map(),
  };
  return (href) => {
    const own = folder === undefined ? undefined : folderPath(folder, href);
    if (folder !== undefined && own !== undefined) return folderSource(folder, own);
    if (href.startsWith("archive:") && archiveDirectory !== undefined) {
      const path = resolve(archiveDirectory, href.slice("archive:".length));
      if (!path.startsWith(archiveDirectory + sep))
        throw new CogError("not-found", `${href} lies outside the archive.`);
      return fileSource(path);
    }
    if (!URL.canParse(href)) {
      throw new CogError("not-found", `"${href}" is a relative address, and its item has no address to begin it with.`);
    }
    if (!reading.hosts.allows(href)) {
      const host = hostOf(href);
      const named = href.startsWith("s3:") ? `s3://${host}` : host;
      throw new HostError("not-found", `${href}: files may not be read from ${host}.`, { host: named });
    }
    return href.startsWith("s3:") ? s3File(href, reading) : webFile(href, reading);
  };
}

/** The resources for reading files in one thread. */
interface Reading {
  readonly settings: SourceSettings;
  readonly storage: FileStorage;
  readonly access: SharedAccess;
  readonly hosts: AssetHosts;
  readonly isPrivate: (host: string) => Promise<boolean>;
  readonly paces: HostPaces;
  /** Regions of buckets that S3 has named. */
  readonly knownRegions: Map<string, string>;
}

function webFile(href: string, reading: Reading): Source {
  const { settings, storage, access, paces } = reading;
  const { credentials = {}, wholeBytes = 0, verifyPlainHttp: verifiesPlain, onRead, fetch } = settings;
  const url = new URL(href);
  const facts = findServer(storage, url);
  const { credential, isThere, ...how } = webCredentials(url, facts, { settings: credentials, tokens: access, fetch });
  return httpSource(url, {
    ...how,
    ...(credential === undefined ? {} : { explain: (error) => explained(error, credential, isThere, href, access) }),
    pace: paces.ofServer(url, facts),
    checkUrl: addressCheck(href, facts, reading),
    maxBytes: wholeBytes,
    verifiesPlain,
    onRequest(record) {
      if (isThere && credential !== undefined && record.status === 206) access.credential(credential, "accepted");
      onRead?.(record, false);
    },
  });
}

/** Names the key or token of the service that is missing or was refused. */
function explained(
  error: CogError,
  credential: CredentialName,
  isThere: boolean,
  href: string,
  access: SharedAccess,
): CogError {
  if (error.code !== "unauthorized") return error;
  if (isThere) access.credential(credential, "refused");
  return new CredentialError(credential, isThere ? "refused" : "missing", { href, cause: error });
}

/** Redirects are checked like the first address; a name may lead to another address than it seems. */
function addressCheck(href: string, facts: ServerFacts | undefined, { hosts, isPrivate }: Reading) {
  const { redirectHosts = [], loginHosts = [] } = facts ?? {};
  return async (url: URL, redirectedFrom?: URL): Promise<void> => {
    if (redirectedFrom !== undefined) {
      if (loginHosts.some((host) => isHost(host, url))) throw loginError(href, url);
      if (!hosts.allows(url.href) && !isRedirectHost(url, redirectHosts)) {
        const message = `${href} redirects to ${url.host}, where files may not be read from.`;
        throw new HostError("forbidden", message, { host: url.host });
      }
    }
    if (!hosts.isNamed(url.href) && (await isPrivate(url.hostname))) {
      const code = redirectedFrom === undefined ? "not-found" : "forbidden";
      const message = `${href}: files may not be read from ${url.host}, which is private.`;
      throw new HostError(code, message, { host: url.host, isPrivate: true });
    }
  };
}

function s3File(href: string, { settings, storage, access, paces, knownRegions }: Reading): Source {
  const { s3, verifyPlainHttp: verifiesPlain, onRead, fetch } = settings;
  const { host: bucket } = new URL(href);
  const facts = findBucket(storage, bucket);
  const plan = planS3(facts, s3);
  if (plan.missing !== undefined) throw new CredentialError(plan.missing, "missing", { href });
  if (knownRegions.size > MAX_REGIONS) knownRegions.clear();
  const { credential, requesterPays } = plan;
  return s3Source(href, {
    region: plan.region,
    knownRegions,
    fetch,
    verifiesPlain,
    requesterPays,
    ...(credential === undefined ? {} : { explain: (error) => explained(error, credential, true, href, access) }),
    pace: paces.ofBucket(bucket, facts),
    ...(plan.endpoint === undefined ? {} : { endpoint: plan.endpoint }),
    ...(plan.keys === undefined ? {} : { credentials: plan.keys }),
    onRequest(record) {
      if (credential !== undefined && record.status === 206) access.credential(credential, "accepted");
      onRead?.(record, requesterPays);
    },
  });
}

function hostOf(href: string): string {
  return new URL(href).host || href.split(":")[0] || "there";
}
