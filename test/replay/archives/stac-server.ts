import { bodyObject, GEOJSON, type Host, json, type ReplayAnswer, type ReplayRequest } from "../messages.ts";
import type { Json, RecordedItem } from "../recordings.ts";
import { type Conditions, matching, membersOf, type SortKey, satisfies, sorted, sortKeys, valueAt } from "../search.ts";

/** An installation of stac-server (Element 84), as Earth Search and USGS run it. */
export interface StacServerOptions {
  /** Address of the landing page, without a slash at its end. */
  readonly root: string;
  readonly items: readonly RecordedItem[];
  readonly collections: ReadonlyMap<string, Json>;
  /** `values`: the token is the sort values of the last item (since 2022); `page`: a page number (before). */
  readonly paging: "values" | "page";
}

/** Behind API Gateway: larger answers become a failure of the gateway. */
const MAX_ANSWER_BYTES = 6 * 2 ** 20;
const MAX_LIMIT = 10_000;
/** Members of a search that the server knows; all others are dropped, `filter` among them. */
const MEMBERS = ["datetime", "intersects", "bbox", "collections", "ids", "query", "sortby", "fields", "limit"];
const DEFAULT_ORDER: readonly SortKey[] = ["properties.datetime", "id", "collection"].map((field) => ({
  field,
  isDescending: true,
}));

/** The parts of the API that are searched, and the documents that were recorded. Other documents are 404. */
export function stacServer(options: StacServerOptions): Host {
  const { root, collections, items } = options;
  const base = new URL(root).pathname;
  return (request) => {
    const path = request.url.pathname.slice(base.length).replace(/\/$/, "");
    if (path === "/search") return search(options, request, {});
    const [, id = "", part, itemId] = /^\/collections\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    if (path === "/collections") return listed(root, [...collections.values()]);
    if (part === undefined) return collections.has(id) ? json(collections.get(id) as Json) : notFound();
    if (itemId === undefined) return search(options, request, { collections: [id] });
    const found = items.find((item) => item.collection === id && item.id === decodeURIComponent(itemId));
    return found === undefined ? notFound() : json(found, 200, GEOJSON);
  };
}

function notFound(): ReplayAnswer {
  return json({ code: "NotFound", description: "Not Found" }, 404);
}

function badRequest(description: string): ReplayAnswer {
  return json({ code: "BadRequest", description }, 400);
}

/** Makes API Gateway's answer in place of one that it does not pass on. */
function gatewayFailure(): ReplayAnswer {
  return json({ message: "Internal server error" }, 502);
}

function listed(root: string, collections: readonly Json[]): ReplayAnswer {
  const links = ["self", "root"].map((rel) => ({
    rel,
    type: "application/json",
    href: rel === "self" ? `${root}/collections` : root,
  }));
  const context = { page: 1, limit: 100, matched: collections.length, returned: collections.length };
  return json({ collections, links, context });
}

function search(options: StacServerOptions, request: ReplayRequest, fixed: Json): ReplayAnswer {
  const given = request.method === "POST" ? bodyObject(request) : membersOf(request.url.searchParams);
  if (given === undefined) return badRequest("Invalid JSON");
  const members: Json = { ...given, ...fixed };
  const limit = Number(members.limit ?? 10);
  if (!Number.isInteger(limit) || limit < 1) return badRequest("Invalid limit, must be a number between 1 and 10000");
  const { bbox, intersects } = members;
  // both were seen at Earth Search: boxes of six numbers, which the standard allows, and pages of 10,000
  if ((Array.isArray(bbox) && bbox.length === 6) || limit >= MAX_LIMIT) return gatewayFailure();
  if (bbox !== undefined && intersects !== undefined) return badRequest("Expected bbox OR intersects, not both");
  const found = matching(options.items, members as Conditions).filter((item) => satisfies(item, members.query));
  const page = pageOf(options, found, members, limit);
  const answer = {
    type: "FeatureCollection",
    stac_version: "1.0.0",
    stac_extensions: [],
    context: { ...(page.number === undefined ? {} : { page: page.number }), limit, ...counts(found, page.items) },
    numberMatched: found.length,
    numberReturned: page.items.length,
    features: page.items,
    links: [
      ...(page.next === undefined ? [] : [nextLink(options, request, members, page.next)]),
      { rel: "root", type: "application/json", href: options.root },
    ],
  };
  return JSON.stringify(answer).length > MAX_ANSWER_BYTES ? gatewayFailure() : json(answer, 200, GEOJSON);
}

function counts(found: readonly unknown[], returned: readonly unknown[]): Json {
  return { matched: found.length, returned: returned.length };
}

interface Page {
  readonly items: readonly RecordedItem[];
  readonly number?: number;
  /** Members of the search for the page after this one. */
  readonly next: Json | undefined;
}

function pageOf(options: StacServerOptions, found: RecordedItem[], members: Json, limit: number): Page {
  const keys = members.sortby === undefined ? [] : sortKeys(members.sortby);
  const order = keys.length > 0 ? keys : DEFAULT_ORDER;
  const all = sorted(found, order);
  if (options.paging === "page") {
    const number = Number(members.page ?? 1);
    const items = all.slice((number - 1) * limit, number * limit);
    return { items, number, next: number * limit < all.length ? { page: number + 1, limit } : undefined };
  }
  const tokenOf = (item: RecordedItem): string => order.map(({ field }) => String(valueAt(item, field))).join(",");
  const after = typeof members.next === "string" ? members.next : undefined;
  // the sort has no tie-breaker of its own: items that equal the token are skipped together
  const from = after === undefined ? 0 : all.findLastIndex((item) => tokenOf(item) === after) + 1;
  const items = after !== undefined && from === 0 ? [] : all.slice(from, from + limit);
  const last = items.at(-1);
  return { items, next: last && { next: tokenOf(last) } };
}

/** The link stands as long as a page holds anything, and repeats the members that the server knows. */
function nextLink(options: StacServerOptions, { method, url }: ReplayRequest, members: Json, next: Json): Json {
  const kept = Object.fromEntries(Object.entries(members).filter(([name]) => MEMBERS.includes(name)));
  const link = { rel: "next", title: "Next page of Items", method, type: GEOJSON };
  if (method === "POST") return { ...link, href: `${options.root}/search`, merge: false, body: { ...kept, ...next } };
  const query = new URLSearchParams(url.searchParams);
  for (const [name, value] of Object.entries(next)) query.set(name, String(value));
  return { ...link, href: `${url.origin}${url.pathname}?${query}` };
}
