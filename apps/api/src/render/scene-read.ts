import type { Item } from "@swath/catalog";
import { bandScaling, type CollectionSchema, findBand, type Recipe, toNativeAsset } from "@swath/schema";
import type { AssetRead, SceneRead } from "./job.ts";

type Ring = readonly (readonly [number, number])[];

/** Outer rings of an item's footprint, in degrees. */
export function footprintOf(item: { readonly geometry: unknown }): readonly Ring[] {
  const geometry = item.geometry as { type?: string; coordinates?: unknown } | null;
  if (geometry?.type === "Polygon") return (geometry.coordinates as Ring[]).slice(0, 1);
  if (geometry?.type === "MultiPolygon")
    return (geometry.coordinates as Ring[][]).flatMap((polygon) => polygon.slice(0, 1));
  return [];
}

/**
 * What a recipe reads of a scene; undefined where the item lacks one of its files. Stored values are moved to the
 * newest product's offset, so that the recipe's numbers hold for every scene.
 */
export function sceneForRecipe(item: Item, collection: CollectionSchema, recipe: Recipe): SceneRead | undefined {
  const assets: AssetRead[] = [];
  for (const upstreamKey of recipe.assets) {
    const key = toNativeAsset(collection, upstreamKey);
    const href = key === undefined ? undefined : item.assets[key]?.href;
    if (key === undefined || href === undefined) return undefined;
    const band = findBand(collection, key);
    const shift = band === undefined ? 0 : bandScaling(collection, band, item.properties).recipeShift;
    // an asset that is no band of the crosswalk, such as the true-colour picture, is read whole
    assets.push({ href, ...(band === undefined ? {} : { bands: [0] }), ...(shift === 0 ? {} : { shift }) });
  }
  return { id: item.id, footprint: footprintOf(item), assets };
}
