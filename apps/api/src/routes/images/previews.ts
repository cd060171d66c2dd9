import type { ItemImageRequest } from "@swath/engine";
import { type FinishedImages, findImage } from "@swath/engine/node/images";
import { previewRecipe } from "@swath/engine/search";
import { checkMap } from "../../http/request/context.ts";
import { addRoute, type Router } from "../../http/request/route.ts";
import { IMAGES } from "../../http/request/route-access.ts";
import type { ImageParts } from "../../operations/services.ts";
import { contentLocation } from "../scenes/collections.ts";
import { ItemPath } from "../scenes/items.ts";
import { IMAGE_RESPONSES, sendImage } from "./images.ts";
import { IMAGE_PARAMETERS, type ImageDialect } from "./parameters.ts";

export function registerPreviews(
  router: Router,
  services: ImageParts,
  images: FinishedImages,
  dialect: ImageDialect,
): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items/{itemId}/preview.{format}",
      operationId: "getPreview",
      byMap: true,
      tag: "Rendering",
      summary: "Image of one scene in true colour",
      description: "Drawn on the scene's own grid. Pixels without data are transparent, white as JPEG.",
      access: IMAGES,
      cost: "by-plan",
      etag: true,
      params: ItemPath.extend({ format: dialect.format }),
      query: dialect.preview,
      problems: [422],
      members: { in: "query", names: { ...IMAGE_PARAMETERS, "where.id.files": "itemId", "what.preset": "preset" } },
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const { collectionId, itemId, format } = params;
      const maxSize = query.max_size ?? 512;
      const what = dialect.what(query.preset, query);
      const request: ItemImageRequest = {
        where: { kind: "item", id: itemId, maxSize },
        when: { collections: [collectionId] },
        what,
        into: { kind: "image", format },
      };
      const found = services.registry.find(collectionId)?.collection;
      const preset = query.preset ?? (found === undefined ? undefined : previewRecipe(found)?.preset);
      checkMap(c, { preset: preset ?? "", collection: found?.id ?? collectionId });
      return sendImage(c, images, {
        address: JSON.stringify(["preview", collectionId, itemId, format, maxSize, what]),
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
