import { QUERYABLES, type Queryables } from "@swath/query";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";
export const SCHEMA_JSON = "application/schema+json";

/**
 * What a filter may name, as JSON Schema 2020-12 (OGC 19-079r2 section 6.2).
 *
 * @param collection the collection whose items are filtered; absent: those of every collection, where a property that
 *   an item's collection lacks is null.
 */
export function queryablesDocument(
  registry: CollectionRegistry,
  collection: CollectionSchema | undefined,
  url: string,
): Record<string, unknown> {
  const own: Queryables = registry.queryables(collection === undefined ? undefined : [collection.id]);
  const properties = Object.entries({ ...QUERYABLES, ...own }).map(([name, { schema }]) => [name, schema] as const);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: url,
    type: "object",
    title: collection === undefined ? "Queryables of all collections" : `Queryables of ${collection.title}`,
    properties: {
      id: { title: "Item id", type: "string" },
      collection: {
        title: "Collection id",
        type: "string",
        enum: collection === undefined ? registry.ids : [collection.id],
      },
      geometry: { title: "Footprint", format: "geometry-any" },
      ...Object.fromEntries(properties),
    },
    additionalProperties: false,
  };
}
