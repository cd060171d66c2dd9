import { ProblemError } from "@swath/problem";
import { type CollectionMatch, type CollectionRegistry, type CollectionSchema, PATH_ID } from "@swath/schema";
import { unknownCollectionDetail } from "../unknown-names.ts";
import type { Extents, KnownExtent } from "./extents.ts";

/**
 * A collection by its id or an alias, as it is named in a path.
 *
 * @throws {ProblemError} `not-found` for an unknown name.
 */
export function collectionOf(registry: CollectionRegistry, name: string): CollectionMatch {
  const match = PATH_ID.test(name) ? registry.find(name) : undefined;
  if (match === undefined) throw new ProblemError("not-found", unknownCollectionDetail(name, registry));
  return match;
}

/** A collection, and where and when it has items. */
export interface CollectionWithExtent extends KnownExtent {
  readonly collection: CollectionSchema;
}

/** Works while the catalog does not answer, too: see {@link Extents}. */
export async function withExtent(
  extents: Extents,
  collection: CollectionSchema,
  { signal }: { readonly signal: AbortSignal },
): Promise<CollectionWithExtent> {
  return { collection, ...(await extents.of(collection, { signal })) };
}

/** The live collections. */
export function listCollections(
  registry: CollectionRegistry,
  extents: Extents,
  options: { readonly signal: AbortSignal },
): Promise<readonly CollectionWithExtent[]> {
  return Promise.all(registry.listed.map((collection) => withExtent(extents, collection, options)));
}
