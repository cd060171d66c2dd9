import { type Bbox, bboxGeometry, type Geometry, geometriesIntersect } from "@swath/geometry";
import {
  compareInstants,
  type Filter,
  findInstant,
  type Instant,
  matchesFilter,
  matchesInterval,
  parseCql2Json,
  parseDatetime,
  type SearchItem,
} from "@swath/query";
import type { Document } from "../fixtures.ts";
import { requiredClasses } from "./filter/required-classes.ts";
import { stacServerCounts } from "./stac-server-counts.ts";

export interface SearchBody {
  readonly collections?: string[];
  readonly ids?: string[];
  readonly bbox?: Bbox;
  readonly intersects?: Geometry;
  readonly datetime?: string;
  readonly query?: Record<string, Record<string, unknown>>;
  readonly filter?: unknown;
  readonly "filter-lang"?: string;
  readonly sortby?: { field: string; direction: "asc" | "desc" }[];
  readonly limit?: number;
  readonly next?: string;
}

export interface FakeUpstream {
  readonly url: string;
  readonly fetch: typeof globalThis.fetch;
  /** Bodies of the searches that were asked. */
  readonly searches: SearchBody[];
  /** Parameters of the counts that were asked for. */
  readonly aggregations: Readonly<Record<string, string>>[];
  /** Items in all answers to searches. */
  readonly delivered: () => number;
  /** Answers given out before `items`' own, for faults: each is used once. The landing page has its own. */
  readonly faults: (() => Response | Promise<Response>)[];
  readonly landingFaults: (() => Response | Promise<Response>)[];
}

export interface FakeOptions {
  /** False: answers do not say how many items match. */
  readonly counts?: boolean;
  /** The most items of an answer, whatever is asked. */
  readonly cap?: number;
  /** Classes of CQL2 that it names and takes, besides `basic-cql2`; absent: it takes no CQL2. */
  readonly cql2?: readonly string[];
  /** False: it takes no `query`. */
  readonly hasQuery?: boolean;
  /**
   * It counts, as stac-server does: by the interval that it is asked for, by months whatever it is asked (before 2026),
   * without heeding `query`; or says that it counts, and fails. Absent: it does not count.
   */
  readonly aggregates?: "by-interval" | "by-month" | "without-query" | "fails";
  /** Next links lack the filter, though they repeat the rest of the search. */
  readonly losesFilter?: boolean;
}

const AGGREGATION = "https://api.stacspec.org/v0.3.0/aggregation";

/** The conformance classes that an upstream names with these options; `undefined` where it names none. */
export function conformsToOf({ cql2, hasQuery = true, aggregates }: FakeOptions): string[] | undefined {
  if (aggregates !== undefined) {
    const search = ["item-search", "item-search#sort", "item-search#query"];
    return [...search.map((name) => `https://api.stacspec.org/v1.0.0/${name}`), AGGREGATION];
  }
  if (cql2 === undefined) return undefined;
  const names = ["cql2-json", "basic-cql2", ...cql2];
  return [
    "https://api.stacspec.org/v1.0.0/item-search",
    "https://api.stacspec.org/v1.0.0/item-search#filter",
    "https://api.stacspec.org/v1.0.0/item-search#sort",
    ...(hasQuery ? ["https://api.stacspec.org/v1.0.0/item-search#query"] : []),
    ...names.map((name) => `http://www.opengis.net/spec/cql2/1.0/conf/${name}`),
  ];
}

/** Returns the reason why an upstream with these options refuses a search. */
export function refusalOf(body: SearchBody, { cql2, hasQuery = true }: FakeOptions): string | undefined {
  if (body.query !== undefined && (!hasQuery || body.filter !== undefined))
    return "No query here, or not with a filter.";
  if (body.filter === undefined) return undefined;
  if (cql2 === undefined || body["filter-lang"] !== "cql2-json") return "No filter here.";
  const taken = new Set(["basic-cql2", ...cql2]);
  const missing = [...requiredClasses(body.filter)].filter((name) => !taken.has(name));
  return missing.length === 0 ? undefined : `The filter needs ${missing.join()}: ${JSON.stringify(body.filter)}`;
}

const DEFAULT_SORT = [
  { field: "properties.datetime", direction: "desc" },
  { field: "id", direction: "desc" },
  { field: "collection", direction: "desc" },
] as const;

function fieldOf(item: Document, field: string): unknown {
  const name = field.replace(/^properties\./, "");
  return name === field ? item[field] : (item.properties as Document)[name];
}

const instants = new Map<string, Instant | undefined>();

