import { CogError } from "@swath/cog";
import {
  type Fetch,
  HttpError,
  type Pace,
  Remembered,
  readBytes,
  readText,
  retryAfterSeconds,
  send,
  TimeLimit,
  withRetries,
} from "@swath/http";

/** Hands out signatures for storage whose containers have tokens of limited life, as Planetary Computer's does. */
export interface UrlTokens {
  /**
   * The query that signs addresses of a container for a minute at least; undefined for one that the service does not
   * know, whose files are read without.
   *
   * @param service address of the token service
   * @param container `account/container`
   * @throws {TokenServiceError} `unavailable`
   */
  token(service: string, container: string, signal?: AbortSignal): Promise<string | undefined>;
  /** Drops a token that the storage refused, at most once a minute for a container: it may refuse newer ones too. */
  forget(service: string, container: string, query: string | undefined): void;
}

/** Options for {@link createUrlTokens}; all have defaults. */
export interface UrlTokenOptions {
  readonly fetch?: Fetch | undefined;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** The pace of a service, which it pauses by refusing. Default: none. */
  readonly paceOf?: (service: URL) => Pace;
  /** Longest wait before the second attempt, ms. */
  readonly backoffMs?: number;
}

/** A token service gave no token: a fault of neither the storage nor the file. */
export class TokenServiceError extends CogError {
  override readonly name = "TokenServiceError";
}

