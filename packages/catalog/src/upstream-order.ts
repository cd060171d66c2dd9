import type { SortField } from "@swath/query";
import { isJson, type Json, jsonOf } from "./json.ts";
import { UPSTREAM_ORDER } from "./order.ts";

/** An order in the upstream's words. */
export interface UpstreamOrder {
  /** `undefined` where the upstream's own order is meant. */
  readonly sortby: readonly SortField[] | undefined;
  readonly reversed: readonly SortField[];
  /** Whether every item has every value, so that a place in the order can be told by the values of an item. */
  readonly isTotal: boolean;
}

/** Fields that only items of one collection have. */
const OF_ONE_COLLECTION: ReadonlyMap<string, string> = new Map([
  ["s2:mgrs_tile", "sentinel-2-l2a"],
  ["landsat:wrs_path", "landsat-ot-l2"],
  ["landsat:wrs_row", "landsat-ot-l2"],
]);

/** Tiles in order of their zone, which older items write without its zero: `MGRS-5CNL` comes after `MGRS-05CNK`. */
const TILE_PARTS = ["mgrs:utm_zone", "mgrs:latitude_band", "mgrs:grid_square"];

function upstreamFields(field: string): string[] {
  if (field === "id" || field === "collection") return [field];
  return (field === "s2:mgrs_tile" ? TILE_PARTS : [field]).map((name) => `properties.${name}`);
}

export function toUpstreamOrder(order: readonly SortField[], collections: readonly string[]): UpstreamOrder {
  const sortby = order.flatMap(({ field, direction }) =>
    upstreamFields(field).map((name) => ({ field: name, direction })),
  );
  return {
    sortby: order === UPSTREAM_ORDER ? undefined : sortby,
    reversed: sortby.map(({ field, direction }) => ({ field, direction: direction === "asc" ? "desc" : "asc" })),
    isTotal: order.every(({ field }) => {
      const owner = OF_ONE_COLLECTION.get(field);
      return owner === undefined || collections.every((collection) => collection === owner);
    }),
  };
}

/**
 * The upstream's token for the place of an item in an order: its sort values joined by commas, as stac-server makes
 * and takes them (`next` becomes `search_after`). `undefined` where a value is missing or has a comma.
 */
export function cursorAt(item: Json, order: UpstreamOrder): string | undefined {
  const values = order.reversed.map(({ field }) => {
    let value: unknown = item;
    if (field.startsWith("properties.")) value = jsonOf(item.properties)[field.slice("properties.".length)];
    else value = isJson(value) ? value[field] : undefined;
    return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
  });
  return values.some((value) => value === undefined || value.includes(",")) ? undefined : values.join(",");
}
