import { type Bbox, type Geometry, shapesIntersect, toShape } from "@swath/geometry";
import {
  compareInstants,
  findInstant,
  matchesFilter,
  matchesInterval,
  parseCql2Json,
  parseDatetime,
  type SearchItem,
} from "@swath/query";
import type { Document } from "../fixtures.ts";
import { conditionsHold, type SearchBody } from "./fake-upstream.ts";

/** Behaviour of a stand-in besides that of its kind. */
export interface KindOptions {
  /** The page that holds this item is answered with 500, however often it is asked for. */
  readonly failsOn?: string;
  /** Items of the page before that each page begins with again. */
  readonly repeats?: number;
  /** Areas other than boxes and points are answered with an HTML page. */
  readonly refusesAreas?: boolean;
  /** Milliseconds, for the rate. */
  readonly now?: () => number;
  /** Collections that it does not have. */
  readonly lacks?: readonly string[];
}

export type Kind =
  | "earth-search"
  | "landsatlook"
  | "planetary-computer"
  | "copernicus-dataspace"
  | "cmr-stac"
  | "plain";

export const KINDS: readonly Kind[] = [
  "earth-search",
  "landsatlook",
  "planetary-computer",
  "copernicus-dataspace",
  "cmr-stac",
  "plain",
];

export interface KindUpstream {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  readonly searches: SearchBody[];
  /** Requests as `METHOD path status`. */
  readonly requests: string[];
  readonly delivered: () => number;
}

const CORE = "https://api.stacspec.org/v1.0.0";
const PGSTAC = [
  `${CORE}/item-search`,
  `${CORE}/item-search#query`,
  `${CORE}/item-search#sort`,
  "https://api.stacspec.org/v1.0.0-rc.2/item-search#filter",
  "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
  "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
  "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
];
const STAC_SERVER = [`${CORE}/item-search`, `${CORE}/item-search#sort`, `${CORE}/item-search#query`];
/** Classes as the recorded landing pages name them; the plain one names neither `query` nor `filter` nor `sort`. */
const CONFORMANCE: Readonly<Record<Kind, readonly string[]>> = {
  "earth-search": STAC_SERVER,
  landsatlook: STAC_SERVER.map((uri) => uri.replace("v1.0.0", "v1.0.0-beta.2")),
  "planetary-computer": PGSTAC,
  "copernicus-dataspace": PGSTAC,
  "cmr-stac": STAC_SERVER,
  plain: [`${CORE}/core`, `${CORE}/item-search`],
};
const URLS: Readonly<Record<Kind, string>> = {
  "earth-search": "https://earth-search.aws.element84.com/v1",
  landsatlook: "https://landsatlook.usgs.gov/stac-server",
  "planetary-computer": "https://planetarycomputer.microsoft.com/api/stac/v1",
  "copernicus-dataspace": "https://stac.dataspace.copernicus.eu/v1",
  "cmr-stac": "https://cmr.earthdata.nasa.gov/stac/LPCLOUD",
  plain: "https://stac.example/v1",
};

class Refusal extends Error {
  readonly response: Response;
  constructor(response: Response) {
    super("refused");
    this.response = response;
  }
}

type Sort = { readonly field: string; readonly direction: "asc" | "desc" };

