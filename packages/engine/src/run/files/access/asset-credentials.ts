import { CogError, type HttpOptions } from "@swath/cog";
import type { Fetch } from "@swath/http";
import type { CredentialName } from "./credentials.ts";
import { isHost, type ServerFacts } from "./file-storage.ts";
import { containerOf, signedUrl, type UrlTokens } from "./signed-urls.ts";

/** Keys and tokens of the service for files on https hosts. */
export interface CredentialSettings {
  /**
   * Bearer token of NASA Earthdata. Which hosts want it is said by collection files; it is sent to none but those `within`
   * these names, whatever the files say.
   */
  readonly earthdata?: { readonly token: string; readonly within?: readonly string[] } | undefined;
}

const EARTHDATA_DOMAINS: readonly string[] = ["*.earthdatacloud.nasa.gov", "*.earthdata.nasa.gov"];

/** The members of a request for a file that prove who asks. */
export interface WebCredentials extends Pick<HttpOptions, "headers" | "fetch" | "before"> {
  /** Name of the key or token that the host wants, whether the service has it or not. */
  readonly credential?: CredentialName;
  /** Whether the service has it. */
  readonly isThere: boolean;
}

/** Options for adding keys and tokens to requests for files of https hosts. */
export interface WebCredentialOptions {
  readonly settings: CredentialSettings;
  readonly tokens: UrlTokens;
  readonly fetch?: Fetch | undefined;
}

/**
 * Returns the keys and tokens for an address, if collection files state that its host wants them. Each goes to its own
 * hosts, by https, and to no other.
 */
export function webCredentials(
  url: URL,
  facts: ServerFacts | undefined,
  { settings: { earthdata }, tokens, fetch: given }: WebCredentialOptions,
): WebCredentials {
  const plain = given === undefined ? {} : { fetch: given };
  if (!isSafe(url)) return { isThere: false, ...plain };
  if (facts?.token === "earthdata") {
    const within = earthdata?.within ?? EARTHDATA_DOMAINS;
    const isThere = earthdata !== undefined && within.some((name) => isHost(name, url));
    // the source sends them to the origin of the address alone, not to hosts that redirects lead to
    const headers = isThere ? { Authorization: `Bearer ${earthdata.token}` } : {};
    return { ...plain, headers, credential: "earthdata", isThere };
  }
  const service = facts?.tokenService;
  if (service === undefined) return { isThere: false, ...plain };
  const fetch: Fetch = (input, init) => (given ?? globalThis.fetch)(input, init);
  const container = containerOf(url);
  let ready: Signature | undefined;
  return {
    isThere: true,
    // the token service's time and refusals are not the storage's
    before: async (signal) => {
      ready = { query: await tokens.token(service, container, signal) };
    },
    fetch: (input, init) => {
      const target = new URL(input);
      // a redirect to another host gets no signature
      if (facts === undefined || !isHost(facts.host, target) || !isSafe(target)) return fetch(input, init);
      const known = containerOf(target) === container ? ready : undefined;
      return fetchSigned(target, init, { service, tokens, fetch, known });
    },
  };
}

/** The query that signs addresses of a container; undefined where they are read without. */
interface Signature {
  readonly query: string | undefined;
}

interface Signing {
  readonly service: string;
  readonly tokens: UrlTokens;
  readonly fetch: Fetch;
  /** The signature that was asked for before; absent: there is none. */
  readonly known: Signature | undefined;
}

/**
 * Sends a request to a signed address. A signature that is refused, and a refusal to read without one (409
 * `PublicAccessNotPermitted`), are answered by a new token, once.
 */
async function fetchSigned(url: URL, init: RequestInit | undefined, signing: Signing): Promise<Response> {
  const { service, tokens, fetch, known } = signing;
  const signal = init?.signal ?? undefined;
  const container = containerOf(url);
  const send = async (query: string | undefined): Promise<Response> =>
    fetch(query === undefined ? url : signedUrl(url, query), init);
  const { query: first } = known ?? { query: await tokens.token(service, container, signal) };
  const response = await send(first);
  if (response.status !== 403 && response.status !== 409) return response;
  tokens.forget(service, container, first);
  const second = await tokens.token(service, container, signal);
  if (second === first) return response;
  await response.body?.cancel();
  return send(second);
}

/** Whether what is sent to an address stays between it and us: https, or this machine; without a user in it. */
function isSafe(url: URL): boolean {
  const isLoopback = url.hostname === "127.0.0.1" || url.hostname === "[::1]" || url.hostname === "localhost";
  return (url.protocol === "https:" || isLoopback) && url.username === "" && url.password === "";
}

/** The error of a redirect to a page where people log in. */
export function loginError(href: string, page: URL): CogError {
  return new CogError("unauthorized", `${href}: the server redirects to ${page.host}, where people log in.`);
}
