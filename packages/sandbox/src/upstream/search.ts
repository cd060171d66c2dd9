import { type Shape, shapesIntersect, toShape } from "@swath/geometry";
import { compareItems } from "../items/items.ts";
import type { UpstreamItem } from "../items/upstream-item.ts";
import { type SearchRequest, type SortKey, secondsOf } from "./search-request.ts";
import { UpstreamError } from "./upstream-error.ts";

/*
 * Earth Search's own rules, which are not the catalog's: tokens of sort values, the query extension, missing values last.
 * Catalogs are tested against this upstream, so none of their code is here.
 */

/** One page of a search. `next` is the token of the page after, there whenever this page holds anything. */
export interface SearchPage {
  readonly items: readonly UpstreamItem[];
  readonly matched: number;
  readonly next: string | undefined;
}

/** Items made ready for many searches. */
export interface ItemIndex {
  /** In the default order. */
  readonly items: readonly UpstreamItem[];
  search(request: SearchRequest): SearchPage;
}

interface Entry {
  readonly item: UpstreamItem;
  readonly seconds: number;
  readonly shape: Shape;
}

const DEFAULT_SORT: readonly SortKey[] = [
  { field: "properties.datetime", direction: "desc" },
  { field: "id", direction: "desc" },
  { field: "collection", direction: "desc" },
];

export function createItemIndex(source: Iterable<UpstreamItem>): ItemIndex {
  const items = [...source].sort(compareItems);
  const entries: Entry[] = items.map((item) => ({
    item,
    seconds: secondsOf(item.properties.datetime),
    shape: toShape(item.geometry),
  }));

  const search = (request: SearchRequest): SearchPage => {
    const { collections, ids, area, time, query, sortby, limit } = request;
    const tests = Object.entries(query);
    const matches = entries.filter(
      ({ item, seconds, shape }) =>
        (collections === undefined || collections.includes(item.collection)) &&
        (ids === undefined || ids.includes(item.id)) &&
        (time === undefined || (seconds >= time[0] && seconds <= time[1])) &&
        tests.every(([name, test]) =>
          Object.entries(test).every(([op, wanted]) => holds(item.properties[name], op, wanted)),
        ) &&
        (area === undefined || shapesIntersect(shape, area)),
    );
    // as Elasticsearch does it: the sort has no tie-breaker of its own, and a page starts strictly after the token
    const order = sortby.length > 0 ? sortby : DEFAULT_SORT;
    const sorted = sortby.length > 0 ? matches.toSorted((a, b) => compareBy(order, a.item, b.item)) : matches;
    const from = request.next === undefined ? 0 : startAfter(sorted, order, request.next);
    const page = sorted.slice(from, from + limit).map(({ item }) => item);
    const last = page.at(-1);
    const next = last && order.map(({ field }) => String(fieldOf(last, field) ?? "null")).join(",");
    return { items: page, matched: matches.length, next };
  };
  return { items, search };
}

/** A member by path, or a property by its bare name. */
function fieldOf(item: UpstreamItem, field: string): unknown {
  const property = field.startsWith("properties.") ? field.slice(11) : undefined;
  if (property !== undefined) return item.properties[property];
  return (item as unknown as Record<string, unknown>)[field] ?? item.properties[field];
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const x = String(a);
  const y = String(b);
  return x < y ? -1 : x > y ? 1 : 0;
}

/** Missing values come last, whatever the direction. */
function compareInOrder(a: unknown, b: unknown, direction: SortKey["direction"]): number {
  const missingA = a === undefined || a === null;
  const missingB = b === undefined || b === null;
  if (missingA || missingB) return missingA === missingB ? 0 : missingA ? 1 : -1;
  return direction === "asc" ? compareValues(a, b) : -compareValues(a, b);
}

function compareBy(order: readonly SortKey[], a: UpstreamItem, b: UpstreamItem): number {
  for (const { field, direction } of order) {
    const compared = compareInOrder(fieldOf(a, field), fieldOf(b, field), direction);
    if (compared !== 0) return compared;
  }
  return 0;
}

function startAfter(sorted: readonly Entry[], order: readonly SortKey[], token: string): number {
  const values = token.split(",");
  if (values.length !== order.length) throw UpstreamError.badRequest(`Invalid next: ${token}`);
  const isAfter = ({ item }: Entry): boolean => {
    for (const [i, { field, direction }] of order.entries()) {
      const value = fieldOf(item, field);
      const text = values[i]!;
      const wanted = text === "null" ? undefined : typeof value === "number" ? Number(text) : text;
      const compared = compareInOrder(value, wanted, direction);
      if (compared !== 0) return compared > 0;
    }
    return false;
  };
  const index = sorted.findIndex(isAfter);
  return index === -1 ? sorted.length : index;
}

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "neq") return !holds(value, "eq", wanted);
  if (operator === "in") return Array.isArray(wanted) && wanted.some((one) => holds(value, "eq", one));
  if (value === undefined || value === null) return false;
  if (Array.isArray(value)) return value.some((one) => holds(one, operator, wanted));
  switch (operator) {
    case "eq":
      return value === wanted;
    case "lt":
      return compareValues(value, wanted) < 0;
    case "lte":
      return compareValues(value, wanted) <= 0;
    case "gt":
      return compareValues(value, wanted) > 0;
    case "gte":
      return compareValues(value, wanted) >= 0;
    case "startsWith":
      return String(value).startsWith(String(wanted));
    case "endsWith":
      return String(value).endsWith(String(wanted));
    default:
      return String(value).includes(String(wanted));
  }
}

const ALWAYS = [
  "id",
  "type",
  "stac_version",
  "geometry",
  "bbox",
  "links",
  "assets",
  "collection",
  "properties.datetime",
];

/**
 * The fields extension as stac-server reads it: once `fields` is there, a base set plus `include` minus `exclude`, and
 * of the properties only `datetime` unless more are named.
 */
export function selectFields(
  item: UpstreamItem,
  fields: NonNullable<SearchRequest["fields"]>,
): Record<string, unknown> {
  const { include, exclude } = fields;
  const wanted = [...ALWAYS.filter((name) => !exclude.includes(name)), ...include];
  const out: Record<string, unknown> = {};
  for (const path of wanted) copyPath(item as unknown as Record<string, unknown>, out, path);
  for (const path of exclude) removePath(out, path);
  return out;
}

/** Splits at the first dot only where what follows is a name in its own right: property names may hold dots. */
function stepsOf(path: string): [string, string | undefined] {
  const dot = path.indexOf(".");
  return dot === -1 ? [path, undefined] : [path.slice(0, dot), path.slice(dot + 1)];
}

function copyPath(from: Record<string, unknown>, to: Record<string, unknown>, path: string): void {
  if (path in from) {
    to[path] = structuredClone(from[path]);
    return;
  }
  const [head, rest] = stepsOf(path);
  const child = from[head];
  if (rest === undefined || typeof child !== "object" || child === null) return;
  const target = (to[head] ?? {}) as Record<string, unknown>;
  copyPath(child as Record<string, unknown>, target, rest);
  if (Object.keys(target).length > 0) to[head] = target;
}

function removePath(from: Record<string, unknown>, path: string): void {
  if (path in from) {
    delete from[path];
    return;
  }
  const [head, rest] = stepsOf(path);
  const child = from[head];
  if (rest !== undefined && typeof child === "object" && child !== null)
    removePath(child as Record<string, unknown>, rest);
}
