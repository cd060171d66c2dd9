import { BUILT_IN_FILES, BUILT_IN_PRESETS, type CollectionFile, type PresetFile } from "@swath/schema";

/** Built-in collections and presets that lean v1 serves. */
const COLLECTIONS: readonly string[] = ["sentinel-2-l2a", "landsat-ot-l2"];
const PRESETS: readonly string[] = ["true-color", "false-color", "ndvi"];

/** What a service serves: collections in the order they are listed, and the presets that their recipes may name. */
export interface ServedFiles {
  readonly collections: readonly CollectionFile[];
  readonly presets: readonly PresetFile[];
}

/** The built-in collections and presets of the full contract. */
export const FULL_FILES: ServedFiles = { collections: BUILT_IN_FILES, presets: BUILT_IN_PRESETS };

/** The built-in collections and presets of lean v1: what came with the full contract is left out of their files. */
export const LEAN_FILES: ServedFiles = {
  collections: BUILT_IN_FILES.filter(({ id }) => COLLECTIONS.includes(id)).map(asLean),
  presets: BUILT_IN_PRESETS.filter(({ id }) => PRESETS.includes(id)),
};

function asLean({ recipes, processUnits: _, ...rest }: CollectionFile): CollectionFile {
  const file = { ...rest, units: rest.units.filter((unit) => unit !== "CELSIUS") };
  if (recipes === undefined) return file;
  return { ...file, recipes: Object.fromEntries(Object.entries(recipes).filter(([id]) => PRESETS.includes(id))) };
}
