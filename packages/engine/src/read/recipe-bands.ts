import type { Item } from "@swath/catalog";
import { type CollectionSchema, findBand, toNativeAsset } from "@swath/schema";
import type { Preset, Recipe } from "@swath/schema/presets";
import { bandOfItem } from "../items/item-bands.ts";
import { isMask } from "../limits/cost.ts";
import type { Wanted } from "./band-file.ts";

/** The preset that previews are rendered by, where the collection has a recipe for it; else the first one that it has. */
const PREVIEW_PRESET = "true-color";

/** Returns the recipe of previews of a collection's items; `undefined`: it has none. */
export function previewRecipe({
  recipes,
}: CollectionSchema): { readonly preset: string; readonly recipe: Recipe } | undefined {
  const preset = Object.hasOwn(recipes, PREVIEW_PRESET) ? PREVIEW_PRESET : Object.keys(recipes)[0];
  const recipe = preset === undefined ? undefined : recipes[preset];
  return preset === undefined || recipe === undefined ? undefined : { preset, recipe };
}

/** A recipe as one item is drawn by it. */
export interface ItemRecipe extends Recipe {
  /** By which the values of each asset are multiplied; absent: by none. */
  readonly factors?: readonly number[] | undefined;
}

/** The bands that a recipe names by the upstream's asset keys, or of virtual collections by their names; text: the asset of no band. */
function bandsOf(collection: CollectionSchema, { assets, factors }: ItemRecipe): Wanted["bands"] {
  return assets.map((upstreamKey, i) => {
    const key = toNativeAsset(collection, upstreamKey) ?? upstreamKey;
    const band = findBand(collection, key);
    if (band === undefined) return key;
    return factors === undefined ? band : { ...band, factor: factors[i] ?? 1 };
  });
}

/**
 * Plans the bands that a recipe reads of scenes. Unless the preset says `harmonize: none`, stored samples are converted
 * to the newest product's offset, so that the recipe's numbers hold for every scene. Recipes of virtual collections are
 * about reflectance at the collection's default level, those of collections whose factors are in a document of each
 * scene, those that say a unit and those with factors, about physical values.
 */
export function recipeBands(collection: CollectionSchema, recipe: ItemRecipe, harmonize: Preset["harmonize"]): Wanted {
  const { virtual, scaling, defaultHarmonize } = collection;
  const { units, factors } = recipe;
  const isPhysical = virtual !== undefined || scaling !== undefined || units !== undefined || factors !== undefined;
  return {
    match: { collection },
    bands: bandsOf(collection, recipe),
    conversion: isPhysical ? "physical" : harmonize === "none" ? "untouched" : "shift",
    units: "REFLECTANCE",
    clipNegative: false,
    isAdjusted: virtual !== undefined && defaultHarmonize === "bandpass_adjusted",
    isNadir: false,
  };
}

/** Returns a recipe with the assets that an item has: those of its first alternative that the item has, where it lacks one. */
export function recipeForItem(item: Item, collection: CollectionSchema, recipe: Recipe): ItemRecipe {
  const { alternatives } = recipe;
  if (alternatives === undefined || hasFiles(item, collection, recipe)) return recipe;
  return { ...recipe, ...alternatives.find((each) => hasFiles(item, collection, each)) };
}

/** Whether an item has every file that a recipe, or one of its alternatives, reads. */
export function hasFilesOf(item: Item, collection: CollectionSchema, recipe: Recipe): boolean {
  return hasFiles(item, collection, recipeForItem(item, collection, recipe));
}

function hasFiles(item: Item, collection: CollectionSchema, recipe: Recipe): boolean {
  return bandsOf(collection, recipe).every((band) =>
    typeof band === "string" ? item.assets[band] !== undefined : bandOfItem(item, collection, band) !== undefined,
  );
}

const IMAGE_BANDS = 3;

/** Bands of a recipe: an asset that is no band is an image of three, and masks do not count. */
export function bandsRead({
  collection,
  recipe,
}: {
  readonly collection: CollectionSchema;
  readonly recipe: Recipe;
}): number {
  return bandsOf(collection, recipe)
    .map((band): number => (typeof band === "string" ? IMAGE_BANDS : isMask(band) ? 0 : 1))
    .reduce((sum, count) => sum + count, 0);
}
