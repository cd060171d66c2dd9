import { type Fetch, HttpError, type Pace, retryAfterSeconds, sleepFor, withRetries } from "@swath/http";
import type { z } from "zod";
import { StacClientError } from "./errors.ts";
import { type Answer, type Exchange, sendOnce, toStacError } from "./exchange.ts";
import {
  AggregationAnswer,
  Collection,
  type Collection as CollectionDocument,
  CollectionIds,
  LandingAnswer,
  PartialItem,
  SearchAnswer,
} from "./models.ts";
import {
  limitOf,
  nextRequest,
  type PageRequest,
  pageHeaders,
  previousRequest,
  type SearchBody,
  withLimit,
} from "./paging.ts";

/** Address of a STAC API, and limits of its requests. */
export interface StacClientOptions {
  /** Root of the API, such as `https://earth-search.aws.element84.com/v1`. */
  readonly url: string;
  readonly fetch?: Fetch;
  /** Headers of every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The longest time without a byte from the upstream, milliseconds. Default 5000. */
  readonly timeoutMs?: number;
  /** The longest call, tries and pauses together, milliseconds. Default 9000. */
  readonly deadlineMs?: number;
  /** Tries after the first. Default 3. */
  readonly retries?: number;
  /** Most items of one upstream page. Default 250: Earth Search fails above 6 MB, and its items are 12 to 24 kB. */
  readonly pageLimit?: number;
  /** Most bytes of one answer, after decompression. Default 16 MiB. */
  readonly maxBytes?: number;
  /** Spaces the requests, with those of its other users; it is told the pauses that the upstream asks for. Default: none. */
  readonly pace?: Pace | undefined;
  readonly sleep?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random?: () => number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds of the deadline that the caller has spent already, for example by another call. Default 0. */
  readonly spentMs?: number | undefined;
  /** Tries of this call after the first. Default that of the client. */
  readonly retries?: number | undefined;
}

/** Options of a request for a page by its link. */
export interface PageOptions extends CallOptions {
  /**
   * Sends the `limit` of the request as it is, also to an upstream that fails on it. For servers whose tokens stand for
   * pages of one size, where another limit would skip items or repeat them. Default false.
   */
  readonly keepsLimit?: boolean;
}

/** One page of a search. It may hold fewer items than requested and still have a next one, and it may be empty. */
export interface SearchPage {
  readonly items: readonly PartialItem[];
  /** Matches of the whole search, where the upstream gives it. */
  readonly numberMatched?: number;
  /** The request for the page after this one: see `StacClient.page`. It is absent on the last page. */
  readonly next?: PageRequest;
  /**
   * The request for the page before this one. It is absent on the first page, and where the upstream has no such links.
   */
  readonly prev?: PageRequest;
}

/** A client of a STAC API. Every method throws `StacClientError`, or the signal's reason once that aborts. */
export interface StacClient {
  readonly url: string;
  landing(options?: CallOptions): Promise<LandingAnswer>;
  /** `undefined` where the upstream answers 404 or 410. */
  collection(id: string, options?: CallOptions): Promise<CollectionDocument | undefined>;
  /** Ids of its collections: those of the first page, where it lists them by pages. */
  collectionIds(options?: CallOptions): Promise<readonly string[]>;
  /** `undefined` where the upstream answers 404 or 410. */
  item(collection: string, id: string, options?: CallOptions): Promise<PartialItem | undefined>;
  /** The first page of a search, by POST. */
  search(body: SearchBody, options?: CallOptions): Promise<SearchPage>;
  /** The page that a `SearchPage.next` or `prev` leads to. */
  page(request: PageRequest, options?: PageOptions): Promise<SearchPage>;
  /**
   * Counts of items (aggregation extension), by GET: servers had no other method for it.
   *
   * @param parameters of the address: `aggregations`, and conditions as a search by GET has them.
   */
  aggregate(parameters: Readonly<Record<string, string>>, options?: CallOptions): Promise<AggregationAnswer>;
  /** All pages of a search, one request each, until there is no next link; the last one may be empty. */
  pages(body: SearchBody, options?: CallOptions): AsyncGenerator<SearchPage, void, undefined>;
}

/** Longest wait before the second attempt, milliseconds. */
const BACKOFF_MS = 200;
/** Pages are made no smaller than this when the upstream fails on them. */
const SMALLEST_PAGE = 10;

