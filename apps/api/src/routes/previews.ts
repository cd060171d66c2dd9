import { z } from "@hono/zod-openapi";
import { ProblemError } from "@swath/problem";
import { collections, resolvePreset } from "@swath/schema";
import { IMAGES } from "../access/route-access.ts";
import { addRoute, type Router } from "../http/route.ts";
import type { PictureCache } from "../render/picture-cache.ts";
import { planPreview, recipeOf } from "../render/tile-plan.ts";
import type { Services } from "../services.ts";
import { contentLocation } from "./collections.ts";
import { ItemPath, itemOf } from "./items.ts";
import { Format, IMAGE_RESPONSES, sendPicture } from "./pictures.ts";

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
const DAY_MS = 86_400_000;

export function registerPreviews(router: Router, services: Services, pictures: PictureCache): void {
  addRoute(
    router,
    {
      method: "get",
      path: "/v1/collections/{collectionId}/items/{itemId}/preview.{format}",
      operationId: "getPreview",
      tag: "Rendering",
      summary: "Picture of one scene in true colour",
      description: "Drawn on the scene's own grid. Pixels without data are transparent, white as JPEG.",
      access: IMAGES,
      etag: true,
      params: PreviewPath,
      query: PreviewQuery,
      problems: [422],
      responses: IMAGE_RESPONSES,
    },
    async (c, { params, query }) => {
      const { item, collection: id } = await itemOf(services, params.collectionId, params.itemId, c);
      const collection = collections[id as keyof typeof collections];
      const recipe = recipeOf(resolvePreset("true-color"), collection);
      const plan =
        recipe === undefined ? undefined : planPreview(collection, recipe, item, query.max_size ?? 512, params.format);
      if (plan === undefined) {
        throw new ProblemError("unknown-band", `Item ${item.id} lacks a file that its preview is drawn from.`, {
          errors: [{ pointer: "itemId", detail: `The recipe reads ${recipe?.assets.join(", ") ?? "nothing"}.` }],
        });
      }
      const settled = services.now().getTime() - Date.parse(String(item.properties.datetime)) > DAY_MS;
      return sendPicture(c, pictures, plan, {
        collection,
        items: [item],
        cacheControl: settled ? "private, max-age=86400" : "private, max-age=3600",
        headers: contentLocation(c, params.collectionId, `${id}/items/${item.id}/preview.${params.format}`),
      });
    },
  );
}
