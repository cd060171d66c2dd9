import type { Item } from "@swath/catalog";
import {
  bandScaling,
  type CollectionSchema,
  fileOfBand,
  findBand,
  type Preset,
  type Recipe,
  toNativeAsset,
} from "@swath/schema";
import type { FileRead, FootprintRing, SceneRead } from "../render/scene-read.ts";
import { maskRead } from "./mask.ts";

/** Outer rings of an item's footprint, in degrees. */
export function footprintOf(item: { readonly geometry: unknown }): readonly FootprintRing[] {
  const geometry = item.geometry as { type?: string; coordinates?: unknown } | null;
  if (geometry?.type === "Polygon") return (geometry.coordinates as FootprintRing[]).slice(0, 1);
  if (geometry?.type === "MultiPolygon")
    return (geometry.coordinates as FootprintRing[][]).flatMap((polygon) => polygon.slice(0, 1));
  return [];
}

/** The preset that previews are rendered by, where the collection has a recipe for it; else the first one that it has. */
const PREVIEW_PRESET = "true-color";

/** How previews of a collection's items are rendered; `undefined`: it has none. */
export function previewRecipe({
  recipes,
}: CollectionSchema): { readonly preset: string; readonly recipe: Recipe } | undefined {
  const preset = Object.hasOwn(recipes, PREVIEW_PRESET) ? PREVIEW_PRESET : Object.keys(recipes)[0];
  const recipe = preset === undefined ? undefined : recipes[preset];
  return preset === undefined || recipe === undefined ? undefined : { preset, recipe };
}

/** Whether an item has every file that a recipe reads. */
export function hasFilesOf({ assets }: Pick<Item, "assets">, collection: CollectionSchema, recipe: Recipe): boolean {
  return recipe.assets.every((upstreamKey) => assets[fileOfRecipe(collection, upstreamKey).asset] !== undefined);
}

/** The band that a recipe names by the upstream's asset key, and its file; an asset of no band is a file of its own. */
function fileOfRecipe(collection: CollectionSchema, upstreamKey: string) {
  const key = toNativeAsset(collection, upstreamKey) ?? upstreamKey;
  const band = findBand(collection, key);
  return { band, ...(band === undefined ? { asset: key, index: 0 } : fileOfBand(band)) };
}

/** How scenes are read that are looked at: smooth, from the overview that suits the output. */
export const DISPLAY = { resampling: "bilinear", overviews: "display", validWhere: "every-file" } as const;

/**
 * What a recipe of a preset reads of a scene; `undefined` where the item lacks one of its files. Unless the preset
 * says `harmonize: none`, stored samples are converted to the newest product's offset, so that the recipe's numbers hold
 * for every scene. The preset's `cloudMask` becomes the scene's mask.
 */
export function sceneForRecipe(
  item: Item,
  collection: CollectionSchema,
  recipe: Recipe,
  { harmonize, cloudMask }: Pick<Preset, "harmonize" | "cloudMask">,
): SceneRead | undefined {
  const files: FileRead[] = [];
  for (const upstreamKey of recipe.assets) {
    const { band, asset, index } = fileOfRecipe(collection, upstreamKey);
    const href = item.assets[asset]?.href;
    if (href === undefined) return undefined;
    // an asset that is no band of the crosswalk, such as the true-colour image, is read whole
    if (band === undefined) files.push({ href });
    else {
      const { recipeShift: shift } = bandScaling(collection, band, item.properties);
      const isShifted = shift !== 0 && harmonize !== "none";
      files.push({
        href,
        bands: [index],
        nodata: band.nodata,
        ...(isShifted ? { conversion: { kind: "shift", shift } } : {}),
      });
    }
  }
  const mask = cloudMask === undefined ? undefined : maskRead(item, collection, cloudMask);
  if (cloudMask !== undefined && mask === undefined) return undefined;
  const footprint = footprintOf(item);
  return { id: item.id, footprint, files, ...DISPLAY, ...(mask === undefined ? {} : { mask }) };
}
