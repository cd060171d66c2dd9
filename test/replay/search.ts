import { boxGeometry, geometriesMeet } from "./geometry.ts";
import type { Json, RecordedItem } from "./recordings.ts";

/** The conditions that all the archives evaluate. */
export interface Conditions {
  readonly collections?: readonly string[];
  readonly ids?: readonly string[];
  /** West, south, east, north, degrees. */
  readonly bbox?: readonly number[];
  readonly intersects?: Json;
  /** As STAC writes it: an instant, or an interval with a slash. */
  readonly datetime?: string;
}

/** One field of an order. */
export interface SortKey {
  readonly field: string;
  readonly isDescending: boolean;
}

/** Items that satisfy the conditions, in the order in which they were given. */
export function matching(items: readonly RecordedItem[], conditions: Conditions): RecordedItem[] {
  const { collections = [], ids = [], bbox, intersects, datetime } = conditions;
  const area = intersects ?? (bbox === undefined ? undefined : boxGeometry(flat(bbox)));
  const time = datetime === undefined ? undefined : interval(datetime);
  return items.filter(
    (item) =>
      (collections.length === 0 || collections.includes(String(item.collection))) &&
      (ids.length === 0 || ids.includes(item.id)) &&
      (time === undefined || isWithin(item, time)) &&
      (area === undefined || (item.geometry !== null && geometriesMeet(item.geometry, area))),
  );
}

/** Four numbers of a box of four or six. */
export function flat(bbox: readonly number[]): readonly number[] {
  return bbox.length === 6 ? [0, 1, 3, 4].map((i) => bbox[i] as number) : bbox;
}

/** Milliseconds since 1970 of both ends, infinite where open. */
function interval(datetime: string): readonly [number, number] {
  const ends = datetime.split("/");
  const at = (text: string | undefined, open: number): number =>
    text === undefined || text === "" || text === ".." ? open : Date.parse(text);
  const start = at(ends[0], Number.NEGATIVE_INFINITY);
  return ends.length === 1 ? [start, start] : [start, at(ends[1], Number.POSITIVE_INFINITY)];
}

function isWithin({ properties }: RecordedItem, [start, end]: readonly [number, number]): boolean {
  const { datetime, start_datetime: from, end_datetime: to } = properties;
  const first = Date.parse(String(datetime ?? from));
  const last = Date.parse(String(datetime ?? to));
  return first <= end && last >= start;
}

/** A member of the item by its path, or a property by its bare name. */
export function valueAt(item: RecordedItem, field: string): unknown {
  const name = field.replace(/^properties\./, "");
  return name === field && field in item ? (item as Json)[field] : item.properties[name];
}

/** Sorted by the keys; absent values come last. */
export function sorted(items: readonly RecordedItem[], keys: readonly SortKey[]): RecordedItem[] {
  return items.toSorted((a, b) => {
    for (const { field, isDescending } of keys) {
      const order = compare(valueAt(a, field), valueAt(b, field), isDescending);
      if (order !== 0) return order;
    }
    return 0;
  });
}

function compare(a: unknown, b: unknown, isDescending: boolean): number {
  const [noA, noB] = [a === undefined || a === null, b === undefined || b === null];
  if (noA || noB) return Number(noA) - Number(noB);
  const order = typeof a === "number" && typeof b === "number" ? a - b : compareTexts(String(a), String(b));
  return isDescending ? -order : order;
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Sort keys of a request: objects of a body, or text such as `-properties.datetime,+id`. */
export function sortKeys(sortby: unknown): SortKey[] {
  const entries = typeof sortby === "string" ? sortby.split(",") : Array.isArray(sortby) ? sortby : [];
  return entries.map((entry: unknown) => {
    if (typeof entry === "string") return { field: entry.replace(/^[-+ ]/, ""), isDescending: entry.startsWith("-") };
    const { field, direction } = entry as Json;
    return { field: String(field), isDescending: direction === "desc" };
  });
}

/** Whether an item satisfies every condition of the query extension. An absent property satisfies none but `neq`. */
export function satisfies(item: RecordedItem, query: unknown): boolean {
  const tests = Object.entries((query ?? {}) as Record<string, Json>);
  return tests.every(([property, test]) => {
    const value = valueAt(item, property);
    return Object.entries(test).every(([operator, wanted]) => holds(value, operator, wanted));
  });
}

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "neq") return value !== wanted;
  if (value === undefined || value === null) return false;
  if (Array.isArray(value) && operator === "eq") return value.includes(wanted);
  const order = typeof wanted === "number" ? Number(value) - wanted : compareTexts(String(value), String(wanted));
  switch (operator) {
    case "eq":
      return value === wanted;
    case "lt":
      return order < 0;
    case "lte":
      return order <= 0;
    case "gt":
      return order > 0;
    case "gte":
      return order >= 0;
    case "in":
      return Array.isArray(wanted) && wanted.includes(value);
    case "startsWith":
      return String(value).startsWith(String(wanted));
    case "endsWith":
      return String(value).endsWith(String(wanted));
    case "contains":
      return String(value).includes(String(wanted));
    default:
      throw new RangeError(`No operator is called "${operator}".`);
  }
}

/** Members of a search in the query of an address, as those of a body. */
export function membersOf(parameters: URLSearchParams): Json {
  const members: Record<string, unknown> = {};
  for (const [name, value] of parameters) {
    if (name === "collections" || name === "ids") members[name] = value.split(",");
    else if (name === "bbox") members[name] = value.split(",").map(Number);
    else if (name === "limit" || name === "page") members[name] = Number(value);
    else if (name === "intersects" || name === "query") members[name] = JSON.parse(value);
    else members[name] = value;
  }
  return members;
}
