import { ProblemError } from "@swath/problem";
import { type CollectionMatch, type CollectionRegistry, type CollectionSchema, PATH_ID } from "@swath/schema";
import { unknownCollectionDetail } from "../unknown-names.ts";
import type { Extents, KnownExtent } from "./extents.ts";

/**
 * A collection by its id or an alias, as it is named in a path: without a slash.
 *
 * @throws {ProblemError} `not-found` for an unknown name, and for an alias with a slash.
 */
export function collectionOf(registry: CollectionRegistry, name: string): CollectionMatch {
  const match = registry.find(name);
  if (match === undefined) throw new ProblemError("not-found", unknownCollectionDetail(name, registry));
  if (PATH_ID.test(name)) return match;
  const { id } = match.collection;
  throw new ProblemError(
    "not-found",
    `Searches know "${name}" as another name of "${id}"; a path names the collection "${id}".`,
  );
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

/** The live collections: those of the registry, but for those that their upstreams lack. */
export async function listCollections(
  registry: CollectionRegistry,
  extents: Extents,
  options: { readonly signal: AbortSignal },
): Promise<readonly CollectionWithExtent[]> {
  const all = await Promise.all(registry.listed.map((collection) => withExtent(extents, collection, options)));
  return all.filter(({ isThere }) => isThere);
}
