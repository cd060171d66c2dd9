import type { Item } from "@swath/catalog";
import { matchesFilter } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import type { EngineParts } from "../parts.ts";
import { Refusal } from "../refusal.ts";
import { collectionOf } from "./collections.ts";
import { aliasFilter } from "./search-scope.ts";

const ITEM_ID = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * One item by the names of a path.
 *
 * @throws {Refusal} `not-found` where the collection or the item does not exist; {CatalogError}
 */
export async function getItem(
  { catalog, registry }: Pick<EngineParts, "catalog" | "registry">,
  { collectionId, itemId }: { readonly collectionId: string; readonly itemId: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly item: Item; readonly collection: CollectionSchema }> {
  const match = collectionOf(registry, collectionId);
  const { collection } = match;
  const item = ITEM_ID.test(itemId) ? await catalog.item(collection.id, itemId, { signal }) : undefined;
  const filter = aliasFilter(match, registry);
  if (item === undefined || (filter !== undefined && !matchesFilter(filter, item)))
    throw new Refusal("not-found", ["where", "id"], `Collection ${collection.id} has no item "${itemId}".`);
  return { item, collection };
}
