import { ProblemError } from "@swath/problem";
import type { CollectionRegistry, CollectionSchema } from "@swath/schema";
import { type PresetRecipe, planPreview } from "../job/image-plan.ts";
import { withFactors } from "../metadata/scene-documents.ts";
import type { EngineParts } from "../parts.ts";
import { bandsRead, previewRecipe } from "../read/recipe-read.ts";
import type { ImageFormat } from "../run/job.ts";
import { getPreset } from "../what/presets.ts";
import { getItem } from "../when/items.ts";
import type { PlannedImage } from "./images.ts";

const DAY_MS = 86_400_000;

export interface PreviewInput {
  readonly collectionId: string;
  readonly itemId: string;
  readonly format: ImageFormat;
  /** Long edge, pixels. */
  readonly maxSize: number;
  /** The preset that renders it; default: true colour, or the first preset of the collection. */
  readonly presetId?: string;
}

/**
 * Plans an image of one scene on its own grid: in true colour, or by the first preset of its collection. No pixel is read.
 *
 * @throws {ProblemError} `not-found` for an item that is not there or a collection without previews, `unknown-band` where the item lacks a file of the recipe; {CatalogError}
 */
export async function planPreviewImage(
  services: Pick<EngineParts, "catalog" | "registry" | "sceneDocuments" | "now">,
  { collectionId, itemId, format, maxSize, presetId }: PreviewInput,
  options: { readonly signal: AbortSignal },
): Promise<PlannedImage> {
  const { item: found, collection } = await getItem(services, { collectionId, itemId }, options);
  const { preset, recipe } = recipeOf(services.registry, collection, presetId);
  const [item = found] = await withFactors([found], collection, services.sceneDocuments, options.signal);
  const plan = planPreview({ preset, collection, recipe }, item, maxSize, format);
  if (plan === undefined) {
    throw new ProblemError("unknown-band", `Item ${item.id} lacks a file that its preview is drawn from.`, {
      errors: [{ pointer: "itemId", detail: `The recipe reads ${recipe.assets.join(", ")}.` }],
    });
  }
  const age = services.now().getTime() - Date.parse(String(item.properties.datetime));
  return { plan, collection, bands: bandsRead({ collection, recipe }), items: [item], isSettled: age > DAY_MS };
}

/** The recipe of the preset asked for, else the one of previews. */
function recipeOf(
  registry: CollectionRegistry,
  collection: CollectionSchema,
  presetId: string | undefined,
): Pick<PresetRecipe, "preset" | "recipe"> {
  if (presetId === undefined) {
    const drawn = previewRecipe(collection);
    if (drawn !== undefined) return { preset: registry.resolvePreset(drawn.preset), recipe: drawn.recipe };
    throw new ProblemError("not-found", `Items of ${collection.id} have no preview: no recipe draws them.`);
  }
  const preset = getPreset(registry, presetId);
  const recipe = registry.recipeOf(preset.id, collection.id);
  if (recipe !== undefined) return { preset, recipe };
  const detail = `Preset ${preset.id} draws ${(preset.collections ?? []).join(", ")}, not ${collection.id}.`;
  throw new ProblemError("invalid-parameter", detail, { errors: [{ pointer: "collection", detail }] });
}
