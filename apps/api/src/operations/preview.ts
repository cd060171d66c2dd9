import { ProblemError } from "@swath/problem";
import { planPreview } from "../plan/image-plan.ts";
import type { ImageFormat } from "../render/job.ts";
import type { Services } from "../services.ts";
import type { PlannedImage } from "./images.ts";
import { getItem } from "./items.ts";

/** The preset that previews are rendered by, where the collection has it; else the first one that it has. */
const PRESET = "true-color";
const DAY_MS = 86_400_000;

export interface PreviewInput {
  readonly collectionId: string;
  readonly itemId: string;
  readonly format: ImageFormat;
  /** Long edge, pixels. */
  readonly maxSize: number;
}

/**
 * Plans an image of one scene in true colour on its own grid. No pixel is read.
 *
 * @throws {ProblemError} `not-found`, or `unknown-band` where the item lacks a file of the recipe; {CatalogError}
 */
export async function planPreviewImage(
  services: Pick<Services, "catalog" | "registry" | "now">,
  { collectionId, itemId, format, maxSize }: PreviewInput,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { item, collection } = await getItem(services, { collectionId, itemId }, options);
  const { registry } = services;
  const ids = [PRESET, ...registry.presets.map(({ id }) => id)];
  const id = ids.find((each) => registry.recipeOf(each, collection.id) !== undefined) ?? PRESET;
  const preset = registry.resolvePreset(id);
  const recipe = registry.recipeOf(id, collection.id);
  const plan = recipe === undefined ? undefined : planPreview({ preset, collection, recipe }, item, maxSize, format);
  if (plan === undefined) {
    throw new ProblemError("unknown-band", `Item ${item.id} lacks a file that its preview is drawn from.`, {
      errors: [{ pointer: "itemId", detail: `The recipe reads ${recipe?.assets.join(", ") ?? "nothing"}.` }],
    });
  }
  const age = services.now().getTime() - Date.parse(String(item.properties.datetime));
  return { plan, collection, items: [item], isSettled: age > DAY_MS };
}