/**
 * Makes a client of an upstream STAC API. It retries after passing faults (no connection, a timeout, a cut
 * connection, 408, 425, 429, 5xx, an answer that is not JSON), and requests half a page where the upstream fails on a
 * large one (413, 502, 504, or an answer over `maxBytes`).
 *
 * @example
 * const client = createStacClient({ url: "https://earth-search.aws.element84.com/v1" });
 * for await (const { items } of client.pages({ collections: ["sentinel-2-c1-l2a"], limit: 100 })) show(items);
 */
export function createStacClient(options: StacClientOptions): StacClient {
  const url = options.url.replace(/\/+$/, "");
  const searchUrl = `${url}/search`;
  const { pageLimit = 250 } = options;
  const call = caller(options);

  const get = <T>(address: string, model: z.ZodType<T>, options: CallOptions): Promise<T> =>
    call((send) => send({ method: "GET", url: address }, model), isPassing, options);

  const ask = (request: PageRequest, options: PageOptions): Promise<SearchPage> => {
    const { keepsLimit = false } = options;
    let wanted = keepsLimit ? request : withLimit(request, pageLimit);
    const attempt = async (send: Send): Promise<SearchPage> => {
      const headers = wanted.headers === undefined ? {} : { headers: pageHeaders(wanted.headers) };
      const exchange =
        wanted.method === "GET"
          ? { method: wanted.method, url: wanted.url }
          : { method: wanted.method, url: searchUrl + (wanted.query ?? ""), body: JSON.stringify(wanted.body) };
      return toPage(await send({ ...exchange, ...headers }, SearchAnswer), wanted, searchUrl);
    };
    const retry = (error: StacClientError): boolean => {
      if (keepsLimit) return isPassing(error);
      const limit = limitOf(wanted) ?? 0;
      const isTooMuch = error.code === "too-large" || [413, 502, 504].includes(error.status ?? 0);
      if (!isTooMuch || limit <= SMALLEST_PAGE) return isPassing(error);
      wanted = withLimit(wanted, Math.max(SMALLEST_PAGE, limit >> 1));
      return true;
    };
    return call(attempt, retry, options);
  };

  return {
    url,
    landing: (options = {}) => get(url, LandingAnswer, options),
    collection: (id, options = {}) =>
      unlessMissing(get(`${url}/collections/${encodeURIComponent(id)}`, Collection, options)),
    collectionIds: async (options = {}) =>
      (await get(`${url}/collections`, CollectionIds, options)).collections.map(({ id }) => id),
    item: (collection, id, options = {}) =>
      unlessMissing(
        get(
          `${url}/collections/${encodeURIComponent(collection)}/items/${encodeURIComponent(id)}`,
          PartialItem,
          options,
        ),
      ),
    search: (body, options = {}) => ask({ method: "POST", body }, options),
    page: (request, options = {}) => ask(request, options),
    aggregate: (parameters, options = {}) =>
      get(`${url}/aggregate?${new URLSearchParams(parameters)}`, AggregationAnswer, options),
    pages: async function* (body, { signal } = {}) {
      const seen = new Set<string>();
      let request: PageRequest | undefined = { method: "POST", body };
      while (request !== undefined) {
        const key = JSON.stringify(request);
        if (seen.has(key)) throw new StacClientError("bad-answer", "The next links go round in a circle.");
        seen.add(key);
        const page: SearchPage = await ask(request, { signal });
        yield page;
        request = page.next;
      }
    },
  };
}

/** Sends one request and reads the document in its answer. */
type Send = <T>(
  exchange: Omit<Exchange, "headers"> & Partial<Pick<Exchange, "headers">>,
  model: z.ZodType<T>,
) => Promise<T>;
/** Runs `attempt` until it succeeds or `retry` says that another try cannot help. */
type Call = <T>(
  attempt: (send: Send) => Promise<T>,
  retry: (error: StacClientError) => boolean,
  options: CallOptions,
) => Promise<T>;