/** Reads each text once: thousands of items are compared again in each search. */
function instantOf(text: string): Instant | undefined {
  if (!instants.has(text)) instants.set(text, findInstant(text));
  return instants.get(text);
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [x, y] = [instantOf(String(a)), instantOf(String(b))];
  if (x !== undefined && y !== undefined) return compareInstants(x, y);
  return a === b ? 0 : String(a) < String(b) ? -1 : 1;
}

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "neq") return !holds(value, "eq", wanted);
  if (Array.isArray(value)) return value.some((one) => holds(one, operator, wanted));
  if (operator === "in") return (wanted as unknown[]).some((one) => holds(value, "eq", one));
  if (value === undefined || value === null) return false;
  switch (operator) {
    case "eq":
      return compare(value, wanted) === 0;
    case "lt":
      return compare(value, wanted) < 0;
    case "lte":
      return compare(value, wanted) <= 0;
    case "gt":
      return compare(value, wanted) > 0;
    case "gte":
      return compare(value, wanted) >= 0;
    case "startsWith":
      return String(value).startsWith(String(wanted));
    case "endsWith":
      return String(value).endsWith(String(wanted));
    case "contains":
      return String(value).includes(String(wanted));
    default:
      throw new Error(`The fake upstream has no operator ${operator}.`);
  }
}

function matcherOf(body: SearchBody): (item: Document) => boolean {
  const filter: Filter | undefined = body.filter === undefined ? undefined : parseCql2Json(body.filter);
  const shapes = [body.intersects, body.bbox && bboxGeometry(body.bbox)].filter((shape) => shape !== undefined);
  const interval = body.datetime === undefined ? undefined : parseDatetime(body.datetime);
  return (item) =>
    (body.collections?.includes(String(item.collection)) ?? true) &&
    (body.ids?.includes(String(item.id)) ?? true) &&
    (interval === undefined || matchesInterval(interval, item.properties as Document) === true) &&
    shapes.every((shape) => geometriesIntersect(shape, item.geometry as Geometry)) &&
    (filter === undefined || matchesFilter(filter, item as unknown as SearchItem)) &&
    conditionsHold(item, body);
}

/** Whether the conditions of the query extension hold, one whose property differs from nothing too. */
export function conditionsHold(item: Document, { query = {} }: SearchBody): boolean {
  const properties = item.properties as Document;
  return Object.entries(query).every(([property, conditions]) =>
    Object.entries(conditions).every(([operator, wanted]) => holds(properties[property], operator, wanted)),
  );
}

interface Row {
  readonly item: Document;
  readonly values: readonly unknown[];
}

