import { type Fetch, HttpError, type RetryOptions, send, TimeLimit, withRetries } from "@swath/http";
import { CogError } from "../errors.ts";
import { checkAnswer, type ReadHow, readBody, statusError } from "./http-answer.ts";
import { checkRange, type Source } from "./source.ts";

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

/** How a file is read by HTTP. */
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
   * Asked before each request, redirects included; it refuses an address by throwing. Redirects are then followed
   * one by one, which browsers do not let scripts do: there they are refused.
   */
  readonly checkUrl?: ((url: URL) => void | Promise<void>) | undefined;
  /** Called after each request, for counting. */
  readonly onRequest?: ((record: RequestRecord) => void) | undefined;
  /** Makes the headers of a request, e.g. signs it. */
  readonly authorize?:
    | ((url: URL, headers: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>)
    | undefined;
  /** Name in caches. Default: the address. */
  readonly key?: string | undefined;
}

const MAX_REDIRECTS = 5;

/**
 * An object behind HTTP range requests. By plain HTTP it is `exposed`: what no checksum vouches for is requested twice. Passing faults (time-outs, broken connections, 429, 5xx, throttling 403) are
 * retried with backoff; an object that changes between two reads is noticed by its ETag, Last-Modified or size.
 *
 * Reads throw {@link CogError}: `not-found` (404, 410), `forbidden` (401, other 403), `unavailable`, `range-ignored`,
 * `changed`.
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

  constructor(url: URL, options: HttpOptions) {
    this.#url = url;
    this.#options = options;
    this.key = options.key ?? url.href;
    this.#exposed = url.protocol !== "https:";
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
  }

  async #attempt(offset: number, length: number, signal: AbortSignal | undefined): Promise<Uint8Array> {
    const { onRequest } = this.#options;
    const started = performance.now();
    let status = 0;
    let received = 0;
    const limit = new TimeLimit(this.#options.timeoutMs ?? 15_000, "no answer in time", signal);
    try {
      const response = await this.#request(offset, length, limit.signal);
      status = response.status;
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
    const { maxBytes = 0 } = this.#options;
    // a redirect may lead there
    if (response.url.startsWith("http:")) this.#exposed = true;
    if (response.status === 416) {
      await response.body?.cancel();
      const total = /\*\/(\d+)$/.exec(response.headers.get("content-range") ?? "")?.[1];
      if (total !== undefined) this.#size = Number(total);
      return new Uint8Array(0);
    }
    if (response.status !== 200 && response.status !== 206) throw await statusError(response, this.key);
    const answer = checkAnswer(response, offset, length, this.key);
    if (answer.start === undefined) {
      // the whole file: accepted when that is no more than was requested, or within the bound set for it
      const bound = Math.max(maxBytes, offset === 0 ? length : 0);
      const bytes = await readBody(response, bound, answer.size, this.key, how);
      this.#note(response, bytes.length);
      if (maxBytes >= bytes.length) this.#whole = bytes;
      return bytes.subarray(offset, offset + length);
    }
    const bytes = await readBody(response, answer.size ?? length, answer.size, this.key, how);
    this.#note(response, answer.total);
    return bytes;
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

  async #request(offset: number, length: number, signal: AbortSignal): Promise<Response> {
    const { fetch, headers, authorize, checkUrl, redirects = true } = this.#options;
    const Range = `bytes=${offset}-${offset + length - 1}`;
    return send(
      { url: this.#url, headers: { Range } },
      { fetch, signal, privateHeaders: headers, authorize, checkUrl, maxRedirects: redirects ? MAX_REDIRECTS : 0 },
    );
  }
}

function isPassing(error: unknown): boolean | number {
  if (!(error instanceof CogError) || error.code !== "unavailable") return false;
  const asked = error.cause instanceof Error && "retryAfterMs" in error.cause ? Number(error.cause.retryAfterMs) : 0;
  return asked > 0 ? Math.min(asked, 5_000) : true;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message || error.cause.name}` : "";
  return `${error.message}${cause}`;
}