function caller(options: StacClientOptions): Call {
  const { timeoutMs = 5000, deadlineMs = 9000, maxBytes = 16 * 2 ** 20, pace } = options;
  const { sleep = sleepFor, random, now = Date.now } = options;
  const fetch: Fetch = options.fetch ?? ((...request) => globalThis.fetch(...request));
  return async (attempt, retry, { signal, spentMs = 0, retries = options.retries ?? 3 }) => {
    const left = Math.max(1, deadlineMs - spentMs);
    const end = now() + left;
    const sendIn =
      (ending: AbortSignal | undefined): Send =>
      async (exchange, model) => {
        const headers = {
          accept: "application/geo+json, application/json",
          ...exchange.headers,
          ...(exchange.body === undefined ? {} : { "content-type": "application/json" }),
          ...lowerCased(options.headers ?? {}),
        };
        const limits = { fetch, silenceMs: Math.min(timeoutMs, left), maxBytes, signal: ending };
        const exchanged = async (): Promise<Answer> => {
          const given = await sendOnce({ ...exchange, headers }, limits);
          // before its place is given to another caller
          const pause = given.status < 400 ? undefined : retryAfterSeconds(given.retryAfter, now());
          if (pause !== undefined) pace?.pause(pause);
          return given;
        };
        const answer = await (pace?.run(exchanged, { signal: ending, withinMs: Math.max(0, end - now()) }) ??
          exchanged());
        return documentOf(answer, model, exchange.url, now());
      };
    const run = { retries, backoffMs: BACKOFF_MS, deadlineMs: left, sleep, random, now, signal };
    const isWorthRetrying = (thrown: unknown): boolean | number => {
      const error = thrown instanceof HttpError && thrown.code === "paused" ? toStacError(thrown) : thrown;
      if (!(error instanceof StacClientError) || !retry(error)) return false;
      return (error.retryAfter ?? 0) * 1000;
    };
    try {
      return await withRetries((ending) => attempt(sendIn(ending)), isWorthRetrying, run);
    } catch (error) {
      signal?.throwIfAborted();
      throw error instanceof HttpError ? toStacError(error) : error;
    }
  };
}

/** Headers by names in lower case, so that a later one replaces an earlier one. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Faults that another try may get past. A document of the wrong kind is not one: it would come again. */
function isPassing(error: StacClientError): boolean {
  return (
    error.code === "unavailable" ||
    error.code === "timeout" ||
    (error.code === "bad-answer" && error.cause === undefined)
  );
}

function documentOf<T>(answer: Answer, model: z.ZodType<T>, address: string, now: number): T {
  const { status, text, type } = answer;
  const retryAfter = retryAfterSeconds(answer.retryAfter, now);
  if (status >= 500 || status === 408 || status === 425 || status === 429) {
    throw new StacClientError("unavailable", `The upstream answered ${status}.`, { status, retryAfter });
  }
  if (status === 404 || status === 410) {
    throw new StacClientError("not-found", `The upstream answered ${status}.`, { status });
  }
  if (status >= 400) {
    throw new StacClientError("rejected", `The upstream answered ${status}: ${detailOf(text)}`, { status });
  }
  const value = jsonOf(text);
  if (status !== 200 || value === undefined) {
    const what = `status ${status}, ${type === "" ? "no media type" : type}, ${text.length} characters`;
    throw new StacClientError("bad-answer", `Expected JSON from the upstream, got ${what}.`, { status });
  }
  const { success, data, error } = model.safeParse(value);
  if (success) return data;
  const [issue] = error.issues;
  const where = issue === undefined ? "" : ` at /${issue.path.join("/")}: ${issue.message}`;
  const message = `Not the document expected from ${address}${where}.`;
  throw new StacClientError("bad-answer", message, { status, cause: error });
}

/** The value of JSON text, `undefined` where it is none. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The message of an error body: stac-server's `description`, a problem document's `detail`, or the text. */
function detailOf(text: string): string {
  const body = jsonOf(text);
  const members = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const detail = [members.description, members.detail, members.message].find((member) => typeof member === "string");
  return String(detail ?? text).slice(0, 300);
}

function toPage(answer: SearchAnswer, request: PageRequest, searchUrl: string): SearchPage {
  const numberMatched = answer.numberMatched ?? answer.context?.matched ?? undefined;
  const [links, address] = [answer.links ?? [], request.method === "GET" ? request.url : searchUrl];
  const next = nextRequest(links, request, address);
  const prev = previousRequest(links, request, address);
  return {
    items: answer.features,
    ...(numberMatched === undefined ? {} : { numberMatched }),
    ...(next === undefined ? {} : { next }),
    ...(prev === undefined ? {} : { prev }),
  };
}

async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof StacClientError && error.code === "not-found") return undefined;
    throw error;
  }
}
