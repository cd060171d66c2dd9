import { CatalogError } from "@swath/catalog";
import { type CollectionSearch, foundCollections } from "@swath/catalog/documents";
import type { Extents, KnownExtent, PageTokens } from "@swath/catalog/node";
import { QueryError } from "@swath/query";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { ProblemError } from "../errors/problems.ts";

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
  throw lacking(collection);
}

/**
 * Checks that the upstream did not lack a collection when it was last asked.
 *
 * @throws {ProblemError} `not-found`.
 */
export async function checkIsThere(
  { registry, extents }: { readonly registry: CollectionRegistry; readonly extents: Extents },
  collection: CollectionSchema,
): Promise<void> {
  if (!(await extents.there(registry.listed)).includes(collection)) throw lacking(collection);
}

function lacking({ id }: CollectionSchema): ProblemError {
  return new ProblemError("not-found", `The upstream of this service has no collection "${id}".`);
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

/** A page of collections. */
export interface CollectionPage {
  readonly found: readonly CollectionWithExtent[];
  readonly numberMatched: number;
  /** Token of the page after this one; absent where it is the last. */
  readonly next?: string;
}

/**
 * The live collections that a search finds.
 *
 * @param token position of the page's first collection, as links of pages give it.
 * @throws {QueryError} `invalid-parameter` for a token of another list.
 */
export async function searchCollections(
  { registry, extents, pageTokens }: { registry: CollectionRegistry; extents: Extents; pageTokens: PageTokens },
  search: CollectionSearch,
  token: string | undefined,
  options: { readonly signal: AbortSignal },
): Promise<CollectionPage> {
  const start = token === undefined ? 0 : positionOf(token, pageTokens);
  const matching = foundCollections(await listCollections(registry, extents, options), search);
  const end = start + search.limit;
  return {
    found: matching.slice(start, end),
    numberMatched: matching.length,
    ...(end < matching.length ? { next: pageTokens.sign(`collections-${end}`) as string } : {}),
  };
}

/** Tokens of this list begin with its name, so that those of items are none. */
function positionOf(token: string, tokens: PageTokens): number {
  try {
    const [, position] = /^collections-(\d{1,4})$/.exec(tokens.read(token)) ?? [];
    if (position !== undefined) return Number(position);
  } catch (error) {
    if (!(error instanceof CatalogError)) throw error;
  }
  throw new QueryError("invalid-parameter", "token", "The token is not one of this service.");
}
