import { parseJson } from "cql2-wasm";
import { bodyObject, GEOJSON, type Host, json, type ReplayAnswer, type ReplayRequest } from "../messages.ts";
import type { Json, RecordedItem } from "../recordings.ts";
import { type Conditions, flat, matching, membersOf, type SortKey, satisfies, sorted, sortKeys } from "../search.ts";

/** An installation of stac-fastapi on pgstac, as Planetary Computer and Copernicus Data Space run it. */
export interface PgstacOptions {
  /** Address of the landing page, without a slash at its end. */
  readonly root: string;
  readonly items: readonly RecordedItem[];
  readonly collections: ReadonlyMap<string, Json>;
  /** Items of a page where the request names no limit. */
  readonly defaultLimit: number;
  /** Whether boxes beyond the world are refused. */
  readonly refusesBeyondWorld: boolean;
  /** Whether searches answer `numberReturned`. */
  readonly hasNumberReturned: boolean;
}

const NEWEST_FIRST: readonly SortKey[] = [{ field: "properties.datetime", isDescending: true }];
const BY_ID: SortKey = { field: "id", isDescending: true };

/** The parts of the API that are searched, and the documents that were recorded. Other documents are 404. */
export function pgstac(options: PgstacOptions): Host {
  const { root, collections, items } = options;
  const base = new URL(root).pathname;
  return (request) => {
    const path = request.url.pathname.slice(base.length).replace(/\/$/, "");
    if (path === "/search") return search(options, request, {});
    if (path === "/collections") return json({ collections: [...collections.values()], links: [] });
    const [, id = "", part, itemId] = /^\/collections\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    if (part === undefined) return collections.has(id) ? json(collections.get(id) as Json) : notFound(id);
    if (itemId === undefined) return search(options, request, { collections: [id] });
    const wanted = decodeURIComponent(itemId);
    const found = items.find((item) => item.collection === id && item.id === wanted);
    return found === undefined ? notFound(wanted) : json(found, 200, GEOJSON);
  };
}

function notFound(what: string): ReplayAnswer {
  return json({ code: "NotFoundError", description: `${what} does not exist.` }, 404);
}

function refusal(detail: string): ReplayAnswer {
  return json({ detail }, 400);
}

function search(options: PgstacOptions, request: ReplayRequest, fixed: Json): ReplayAnswer {
  const given = request.method === "POST" ? bodyObject(request) : membersOf(request.url.searchParams);
  if (given === undefined) return refusal("Invalid JSON");
  const members: Json = { ...given, ...fixed };
  const bbox = members.bbox as readonly number[] | undefined;
  if (bbox !== undefined && options.refusesBeyondWorld && !isWithinWorld(flat(bbox))) {
    return refusal("1 validation error for Request\nbody -> bbox\n  Bounding box must be within (-180, -90, 180, 90)");
  }
  const limit = Number(members.limit ?? options.defaultLimit);
  const keys = members.sortby === undefined ? [] : sortKeys(members.sortby);
  const order = [...(keys.length > 0 ? keys : NEWEST_FIRST), BY_ID];
  const found = matching(options.items, members as Conditions).filter(
    (item) => satisfies(item, members.query) && fits(item, members.filter),
  );
  const page = pageOf(sorted(found, order), limit, members.token);
  return json(
    {
      type: "FeatureCollection",
      features: page.items,
      links: [...pageLinks(options, request, members, page), ...ownLinks(options, request)],
      ...(options.hasNumberReturned ? { numberReturned: page.items.length } : {}),
    },
    200,
    GEOJSON,
  );
}

function isWithinWorld([west = 0, south = 0, east = 0, north = 0]: readonly number[]): boolean {
  return west >= -180 && east <= 180 && south >= -90 && north <= 90;
}

/** CQL2 JSON by an implementation of its own (cql2-rs). */
function fits(item: RecordedItem, filter: unknown): boolean {
  if (filter === undefined) return true;
  const expression = parseJson(JSON.stringify(filter));
  try {
    return expression.matches(item);
  } catch {
    // a property that the item lacks
    return false;
  } finally {
    expression.free();
  }
}

interface Page {
  readonly items: readonly RecordedItem[];
  readonly next?: string;
  readonly previous?: string;
}

/** Tokens name an item: `next:COLLECTION:ID` is what follows it, `prev:…` what precedes it. */
function pageOf(all: readonly RecordedItem[], limit: number, token: unknown): Page {
  const [, direction, key = ""] = /^(next|prev):(.+)$/.exec(String(token ?? "")) ?? [];
  const at = all.findIndex((item) => `${item.collection}:${item.id}` === key);
  if (direction !== undefined && at < 0) return { items: [] };
  const from = direction === undefined ? 0 : direction === "next" ? at + 1 : Math.max(0, at - limit);
  const to = direction === "prev" ? at : from + limit;
  const items = all.slice(from, to);
  const [first, last] = [items[0], items.at(-1)];
  return {
    items,
    ...(last !== undefined && to < all.length ? { next: `next:${last.collection}:${last.id}` } : {}),
    ...(first !== undefined && from > 0 ? { previous: `prev:${first.collection}:${first.id}` } : {}),
  };
}

/** The links repeat the whole query with the token, by GET or by POST as the request came, and have no `merge`. */
function pageLinks({ root }: PgstacOptions, { method, url }: ReplayRequest, members: Json, page: Page): Json[] {
  const linkOf = (rel: string, token: string | undefined): Json[] => {
    if (token === undefined) return [];
    if (method === "POST") {
      return [{ rel, type: GEOJSON, method, href: `${root}/search`, body: { ...members, token } }];
    }
    const query = [...url.searchParams].filter(([name]) => name !== "token");
    const text = [...query, ["token", token]].map(([name, value]) => `${name}=${value}`).join("&");
    return [{ rel, type: GEOJSON, method, href: `${url.origin}${url.pathname}?${text}` }];
  };
  return [...linkOf("next", page.next), ...linkOf("previous", page.previous)];
}

function ownLinks({ root }: PgstacOptions, { url }: ReplayRequest): Json[] {
  return [
    { rel: "root", type: "application/json", href: `${root}/` },
    { rel: "self", type: "application/json", href: `${url.origin}${url.pathname}` },
  ];
}
