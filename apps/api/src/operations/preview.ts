import { ProblemError } from "@swath/problem";
import { planPreview } from "../plan/image-plan.ts";
import { previewRecipe } from "../plan/recipe-read.ts";
import type { ImageFormat } from "../render/job.ts";
import { withFactors } from "../scene-metadata/scene-documents.ts";
import type { Services } from "../services.ts";
import type { PlannedImage } from "./images.ts";
import { getItem } from "./items.ts";

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
 * @throws {ProblemError} `not-found` for an item that is not there or a collection without previews, `unknown-band` where the item lacks a file of the recipe; {CatalogError}
 */
export async function planPreviewImage(
  services: Pick<Services, "catalog" | "registry" | "sceneDocuments" | "now">,
  { collectionId, itemId, format, maxSize }: PreviewInput,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { item: found, collection } = await getItem(services, { collectionId, itemId }, options);
  const drawn = previewRecipe(collection);
  if (drawn === undefined) {
    throw new ProblemError("not-found", `Items of ${collection.id} have no preview: no recipe draws them.`);
  }
  const { recipe } = drawn;
  const preset = services.registry.resolvePreset(drawn.preset);
  const [item = found] = await withFactors([found], collection, services.sceneDocuments, options.signal);
  const plan = planPreview({ preset, collection, recipe }, item, maxSize, format);
  if (plan === undefined) {
    throw new ProblemError("unknown-band", `Item ${item.id} lacks a file that its preview is drawn from.`, {
      errors: [{ pointer: "itemId", detail: `The recipe reads ${recipe.assets.join(", ")}.` }],
    });
  }
  const age = services.now().getTime() - Date.parse(String(item.properties.datetime));
  return { plan, collection, items: [item], isSettled: age > DAY_MS };
}
