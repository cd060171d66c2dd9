export type {} from "./platform-types.ts";
export { COLORMAPS } from "./preset/colormaps.ts";
export { commonIndices } from "./preset/common-indices.ts";
export { INDEX_PRESETS } from "./preset/index-presets.ts";
export type { IndexSchema } from "./preset/index-schema.ts";
export { indices, resolveIndex } from "./preset/indices.ts";
export { Preset, Recipe } from "./preset/preset.ts";
export { derivedRecipe } from "./registry/derived-recipe.ts";
export { ShownRecipe, shownRecipe } from "./registry/shown-recipe.ts";
