import { z } from "@hono/zod-openapi";
import type { Item } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import { matchesFilter } from "@swath/query";
import { SCHEMA_VERSION } from "@swath/schema";
import { PUBLIC } from "../access/route-access.ts";
import type { AppContext } from "../http/context.ts";
import { CACHE_ITEM, GEOJSON, sendDocument } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import type { Services } from "../services.ts";
import { CollectionPath, collectionOf, contentLocation } from "./collections.ts";
import { itemDocument } from "./item-documents.ts";
import { ItemModel } from "./models.ts";
import { aliasFilter } from "./search-scope.ts";

const ITEM_ID = /^[A-Za-z0-9_.-]{1,128}$/;

export const ItemPath = CollectionPath.extend({
  itemId: z.string().openapi({ description: "Native id of the item.", example: "S2B_T32TMT_20240615T102559_L2A" }),
});

/**
 * The item of a path.
 *
 * @throws {ProblemError} `not-found` when the collection or the item does not exist.
 */
export async function itemOf(
  services: Services,
  collectionId: string,
  itemId: string,
  c: AppContext,
): Promise<{ readonly item: Item; readonly collection: string }> {
  const match = collectionOf(collectionId);
  const collection = match.collection.id;
  const item = ITEM_ID.test(itemId)
    ? await services.catalog.item(collection, itemId, { signal: c.get("signal") })
    : undefined;
  const filter = aliasFilter(match);
  if (item === undefined || (filter !== undefined && !matchesFilter(filter, item)))
    throw new ProblemError("not-found", `Collection ${collection} has no item "${itemId}".`);
  return { item, collection };
}

export function registerItems(router: Router, services: Services): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items/{itemId}",
      operationId: "getItem",
      tag: "Catalog",
      summary: "One item",
      access: PUBLIC,
      etag: true,
      params: ItemPath,
      responses: { 200: { description: "The item.", content: { [GEOJSON]: { schema: ItemModel } } } },
    },
    async (c, { params }) => {
      const { item, collection } = await itemOf(services, params.collectionId, params.itemId, c);
      return sendDocument(c, itemDocument(item, c.get("baseUrl")), {
        type: GEOJSON,
        cacheControl: CACHE_ITEM,
        version: SCHEMA_VERSION,
        headers: contentLocation(c, params.collectionId, `${collection}/items/${item.id}`),
      });
    },
  );
}
