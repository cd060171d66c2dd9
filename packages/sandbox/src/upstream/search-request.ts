import { bboxShape, type Geometry, type Shape, toShape } from "@swath/geometry";
import { UpstreamError } from "./upstream-error.ts";

export interface SortKey {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/** A checked search. `given` are the members as they came, for the next link. */
export interface SearchRequest {
  readonly collections: readonly string[] | undefined;
  readonly ids: readonly string[] | undefined;
  readonly area: Shape | undefined;
  /** Seconds since 1970, inclusive; infinite where open. */
  readonly time: readonly [number, number] | undefined;
  readonly query: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Empty: datetime, id and collection, all descending. */
  readonly sortby: readonly SortKey[];
  readonly fields: { readonly include: readonly string[]; readonly exclude: readonly string[] } | undefined;
  readonly limit: number;
  readonly next: string | undefined;
  readonly given: Readonly<Record<string, unknown>>;
}

const MEMBERS = ["datetime", "intersects", "bbox", "collections", "ids", "query", "sortby", "fields", "limit"] as const;

/** Limits of this size were answered with 502 by the real one. */
const LIMIT_TOO_MUCH = 10_000;

/** Reads a POST body. Unknown members, `filter` among them, are ignored, as the upstream does. */
export function parseSearchBody(body: unknown): SearchRequest {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw UpstreamError.badRequest("Invalid search: expected a JSON object.");
  }
  const given: Record<string, unknown> = {};
  const members = body as Record<string, unknown>;
  for (const name of MEMBERS) if (members[name] !== undefined && members[name] !== null) given[name] = members[name];
  const { next } = members;
  if (next !== undefined && typeof next !== "string")
    throw UpstreamError.badRequest("Invalid next: expected a string.");
  if (given.bbox !== undefined && given.intersects !== undefined) {
    throw UpstreamError.badRequest("Expected bbox OR intersects, not both");
  }
  return {
    collections: strings("collections", given.collections),
    ids: strings("ids", given.ids),
    area: areaOf(given),
    time: given.datetime === undefined ? undefined : parseTime(given.datetime),
    query: parseQuery(given.query),
    sortby: parseSortby(given.sortby),
    fields: given.fields === undefined ? undefined : parseFields(given.fields),
    limit: parseLimit(given.limit),
    next,
    given,
  };
}

/** Reads GET parameters into the members of a POST body. */
export function searchBodyOf(parameters: URLSearchParams): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    if (value === "") continue;
    if (name === "collections" || name === "ids") body[name] = value.split(",");
    else if (name === "bbox") body[name] = value.split(",").map(Number);
    else if (name === "limit") body[name] = Number(value);
    else if (name === "intersects" || name === "query") body[name] = json(name, value);
    else if (name === "sortby") body[name] = value.split(",").map(toSortKey);
    else if (name === "fields") body[name] = toFields(value);
    else body[name] = value;
  }
  return body;
}

function json(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw UpstreamError.badRequest(`Invalid ${name}: expected JSON.`);
  }
}

function toSortKey(text: string): SortKey {
  const direction = text.startsWith("-") ? "desc" : "asc";
  return { field: text.replace(/^[+\- ]/, ""), direction };
}

function toFields(text: string): { include: string[]; exclude: string[] } {
  const names = text.split(",");
  return {
    include: names.filter((name) => !name.startsWith("-")).map((name) => name.replace(/^[+ ]/, "")),
    exclude: names.filter((name) => name.startsWith("-")).map((name) => name.slice(1)),
  };
}

function strings(name: string, value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || !value.every((one) => typeof one === "string")) {
    throw UpstreamError.badRequest(`Invalid ${name}: expected a list of strings.`);
  }
  return value.length === 0 ? undefined : value;
}

function areaOf({ bbox, intersects }: Readonly<Record<string, unknown>>): Shape | undefined {
  if (intersects !== undefined) return shapeOf(intersects);
  if (bbox === undefined) return undefined;
  if (!Array.isArray(bbox) || !bbox.every((n) => typeof n === "number" && Number.isFinite(n))) {
    throw UpstreamError.badRequest("Invalid bbox: expected numbers.");
  }
  // seen at the real one: six numbers are allowed by the standard and answered with 502
  if (bbox.length === 6) throw new UpstreamError(502, "BadGateway", "Internal server error");
  if (bbox.length !== 4) throw UpstreamError.badRequest("Invalid bbox: expected 4 numbers.");
  const [west, south, east, north] = bbox as [number, number, number, number];
  if (south > north) throw UpstreamError.badRequest("Invalid bbox: south is north of north.");
  return bboxShape([west, south, east, north]);
}

