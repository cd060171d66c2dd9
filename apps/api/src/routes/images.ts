import { z } from "@hono/zod-openapi";
import { conditional } from "../http/conditional.ts";
import type { AppContext } from "../http/context.ts";
import { NO_STORE } from "../http/documents.ts";
import { finishImage, type PlannedImage } from "../operations/images.ts";
import type { ImageCache } from "../render/image-cache.ts";
import { MEDIA_TYPES } from "../render/job.ts";

export const Format = z.enum(["png", "jpg", "webp"]).openapi({ description: "Image format." });

const binary = z.any().openapi({ type: "string", format: "binary" });
export const IMAGE_RESPONSES = {
  200: {
    description: "The image.",
    headers: {
      "X-Attribution": { description: "Credit line to show with the image.", schema: { type: "string" } },
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

export interface ImageOptions {
  readonly cacheControl: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Renders a planned image, or answers 304 before a pixel is read. An image that lacks scenes is never cached. */
export function sendImage(
  c: AppContext,
  images: ImageCache,
  planned: PlannedImage,
  { cacheControl, headers = {} }: ImageOptions,
): Promise<Response> {
  return conditional(c, { etag: planned.plan.etag, cacheControl, headers }, async () => {
    const { image, attribution, skipped } = await finishImage(images, planned, { signal: c.get("signal") });
    return new Response(image.bytes, {
      headers: {
        "Content-Type": MEDIA_TYPES[image.format],
        "Content-Length": String(image.bytes.byteLength),
        "X-Attribution": attribution,
        "X-Scenes-Used": String(image.used.length),
        ...(image.truncated ? { "X-Scenes-Truncated": "true" } : {}),
        ...(skipped.length === 0 ? {} : { "X-Scenes-Skipped": skipped.join(","), "Cache-Control": NO_STORE }),
      },
    });
  });
}
