import { StacClientError } from "./errors.ts";
import type { Link } from "./models.ts";

/** The body of a search; members as in STAC API Item Search and its extensions. */
export type SearchBody = Readonly<Record<string, unknown>>;

/** The request for a page, as plain data that can be kept and sent later. */
export type PageRequest =
  | { readonly method: "POST"; readonly body: SearchBody }
  | { readonly method: "GET"; readonly url: string };

/**
 * The request of a `next` link after `request`: its body alone, or merged into the previous one where it
 * says `merge`. Bodies go to the search of the same API, wherever the link points, and a GET link must stay on the
 * API's host, so that an answer cannot send the client elsewhere.
 *
 * @param searchUrl where `request` was sent, for relative addresses.
 * @returns `undefined` without a `next` link.
 * @throws {StacClientError} `bad-answer` for a link that leads to another host or back to `request` itself.
 */
export function nextRequest(links: readonly Link[], request: PageRequest, searchUrl: string): PageRequest | undefined {
  const link = links.find(({ rel }) => rel === "next");
  if (link === undefined) return undefined;
  const next = link.method === "POST" ? { method: link.method, body: bodyOf(link, request) } : getOf(link, searchUrl);
  if (JSON.stringify(next) === JSON.stringify(request)) {
    throw new StacClientError("bad-answer", "The next link leads back to its own page.");
  }
  return next;
}

function bodyOf(link: Link, request: PageRequest): SearchBody {
  const isBody = typeof link.body === "object" && link.body !== null && !Array.isArray(link.body);
  const body = isBody ? (link.body as SearchBody) : {};
  return link.merge === true && request.method === "POST" ? { ...request.body, ...body } : body;
}

function getOf(link: Link, searchUrl: string): PageRequest {
  const url = URL.canParse(link.href, searchUrl) ? new URL(link.href, searchUrl) : undefined;
  if (url === undefined || url.host !== new URL(searchUrl).host) {
    throw new StacClientError("bad-answer", `The next link leads to another host: "${link.href.slice(0, 200)}".`);
  }
  return { method: "GET", url: url.href };
}

/** The request with a `limit` of `most` at most. */
export function withLimit(request: PageRequest, most: number): PageRequest {
  const limit = limitOf(request);
  if (limit === undefined || limit <= most) return request;
  if (request.method === "POST") return { method: "POST", body: { ...request.body, limit: most } };
  const url = new URL(request.url);
  url.searchParams.set("limit", String(most));
  return { method: "GET", url: url.href };
}

/** The items that a request asks for, `undefined` where the upstream decides. */
export function limitOf(request: PageRequest): number | undefined {
  const limit = request.method === "POST" ? request.body.limit : new URL(request.url).searchParams.get("limit");
  const number = typeof limit === "string" && limit !== "" ? Number(limit) : limit;
  return typeof number === "number" && Number.isInteger(number) ? number : undefined;
}