function shapeOf(intersects: unknown): Shape {
  let shape: Shape | undefined;
  try {
    shape = toShape(intersects as Geometry);
  } catch {
    // of another form
  }
  if (shape === undefined || shape.parts.length === 0) {
    throw UpstreamError.badRequest("Invalid intersects: expected a GeoJSON geometry.");
  }
  return shape;
}

/** Seconds since 1970 with their fraction; microseconds survive. */
export function secondsOf(text: string): number {
  const match = /^(\d{4}-\d\d-\d\d)(?:[Tt](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d))?$/.exec(text);
  const whole =
    match === null ? Number.NaN : Date.parse(`${match[1]}T${match[2] ?? "00:00:00"}${(match[4] ?? "Z").toUpperCase()}`);
  if (Number.isNaN(whole)) throw UpstreamError.badRequest(`Invalid datetime: ${text}`);
  return whole / 1000 + Number(match?.[3] ?? 0);
}

function parseTime(value: unknown): readonly [number, number] {
  if (typeof value !== "string") throw UpstreamError.badRequest("Invalid datetime: expected a string.");
  const parts = value.split("/");
  if (parts.length > 2) throw UpstreamError.badRequest(`Invalid datetime: ${value}`);
  const [start, end] = parts as [string, string | undefined];
  if (end === undefined) return [secondsOf(start), secondsOf(start)];
  const open = (text: string): boolean => text === "" || text === "..";
  if (open(start) && open(end)) throw UpstreamError.badRequest(`Invalid datetime: ${value}`);
  const time = [
    open(start) ? Number.NEGATIVE_INFINITY : secondsOf(start),
    open(end) ? Number.POSITIVE_INFINITY : secondsOf(end),
  ] as const;
  if (time[0] > time[1]) throw UpstreamError.badRequest(`Invalid datetime: ${value}`);
  return time;
}

const OPERATORS = new Set(["eq", "neq", "lt", "lte", "gt", "gte", "startsWith", "endsWith", "contains", "in"]);

function parseQuery(value: unknown): SearchRequest["query"] {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null) throw UpstreamError.badRequest("Invalid query: expected an object.");
  for (const [property, test] of Object.entries(value)) {
    if (typeof test !== "object" || test === null) {
      throw UpstreamError.badRequest(`Invalid query on ${property}: expected an object.`);
    }
    for (const operator of Object.keys(test)) {
      if (!OPERATORS.has(operator)) throw UpstreamError.badRequest(`Invalid query operator ${operator}`);
    }
  }
  return value as SearchRequest["query"];
}

function parseSortby(value: unknown): readonly SortKey[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw UpstreamError.badRequest("Invalid sortby: expected a list.");
  return value.map((entry: { field?: unknown; direction?: unknown }) => {
    if (typeof entry?.field !== "string") throw UpstreamError.badRequest("Invalid sortby: expected a field.");
    return { field: entry.field, direction: entry.direction === "desc" ? "desc" : "asc" };
  });
}

function parseFields(value: unknown): { include: readonly string[]; exclude: readonly string[] } {
  if (typeof value !== "object" || value === null)
    throw UpstreamError.badRequest("Invalid fields: expected an object.");
  const { include, exclude } = value as { include?: unknown; exclude?: unknown };
  return { include: strings("fields", include) ?? [], exclude: strings("fields", exclude) ?? [] };
}

function parseLimit(value: unknown): number {
  if (value === undefined) return 10;
  const limit = Number(value);
  if (!Number.isInteger(limit) || limit < 1)
    throw UpstreamError.badRequest("Invalid limit, must be a number between 1 and 10000");
  if (limit >= LIMIT_TOO_MUCH) throw new UpstreamError(502, "BadGateway", "Internal server error");
  return limit;
}
