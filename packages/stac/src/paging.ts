import { StacClientError } from "./errors.ts";
import type { Link } from "./models.ts";

/** The body of a search; members as in STAC API Item Search and its extensions. */
export type SearchBody = Readonly<Record<string, unknown>>;

/** The request for a page, as plain data that can be kept and sent later. */
export type PageRequest =
  | {
      readonly method: "POST";
      readonly body: SearchBody;
      /** Query of the address, with its question mark. */
      readonly query?: string;
      readonly headers?: PageHeaders;
    }
  | { readonly method: "GET"; readonly url: string; readonly headers?: PageHeaders };

/** Headers that a link asks for. */
export type PageHeaders = Readonly<Record<string, string>>;

/**
 * The request of a `next` link after `request`: its body alone, or merged into the previous one where it
 * says `merge`, with its headers and the query of its address. Bodies go to the search of the same API, wherever the
 * link points, and a GET link must stay on the API's host, so that an answer cannot send the client elsewhere.
 *
 * @param searchUrl where `request` was sent, for relative addresses.
 * @returns `undefined` without a `next` link.
 * @throws {StacClientError} `bad-answer` for a link that leads to another host or back to `request` itself.
 */
export function nextRequest(links: readonly Link[], request: PageRequest, searchUrl: string): PageRequest | undefined {
  const link = links.find(({ rel }) => rel === "next");
  if (link === undefined) return undefined;
  const next = requestOf(link, request, searchUrl);
  if (JSON.stringify(next) === JSON.stringify(request)) {
    throw new StacClientError("bad-answer", "The next link leads back to its own page.");
  }
  return next;
}

/**
 * The request of a `prev` link (`previous` in older servers). `undefined` also where it cannot be followed: a page is
 * whole without it.
 */
export function previousRequest(
  links: readonly Link[],
  request: PageRequest,
  searchUrl: string,
): PageRequest | undefined {
  const link = links.find(({ rel }) => rel === "prev" || rel === "previous");
  if (link === undefined) return undefined;
  try {
    const previous = requestOf(link, request, searchUrl);
    return JSON.stringify(previous) === JSON.stringify(request) ? undefined : previous;
  } catch (error) {
    if (error instanceof StacClientError) return undefined;
    throw error;
  }
}

function requestOf(link: Link, request: PageRequest, searchUrl: string): PageRequest {
  const headers = pageHeaders(link.headers ?? {});
  const extra = Object.keys(headers).length === 0 ? {} : { headers };
  if (link.method !== "POST") return { method: "GET", url: addressOf(link, searchUrl), ...extra };
  const query = URL.canParse(link.href, searchUrl) ? new URL(link.href, searchUrl).search : "";
  return { method: "POST", body: bodyOf(link, request), ...(query === "" ? {} : { query }), ...extra };
}

function bodyOf(link: Link, request: PageRequest): SearchBody {
  const isBody = typeof link.body === "object" && link.body !== null && !Array.isArray(link.body);
  const body = isBody ? (link.body as SearchBody) : {};
  return link.merge === true && request.method === "POST" ? { ...request.body, ...body } : body;
}

function addressOf(link: Link, searchUrl: string): string {
  const url = URL.canParse(link.href, searchUrl) ? new URL(link.href, searchUrl) : undefined;
  if (url === undefined || url.host !== new URL(searchUrl).host) {
    throw new StacClientError("bad-answer", `The next link leads to another host: "${link.href.slice(0, 200)}".`);
  }
  return url.href;
}

const MAX_HEADERS = 8;
/** Headers about the connection, the body, the caller or the host: none of them is a link's to choose. */
const REFUSED_HEADER =
  /^(accept-encoding|authorization|connection|content-.*|cookie.*|expect|forwarded|host|keep-alive|origin|proxy-.*|range|referer|sec-.*|set-cookie.*|te|trailer|transfer-encoding|upgrade|user-agent|via|x-api-key|x-forwarded-.*|x-http-method.*|x-method-override|x-original-.*|x-real-ip|x-rewrite-.*)$/;

/**
 * Returns those headers of a link that are sent with its request, by names in lower case: at most eight, of printable
 * ASCII.
 */
export function pageHeaders(headers: Readonly<Record<string, string | readonly string[]>>): PageHeaders {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] => {
    const [key, text] = [name.toLowerCase(), typeof value === "string" ? value : value.join(", ")];
    const isSent = /^[a-z][a-z0-9-]*$/.test(key) && !REFUSED_HEADER.test(key) && /^[\x20-\x7e]*$/.test(text);
    return isSent ? [[key, text]] : [];
  });
  return Object.fromEntries(kept.slice(0, MAX_HEADERS));
}

/** The request with a `limit` of `most` at most. */
export function withLimit(request: PageRequest, most: number): PageRequest {
  const limit = limitOf(request);
  if (limit === undefined || limit <= most) return request;
  if (request.method === "POST") return { ...request, body: { ...request.body, limit: most } };
  const url = new URL(request.url);
  url.searchParams.set("limit", String(most));
  return { ...request, url: url.href };
}

/** The items that a request asks for, `undefined` where the upstream decides. */
export function limitOf(request: PageRequest): number | undefined {
  const limit = request.method === "POST" ? request.body.limit : new URL(request.url).searchParams.get("limit");
  const number = typeof limit === "string" && limit !== "" ? Number(limit) : limit;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}
