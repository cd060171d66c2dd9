import { z } from "@hono/zod-openapi";
import type { ItemImageRequest } from "@swath/engine";
import { type FinishedImages, findImage } from "@swath/engine/node";
import { addRoute, type Router } from "../../http/request/route.ts";
import { IMAGES } from "../../http/request/route-access.ts";
import type { ImageParts } from "../../operations/services.ts";
import { contentLocation } from "../scenes/collections.ts";
import { ItemPath } from "../scenes/items.ts";
import { Format, IMAGE_RESPONSES, sendImage } from "./images.ts";

const PreviewQuery = z.strictObject({
  max_size: z
    .string()
    .regex(/^\d{1,6}$/, "Expected a whole number")
    .transform(Number)
    .pipe(z.number().min(64, "Expected 64 to 1024").max(1024, "Expected 64 to 1024"))
    .optional()
    .openapi({ type: "integer", minimum: 64, maximum: 1024, default: 512, description: "Long edge, pixels." }),
});
const PreviewPath = ItemPath.extend({ format: Format });

export function registerPreviews(router: Router, services: ImageParts, images: FinishedImages): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items/{itemId}/preview.{format}",
      operationId: "getPreview",
      tag: "Rendering",
      summary: "Image of one scene in true colour",
      description: "Drawn on the scene's own grid. Pixels without data are transparent, white as JPEG.",
      access: IMAGES,
      cost: "by-plan",
      etag: true,
      params: PreviewPath,
      query: PreviewQuery,
      problems: [422],
      members: { in: "query", names: { "where.id.files": "itemId" } },
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const { collectionId, itemId, format } = params;
      const maxSize = query.max_size ?? 512;
      const request: ItemImageRequest = {
        where: { kind: "item", id: itemId, maxSize },
        when: { collections: [collectionId] },
        what: {},
        into: { kind: "image", format },
      };
      return sendImage(c, images, {
        address: JSON.stringify(["preview", collectionId, itemId, format, maxSize]),
        async plan() {
          const planned = await findImage(services, request, { signal: c.get("signal") });
          const canonical = `${planned.collection.id}/items/${itemId}/preview.${format}`;
          return {
            planned,
            cacheControl: planned.isSettled ? "private, max-age=86400" : "private, max-age=3600",
            headers: contentLocation(c, collectionId, canonical),
          };
        },
      });
    },
  );
}
