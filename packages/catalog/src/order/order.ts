import { findInstant, formatInstant, itemTime, type SortField } from "@swath/query";
import { MOSAICKING_SORTS, type MosaickingOrder } from "@swath/schema";
import type { SortValue } from "./token.ts";

/** The part of an item that ordering reads. */
export interface Sortable {
  readonly id: string;
  readonly collection?: string | undefined;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Newest first, then by id: the upstream's sort order without `sortby`. */
export const UPSTREAM_ORDER: readonly SortField[] = [
  { field: "datetime", direction: "desc" },
  { field: "id", direction: "desc" },
  { field: "collection", direction: "desc" },
];

/**
 * The full order of a search, in which no two items are equal: the fields requested, then id (ascending) where it is
 * not among them, then collection. Without fields it is the upstream's own order. Items without a value come last in
 * both directions.
 */
export function fullOrder(sortby: readonly SortField[]): readonly SortField[] {
  if (sortby.length === 0) return UPSTREAM_ORDER;
  const fields = sortby.map((sort) => ({ ...sort, field: sort.field.replace(/^properties\./, "") }));
  for (const field of ["id", "collection"]) {
    if (!fields.some((sort) => sort.field === field)) fields.push({ field, direction: "asc" });
  }
  return fields.filter(({ field }, i) => fields.findIndex((other) => other.field === field) === i);
}

/** An item's values in an order; times as UTC text of one length, so that text order is time order. */
export function sortValues(item: Sortable, order: readonly SortField[]): SortValue[] {
  return order.map(({ field }) => {
    if (field === "id") return item.id;
    if (field === "collection") return item.collection ?? "";
    return comparable(field === "datetime" ? itemTime(item.properties) : item.properties[field]);
  });
}

/** A copy of items in a mosaicking order, first on top. */
export function sortItems<T extends Sortable>(items: readonly T[], order: MosaickingOrder): readonly T[] {
  const sort = MOSAICKING_SORTS[order];
  const rows = items.map((item) => ({ item, values: sortValues(item, sort) }));
  return rows.sort((a, b) => compareValues(a.values, b.values, sort)).map(({ item }) => item);
}

const LOOKS_LIKE_TIME = /^\d{4}-\d\d-\d\d[Tt]/;

function comparable(value: unknown): SortValue {
  // a list of texts is sorted as they follow each other
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(",");
  if (typeof value === "string" && LOOKS_LIKE_TIME.test(value)) {
    const instant = findInstant(value);
    return instant === undefined ? value : formatInstant({ nanoseconds: instant.nanoseconds, digits: 9 });
  }
  if (typeof value === "string" || typeof value === "boolean") return value;
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** Negative where `a` comes first. Text is compared by code unit; numbers come before text. */
export function compareValues(a: readonly SortValue[], b: readonly SortValue[], order: readonly SortField[]): number {
  for (let i = 0; i < order.length; i++) {
    const x = a[i] ?? null;
    const y = b[i] ?? null;
    if (x === y) continue;
    if (x === null) return 1;
    if (y === null) return -1;
    return order[i]?.direction === "asc" ? compareValue(x, y) : -compareValue(x, y);
  }
  return 0;
}

/** Negative where `a` comes first in ascending order. Neither is `null`. */
export function compareValue(a: SortValue, b: SortValue): number {
  if (a === b) return 0;
  if (typeof a === typeof b) return (a as string) < (b as string) ? -1 : 1;
  return typeof a === "number" || (typeof a === "boolean" && typeof b === "string") ? -1 : 1;
}
