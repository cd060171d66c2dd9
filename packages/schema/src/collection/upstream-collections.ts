import type { FallbackFile, UpstreamFile } from "../file/upstream-file.ts";

/** The members of an upstream that name the collections in which it keeps a collection's items. */
type Upstream = Pick<UpstreamFile, "collection" | "furtherCollections" | "fallbacks" | "otherNames">;

/** The collections of the upstream that hold a collection's items, those that fill gaps of them left out. */
export function upstreamCollections({ collection, furtherCollections = [] }: Upstream): readonly string[] {
  return [collection, ...furtherCollections];
}

/** The collection that fills gaps of the first ones, where an upstream collection is one. */
export function fallbackOf({ fallbacks = [] }: Upstream, collection: string): FallbackFile | undefined {
  return fallbacks.find((each) => each.collection === collection);
}

/** Every name that an upstream may keep items of a collection under. */
export function upstreamNames(upstream: Upstream): readonly string[] {
  return [
    ...upstreamCollections(upstream),
    ...(upstream.fallbacks ?? []).map(({ collection }) => collection),
    ...Object.values(upstream.otherNames ?? {}).flat(),
  ];
}
