import { QUERYABLES, type Queryables } from "@swath/query";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";

export const QUERYABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/queryables";
export const SORTABLES_REL = "http://www.opengis.net/def/rel/ogc/1.0/sortables";
export const SCHEMA_JSON = "application/schema+json";

/** The platforms that items can be of; nothing where a collection does not list its own. */
function platformsOf(collections: readonly CollectionSchema[]): { readonly enum?: readonly string[] } {
  if (collections.some(({ platforms }) => platforms.length === 0)) return {};
  return { enum: [...new Set(collections.flatMap(({ platforms }) => platforms))].sort() };
}

/**
 * The names that a filter may use, as JSON Schema 2020-12 (OGC 19-079r2 section 6.2).
 *
 * @param collection the collection whose items are filtered: what none of them has is left out; absent: those of every
 *   collection, where a property that an item's collection lacks is null.
 */
export function queryablesDocument(
  registry: CollectionRegistry,
  collection: CollectionSchema | undefined,
  url: string,
): Record<string, unknown> {
  const own: Queryables = registry.queryables(collection === undefined ? undefined : [collection.id]);
  const searched = collection === undefined ? registry.listed : [collection];
  const real = searched.flatMap((each) => each.virtual?.members ?? [each]);
  const properties = Object.entries({ ...QUERYABLES, ...own })
    .filter(([name]) => real.some(({ upstream }) => upstream.absentProperties?.includes(name) !== true))
    .map(
      ([name, { schema }]) => [name, name === "platform" ? { ...schema, ...platformsOf(searched) } : schema] as const,
    );
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

/**
 * The fields that a search may be sorted by, in the form of {@link queryablesDocument}: all that can be queried but the
 * footprint, of lists too, which are compared as text (STAC API, sort extension).
 */
export function sortablesDocument(
  registry: CollectionRegistry,
  collection: CollectionSchema | undefined,
  url: string,
): Record<string, unknown> {
  const { properties, ...document } = queryablesDocument(registry, collection, url);
  const { geometry: _, ...sortable } = properties as Record<string, unknown>;
  const title = collection === undefined ? "Sortables of all collections" : `Sortables of ${collection.title}`;
  return { ...document, title, properties: sortable };
}
