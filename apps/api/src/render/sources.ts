import { resolve, sep } from "node:path";
import { CogError, httpSource, type Source } from "@swath/cog";
import { fileSource, s3Source } from "@swath/cog/node";
import type { S3Settings } from "../s3-settings.ts";
import { assetCredentials, type CredentialSettings } from "./asset-credentials.ts";
import { assetHosts } from "./asset-hosts.ts";
import { privateHosts, type Resolve } from "./private-addresses.ts";
import type { OnRead } from "./traffic.ts";

export interface SourceSettings {
  /** Folder that `archive:` addresses lie in. */
  readonly archiveDirectory?: string;
  readonly assetHosts: readonly string[];
  readonly upstreamUrl?: string;
  /** Addresses of further upstreams. */
  readonly otherUpstreamUrls?: readonly string[];
  /** Hosts that the collections name, where `assetHosts` is empty. */
  readonly knownHosts?: readonly string[];
  readonly s3: S3Settings;
  /** Bytes of an object that is taken whole from a server that sends no parts of it; default 0. */
  readonly wholeBytes?: number;
  /** Credentials of hosts that ask for them. */
  readonly credentials?: CredentialSettings;
  /** Called for every request for bytes that leaves this machine. */
  readonly onRead?: OnRead;
  /** Addresses of a host name; by default those of the system. */
  readonly resolve?: Resolve;
}

/** Opens nothing: says from where and how a file is read. */
export type SourceFor = (href: string) => Source;

/**
 * Sources by address: `archive:` files, http(s) by ranges, s3 as a requester who pays.
 *
 * @throws {CogError} `not-found` for an address that may not be read, which leaves the scene out like a missing file.
 */
export function createSources(settings: SourceSettings): SourceFor {
  const { upstreamUrl, otherUpstreamUrls = [], knownHosts } = settings;
  const upstreamUrls = upstreamUrl === undefined ? otherUpstreamUrls : [upstreamUrl, ...otherUpstreamUrls];
  const hosts = assetHosts(settings.assetHosts, upstreamUrls, knownHosts);
  const { archiveDirectory, s3, onRead, resolve: resolveName, wholeBytes = 0 } = settings;
  const isPrivate = privateHosts(resolveName);
  const credentialsFor = assetCredentials(settings.credentials ?? {});
  return (href) => {
    if (href.startsWith("archive:") && archiveDirectory !== undefined) {
      const path = resolve(archiveDirectory, href.slice("archive:".length));
      if (!path.startsWith(archiveDirectory + sep))
        throw new CogError("not-found", `${href} lies outside the archive.`);
      return fileSource(path);
    }
    const checkUrl = (address: string): void => {
      if (!hosts.allows(address)) throw new CogError("not-found", `Files may not be read from ${hostOf(address)}.`);
    };
    checkUrl(href);
    // redirects are checked like the first address; a name may lead to another address than it seems
    const checkHost = async (url: URL): Promise<void> => {
      checkUrl(url.href);
      if (!hosts.isNamed(url.href) && (await isPrivate(url.hostname))) {
        throw new CogError("not-found", `Files may not be read from ${url.host}.`);
      }
    };
    if (!href.startsWith("s3:"))
      return httpSource(href, {
        checkUrl: checkHost,
        maxBytes: wholeBytes,
        ...credentialsFor(href),
        ...(onRead === undefined ? {} : { onRequest: (record) => onRead(record, false) }),
      });
    if (s3.credentials === undefined) {
      throw new CogError("forbidden", "The service has no credentials for requester-pays buckets.");
    }
    return s3Source(href, {
      region: s3.region,
      credentials: s3.credentials,
      requesterPays: true,
      ...(onRead === undefined ? {} : { onRequest: (record) => onRead(record, true) }),
      ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    });
  };
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host || href.split(":")[0] || "there" : "there";
}
