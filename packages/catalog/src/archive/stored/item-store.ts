import type { Geometry } from "@swath/geometry";
import { QUERYABLES, SORTABLES } from "@swath/query";
import type { CollectionRegistry } from "@swath/schema";
import { COUNTED_PROPERTIES } from "../../counts/buckets.ts";
import type { Item } from "../../item/item.ts";

/** The facts of an item that searches read: its footprint, and those properties that conditions, orders and counts look at. */
export interface ItemFacts {
  readonly id: string;
  /** Canonical collection id. */
  readonly collection: string;
  readonly geometry: Geometry | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A store of whole items, on disk for instance. A key names one item for as long as the store has it. */
export interface ItemStore {
  /** The facts of every item, read once for each index that is made of them. */
  facts(): Iterable<{ readonly key: number; readonly facts: ItemFacts }>;
  /** A whole item; `undefined` where it is gone meanwhile. */
  item(key: number): Item | undefined;
}

/** Properties that searches look at besides queryables and sort fields. */
const TIMES = ["datetime", "start_datetime", "end_datetime"];

/** Names of the properties that searches and counts over the collections of a registry look at. */
export function searchedProperties(registry: CollectionRegistry): readonly string[] {
  const names = [
    ...TIMES,
    ...Object.keys(QUERYABLES),
    ...Object.keys(registry.queryables()),
    ...SORTABLES.filter((name) => name !== "id" && name !== "collection"),
    ...registry.sortFields(),
    ...COUNTED_PROPERTIES,
  ];
  return [...new Set(names)];
}

/**
 * The facts of an item.
 *
 * @param names those of {@link searchedProperties}.
 */
export function factsOf({ id, collection, geometry, properties }: Item, names: readonly string[]): ItemFacts {
  const found = names.filter((name) => Object.hasOwn(properties, name) && properties[name] !== undefined);
  return { id, collection, geometry, properties: Object.fromEntries(found.map((name) => [name, properties[name]])) };
}
