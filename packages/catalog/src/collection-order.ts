import type { ItemQuery } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";

/**
 * Whether a search has to be made collection by collection: its order is by collection, and an upstream keeps several of
 * the collections as one, whose items it cannot sort by ours.
 */
export function isPerCollection({ sortby }: ItemQuery, collections: readonly CollectionSchema[]): boolean {
  if (!sortby.some(({ field }) => field.replace(/^properties\./, "") === "collection")) return false;
  // a collection of several upstream collections is sorted by theirs
  if (collections.length > 1 && collections.some(({ upstream }) => upstream.furtherCollections !== undefined))
    return true;
  const kept = collections.map(({ upstream }) => `${upstream.name} ${upstream.collection}`);
  return new Set(kept).size < kept.length;
}
