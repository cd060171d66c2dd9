import { ProblemError } from "@swath/problem";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { type PresetRecipe, planPreview } from "../plan/image-plan.ts";
import type { ImageFormat } from "../render/job.ts";
import type { Services } from "../services.ts";
import type { PlannedImage } from "./images.ts";
import { getItem } from "./items.ts";

/** The preset that previews are drawn by, of a collection that has a recipe for it; else the first that has one. */
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
 * Plans an image of one scene on its own grid: in true colour, or by the first preset of its collection. No pixel is read.
 *
 * @throws {ProblemError} `not-found`, or `unknown-band` where the item lacks a file of the recipe; {CatalogError}
 */
export async function planPreviewImage(
  services: Pick<Services, "catalog" | "registry" | "now">,
  { collectionId, itemId, format, maxSize }: PreviewInput,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { item, collection } = await getItem(services, { collectionId, itemId }, options);
  const drawn = previewRecipe(services.registry, collection);
  const plan = drawn === undefined ? undefined : planPreview(drawn, item, maxSize, format);
  if (plan === undefined) {
    throw new ProblemError("unknown-band", `Item ${item.id} lacks a file that its preview is drawn from.`, {
      errors: [{ pointer: "itemId", detail: `The recipe reads ${drawn?.recipe.assets.join(", ") ?? "nothing"}.` }],
    });
  }
  const age = services.now().getTime() - Date.parse(String(item.properties.datetime));
  return { plan, collection, items: [item], isSettled: age > DAY_MS };
}

function previewRecipe(registry: CollectionRegistry, collection: CollectionSchema): PresetRecipe | undefined {
  const offered = registry.presets.filter(({ collections }) => collections?.includes(collection.id));
  const preset = offered.find(({ id }) => id === PRESET) ?? offered[0];
  const recipe = preset === undefined ? undefined : registry.recipeOf(preset.id, collection.id);
  return preset === undefined || recipe === undefined ? undefined : { preset, collection, recipe };
}
