import { below, faultAt, type InputLocation, isObject, shown } from "../input-location.ts";
import { compareInstants, findInstant } from "../instant.ts";
import { propertyOf, type SearchItem } from "../item.ts";
import { QUERYABLES } from "../queryables.ts";

/** One key of an order: a sort field, without `properties.`. */
export interface SortField {
  readonly field: string;
  readonly direction: "asc" | "desc";
}

/** The fields that items of every collection can be sorted by: all that can be queried. Collections add their own. */
export const SORTABLES: readonly string[] = ["id", "collection", ...Object.keys(QUERYABLES)];

/** Newest first, then by id. */
export const DEFAULT_SORTBY: readonly SortField[] = [
  { field: "datetime", direction: "desc" },
  { field: "id", direction: "asc" },
];

/**
 * Reads an order: text such as `+properties.eo:cloud_cover,-datetime` in a query (no sign or a space, which is what
 * becomes of an unescaped `+`, means ascending), an array of `{field, direction}` in a body. A field that is named
 * twice counts where it stands first.
 *
 * @param sortables the fields that are taken; by default those of every collection.
 * @returns the fields as written; see `totalOrder` for the order that is used.
 * @throws {QueryError} for a field outside of `sortables`, or a direction other than `asc` and `desc`.
 */
export function parseSortby(
  input: unknown,
  location: InputLocation = { in: "query", pointer: "sortby" },
  sortables: readonly string[] = SORTABLES,
): readonly SortField[] {
  const fields =
    location.in === "query" ? fieldsOfText(input, location, sortables) : fieldsOfArray(input, location, sortables);
  return fields.filter(({ field }, i) => fields.findIndex((other) => other.field === field) === i);
}

/** The order made total: `DEFAULT_SORTBY` for none, else with `id` ascending behind the fields where it is missing. */
export function totalOrder(sortby: readonly SortField[]): readonly SortField[] {
  if (sortby.length === 0) return DEFAULT_SORTBY;
  return sortby.some(({ field }) => field === "id") ? sortby : [...sortby, { field: "id", direction: "asc" }];
}

/** Compares two items for `Array.sort`. Items without a value come last in either direction; ties are broken by id. */
export function compareItems(sortby: readonly SortField[]): (a: SearchItem, b: SearchItem) => number {
  const order = totalOrder(sortby);
  return (a, b) => {
    for (const { field, direction } of order) {
      const [left, right] = [propertyOf(a, field) ?? undefined, propertyOf(b, field) ?? undefined];
      if (left === undefined && right === undefined) continue;
      if (left === undefined) return 1;
      if (right === undefined) return -1;
      const difference = compareValues(left, right);
      if (difference !== 0) return direction === "asc" ? difference : -difference;
    }
    return 0;
  };
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  const [left, right] = [String(a), String(b)];
  const [leftTime, rightTime] = [findInstant(left), findInstant(right)];
  if (leftTime !== undefined && rightTime !== undefined) return compareInstants(leftTime, rightTime);
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

function fieldsOfText(input: unknown, location: InputLocation, sortables: readonly string[]): SortField[] {
  if (typeof input !== "string") throw faultAt(location, `Expected fields divided by commas, got ${shown(input)}.`);
  if (input === "") return [];
  return input.split(",").map((part) => {
    const direction = part.startsWith("-") ? "desc" : "asc";
    return { field: sortable(part.replace(/^[-+ ]/, "").trim(), location, sortables), direction };
  });
}

function fieldsOfArray(input: unknown, location: InputLocation, sortables: readonly string[]): SortField[] {
  if (!Array.isArray(input)) throw faultAt(location, `Expected an array of {field, direction}, got ${shown(input)}.`);
  return input.map((entry: unknown, i) => {
    const at = below(location, i);
    if (!isObject(entry)) throw faultAt(at, `Expected {field, direction}, got ${shown(entry)}.`);
    const { field, direction, ...others } = entry;
    const [other] = Object.keys(others);
    if (other !== undefined) throw faultAt(below(at, other), `Unknown member "${other}".`);
    if (direction !== "asc" && direction !== "desc") {
      throw faultAt(below(at, "direction"), `Expected "asc" or "desc", got ${shown(direction)}.`);
    }
    return { field: sortable(field, below(at, "field"), sortables), direction };
  });
}

function sortable(field: unknown, location: InputLocation, sortables: readonly string[]): string {
  const name = typeof field === "string" ? field.replace(/^properties\./, "") : field;
  const known = sortables.find((sortable) => sortable === name);
  if (known === undefined) {
    const unknown = { given: String(name), known: sortables };
    throw faultAt(location, `Expected one of ${sortables.join(", ")}, got ${shown(field)}.`, { unknown });
  }
  return known;
}
