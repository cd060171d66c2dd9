import { type Fetch, HttpError, type Pace, type RetryOptions, send, TimeLimit, withRetries } from "@swath/http";
import { CogError } from "../errors.ts";
import { checkAnswer, isPage, type ReadHow, readBody, startsAsPage } from "./http-answer.ts";
import { KeptRedirect } from "./kept-redirect.ts";
import { LONGEST_ASKED, paced, pauseAfter } from "./paced.ts";
import { checkRange, type Source } from "./source.ts";
import { statusError } from "./status-error.ts";

/** One HTTP request as it ended; `status` 0 where no answer came. */
export interface RequestRecord {
  readonly url: string;
  readonly offset: number;
  readonly length: number;
  readonly status: number;
  /** Bytes of body read. */
  readonly bytes: number;
  readonly ms: number;
}

/** Options for reading a file by HTTP. */
export interface HttpOptions extends RetryOptions {
  /** Default: the global one. */
  readonly fetch?: Fetch | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Where a server ignores `Range` and sends the whole object, up to this many bytes of it are taken and kept.
   * Default 0: such a server is refused with `range-ignored`.
   */
  readonly maxBytes?: number | undefined;
  /** Longest wait for one attempt, body included. Default 15000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Are redirects followed? Default true; at most 5. */
  readonly redirects?: boolean | undefined;
  /**
   * Asked before each request, redirects included, for which it gets the address that redirected; it refuses an address by
   * throwing. Redirects are then followed one by one, which browsers do not let scripts do: there they are refused. A
   * signed address on another host that a redirect leads to is asked directly for as long as its signature holds.
   */
  readonly checkUrl?: ((url: URL, redirectedFrom?: URL) => void | Promise<void>) | undefined;
  /**
   * Spaces the requests to the host, together with others that have the same one. A server that is asked too much (429,
   * 503) pauses it, for as long as its `Retry-After` says.
   */
  readonly pace?: Pace | undefined;
  /**
   * Awaited before each attempt waits for its turn: for what another server gives, such as a signature. What it throws is
   * the attempt's error, and pauses nothing.
   */
  readonly before?: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  /**
   * By plain HTTP bytes may be changed on their way. `true`: what has no checksum, headers among it, is requested twice there and
   * compared. Default false: once, as everybody reads.
   */
  readonly verifiesPlain?: boolean | undefined;
  /** Adds to an error before it is thrown, for example whose key or token was refused. */
  readonly explain?: ((error: CogError) => CogError) | undefined;
  /** Called after each request, for counting. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
  /** Name in caches. Default: the address. */
  readonly key?: string | undefined;
}

const MAX_REDIRECTS = 5;
/** Statuses by which a signed address is refused. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403, 404, 410]);

/**
 * An object behind HTTP range requests. By plain HTTP it is `exposed` where `verifiesPlain` is set.
 * Passing faults (time-outs, broken connections, 429, 5xx, throttling 403) are retried with backoff unless the server
 * wants to be left alone for longer than 5 s; an object that changes between two reads is noticed by its ETag,
 * Last-Modified or size.
 *
 * Reads throw {@link CogError}: `not-found` (404, 410), `unauthorized` (401, a page to log in), `forbidden` (other
 * refusals), `unavailable`, `range-ignored`, `changed`.
 */
export function httpSource(url: string | URL, options: HttpOptions = {}): Source {
  return new HttpSource(new URL(url), options);
}

class HttpSource implements Source {
  readonly key: string;
  readonly #url: URL;
  readonly #options: HttpOptions;
  #version: string | undefined;
  #size: number | undefined;
  #exposed: boolean;
  /** The whole object, from a server that ignores ranges. */
  #whole: Uint8Array | undefined;
  readonly #redirect = new KeptRedirect();

  constructor(url: URL, options: HttpOptions) {
    this.#url = url;
    this.#options = options;
    this.key = options.key ?? url.href;
    this.#exposed = options.verifiesPlain === true && url.protocol !== "https:";
  }

  get size(): number | undefined {
    return this.#size;
  }
  get version(): string | undefined {
    return this.#version;
  }
  get exposed(): boolean {
    return this.#exposed;
  }

