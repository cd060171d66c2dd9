import type { CollectionSchema } from "../collection/collection.ts";
import { HARMONIZATION_LEVELS, harmonizeRules } from "../collection/harmonization.ts";
import type { AnyCollectionFile } from "../file/collection-file.ts";
import type { Preset } from "../preset/preset.ts";
import { BUILT_IN_IDS, COLLECTION_FILES, VIRTUAL_FILES, VIRTUAL_IDS } from "./generated.ts";
import { createRegistry } from "./registry.ts";

/** The built-in collection files. */
export const BUILT_IN_FILES: readonly AnyCollectionFile[] = [...COLLECTION_FILES, ...VIRTUAL_FILES];

/** The registry of the built-in collection files. */
export const defaultRegistry = createRegistry(BUILT_IN_FILES);

/** Id of a built-in collection. */
export type LiveCollectionId = (typeof BUILT_IN_IDS)[number];

/** Ids of the built-in collections, in the order they are listed. */
export const LIVE_COLLECTION_IDS: readonly LiveCollectionId[] = BUILT_IN_IDS;

/** Ids of the built-in collections, virtual ones included. */
export const COLLECTION_IDS: readonly string[] = [...BUILT_IN_IDS, ...VIRTUAL_IDS];

/** Built-in collections by id. */
export const collections = Object.fromEntries(
  defaultRegistry.collections.map((collection) => [collection.id, collection]),
) as Readonly<Record<LiveCollectionId, CollectionSchema>>;

/** Every id and alias of the built-in collections. */
export const COLLECTION_NAMES: readonly string[] = defaultRegistry.names;

/** The presets on the built-in collections. */
export const presets: readonly Preset[] = defaultRegistry.presets;

/** The preset with this id; `undefined` when there is none. */
export function findPreset(id: string): Preset | undefined {
  return defaultRegistry.findPreset(id);
}

/**
 * The preset with this id.
 *
 * @throws {SchemaError} `unknown-preset`.
 */
export function resolvePreset(id: string): Preset {
  return defaultRegistry.resolvePreset(id);
}

/** The schema of the built-in collections as plain data. A new object each time, which the caller may change. */
export function schemaData(): ReturnType<typeof defaultRegistry.schemaData> {
  return defaultRegistry.schemaData();
}

/** The schema of the built-in collections as text (UTF-8): the file that the package ships. */
export function schemaDocument(): string {
  return defaultRegistry.schemaDocument();
}

/** Levels of harmonization, and what each does to each built-in collection. */
export const harmonization = {
  levels: HARMONIZATION_LEVELS,
  rules: harmonizeRules(defaultRegistry.listed),
};
