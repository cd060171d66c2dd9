import { InFlight, readBytes, send, TimeLimit } from "@swath/http";

/** Adds signatures to addresses of a storage whose containers have tokens of limited life. */
export interface UrlSigner {
  /** The address with a signature that holds for a minute at least. */
  sign(url: URL, signal?: AbortSignal): Promise<URL>;
  /** Drops the token by which `signed` was made, which was refused. */
  forget(url: URL, signed: URL): void;
}

/** The answer of the token service; undefined where it is something else. */
function tokenOfAnswer(text: string): Token | undefined {
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== "object" || answer === null || !("token" in answer) || !("msft:expiry" in answer)) return;
  const { token, "msft:expiry": expiry } = answer;
  if (typeof token !== "string" || token === "" || typeof expiry !== "string") return;
  const expires = Date.parse(expiry);
  return Number.isNaN(expires) ? undefined : { query: token.replace(/^\?/, ""), expires };
}

interface Token {
  readonly query: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** A token is replaced this long before it expires: a request takes seconds. */
const MARGIN_MS = 60_000;
const TIMEOUT_MS = 10_000;
const MAX_TOKEN_BYTES = 16_384;
/** Tokens kept: one for each container. */
const MAX_TOKENS = 256;

/**
 * Signs addresses as Planetary Computer asks for (`GET {tokenUrl}/{account}/{container}` gives `token` and
 * `msft:expiry`). Tokens are kept until a minute before they expire.
 *
 * @param now milliseconds since 1970, for tests.
 */
export function createUrlSigner(tokenUrl: string, now: () => number = Date.now): UrlSigner {
  const tokens = new Map<string, Token>();
  const running = new InFlight<Token>();

  const tokenOf = async (container: string, signal: AbortSignal | undefined): Promise<Token> => {
    const known = tokens.get(container);
    if (known !== undefined && known.expires - MARGIN_MS > now()) return known;
    const token = await running.share(container, (shared) => requestToken(`${tokenUrl}/${container}`, shared), signal);
    if (tokens.size >= MAX_TOKENS) tokens.clear();
    tokens.set(container, token);
    return token;
  };
  return {
    async sign(url, signal) {
      const { query } = await tokenOf(containerOf(url), signal);
      const signed = new URL(url);
      signed.search = signed.search === "" ? query : `${signed.search.slice(1)}&${query}`;
      return signed;
    },
    forget(url, signed) {
      const container = containerOf(url);
      const known = tokens.get(container);
      // another request may have a newer one already
      if (known !== undefined && signed.search.endsWith(known.query)) tokens.delete(container);
    },
  };
}

/** `account/container` of `https://account.blob.core.windows.net/container/path`. */
function containerOf(url: URL): string {
  const [account = ""] = url.hostname.split(".");
  const [, container = ""] = url.pathname.split("/");
  return `${encodeURIComponent(account)}/${container}`;
}

async function requestToken(address: string, signal: AbortSignal): Promise<Token> {
  const limit = new TimeLimit(TIMEOUT_MS, "no token in time", signal);
  try {
    const response = await send({ url: address }, { signal: limit.signal, maxRedirects: 0 });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw new Error(`The token service answered ${response.status}.`);
    }
    const bytes = await readBytes(response, { maxBytes: MAX_TOKEN_BYTES, signal: limit.signal });
    const text = new TextDecoder().decode(bytes);
    const token = tokenOfAnswer(text);
    if (token === undefined) throw new Error("The token service gave no token with its expiry.");
    return token;
  } finally {
    limit.end();
  }
}