  async read(
    offset: number,
    length: number,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<Uint8Array> {
    checkRange(offset, length);
    options?.signal?.throwIfAborted();
    if (this.#whole !== undefined) return this.#whole.subarray(offset, offset + length);
    if (length === 0 || (this.#size !== undefined && offset >= this.#size)) return new Uint8Array(0);
    const { retries, backoffMs } = this.#options;
    const signal = options?.signal;
    return withRetries(() => this.#attempt(offset, length, signal), isPassing, { retries, backoffMs, signal });
  }

  async close(): Promise<void> {
    this.#whole = undefined;
    this.#redirect.forget();
  }

  async #attempt(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const exchange = (): Promise<Uint8Array> => this.#exchange(offset, length, signal);
    const { pace, explain, before } = this.#options;
    try {
      await before?.(signal);
      return await (pace === undefined ? exchange() : paced(pace, exchange, this.key, signal));
    } catch (error) {
      if (!(error instanceof CogError)) throw error;
      this.#redirect.forget();
      throw explain?.(error) ?? error;
    }
  }

  async #exchange(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { onRequest } = this.#options;
    const started = performance.now();
    let status = 0;
    let received = 0;
    const limit = new TimeLimit(this.#options.timeoutMs ?? 15_000, "no answer in time", signal);
    try {
      const { response, isOwn } = await this.#request(offset, length, limit.signal);
      status = response.status;
      if (status !== 200 && status !== 206 && status !== 416) throw await this.#refusal(response, isOwn);
      return await this.#accept(response, offset, length, {
        signal: limit.signal,
        onBytes: (held) => {
          received = held;
        },
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof CogError) throw error;
      if (limit.isOver) throw new CogError("unavailable", `${this.key}: no answer in time.`, { cause: error });
      if (error instanceof HttpError) {
        const code = error.code === "redirect-refused" ? "forbidden" : "unavailable";
        throw new CogError(code, `${this.key}: ${error.message}`, { cause: error });
      }
      throw new CogError("unavailable", `${this.key}: ${describe(error)}.`, { cause: error });
    } finally {
      limit.end();
      onRequest?.({ url: this.#url.href, offset, length, status, bytes: received, ms: performance.now() - started });
    }
  }

  async #accept(response: Response, offset: number, length: number, how: ReadHow): Promise<Uint8Array> {
    const { maxBytes = 0, verifiesPlain } = this.#options;
    // a redirect may lead there
    if (verifiesPlain === true && response.url.startsWith("http:")) this.#exposed = true;
    if (response.status === 416) {
      await response.body?.cancel();
      const total = /\*\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
      if (total !== undefined) this.#size = Number(total);
      return new Uint8Array(0);
    }
    if (isPage(response)) {
      await response.body?.cancel();
      throw this.#pageError();
    }
    const answer = checkAnswer(response, offset, length, this.key);
    if (answer.start === undefined) {
      // the whole file: accepted when that is no more than was requested, or within the bound set for it
      const bound = Math.max(maxBytes, offset === 0 ? length : 0);
      const bytes = await readBody(response, bound, answer.size, this.key, how);
      if (startsAsPage(bytes)) throw this.#pageError();
      this.#note(response, bytes.length);
      if (maxBytes >= bytes.length) this.#whole = bytes;
      return bytes.subarray(offset, offset + length);
    }
    const bytes = await readBody(response, answer.size ?? length, answer.size, this.key, how);
    this.#note(response, answer.total);
    return bytes;
  }

  /** The error of an answer without bytes, which pauses the host where it is the host's own. */
  async #refusal(response: Response, isOwn: boolean): Promise<CogError> {
    const error = await statusError(response, this.key);
    const pause = pauseAfter(response.status, error);
    if (isOwn && pause > 0) this.#options.pace?.pause(pause);
    return error;
  }

  /** Compares what an answer says of the object with what earlier ones said. */
  #note(response: Response, total: number | undefined): void {
    const tag = response.headers.get("etag") ?? response.headers.get("last-modified");
    if (tag === null && total === undefined) return;
    const version = `${tag ?? ""} ${total ?? ""}`.trim();
    const before = this.#version;
    this.#version = version;
    this.#size = total;
    if (before !== undefined && before !== version) {
      throw new CogError("changed", `${this.key} changed between two reads.`);
    }
  }

  #pageError(): CogError {
    return new CogError(
      "unauthorized",
      `${this.key}: the server sent an HTML page in place of the file: it needs a login.`,
    );
  }

  /** Sends the request; says whether the answer comes from the host of the address, and not from one behind a redirect. */
  async #request(
    offset: number,
    length: number,
    signal: AbortSignal,
  ): Promise<{ readonly response: Response; readonly isOwn: boolean }> {
    const { fetch, headers, checkUrl, redirects = true } = this.#options;
    const Range = `bytes=${offset}-${offset + length - 1}`;
    const kept = this.#redirect.at(Date.now());
    if (kept !== undefined) {
      const check = (url: URL, from = this.#url): void | Promise<void> => checkUrl?.(url, from);
      const response = await send({ url: kept, headers: { Range } }, { fetch, signal, checkUrl: check });
      if (!REFUSALS.has(response.status)) return { response, isOwn: false };
      await response.body?.cancel();
      this.#redirect.forget();
    }
    let last = this.#url;
    const check = (url: URL, from?: URL): void | Promise<void> => {
      last = url;
      return checkUrl?.(url, from);
    };
    const response = await send(
      { url: this.#url, headers: { Range } },
      {
        fetch,
        signal,
        privateHeaders: headers,
        ...(checkUrl === undefined ? {} : { checkUrl: check }),
        maxRedirects: redirects ? MAX_REDIRECTS : 0,
      },
    );
    const isOwn = last.origin === this.#url.origin && !response.redirected;
    if (last.origin !== this.#url.origin && response.status === 206) this.#redirect.keep(last, Date.now());
    return { response, isOwn };
  }
}

function isPassing(error: unknown): boolean | number {
  if (!(error instanceof CogError) || error.code !== "unavailable") return false;
  const { retryAfter = 0 } = error;
  return retryAfter > LONGEST_ASKED ? false : retryAfter === 0 || retryAfter * 1000;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message || error.cause.name}` : "";
  return `${error.message}${cause}`;
}
