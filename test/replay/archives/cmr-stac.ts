import { bodyObject, GEOJSON, type Host, json, type ReplayAnswer, type ReplayRequest } from "../messages.ts";
import type { Json, RecordedItem } from "../recordings.ts";
import { type Conditions, flat, matching, sorted, sortKeys } from "../search.ts";
import { nestedMembers, nestedQuery } from "./nested-query.ts";

/** CMR-STAC of one provider, as its public source answers (nasa/cmr-stac@f7c6e95). */
export interface CmrStacOptions {
  /** Address of the provider's landing page, without a slash at its end. */
  readonly root: string;
  readonly items: readonly RecordedItem[];
  readonly collections: ReadonlyMap<string, Json>;
  /** The one message of the error that is sent for what is not there. */
  readonly notFound: string;
}

const SORT_FIELDS = ["startDate", "endDate", "id", "title", "eo:cloud_cover", "datetime"];
/** The member of an item that a sort field stands for. */
const SORTED_BY: Readonly<Record<string, string>> = { startDate: "datetime", endDate: "end_datetime", title: "id" };
const DEFAULT_LIMIT = 10;
const MAX_LIMIT = 5000;

/**
 * Conformance classes that it names: `query` and `fields` among them, although it evaluates only one property of
 * `query` and nothing of `fields`.
 */
const CONFORMANCE = [
  ...["core", "item-search", "ogcapi-features"].map((name) => `https://api.stacspec.org/v1.0.0/${name}`),
  ...["fields", "features", "query", "sort", "context"].map(
    (name) => `https://api.stacspec.org/v1.0.0/item-search#${name}`,
  ),
  ...["core", "oas30", "geojson"].map((name) => `http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/${name}`),
];

export function cmrStac(options: CmrStacOptions): Host {
  const { root, collections, items } = options;
  const base = new URL(root).pathname;
  return (request) => {
    const path = request.url.pathname.slice(base.length).replace(/\/$/, "");
    if (path === "") return json(landing(options));
    if (path === "/conformance") return json({ conformsTo: CONFORMANCE });
    if (path === "/collections") return json({ collections: [...collections.values()], links: [] });
    if (path === "/search") return search(options, request, {});
    const [, name = "", part, itemId] = /^\/collections\/([^/]+)(?:\/(items)(?:\/([^/]+))?)?$/.exec(path) ?? [];
    const id = currentId(decodeURIComponent(name));
    const known = collections.get(id);
    if (known === undefined) return errors(404, options.notFound);
    if (part === undefined) return json(known);
    if (itemId === undefined) return search(options, request, { collections: [id] });
    const wanted = decodeURIComponent(itemId);
    const found = items.find((item) => item.collection === id && item.id === wanted);
    return found === undefined
      ? errors(404, `Could not find item with ID [${wanted}] in collection [${id}]`)
      : json(found, 200, GEOJSON);
  };
}

/** Ids of the first version of the API (`HLSL30.v2.0`) are known by their new form. */
function currentId(id: string): string {
  return id.replace(/\.v(?=\d)/, "_");
}

function errors(status: number, ...messages: string[]): ReplayAnswer {
  return json({ errors: messages }, status);
}

function landing({ root, collections }: CmrStacOptions): Json {
  const link = (rel: string, href: string, type = "application/json"): Json => ({ rel, href, type });
  return {
    type: "Catalog",
    id: "LPCLOUD",
    stac_version: "1.1.0",
    title: "LPCLOUD",
    description: "Root STAC catalog for LPCLOUD",
    conformsTo: CONFORMANCE,
    links: [
      link("self", root),
      link("root", root.replace(/\/[^/]+$/, "")),
      link("data", `${root}/collections`),
      { ...link("search", `${root}/search`, GEOJSON), method: "GET" },
      { ...link("search", `${root}/search`, GEOJSON), method: "POST" },
      ...[...collections.keys()].map((id) => link("child", `${root}/collections/${id}`)),
    ],
  };
}

