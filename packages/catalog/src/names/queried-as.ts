import { type Filter, filterProperties, matchesFilter, QUERYABLES } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { QueryableFile } from "@swath/schema/files";

/** Properties that every upstream item has, so that "not equal" says the same here and there. */
export const ALWAYS_THERE: ReadonlySet<string> = new Set(["datetime"]);

/** Properties that items of every collection may have. */
export const COMMON: ReadonlySet<string> = new Set(Object.keys(QUERYABLES));

/**
 * Properties of every collection whose values the upstream writes as the service does. Instruments are none: they follow
 * from the id where the upstream names none.
 */
export const SAME: ReadonlySet<string> = new Set([
  "datetime",
  "eo:cloud_cover",
  "gsd",
  "created",
  "updated",
  "view:sun_elevation",
]);

/** Properties that are times. */
export const TIMES: ReadonlySet<string> = new Set(["datetime", "created", "updated"]);

/** Properties that are lists of text: a condition on a list is true where it is true for an entry. */
export const LISTS: ReadonlySet<string> = new Set(["instruments"]);

/** Least and greatest percent of a cloud cover; some archives write -1 where they did not compute it. */
export const CLOUD_COVER = { least: 0, most: 100 } as const;

/** Names of the collection in filters. */
export const COLLECTION = ["svc:source_collection", "collection"] as const;

/** Tells how a property is queried at an upstream; `undefined`: its responses are filtered here. */
export type QueriedAs = (property: string) => QueryableFile["upstream"];

/** Tells how the properties that these collections add, and the common ones, are queried at the upstream. */
export function queriedAs(collections: readonly CollectionSchema[]): QueriedAs {
  const added = new Map(collections.flatMap(({ queryables }) => queryables.map((each) => [each.name, each.upstream])));
  return (property) => (SAME.has(property) ? { kind: "same" } : added.get(property));
}

/**
 * Whether a filter is true for an item whose other properties are unknown: only these properties and its collection are
 * known.
 */
export function isTrueOf(filter: Filter, properties: Readonly<Record<string, unknown>>, collection?: string): boolean {
  const item = { id: "", properties: { ...properties, "svc:source_collection": collection } };
  return matchesFilter(filter, collection === undefined ? { id: "", properties } : { ...item, collection });
}

/** Whether these properties, or one of them, alone decide the filter. */
export function isAbout(filter: Filter, properties: readonly string[]): boolean {
  return [...filterProperties(filter)].every((name) => properties.includes(name));
}
