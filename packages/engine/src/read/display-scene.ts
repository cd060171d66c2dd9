import type { Item } from "@swath/catalog";
import type { CollectionSchema } from "@swath/schema";
import type { Preset, Recipe } from "@swath/schema/presets";
import type { SceneRead } from "../run/scene/scene-read.ts";
import { itemScene } from "./item-scene.ts";
import { recipeBands, recipeForItem } from "./recipe-bands.ts";

/**
 * Plans the read of a scene for a recipe of a preset; `undefined` where the item lacks one of its files, or what its
 * numbers need. The preset's `cloudMask` becomes the scene's mask.
 */
export function displayScene(
  item: Item,
  collection: CollectionSchema,
  recipe: Recipe,
  { harmonize, cloudMask }: Pick<Preset, "harmonize" | "cloudMask">,
): SceneRead | undefined {
  const drawn = recipeForItem(item, collection, recipe);
  const scene = itemScene(item, recipeBands(collection, drawn, harmonize), { kind: "display", mask: cloudMask });
  return scene.lacks === undefined ? scene.read : undefined;
}