/** Place of the first row of which something holds that holds of all after it; their number where it holds of none. */
function firstWhere(rows: readonly Row[], holdsOf: (row: Row) => boolean): number {
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holdsOf(rows[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** All items in each order that was asked for. */
const sortings = new WeakMap<
  readonly Document[],
  { readonly count: number; readonly rows: Map<string, readonly Row[]> }
>();

/** The items that match, in the requested order, with the values that decide it. */
export function sortedRows(items: readonly Document[], body: SearchBody) {
  const sort = body.sortby ?? DEFAULT_SORT;
  const order = (a: readonly unknown[], b: readonly unknown[]): number => {
    for (const [i, { direction }] of sort.entries()) {
      if (a[i] == null || b[i] == null) {
        if ((a[i] == null) !== (b[i] == null)) return a[i] == null ? 1 : -1;
        continue;
      }
      const difference = compare(a[i], b[i]);
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return 0;
  };
  const key = JSON.stringify(sort);
  const known = sortings.get(items) ?? { count: items.length, rows: new Map<string, readonly Row[]>() };
  // items that were put in later are sorted with the others
  const sorting = known.count === items.length ? known : { count: items.length, rows: new Map() };
  sortings.set(items, sorting);
  const all: readonly Row[] =
    sorting.rows.get(key) ??
    items
      .map((item) => ({ item, values: sort.map(({ field }) => fieldOf(item, field)) }))
      .sort((a, b) => order(a.values, b.values));
  sorting.rows.set(key, all);
  const isMatch = matcherOf(body);
  const rows = all.filter(({ item }) => isMatch(item));
  return { rows, order };
}

/**
 * A server of the kind of Earth Search: whole body in the `next` link with `merge: false`, the token made of the last
 * hit's sort values, a `next` link also on the last page that holds items, dates in order of time, missing values last.
 */
export function fakeUpstream(items: readonly Document[], options: FakeOptions = {}): FakeUpstream {
  const url = "https://upstream.example/v1";
  const searches: SearchBody[] = [];
  const aggregations: Readonly<Record<string, string>>[] = [];
  const faults: FakeUpstream["faults"] = [];
  const landingFaults: FakeUpstream["landingFaults"] = [];
  let delivered = 0;
  let last: { readonly key: string; readonly sorted: ReturnType<typeof sortedRows> } | undefined;
  /** Pages of one search follow each other: its rows are sorted once. */
  function rowsOf({ next: _, limit: _limit, ...body }: SearchBody): ReturnType<typeof sortedRows> {
    const key = JSON.stringify(body);
    if (last?.key !== key) last = { key, sorted: sortedRows(items, body) };
    return last.sorted;
  }

  function search(body: SearchBody): Document {
    searches.push(body);
    if (body.bbox !== undefined && body.bbox[0] > body.bbox[2]) throw new Error("A box across the antimeridian.");
    const refusal = refusalOf(body, options);
    if (refusal !== undefined) throw new Error(refusal);
    const { rows, order } = rowsOf(body);
    const after = body.next?.split(",").map((text, i) => {
      const sample = rows[0]?.values[i];
      if (text === "") return undefined;
      return typeof sample === "number" ? Number(text) : text;
    });
    const limit = Math.min(body.limit ?? 10, options.cap ?? Infinity);
    const begin = after === undefined ? 0 : firstWhere(rows, ({ values }) => order(values, after) > 0);
    const page = rows.slice(begin, begin + limit);
    delivered += page.length;
    const next = page
      .at(-1)
      ?.values.map((value) => value ?? "")
      .join(",");
    const { filter: _, ...unfiltered } = body;
    const repeated = options.losesFilter === true ? unfiltered : body;
    const links = [
      ...(next === undefined
        ? []
        : [{ rel: "next", method: "POST", href: `${url}/search`, merge: false, body: { ...repeated, next } }]),
      { rel: "root", href: url },
    ];
    return {
      type: "FeatureCollection",
      features: page.map(({ item }) => item),
      links,
      numberReturned: page.length,
      ...(options.counts === false
        ? {}
        : { numberMatched: rows.length, context: { limit, matched: rows.length, returned: page.length } }),
    };
  }

  function answer(path: string, body: SearchBody | undefined): Document | undefined {
    if (path === "" || path === "/")
      return {
        type: "Catalog",
        id: "fake",
        description: "A fake.",
        stac_version: "1.0.0",
        links: [],
        ...(conformsToOf(options) === undefined ? {} : { conformsTo: conformsToOf(options) }),
      };
    if (path === "/search") return search(body ?? {});
    const [, collection, id] = /^\/collections\/([^/]+)(?:\/items\/([^/]+))?$/.exec(path) ?? [];
    if (id !== undefined)
      return items.find((item) => item.collection === collection && item.id === decodeURIComponent(id));
    const known = ["landsat-c2-l2", "sentinel-2-c1-l2a", ...items.map((item) => item.collection)];
    if (collection === undefined || !known.includes(collection)) return undefined;
    return {
      type: "Collection",
      id: collection,
      stac_version: "1.0.0",
      description: "A fake.",
      license: "other",
      links: [],
      extent: {
        spatial: { bbox: [[-180, -90, 180, 90]] },
        temporal: {
          interval: [[collection === "landsat-c2-l2" ? "1982-08-22T00:00:00Z" : "2015-06-27T10:25:31.456000Z", null]],
        },
      },
    };
  }

  function aggregate(address: URL): Document {
    const parameters = Object.fromEntries(address.searchParams);
    aggregations.push(parameters);
    if (options.aggregates === "fails") throw new Error("No counts today.");
    const { collections, bbox, intersects, datetime, query } = parameters;
    const conditions: SearchBody = {
      ...(collections === undefined ? {} : { collections: collections.split(",") }),
      ...(bbox === undefined ? {} : { bbox: bbox.split(",").map(Number) as unknown as Bbox }),
      ...(intersects === undefined ? {} : { intersects: JSON.parse(intersects) as Geometry }),
      ...(datetime === undefined ? {} : { datetime }),
      ...(query === undefined || options.aggregates === "without-query" ? {} : { query: JSON.parse(query) }),
    };
    const found = sortedRows(items, conditions).rows.map(({ item }) => item);
    const interval = options.aggregates === "by-month" ? "month" : parameters.datetime_frequency_interval;
    return stacServerCounts(found, (parameters.aggregations ?? "").split(","), interval ?? "month");
  }

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    const path = new URL(request.url).pathname.replace(/^\/v1/, "");
    const fault = path === "" ? landingFaults.shift() : faults.shift();
    if (fault !== undefined) return fault();
    const body = request.method === "POST" ? ((await request.json()) as SearchBody) : undefined;
    const isCounted = path === "/aggregate" && options.aggregates !== undefined;
    const found = isCounted ? aggregate(new URL(request.url)) : answer(path, body);
    if (found === undefined) return Response.json({ code: "NotFound", description: "Not found" }, { status: 404 });
    return Response.json(found);
  };
  return { url, fetch, searches, aggregations, delivered: () => delivered, faults, landingFaults };
}
