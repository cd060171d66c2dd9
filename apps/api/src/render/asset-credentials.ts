import { CogError, type HttpOptions } from "@swath/cog";
import { createUrlSigner, type UrlSigner } from "./signed-urls.ts";

/** Credentials of hosts that give files to those they know. Each goes to its own hosts, by https, and to no other. */
export interface CredentialSettings {
  /** Bearer token of NASA Earthdata. */
  readonly earthdata?: { readonly token: string; readonly hosts?: readonly string[] } | undefined;
  /** Where Planetary Computer hands out tokens for its storage: `{tokenUrl}/{account}/{container}`. */
  readonly planetaryComputer?: { readonly tokenUrl: string; readonly hosts?: readonly string[] } | undefined;
}

/** Hosts that take an Earthdata token: these names, and the names below those that begin with a dot. */
const EARTHDATA_HOSTS: readonly string[] = [".earthdatacloud.nasa.gov", ".earthdata.nasa.gov"];
const BLOB_HOSTS: readonly string[] = [".blob.core.windows.net"];

/** How requests to an address prove who asks; empty for addresses without a credential. */
export type CredentialsFor = (href: string) => Pick<HttpOptions, "headers" | "fetch">;

/** What adds credentials to requests for files. Signing tokens are shared by the files of a storage container. */
export function assetCredentials({ earthdata, planetaryComputer }: CredentialSettings): CredentialsFor {
  const signer: UrlSigner | undefined = planetaryComputer && createUrlSigner(planetaryComputer.tokenUrl);
  return (href) => {
    const url = new URL(href);
    if (earthdata !== undefined && isOf(url, earthdata.hosts ?? EARTHDATA_HOSTS)) {
      // httpSource sends them to the origin of `href` alone, not to hosts that redirects lead to
      return { headers: { Authorization: `Bearer ${earthdata.token}` } };
    }
    const hosts = planetaryComputer?.hosts ?? BLOB_HOSTS;
    if (signer === undefined || !isOf(url, hosts)) return {};
    return {
      fetch: async (input, init) => {
        const target = new URL(input);
        if (!isOf(target, hosts)) return globalThis.fetch(input, init);
        return fetchSigned(signer, target, init);
      },
    };
  };
}

/** Sends a request to a signed address; a token that is refused is asked for again once. */
async function fetchSigned(signer: UrlSigner, url: URL, init: RequestInit | undefined): Promise<Response> {
  const signal = init?.signal ?? undefined;
  const signed = await sign(signer, url, signal);
  const response = await globalThis.fetch(signed, init);
  if (response.status !== 403) return response;
  await response.body?.cancel();
  signer.forget(url, signed);
  return globalThis.fetch(await sign(signer, url, signal), init);
}

async function sign(signer: UrlSigner, url: URL, signal: AbortSignal | undefined): Promise<URL> {
  try {
    return await signer.sign(url, signal);
  } catch (cause) {
    signal?.throwIfAborted();
    // the message of the cause may have the token's address, which is no secret, and never the token
    throw new CogError("unavailable", `No token for files of ${url.host}.`, { cause });
  }
}

/** Whether an address is https (or a loopback one) on one of the hosts: `host`, `host:port`, or `.suffix`. */
function isOf(url: URL, hosts: readonly string[]): boolean {
  const isLoopback = url.hostname === "127.0.0.1" || url.hostname === "[::1]";
  if (url.protocol !== "https:" && !isLoopback) return false;
  if (url.username !== "" || url.password !== "") return false;
  return hosts.some((host) =>
    host.startsWith(".") ? url.port === "" && url.hostname.endsWith(host) : host === url.host,
  );
}
