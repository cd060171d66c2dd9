import { readFileSync } from "node:fs";
import { createRegistry } from "@swath/schema";
import { BUILT_IN_FILES, type CollectionFile, isVirtualFile, parseCollectionFile } from "@swath/schema/files";

/** A built-in collection as its file has it. */
export const collectionFile = (id: string) => {
  const path = import.meta.resolve(`@swath/schema/collections/${id}.json`);
  return parseCollectionFile(readFileSync(new URL(path), "utf8"), `${id}.json`);
};

export const sentinelFile = () => collectionFile("sentinel-2-l2a");
export const landsatFile = () => collectionFile("landsat-ot-l2");

/** A collection without those that fill gaps of it, for tests of what one collection takes. */
export function plainFile<T extends CollectionFile>(file: T): T {
  const { fallbacks: _, ...upstream } = file.upstream;
  return { ...file, upstream };
}

/** The built-in collections without those that fill gaps of them. */
export const plainRegistry = createRegistry(
  BUILT_IN_FILES.map((file) => (isVirtualFile(file) ? file : plainFile(file))),
);
