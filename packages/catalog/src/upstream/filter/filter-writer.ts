import type { Filter } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { PropertyBounds } from "./implied-bounds.ts";

/** Collects what an upstream is asked, in one of its languages. */
export interface FilterWriter {
  /** Adds a part of the filter. @returns whether what is sent says exactly the same, more, or nothing of it. */
  add(piece: Filter, collections: readonly CollectionSchema[]): "exact" | "wider" | "not";
  /** Adds what has to hold of a property. @returns `exact` where just that is sent. */
  addBounds(property: string, bounds: PropertyBounds): "exact" | "wider" | "not";
  /** @returns whether the upstream is asked for the platforms. */
  addPlatforms(spellings: readonly string[]): boolean;
  /** A `query` of the STAC query extension, or a filter of CQL2. */
  written(): { readonly query: Readonly<Record<string, Readonly<Record<string, unknown>>>>; readonly cql2?: Filter };
}