interface Token {
  readonly query: string | undefined;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** A token is replaced this long before it expires: a request takes seconds. */
const MARGIN_MS = 60_000;
/** Pause between two requests for a container that the token service does not know, milliseconds. */
const UNKNOWN_MS = 600_000;
const RENEW_MS = 60_000;
/** Time limits of one attempt, and of all of them: a read of a file waits for it within its own 15 s. */
const TIMEOUT_MS = 5_000;
const DEADLINE_MS = 9_000;
const RETRIES = 5;
const MAX_TOKEN_BYTES = 16_384;
/** Containers of which something is kept. */
const MAX_KEPT = 256;
/** Seconds after which the service is asked again when it did not say; the attempts before have taken some. */
const RETRY_AFTER = 10;
/** Longest wait that the service may ask for before an attempt is repeated, seconds. */
const LONGEST_ASKED = 5;
/** Pause after 429 where the service does not say for how long, seconds. */
const USUAL_PAUSE = 2;

/**
 * Tokens by `GET {service}/{account}/{container}`, which answers `token` and `msft:expiry`. They are kept until a minute
 * before they expire; callers of one container share a request. Faults that pass (429, 5xx, time-outs) are retried with
 * backoff; a service that wants to be left alone for longer is, and the error says for how long.
 */
export function createUrlTokens(options: UrlTokenOptions = {}): UrlTokens {
  const { now = Date.now } = options;
  const tokens = new Remembered<Token>({ max: MAX_KEPT, ttlMs: ({ expires }) => expires - MARGIN_MS - now(), now });
  const renewed = new Remembered<true>({ max: MAX_KEPT, ttlMs: () => RENEW_MS, now });
  return {
    async token(service, container, signal) {
      const address = `${service}/${container}`;
      const token = await tokens.of(address, (shared) => loadToken(address, options, now, shared), signal);
      return token.query;
    },
    forget(service, container, query) {
      const address = `${service}/${container}`;
      // another request may have a newer one already
      if (tokens.get(address)?.query !== query || renewed.get(address) === true) return;
      renewed.set(address, true);
      tokens.delete(address);
    },
  };
}

/** `account/container` of `https://account.blob.core.windows.net/container/path`. */
export function containerOf(url: URL): string {
  const [account = ""] = url.hostname.split(".");
  const [, container = ""] = url.pathname.split("/");
  return `${encodeURIComponent(account)}/${container}`;
}

/** An address with the query of a token behind its own. */
export function signedUrl(url: URL, query: string): URL {
  const signed = new URL(url);
  signed.search = signed.search === "" ? query : `${signed.search.slice(1)}&${query}`;
  return signed;
}

async function loadToken(
  address: string,
  { fetch, paceOf, backoffMs = 250 }: UrlTokenOptions,
  now: () => number,
  signal: AbortSignal,
): Promise<Token> {
  const url = new URL(address);
  const pace = paceOf?.(url);
  const attempt = async (limited: AbortSignal | undefined): Promise<Token> => {
    const request = (): Promise<Token> => requestToken(address, { fetch, now, signal: limited });
    try {
      return await (pace === undefined
        ? request()
        : pace.run(request, { signal: limited, withinMs: LONGEST_ASKED * 1000 }));
    } catch (error) {
      const { retryAfter } = error instanceof CogError || error instanceof HttpError ? error : {};
      if (error instanceof CogError && retryAfter !== undefined) pace?.pause(retryAfter);
      throw error instanceof HttpError && retryAfter !== undefined ? waiting(retryAfter, error) : error;
    }
  };
  try {
    return await withRetries(attempt, isPassing, { retries: RETRIES, backoffMs, deadlineMs: DEADLINE_MS, signal });
  } catch (error) {
    signal.throwIfAborted();
    // the reader of the file does not retry a request that was retried here
    const asked = error instanceof CogError ? (error.retryAfter ?? 0) : 0;
    const message = `No token from ${url.host}: ${error instanceof Error ? error.message : String(error)}`;
    throw new TokenServiceError("unavailable", message, {
      cause: error,
      retryAfter: asked > LONGEST_ASKED ? asked : RETRY_AFTER,
    });
  }
}

function waiting(retryAfter: number, cause: Error): CogError {
  return new CogError("unavailable", "the token service has asked for a pause", { cause, retryAfter });
}

function isPassing(error: unknown): boolean | number {
  const { retryAfter = 0 } = error instanceof CogError ? error : {};
  return retryAfter > LONGEST_ASKED ? false : retryAfter === 0 || retryAfter * 1000;
}

async function requestToken(
  address: string,
  { fetch, now, signal }: { fetch: Fetch | undefined; now: () => number; signal: AbortSignal | undefined },
): Promise<Token> {
  const limit = new TimeLimit(TIMEOUT_MS, "no token in time", signal);
  try {
    const response = await send({ url: address }, { fetch, signal: limit.signal, maxRedirects: 0 });
    if (response.status === 404 || response.status === 400) {
      await response.body?.cancel();
      return { query: undefined, expires: now() + UNKNOWN_MS };
    }
    if (response.status !== 200) throw await refusalOf(response, limit.signal, now());
    const bytes = await readBytes(response, { maxBytes: MAX_TOKEN_BYTES, signal: limit.signal });
    const token = tokenOfAnswer(new TextDecoder().decode(bytes));
    if (token === undefined) throw new CogError("unavailable", "the token service gave no token with its expiry");
    return token;
  } finally {
    limit.end();
  }
}

/** The seconds of an answer stand in its header, or in its words: "Try again in 23 seconds." */
async function refusalOf(response: Response, signal: AbortSignal, now: number): Promise<CogError> {
  const text = await readText(response, 1024, signal);
  const words = /\btry again in (\d{1,5}) seconds?\b/i.exec(text)?.[1];
  const said = retryAfterSeconds(response.headers.get("retry-after") ?? words, now);
  const retryAfter = said ?? (response.status === 429 ? USUAL_PAUSE : undefined);
  return new CogError("unavailable", `the token service answered ${response.status}`, {
    cause: Object.assign(new Error(`HTTP ${response.status}`), { status: response.status }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  });
}

/** The answer of the token service; undefined where it is something else. */
function tokenOfAnswer(text: string): Token | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof answer !== "object" || answer === null || !("token" in answer) || !("msft:expiry" in answer)) return;
  const { token, "msft:expiry": expiry } = answer;
  if (typeof token !== "string" || token === "" || typeof expiry !== "string") return;
  const expires = Date.parse(expiry);
  return Number.isNaN(expires) ? undefined : { query: token.replace(/^\?/, ""), expires };
}
