import type { Item } from "@swath/catalog";
import type { CollectionSchema } from "@swath/schema";
import { attributionOf, type ImagePlan } from "../plan/image-plan.ts";
import type { ImageCache } from "../render/image-cache.ts";
import type { RenderedImage } from "../render/job.ts";

/** An image that is planned and not rendered: what its answer says is known, and no pixel has been read. */
export interface PlannedImage {
  readonly plan: ImagePlan;
  readonly collection: CollectionSchema;
  /** Items that the plan was made from. */
  readonly items: readonly Item[];
  /** Whether the same request will give the same image: no more scenes will come. */
  readonly isSettled: boolean;
}

/** A rendered image with what its answer says. */
export interface FinishedImage {
  readonly image: RenderedImage;
  /** Credit line of the scenes that gave pixels; of all, where none did. */
  readonly attribution: string;
  /** Ids of scenes left out: their items lack a file, or a file cannot be read. */
  readonly skipped: readonly string[];
}

/** Renders a planned image, or takes it from the cache. @throws what rendering throws */
export async function finishImage(
  images: ImageCache,
  { plan, collection, items }: PlannedImage,
  { signal }: { readonly signal: AbortSignal },
): Promise<FinishedImage> {
  const image = await images.render(plan.key, plan.job, { signal });
  const used = items.filter((item) => image.used.includes(item.id));
  return {
    image,
    attribution: attributionOf(collection, used.length > 0 ? used : items),
    skipped: [...plan.missing, ...image.skipped],
  };
}
