import { z } from "@hono/zod-openapi";
import { SCHEMA_VERSION } from "@swath/schema";
import { PUBLIC } from "../access/route-access.ts";
import { itemDocument } from "../documents/item.ts";
import { ItemModel } from "../documents/models.ts";
import { CACHE_ITEM, GEOJSON, sendDocument } from "../http/documents.ts";
import { addRoute, type Router } from "../http/route.ts";
import { getItem } from "../operations/items.ts";
import type { Services } from "../services.ts";
import { CollectionPath, contentLocation } from "./collections.ts";

export const ItemPath = CollectionPath.extend({
  itemId: z.string().openapi({ description: "Native id of the item.", example: "S2B_T32TMT_20240615T102559_L2A" }),
});

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
      const { item, collection } = await getItem(services, params, { signal: c.get("signal") });
      const { registry } = services;
      const site = { baseUrl: c.get("baseUrl"), registry, authentication: c.get("authentication")() };
      return sendDocument(c, itemDocument(item, site), {
        type: GEOJSON,
        cacheControl: CACHE_ITEM,
        version: SCHEMA_VERSION,
        headers: contentLocation(c, params.collectionId, `${collection.id}/items/${item.id}`),
      });
    },
  );
}
