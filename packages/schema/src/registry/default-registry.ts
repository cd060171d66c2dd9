import type { CollectionSchema } from "../collection/collection.ts";
import type { AnyCollectionFile } from "../file/collection-file.ts";
import { type BUILT_IN_IDS, COLLECTION_FILES, VIRTUAL_FILES } from "./generated.ts";
import { createRegistry } from "./registry.ts";

/** The built-in collection files. */
export const BUILT_IN_FILES: readonly AnyCollectionFile[] = [...COLLECTION_FILES, ...VIRTUAL_FILES];

/** The registry of the built-in collection files. */
export const defaultRegistry = createRegistry(BUILT_IN_FILES);

/** Id of a built-in collection. */
export type LiveCollectionId = (typeof BUILT_IN_IDS)[number];

/** Built-in collections by id. */
export const collections = Object.fromEntries(
  defaultRegistry.collections.map((collection) => [collection.id, collection]),
) as Readonly<Record<LiveCollectionId, CollectionSchema>>;

/** Every id and alias of the built-in collections. */
export const COLLECTION_NAMES: readonly string[] = defaultRegistry.names;
