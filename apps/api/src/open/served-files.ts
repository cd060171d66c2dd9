import {
  type AnyCollectionFile,
  BUILT_IN_FILES,
  BUILT_IN_PRESETS,
  type CollectionFile,
  isVirtualFile,
  type PresetFile,
} from "@swath/schema/files";
import { INDEX_PRESETS } from "@swath/schema/presets";

/** Built-in collections and presets that lean v1 serves. */
const COLLECTIONS: readonly string[] = ["sentinel-2-l2a", "landsat-ot-l2"];
const PRESETS: readonly string[] = ["true-color", "false-color", "ndvi", "stored-values"];
const LEVELS: readonly string[] = ["none", "offset_removed"];

/**
 * The files that a service serves: collections in the order they are listed, and the presets that their recipes may
 * name.
 */
export interface ServedFiles {
  readonly collections: readonly AnyCollectionFile[];
  readonly presets: readonly PresetFile[];
}

/** The built-in collections and presets of the full contract. */
export const FULL_FILES: ServedFiles = {
  collections: BUILT_IN_FILES,
  presets: [...BUILT_IN_PRESETS, ...INDEX_PRESETS],
};

/** The built-in collections and presets of lean v1: what came with the full contract is left out of their files. */
export const LEAN_FILES: ServedFiles = {
  collections: BUILT_IN_FILES.flatMap((file) =>
    !isVirtualFile(file) && COLLECTIONS.includes(file.id) ? [asLean(file)] : [],
  ),
  presets: BUILT_IN_PRESETS.filter(({ id }) => PRESETS.includes(id)),
};

function asLean({
  recipes = {},
  harmonize,
  memberOf: _,
  processUnits: _units,
  ...rest
}: CollectionFile): CollectionFile {
  return {
    ...rest,
    units: rest.units.filter((unit) => unit !== "CELSIUS"),
    harmonize: { default: harmonize.default, levels: only(harmonize.levels, LEVELS) },
    recipes: only(recipes, PRESETS),
  };
}

/** The members of an object that have one of these names. */
function only<T extends object>(members: T, names: readonly string[]): T {
  return Object.fromEntries(Object.entries(members).filter(([name]) => names.includes(name))) as T;
}
