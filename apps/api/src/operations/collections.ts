import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { ProblemError } from "../errors/problems.ts";
import type { Extents, KnownExtent } from "./extents.ts";

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

/**
 * As {@link withExtent}, for a document of the collection alone.
 *
 * @throws {ProblemError} `not-found` where the upstream lacks the collection.
 */
export async function existing(
  extents: Extents,
  collection: CollectionSchema,
  options: { readonly signal: AbortSignal },
): Promise<CollectionWithExtent> {
  const known = await withExtent(extents, collection, options);
  if (known.isThere) return known;
  throw new ProblemError("not-found", `The upstream of this service has no collection "${collection.id}".`);
}

/** The live collections: those of the registry, except those that their upstreams lack. */
export async function listCollections(
  registry: CollectionRegistry,
  extents: Extents,
  options: { readonly signal: AbortSignal },
): Promise<readonly CollectionWithExtent[]> {
  const all = await Promise.all(registry.listed.map((collection) => withExtent(extents, collection, options)));
  return all.filter(({ isThere }) => isThere);
}