/** A stand-in that answers searches as the archive of a kind documentedly does. */
export function kindUpstream(kind: Kind, items: readonly Document[], options: KindOptions = {}): KindUpstream {
  const url = URLS[kind];
  const searches: SearchBody[] = [];
  const requests: string[] = [];
  const starts: number[] = [];
  let delivered = 0;

  let last: { readonly key: string; readonly rows: readonly Document[] } | undefined;
  /** Pages of one search follow each other: its rows are sorted once. */
  function rowsOf(body: SearchBody & Document, order: (a: Document, b: Document) => number): readonly Document[] {
    const { limit: _, next: _next, token: _token, page: _page, cursor: _cursor, ...asked } = body;
    const key = JSON.stringify(asked);
    if (last?.key === key) return last.rows;
    const rows = items.filter((item) => matches(kind, item, body)).sort(order);
    last = { key, rows };
    return rows;
  }

  function search(body: SearchBody & Document, method: string): Document {
    searches.push(body);
    checkBody(kind, body, options);
    const sort = sortOf(kind, body);
    const order = comparison(kind, sort);
    const rows = rowsOf(body, order);
    const limit = Math.min(body.limit ?? (kind === "planetary-computer" ? 250 : 10), 1000);
    const start = startOf(kind, body, rows, limit, order, sort);
    const page = rows.slice(Math.max(0, start - (start > 0 ? (options.repeats ?? 0) : 0)), start + limit);
    if (page.some(({ id }) => id === options.failsOn)) {
      throw new Refusal(
        Response.json({ code: "InternalServerError", description: "Internal Server Error" }, { status: 500 }),
      );
    }
    delivered += page.length;
    const counts = kind === "earth-search" || kind === "landsatlook" ? { numberMatched: rows.length } : {};
    return {
      type: "FeatureCollection",
      features: page,
      links: linksOf(kind, { body, url, rows, start, limit, page, sort, method }),
      ...counts,
      ...(kind === "cmr-stac" ? { context: { matched: rows.length, returned: page.length, limit } } : {}),
    };
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const address = new URL(request.url);
    const path = address.pathname.slice(new URL(url).pathname.length);
    const answer = async (): Promise<Response> => {
      const tooFast = kind === "copernicus-dataspace" && isTooFast(starts, options.now);
      if (tooFast) return new Response(null, { status: 429, headers: { "Retry-After": "2" } });
      if (path === "" || path === "/") {
        const landing = { type: "Catalog", id: kind, description: "A stand-in.", stac_version: "1.0.0", links: [] };
        return Response.json({ ...landing, conformsTo: CONFORMANCE[kind] });
      }
      if (path === "/search") {
        const body = request.method === "POST" ? ((await request.json()) as Document) : bodyOfAddress(address);
        return Response.json(search(body as SearchBody & Document, request.method));
      }
      return elsewhere(path, items, options);
    };
    const response = await answer().catch((error: unknown) => {
      if (error instanceof Refusal) return error.response;
      throw error;
    });
    requests.push(`${request.method} ${path} ${response.status}`);
    return response;
  };
  return { url, fetch, searches, requests, delivered: () => delivered };
}

function isPgstac(kind: Kind): boolean {
  return kind === "planetary-computer" || kind === "copernicus-dataspace";
}

/** More than five requests a second. */
function isTooFast(starts: number[], now: KindOptions["now"]): boolean {
  if (now === undefined) return false;
  const time = now();
  starts.push(time);
  return starts.filter((start) => start > time - 1000).length > 5;
}

function elsewhere(path: string, items: readonly Document[], { lacks = [] }: KindOptions): Response {
  const [, collection = "", id] = /^\/collections\/([^/]+)(?:\/items\/([^/]+))?$/.exec(path) ?? [];
  const missing = Response.json({ code: "NotFound", description: "Not found" }, { status: 404 });
  if (lacks.includes(collection)) return missing;
  if (id !== undefined) {
    const item = items.find((each) => each.collection === collection && each.id === decodeURIComponent(id));
    return item === undefined ? missing : Response.json(item);
  }
  if (collection === "") return missing;
  const extent = {
    spatial: { bbox: [[-180, -90, 180, 90]] },
    temporal: { interval: [["2013-01-01T00:00:00Z", null]] },
  };
  const document = {
    type: "Collection",
    id: collection,
    stac_version: "1.0.0",
    description: "A stand-in.",
    license: "other",
  };
  return Response.json({ ...document, links: [], extent });
}

const CMR_SORTS = ["startDate", "endDate", "id", "title", "eo:cloud_cover", "datetime"];

function checkBody(kind: Kind, body: SearchBody & Document, { refusesAreas }: KindOptions): void {
  const refuse = (text: Document | string, status = 400): never => {
    const isHtml = typeof text === "string";
    throw new Refusal(
      isHtml
        ? new Response(text, { status, headers: { "Content-Type": "text/html" } })
        : Response.json(text, { status }),
    );
  };
  const { bbox, intersects } = body;
  if (bbox !== undefined && bbox[0] > bbox[2]) refuse({ detail: "west > east" });
  if (kind === "planetary-computer" && bbox !== undefined && (bbox[0] < -180 || bbox[2] > 180)) {
    refuse({
      detail: "1 validation error for Request\nbody -> bbox\n  Bounding box must be within (-180, -90, 180, 90)",
    });
  }
  if (refusesAreas === true && intersects !== undefined && intersects.type !== "Point") {
    refuse("<!DOCTYPE html><html><head><title>Service unavailable</title></head></html>", 500);
  }
  if (kind === "plain" && (body.query !== undefined || body.filter !== undefined || body.sortby !== undefined)) {
    refuse({ detail: "Neither query nor filter nor sort is taken here." });
  }
  if (isPgstac(kind) && body.query !== undefined && body.filter !== undefined) refuse({ detail: "Not both." });
  if (kind !== "cmr-stac") return;
  const fields = (body.sortby ?? []).map(({ field }) => field.replace(/^properties\./, ""));
  if (fields.some((field) => !CMR_SORTS.includes(field))) {
    refuse({ errors: [`Invalid sort field(s). Valid fields are: ${CMR_SORTS.join(", ")}`] });
  }
  const [start, end] = (body.datetime ?? "").split("/");
  if (
    start !== undefined &&
    end !== undefined &&
    start !== ".." &&
    end !== ".." &&
    Date.parse(end) <= Date.parse(start)
  ) {
    refuse({ errors: ["Query param datetime does not match a valid date format."] });
  }
}

