import { type Bbox, bboxGeometry, type Geometry } from "@swath/geometry";
import { FILTER_LANGUAGES, parseFilter } from "./cql2/parse.ts";
import { QueryError } from "./errors.ts";
import { matchesFilter } from "./evaluate/matches.ts";
import { itemIntersects } from "./evaluate/spatial.ts";
import type { Filter } from "./filter.ts";
import { below, faultAt, type InputLocation, isObject, shown } from "./input-location.ts";
import type { SearchItem } from "./item.ts";
import { parseBbox } from "./parameters/bbox.ts";
import { type Interval, matchesInterval, parseDatetime } from "./parameters/datetime.ts";
import { type Fields, parseFields } from "./parameters/fields.ts";
import { parseIntersects } from "./parameters/intersects.ts";
import { DEFAULT_LIMIT, parseLimit } from "./parameters/limit.ts";
import { parseList } from "./parameters/list.ts";
import { parseSortby, SORTABLES, type SortField, totalOrder } from "./parameters/sortby.ts";
import { parseQuery } from "./parameters/stac-query.ts";
import { FILTER_QUERYABLES, QUERYABLES, type Queryables } from "./queryables.ts";

/** A search: all conditions joined by AND; an absent member is no condition. */
export interface ItemQuery {
  /** An empty list means all collections. */
  readonly collections: readonly string[];
  /** An empty list matches no item. */
  readonly ids?: readonly string[];
  readonly bbox?: Bbox;
  readonly intersects?: Geometry;
  readonly datetime?: Interval;
  readonly filter?: Filter;
  /** A total order: `id` is among the fields. */
  readonly sortby: readonly SortField[];
  /** Items per page, 1 to 1,000. */
  readonly limit: number;
  readonly token?: string;
}

/** A search and the members of the items that its answer shows. */
export interface Search {
  readonly query: ItemQuery;
  readonly fields?: Fields;
}

/** The parameters of a search. */
export const SEARCH_PARAMETERS = [
  "collections",
  "ids",
  "bbox",
  "intersects",
  "datetime",
  "limit",
  "query",
  "sortby",
  "fields",
  "token",
] as const;

/** The parameters of a search that takes CQL2 as well (STAC filter extension). */
export const FILTER_PARAMETERS = ["filter", "filter-lang", "filter-crs"] as const;

/** The one CRS of coordinates in filters, `filter-crs`. */
export const FILTER_CRS = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";

/** The properties that searches may name. */
export interface SearchNames {
  /** Properties that `query` takes. Default those of every collection. */
  readonly queryables?: Queryables;
  /** Fields that `sortby` takes. Default those of every collection. */
  readonly sortables?: readonly string[];
}

/** Name of a parameter of an item search. */
export type SearchParameter = (typeof SEARCH_PARAMETERS)[number] | (typeof FILTER_PARAMETERS)[number];

/**
 * Longest token, characters: what makes tokens makes none that is longer. Servers on the way may refuse an address over
 * 8,000 (RFC 9110, section 4.1).
 */
export const MAX_TOKEN_LENGTH = 7500;

/**
 * Reads a whole search: the parameters of a GET request as text, or the JSON body of a POST request.
 *
 * @param parameters the names that this route takes; all ten of `SEARCH_PARAMETERS` by default.
 * @param names the properties that `query` and `sortby` may name, those that collections add included.
 * @throws {QueryError} for the first part that does not parse: `invalid-parameter` or `invalid-body`, also for an
 *   unknown name, a parameter given twice, and `bbox` together with `intersects`; `invalid-filter` for a filter that
 *   does not parse, and for `FILTER_PARAMETERS` that are not among `parameters`.
 */