function search(options: CmrStacOptions, request: ReplayRequest, fixed: Json): ReplayAnswer {
  const body = request.method === "POST" ? bodyObject(request) : {};
  if (body === undefined) return errors(400, "Invalid JSON");
  // the query of the address and the body are one search
  const members: Json = { ...nestedMembers(request.url.search), ...body, ...fixed };
  const refused = refusalOf(members);
  if (refused !== undefined) return errors(400, refused);
  const { query: _, filter: __, sortby, cursor, limit: text, ...conditions } = members;
  const limit = Number(text ?? DEFAULT_LIMIT);
  const collections = ((conditions.collections ?? []) as readonly string[]).map(currentId);
  const bbox = conditions.bbox === undefined ? {} : { bbox: flat((conditions.bbox as unknown[]).map(Number)) };
  const found = matching(options.items, { ...conditions, ...bbox, collections } as Conditions).filter((item) =>
    isWithinCover(item, members.query),
  );
  const keys = sortKeys(sortby).map(({ field, isDescending }) => {
    const name = field.replace(/^properties\./, "");
    return { field: SORTED_BY[name] ?? name, isDescending };
  });
  // without an order CMR gives the oldest first
  const all = sorted(found, keys.length > 0 ? keys : [{ field: "datetime", isDescending: false }]);
  const from = cursorPosition(cursor);
  const items = all.slice(from, from + limit);
  // the cursor stands as long as a page holds anything
  const next = items.length === 0 ? undefined : `["eyJhZnRlciI6${from + items.length}fQ",${from + items.length}]`;
  return json(
    {
      type: "FeatureCollection",
      features: items,
      links: searchLinks(options.root, request, members, next),
      context: { returned: items.length, limit, matched: found.length },
    },
    200,
    GEOJSON,
  );
}

/** Returns the reason why a search is refused. Members that it does not know are no reason. */
function refusalOf({ sortby, bbox, intersects, limit }: Json): string | undefined {
  const fields = sortKeys(sortby).map(({ field }) => field.replace(/^properties\./, ""));
  if (limit !== undefined && !(Number(limit) >= 0 && Number(limit) <= MAX_LIMIT)) {
    return `Limit must be between 0 and ${MAX_LIMIT}`;
  }
  if (bbox !== undefined && !isValidBox(flat((bbox as unknown[]).map(Number)))) {
    return "BBOX must be in the form of 'bbox=swLon,swLat,neLon,neLat' with valid latitude and longitude.";
  }
  if (bbox !== undefined && intersects !== undefined) {
    return "Query params BBOX and INTERSECTS are mutually exclusive. You may only use one at a time.";
  }
  if (!fields.every((field) => SORT_FIELDS.includes(field))) {
    return `Invalid sort field(s). Valid fields are: ${SORT_FIELDS.join(", ")}`;
  }
  return undefined;
}

function isValidBox([west = 0, south = 0, east = 0, north = 0]: readonly number[]): boolean {
  const isInside = (value: number, bound: number): boolean => value >= -bound && value <= bound;
  const isWorld = isInside(west, 180) && isInside(east, 180) && isInside(south, 90) && isInside(north, 90);
  return isWorld && south <= north && west <= east;
}

/**
 * Evaluates only the bounds of cloud cover in a query: `lt` and `gt` as if they were inclusive, and never a bound of 0.
 */
function isWithinCover({ properties }: RecordedItem, query: unknown): boolean {
  const { lt, lte, gt, gte } = ((query ?? {}) as Record<string, Record<string, unknown>>)["eo:cloud_cover"] ?? {};
  const cover = Number(properties["eo:cloud_cover"]);
  const [most, least] = [Number(lt) || Number(lte), Number(gt) || Number(gte)];
  return !(cover > most) && !(cover < least);
}

function cursorPosition(cursor: unknown): number {
  return typeof cursor === "string" ? Number(/,(\d+)\]$/.exec(cursor)?.[1] ?? 0) : 0;
}

/** The `next` link is a GET whatever the request was, with the whole search in its query; there is none back. */
function searchLinks(root: string, { url }: ReplayRequest, members: Json, next: string | undefined): Json[] {
  const { cursor: _, ...first } = members;
  const link = (rel: string, query: Json): Json => ({
    rel,
    href: `${root}/search?${nestedQuery(query)}`,
    type: GEOJSON,
  });
  return [
    { rel: "self", href: url.href, type: GEOJSON, title: "This search" },
    { rel: "root", href: root.replace(/\/[^/]+$/, ""), type: "application/json" },
    { rel: "parent", href: root, type: "application/json" },
    link("first", first),
    ...(next === undefined ? [] : [link("next", { ...first, cursor: next })]),
  ];
}
