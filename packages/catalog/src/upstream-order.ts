import type { SortField } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { isJson, type Json, jsonOf, textOf } from "./json.ts";
import { UPSTREAM_ORDER } from "./order.ts";
import type { UpstreamPage } from "./upstream-client.ts";

/** A sort order in the upstream's field names. */
export interface UpstreamOrder {
  readonly fields: readonly SortField[];
  /** `undefined` where the upstream's own order is meant. */
  readonly sortby: readonly SortField[] | undefined;
  readonly reversed: readonly SortField[];
  /** Whether every item has every value, so that the values of an item define a position in the sort order. */
  readonly isTotal: boolean;
}

/** Fields that items of every collection may have. */
const COMMON: ReadonlySet<string> = new Set(["datetime", "eo:cloud_cover", "platform"]);

/** The upstream's fields for one of the service's; empty where no item of these collections has a value. */
function upstreamFields(field: string, collections: readonly CollectionSchema[]): string[] {
  if (field === "id" || field === "collection") return [field];
  const owner = collections.find((collection) => has(collection, field));
  if (owner === undefined) return [];
  const sortBy = owner.queryables.find(({ name }) => name === field)?.sortBy ?? [field];
  return sortBy.map((name) => `properties.${name}`);
}

/** Whether items of a collection have this sort field. */
function has({ queryables, upstream }: CollectionSchema, field: string): boolean {
  if (field === "id" || field === "collection") return true;
  if (COMMON.has(field)) return upstream.absentProperties?.includes(field) !== true;
  return queryables.some(({ name, sortBy }) => name === field && sortBy !== undefined);
}

/** @param collections those that are searched: what none of their items has is not sorted by. */
export function toUpstreamOrder(order: readonly SortField[], collections: readonly CollectionSchema[]): UpstreamOrder {
  const fields = order.flatMap(({ field, direction }) =>
    upstreamFields(field, collections).map((name) => ({ field: name, direction })),
  );
  return {
    fields,
    sortby: order === UPSTREAM_ORDER ? undefined : fields,
    reversed: fields.map(({ field, direction }) => ({ field, direction: direction === "asc" ? "desc" : "asc" })),
    isTotal: order.every(({ field }) => {
      const owners = collections.filter((collection) => has(collection, field));
      return owners.length === 0 || owners.length === collections.length;
    }),
  };
}

/**
 * The upstream's cursor after an item in a sort order: its sort values joined by commas, as stac-server makes
 * and takes them (`next` becomes `search_after`). `undefined` where a value is missing or has a comma.
 */
export function cursorAt(item: Json, order: UpstreamOrder): string | undefined {
  const values = order.fields.map(({ field }) => {
    let value: unknown = item;
    if (field.startsWith("properties.")) value = jsonOf(item.properties)[field.slice("properties.".length)];
    else value = isJson(value) ? value[field] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  });
  return values.some((value) => value === undefined || value.includes(",")) ? undefined : values.join(",");
}

/**
 * Whether the token in a page's `next` link is what `cursorAt` makes of its last item, numbers compared as numbers.
 * `undefined` where the page does not show it: it has no link, or its last item lacks a value.
 */
export function isMadeOfValues({ items, next }: UpstreamPage, order: UpstreamOrder): boolean | undefined {
  const last = items.at(-1);
  const made = last && cursorAt(last, order);
  if (next === undefined || made === undefined) return undefined;
  const given = (next.method === "POST" ? textOf(next.body.next) : undefined)?.split(",");
  const parts = made.split(",");
  const isSame = (a: string | undefined, b: string): boolean => a === b || (b !== "" && Number(a) === Number(b));
  return given?.length === parts.length && parts.every((part, i) => isSame(given[i], part));
}
