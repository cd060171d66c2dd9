import { z } from "@hono/zod-openapi";
import type { Item } from "@swath/catalog";
import type { CollectionSchema } from "@swath/schema";
import { conditional } from "../http/conditional.ts";
import type { AppContext } from "../http/context.ts";
import { NO_STORE } from "../http/documents.ts";
import { MEDIA_TYPES, type RenderJob } from "../render/job.ts";
import type { PictureCache } from "../render/picture-cache.ts";
import { attributionOf, type Plan } from "../render/tile-plan.ts";

export const Format = z.enum(["png", "jpg", "webp"]).openapi({ description: "Image format." });

const binary = z.any().openapi({ type: "string", format: "binary" });
export const IMAGE_RESPONSES = {
  200: {
    description: "The picture.",
    headers: {
      "X-Attribution": { description: "Credit line to show with the picture.", schema: { type: "string" } },
      "X-Scenes-Used": { description: "Scenes that gave pixels.", schema: { type: "integer" } },
      "X-Scenes-Truncated": {
        description: "`true` when more scenes would have been needed.",
        schema: { type: "string" },
      },
      "X-Scenes-Skipped": { description: "Scenes that can't be read, left out.", schema: { type: "string" } },
    },
    content: Object.fromEntries(Object.values(MEDIA_TYPES).map((type) => [type, { schema: binary }])),
  },
} as const;

export interface PictureOptions {
  readonly collection: CollectionSchema;
  /** Items the plan was made from. */
  readonly items: readonly Item[];
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Draws a plan, or answers 304 before a pixel is read. A picture that lacks scenes is never cached. */
export function sendPicture(
  c: AppContext,
  pictures: PictureCache,
  plan: Plan<RenderJob>,
  options: PictureOptions,
): Promise<Response> {
  const { collection, items, cacheControl, headers } = options;
  return conditional(c, { etag: plan.etag, cacheControl, ...(headers === undefined ? {} : { headers }) }, async () => {
    const picture = await pictures.render(plan.key, plan.job, { signal: c.get("signal") });
    const used = items.filter((item) => picture.used.includes(item.id));
    const skipped = [...plan.missing, ...picture.skipped];
    return new Response(picture.bytes, {
      headers: {
        "Content-Type": MEDIA_TYPES[picture.format],
        "Content-Length": String(picture.bytes.byteLength),
        "X-Attribution": attributionOf(collection, used.length > 0 ? used : items),
        "X-Scenes-Used": String(picture.used.length),
        ...(picture.truncated ? { "X-Scenes-Truncated": "true" } : {}),
        ...(skipped.length === 0 ? {} : { "X-Scenes-Skipped": skipped.join(","), "Cache-Control": NO_STORE }),
      },
    });
  });
}