/** The plain one sorts by nothing: its own order is that of the items' ids, backwards. */
function sortOf(kind: Kind, { sortby }: SearchBody): readonly Sort[] {
  if (kind === "plain") return [{ field: "id", direction: "desc" }];
  if (sortby !== undefined) return sortby;
  return kind === "cmr-stac"
    ? [{ field: "datetime", direction: "asc" }]
    : ["datetime", "id", "collection"].map((field) => ({ field, direction: "desc" }));
}

function ownValue(item: Document, field: string): unknown {
  const name = field.replace(/^properties\./, "");
  return name === "id" || name === "collection" ? item[name] : (item.properties as Document)[name];
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [findInstant(String(a)), findInstant(String(b))];
  if (x !== undefined && y !== undefined) return compareInstants(x, y);
  return a === b ? 0 : String(a) < String(b) ? -1 : 1;
}

/** Items without a value come last where documents are searched, and where PostgreSQL sorts first on the way down. */
function comparison(kind: Kind, sort: readonly Sort[]) {
  const isLast = kind === "earth-search" || kind === "landsatlook";
  return (a: Document, b: Document): number => {
    for (const { field, direction } of sort) {
      const [x, y] = [ownValue(a, field) ?? undefined, ownValue(b, field) ?? undefined];
      if (x === undefined && y === undefined) continue;
      if (x === undefined || y === undefined) {
        const isFirst = !isLast && direction === "desc";
        return (x === undefined) === isFirst ? -1 : 1;
      }
      const difference = compareValues(x, y);
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return 0;
  };
}

function matches(kind: Kind, item: Document, body: SearchBody): boolean {
  const { collections, ids, bbox, intersects, datetime } = body;
  const area = intersects ?? (bbox === undefined ? undefined : boxOf(bbox));
  return (
    (collections?.includes(String(item.collection)) ?? true) &&
    (ids?.includes(String(item.id)) ?? true) &&
    (area === undefined || meets(kind, item.geometry as Geometry, area)) &&
    (datetime === undefined || isInTime(kind, datetime, item.properties as Document)) &&
    isQueried(kind, item, body)
  );
}

function isQueried(kind: Kind, item: Document, body: SearchBody): boolean {
  if (kind === "cmr-stac") {
    const { lt, lte, gt, gte } = (body.query?.["eo:cloud_cover"] ?? {}) as Record<string, number | undefined>;
    const [most, least] = [lt ?? lte, gt ?? gte];
    if (most === undefined && least === undefined) return true;
    const cover = (item.properties as Document)["eo:cloud_cover"];
    return (
      typeof cover === "number" && (most === undefined || cover <= most) && (least === undefined || cover >= least)
    );
  }
  // Earth Search takes a CQL2 filter and ignores it
  const isIgnored = body.filter === undefined || !isPgstac(kind);
  const filter = isIgnored ? undefined : parseCql2Json(body.filter);
  return conditionsHold(item, body) && (filter === undefined || matchesFilter(filter, item as unknown as SearchItem));
}

/** Granules of CMR are found where their time overlaps the interval. */
function isInTime(kind: Kind, datetime: string, properties: Document): boolean {
  const interval = parseDatetime(datetime);
  if (kind !== "cmr-stac" || properties.end_datetime === undefined) {
    return matchesInterval(interval, properties) === true;
  }
  return matchesInterval(interval, { ...properties, datetime: undefined }) === true;
}

function boxOf([west, south, east, north]: Bbox): Geometry {
  return {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
}

/** On the globe as the service has it; on the plane with longitudes as they are written, 360° being far from each other. */
function meets(kind: Kind, footprint: Geometry, area: Geometry): boolean {
  const isGlobe = kind === "earth-search" || kind === "landsatlook" || kind === "cmr-stac";
  if (isGlobe) return shapesIntersect(toShape(footprint, "across-antimeridian"), toShape(area));
  return shapesIntersect(toShape(narrow(footprint)), toShape(narrow(area)));
}

function narrow<T>(value: T): T {
  if (Array.isArray(value) && typeof value[0] === "number") return [value[0] / 8, ...value.slice(1)] as T;
  if (Array.isArray(value)) return value.map(narrow) as T;
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, narrow(inner)])) as T;
  }
  return value;
}

