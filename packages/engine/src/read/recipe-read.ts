import type { Item } from "@swath/catalog";
import {
  bandAdjustment,
  bandScaling,
  type CollectionSchema,
  fileOfBand,
  findBand,
  type Preset,
  type Recipe,
  sourceCollection,
  toNativeAsset,
} from "@swath/schema";
import { isMask } from "../job/cost.ts";
import { lacksFactors } from "../metadata/scene-factors.ts";
import type { FileRead, FootprintRing, SceneRead } from "../run/scene-read.ts";
import { bandOfItem } from "../what/item-bands.ts";
import { assetFile } from "./asset-file.ts";
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
export function hasFilesOf(item: Item, collection: CollectionSchema, recipe: Recipe): boolean {
  return recipe.assets.every((key) => {
    if (collection.virtual === undefined) return item.assets[fileOfRecipe(collection, key).asset] !== undefined;
    const common = findBand(collection, key);
    return common !== undefined && bandOfItem(item, collection, common) !== undefined;
  });
}

/** The band that a recipe names by the upstream's asset key, and its file; an asset of no band is a file of its own. */
function fileOfRecipe(collection: CollectionSchema, upstreamKey: string) {
  const key = toNativeAsset(collection, upstreamKey) ?? upstreamKey;
  const band = findBand(collection, key);
  return { band, ...(band === undefined ? { asset: key, index: 0 } : fileOfBand(band)) };
}

/** Bands of a recipe: an asset that is no band is an image of three, and masks do not count. */
export function bandsRead({
  collection,
  recipe,
}: {
  readonly collection: CollectionSchema;
  readonly recipe: Recipe;
}): number {
  const counts = recipe.assets.map((key) => {
    const { band } = fileOfRecipe(collection, key);
    return band === undefined ? IMAGE_BANDS : isMask(band) ? 0 : 1;
  });
  return counts.reduce((sum: number, count) => sum + count, 0);
}

const IMAGE_BANDS = 3;

/** How scenes are read that are looked at: smooth, from the overview that suits the output. */
export const DISPLAY = { resampling: "bilinear", overviews: "display", validWhere: "every-file" } as const;

/**
 * What a recipe of a preset reads of a scene; `undefined` where the item lacks one of its files. Unless the preset
 * says `harmonize: none`, stored samples are converted to the newest product's offset, so that the recipe's numbers hold
 * for every scene. Recipes of virtual collections are about reflectance at the collection's default level, those of
 * collections whose factors are in a document of each scene about physical values. The preset's
 * `cloudMask` becomes the scene's mask.
 */
export function sceneForRecipe(
  item: Item,
  collection: CollectionSchema,
  recipe: Recipe,
  { harmonize, cloudMask }: Pick<Preset, "harmonize" | "cloudMask">,
): SceneRead | undefined {
  const source = sourceCollection(collection, item.properties);
  if (source === undefined) return undefined;
  const isPhysical = collection.virtual !== undefined || collection.scaling !== undefined;
  const files = recipe.assets.map((asset) => {
    if (collection.virtual !== undefined) return reflectanceFile(item, collection, asset);
    return isPhysical ? scaledFile(item, collection, asset) : storedFile(item, collection, asset, harmonize);
  });
  const found = files.filter((file) => file !== undefined);
  if (found.length < files.length) return undefined;
  const mask = cloudMask === undefined ? undefined : maskRead(item, source, cloudMask);
  if (cloudMask !== undefined && mask === undefined) return undefined;
  return {
    id: item.id,
    footprint: footprintOf(item),
    files: found,
    ...DISPLAY,
    ...(!isPhysical ? {} : { output: { sampleType: "float32", nodata: Number.NaN } }),
    ...(mask === undefined ? {} : { mask }),
  };
}

/** A file as it is stored, by the upstream's key of its asset or the native name of a band. */
function storedFile(
  item: Item,
  collection: CollectionSchema,
  upstreamKey: string,
  harmonize: Preset["harmonize"],
): FileRead | undefined {
  const { band, asset, index } = fileOfRecipe(collection, upstreamKey);
  const file = assetFile(item, asset);
  // an asset that is no band of the crosswalk, such as the true-colour image, is read whole
  if (file === undefined || band === undefined) return file;
  const { recipeShift: shift } = bandScaling(collection, band, item.properties);
  const isShifted = shift !== 0 && harmonize !== "none";
  return {
    ...file,
    bands: [index],
    nodata: band.nodata,
    ...(isShifted ? { conversion: { kind: "shift", shift } } : {}),
  };
}

/** A band in physical values by the factors of its scene; `undefined` too where they are not known. */
function scaledFile(item: Item, collection: CollectionSchema, upstreamKey: string): FileRead | undefined {
  const { band, asset, index } = fileOfRecipe(collection, upstreamKey);
  const file = assetFile(item, asset);
  if (file === undefined || band === undefined || lacksFactors(item, collection, band)) return undefined;
  const { scale, offset, nodata, brightness } = bandScaling(collection, band, item.properties);
  return {
    ...file,
    bands: [index],
    nodata: band.nodata,
    conversion: {
      kind: "physical",
      scale,
      offset,
      ...(nodata === undefined ? {} : { nodata }),
      ...(brightness === undefined ? {} : { brightness: { ...brightness, offset: 0 } }),
    },
  };
}

/** A common band as reflectance; `undefined` too where no coefficients are published for the scene's platform. */
function reflectanceFile(item: Item, collection: CollectionSchema, commonName: string): FileRead | undefined {
  const common = findBand(collection, commonName);
  const own = common && bandOfItem(item, collection, common);
  if (own === undefined) return undefined;
  const { asset, index } = fileOfBand(own.band);
  const adjustment = bandAdjustment(own.collection, own.band, item.properties);
  const isAdjusted = collection.defaultHarmonize === "bandpass_adjusted";
  if (isAdjusted && adjustment === undefined) return undefined;
  const { scale, offset, nodata } = bandScaling(own.collection, own.band, item.properties);
  return {
    ...(assetFile(item, asset) ?? { href: "" }),
    bands: [index],
    nodata: own.band.nodata,
    conversion: {
      kind: "physical",
      scale,
      offset,
      ...(nodata === undefined ? {} : { nodata }),
      ...(isAdjusted && adjustment !== undefined
        ? { adjust: { slope: adjustment.slope, intercept: adjustment.offset } }
        : {}),
    },
  };
}
