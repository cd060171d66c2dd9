import type { Item } from "@swath/catalog";
import type { Interval } from "@swath/query";
import type { CollectionSchema } from "@swath/schema";
import { attributionOf, type ImagePlan } from "../../job/image-plan.ts";
import { imageUnits } from "../../limits/cost.ts";
import { Refusal } from "../../refusal.ts";
import type { ImageCache } from "../../run/image/image-cache.ts";
import type { ImageTurn } from "../../run/image/image-turns.ts";
import type { RenderedImage } from "../../run/job.ts";

/** An image that is planned and not rendered: what its answer says is known, and no pixel has been read. */
export interface PlannedImage {
  readonly plan: ImagePlan;
  readonly collection: CollectionSchema;
  /** Bands that the recipe reads of each scene; masks aside. */
  readonly bands: number;
  /** Items that the plan was made from; of a tile that is made of others none. */
  readonly items: readonly Item[];
  /** Credit line where there are no items. */
  readonly attribution?: string;
  /** The image is not whole yet: the rest of it is being made, and it is not kept. */
  readonly isFilling?: boolean;
  /** Names of upstreams that did not answer, at least one: the image lacks their scenes, and is not kept. */
  readonly missing?: readonly string[];
  /** Time of the scenes; absent: of one that was named. */
  readonly window?: Interval;
  /** Whether the same request will give the same image: no more scenes will come. */
  readonly isSettled: boolean;
}

/** A rendered image with what its answer says. */
export interface FinishedImage {
  readonly image: RenderedImage;
  /** Whether it was rendered before, for another request. */
  readonly isCached: boolean;
  /** Credit line of the scenes that gave pixels; of all, where none did. */
  readonly attribution: string;
  /** Ids of scenes left out: their items lack a file, or a file cannot be read. */
  readonly skipped: readonly string[];
}

/** The payer of an image that has to be rendered. Units are not rounded. */
export interface ImagePayment {
  /** Reserves what the image costs at most. @throws {Refusal} */
  admit(units: number): Promise<void>;
  /** Whether `admit` will take these units, as far as is known: the image may be rendered while it decides. */
  isLikely(units: number): boolean;
  /** The image turned out to cost less. */
  lower(units: number): void;
  /** Calls `listener` once, when the charge stands (true), or when the request has ended without one (false). */
  whenEnded(listener: (stands: boolean) => void): void;
}

/**
 * Renders a planned image, or takes it from the cache. Of several callers at once one pays, and the others wait until
 * its charge stands.
 *
 * @param payment asked where the image has to be rendered.
 * @throws what `payment` and rendering throw; {Refusal} `upstream-unavailable` where scenes were planned and none
 *   could be read, `not-found` for a preview whose file is gone.
 */
export async function finishImage(
  images: ImageCache,
  planned: PlannedImage,
  payment: ImagePayment,
  { signal }: { readonly signal: AbortSignal },
): Promise<FinishedImage> {
  const { plan, collection, items } = planned;
  const turn = await images.turn(plan.key, { signal });
  const image = turn.kind === "finished" ? turn.image : await payFor(turn, planned, payment, signal);
  const skipped = [...plan.missing, ...image.skipped];
  if (image.unread !== undefined) throw unreadError(plan, image, skipped);
  const used = items.filter((item) => image.used.includes(item.id));
  return {
    image,
    isCached: turn.kind === "finished",
    attribution: planned.attribution ?? attributionOf(collection, used.length > 0 ? used : items),
    skipped,
  };
}

async function payFor(
  turn: ImageTurn,
  planned: PlannedImage,
  payment: ImagePayment,
  signal: AbortSignal,
): Promise<RenderedImage> {
  payment.whenEnded(turn.end);
  const units = unitsOfImage(planned);
  const isLikely = units > 0 && payment.isLikely(units);
  const admitted = units > 0 ? payment.admit(units) : undefined;
  if (!isLikely) await admitted;
  // where the units are refused after all, the end of the turn ends the rendering
  const [image] = await Promise.all([turn.render(planned.plan.job, { signal }), admitted]);
  payment.lower(unitsOfImage(planned, image.pixels));
  return image;
}

/**
 * Units of a planned image: those of its pixels and bands, 0 without any scene. The size of a preview is known once its
 * scene is opened: until then that of a square.
 *
 * @param pixels width × height of the finished image.
 */
export function unitsOfImage({ plan: { job }, bands }: PlannedImage, pixels?: number): number {
  if (job.kind === "tile" && job.scenes.length === 0) return 0;
  if (job.kind === "parent" && job.parts.every((part) => part === undefined || part.used.length === 0)) return 0;
  const edge = job.kind === "preview" ? job.maxSize : job.kind === "parent" ? job.size : 0;
  const planned = job.kind === "tile" ? job.grid : { width: edge, height: edge };
  return imageUnits(pixels === undefined ? { ...planned, bands } : { width: pixels, height: 1, bands });
}

/** Scenes that a message names. */
const NAMED = 5;

/** An image without a readable scene is an error: an empty image would look as if there were no data. */
function unreadError({ job }: ImagePlan, { unread }: RenderedImage, skipped: readonly string[]): Refusal {
  if (job.kind === "preview") {
    return unread === "missing"
      ? new Refusal("not-found", [], `A file that the preview of ${job.scene.id} is drawn from does not exist.`)
      : new Refusal("upstream-unavailable", [], `A file of scene ${job.scene.id} cannot be read.`);
  }
  const more = skipped.length > NAMED ? ` and ${skipped.length - NAMED} more` : "";
  const names = `${skipped.slice(0, NAMED).join(", ")}${more}`;
  return new Refusal("upstream-unavailable", [], `No scene under the tile can be read: ${names}.`);
}