interface Paging {
  readonly body: SearchBody & Document;
  readonly url: string;
  readonly rows: readonly Document[];
  readonly start: number;
  readonly limit: number;
  readonly page: readonly Document[];
  readonly sort: readonly Sort[];
  readonly method: string;
}

/** Index of the first item of a page. */
function startOf(
  kind: Kind,
  body: SearchBody & Document,
  rows: readonly Document[],
  limit: number,
  order: (a: Document, b: Document) => number,
  sort: readonly Sort[],
): number {
  if (kind === "landsatlook") return (Number(body.page ?? 1) - 1) * limit;
  if (kind === "cmr-stac")
    return body.cursor === undefined ? 0 : Number(String(body.cursor).replace(/^\["at",(\d+)\]$/, "$1"));
  if (kind === "earth-search") {
    if (body.next === undefined) return 0;
    const values = body.next.split(",");
    const after = {
      properties: {} as Record<string, unknown>,
    } as Document & { properties: Record<string, unknown> };
    for (const [i, { field }] of sort.entries()) {
      const name = field.replace(/^properties\./, "");
      const sample = rows.map((row) => ownValue(row, field)).find((value) => value !== undefined);
      const text = values[i] ?? "";
      const value = text === "" ? undefined : typeof sample === "number" ? Number(text) : text;
      if (name === "id" || name === "collection") (after as Record<string, unknown>)[name] = value;
      else after.properties[name] = value;
    }
    const at = rows.findIndex((row) => order(row, after) > 0);
    return at < 0 ? rows.length : at;
  }
  const [, direction, id] = /^(next|prev):[^:]*:(.*)$/.exec(String(body.token ?? "")) ?? [];
  if (direction === undefined) return 0;
  const at = rows.findIndex((row) => row.id === id);
  return direction === "next" ? at + 1 : Math.max(0, at - limit);
}

function linksOf(kind: Kind, { body, url, rows, start, limit, page, sort }: Paging): Document[] {
  const href = `${url}/search`;
  const root = { rel: "root", href: url };
  const last = page.at(-1);
  const isLast = start + limit >= rows.length;
  if (kind === "earth-search") {
    if (last === undefined) return [root];
    const next = sort.map(({ field }) => ownValue(last, field) ?? "").join(",");
    return [{ rel: "next", method: "POST", href, merge: false, body: { ...body, next } }, root];
  }
  if (kind === "landsatlook") {
    const number = Number(body.page ?? 1);
    return isLast ? [root] : [{ rel: "next", method: "POST", href, body: { ...body, page: number + 1 } }, root];
  }
  if (kind === "cmr-stac") {
    const { limit: _, ...rest } = body;
    const search = new URLSearchParams({ ...flat(rest), limit: String(limit), cursor: `["at",${start + limit}]` });
    // a cursor comes with every page that is full, the last one too
    return page.length < limit ? [root] : [{ rel: "next", href: `${href}?${search}` }, root];
  }
  const tokenOf = (direction: string, item: Document | undefined): string =>
    `${direction}:${String(item?.collection)}:${String(item?.id)}`;
  const to = (rel: string, token: string): Document => ({ rel, method: "POST", href, body: { ...body, token } });
  return [
    ...(isLast ? [] : [to("next", tokenOf("next", last))]),
    ...(start > 0 && kind !== "plain" ? [to("previous", tokenOf("prev", rows[start]))] : []),
    root,
  ];
}

/** Members of a body as an address holds them, lists by their commas alone. */
function flat(body: Document): Record<string, string> {
  return Object.fromEntries(
    Object.entries(body).map(([name, value]) => [name, Array.isArray(value) ? value.join() : String(value)]),
  );
}

function bodyOfAddress({ searchParams }: URL): Document {
  return Object.fromEntries(searchParams);
}
