import type { Extent } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import { type CollectionMatch, type CollectionRegistry, type CollectionSchema, PATH_ID } from "@swath/schema";
import type { Services } from "../services.ts";

/**
 * A collection by its id or an alias, as it is named in a path.
 *
 * @throws {ProblemError} `not-found` for an unknown name.
 */
export function collectionOf(registry: CollectionRegistry, name: string): CollectionMatch {
  const match = PATH_ID.test(name) ? registry.find(name) : undefined;
  if (match === undefined) throw new ProblemError("not-found", `No collection is called "${name}".`);
  return match;
}

/** A collection, and where and when it has items. */
export interface CollectionWithExtent {
  readonly collection: CollectionSchema;
  readonly extent: Extent;
}

/** @throws {CatalogError} where the catalog does not answer. */
export async function withExtent(
  { catalog }: Pick<Services, "catalog">,
  collection: CollectionSchema,
  { signal }: { readonly signal: AbortSignal },
): Promise<CollectionWithExtent> {
  return { collection, extent: await catalog.extent(collection.id, { signal }) };
}

/** The live collections. */
export function listCollections(
  services: Pick<Services, "catalog" | "registry">,
  options: { readonly signal: AbortSignal },
): Promise<readonly CollectionWithExtent[]> {
  return Promise.all(services.registry.collections.map((collection) => withExtent(services, collection, options)));
}