export function parseSearch(
  input: URLSearchParams | Readonly<Record<string, unknown>>,
  location: InputLocation["in"],
  parameters: readonly SearchParameter[] = SEARCH_PARAMETERS,
  { queryables = QUERYABLES, sortables = SORTABLES }: SearchNames = {},
): Search {
  const values = location === "query" ? valuesOfText(input) : valuesOfBody(input);
  const at = (name: string): InputLocation =>
    location === "query" ? { in: location, pointer: name } : below(ROOT, name);
  const isTaken = (name: string): boolean => parameters.some((known) => known === name);
  for (const name of values.keys()) {
    if (!isTaken(name) && FILTER_PARAMETERS.some((known) => known === name)) {
      const detail = `"${name}" is not served: use "query", for example {"eo:cloud_cover": {"lte": 20}}.`;
      throw new QueryError("invalid-filter", at(name).pointer, detail);
    }
    if (!isTaken(name)) {
      const unknown = { given: name, known: parameters };
      throw faultAt(at(name), `Unknown parameter ${shown(name)}. Expected one of ${parameters.join(", ")}.`, {
        unknown,
      });
    }
  }
  if (values.has("bbox") && values.has("intersects")) {
    throw faultAt(at("intersects"), "Only one of bbox and intersects may be given.");
  }
  const read = <T>(name: SearchParameter, parse: (value: unknown, location: InputLocation) => T): T | undefined =>
    values.has(name) ? parse(values.get(name), at(name)) : undefined;
  const filters = [
    read("query", (value, location) => parseQuery(value, location, queryables)),
    parseFilterMembers(values, location, { ...FILTER_QUERYABLES, ...queryables }),
  ].flatMap((each) => (each === undefined || (each.op === "and" && each.args.length === 0) ? [] : [each]));
  const optional = {
    ids: read("ids", parseList),
    bbox: read("bbox", parseBbox),
    intersects: read("intersects", parseIntersects),
    datetime: read("datetime", parseDatetime),
    filter: filters.length > 1 ? ({ op: "and", args: filters } as const) : filters[0],
    token: read("token", parseToken),
  };
  const query: ItemQuery = {
    collections: read("collections", parseList) ?? [],
    sortby: totalOrder(read("sortby", (value, location) => parseSortby(value, location, sortables)) ?? []),
    limit: read("limit", parseLimit) ?? DEFAULT_LIMIT,
    ...withoutUndefined(optional),
  };
  const fields = read("fields", parseFields);
  return fields === undefined ? { query } : { query, fields };
}

/** Whether an item fulfils every condition of the query; order, limit and token play no part. */
export function matchesItemQuery(query: ItemQuery, item: SearchItem): boolean {
  const { collections, ids, bbox, intersects, datetime, filter } = query;
  if (collections.length > 0 && !collections.includes(item.collection ?? "")) return false;
  if (ids !== undefined && !ids.includes(item.id)) return false;
  if (datetime !== undefined && matchesInterval(datetime, item.properties) !== true) return false;
  if (filter !== undefined && !matchesFilter(filter, item)) return false;
  const geometries = [intersects, bbox === undefined ? undefined : bboxGeometry(bbox)];
  return geometries.every((geometry) => geometry === undefined || itemIntersects(geometry, item) === true);
}

/**
 * The CQL2 filter of a request's parameters; its language and CRS are checked also where there is none.
 *
 * @param values the parameters that came, {@link FILTER_PARAMETERS} among them.
 * @param queryables all names that the filter may use.
 * @throws {QueryError} `invalid-filter`.
 */
export function parseFilterMembers(
  values: ReadonlyMap<string, unknown>,
  location: InputLocation["in"],
  queryables: Queryables,
): Filter | undefined {
  const at = (name: string): InputLocation =>
    location === "query" ? { in: location, pointer: name } : below(ROOT, name);
  const crs = values.get("filter-crs");
  if (crs !== undefined && crs !== FILTER_CRS) {
    throw new QueryError("invalid-filter", at("filter-crs").pointer, `Expected ${FILTER_CRS}, got ${shown(crs)}.`);
  }
  const given = values.get("filter-lang");
  const allowed = at("filter").in === "body" ? (["cql2-json"] as const) : FILTER_LANGUAGES;
  const language = allowed.find((each) => each === given);
  if (given !== undefined && language === undefined) {
    const detail = `Expected ${allowed.join(" or ")}, got ${shown(given)}.`;
    throw new QueryError("invalid-filter", at("filter-lang").pointer, detail);
  }
  if (!values.has("filter")) return undefined;
  return parseFilter(values.get("filter"), {
    location: at("filter"),
    queryables,
    ...(language === undefined ? {} : { language }),
  });
}

const ROOT: InputLocation = { in: "body", pointer: "" };

function valuesOfText(input: URLSearchParams | Readonly<Record<string, unknown>>): Map<string, unknown> {
  const entries = input instanceof URLSearchParams ? [...input] : Object.entries(input);
  const values = new Map<string, unknown>();
  for (const [name, value] of entries) {
    if (values.has(name)) throw faultAt({ in: "query", pointer: name }, `The parameter "${name}" is given twice.`);
    values.set(name, value);
  }
  return values;
}

function valuesOfBody(input: unknown): Map<string, unknown> {
  if (!isObject(input)) throw faultAt(ROOT, `Expected an object, got ${shown(input)}.`);
  return new Map(Object.entries(input));
}

function parseToken(input: unknown, location: InputLocation): string {
  if (typeof input !== "string" || input === "" || input.length > MAX_TOKEN_LENGTH) {
    throw faultAt(location, `Expected a token of 1 to ${MAX_TOKEN_LENGTH} characters, got ${shown(input)}.`);
  }
  return input;
}

function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
