import { readFileSync } from "node:fs";
import { parseCollectionFile } from "@swath/schema";

/** A built-in collection as its file has it. */
export const collectionFile = (id: string) => {
  const path = import.meta.resolve(`@swath/schema/collections/${id}.json`);
  return parseCollectionFile(readFileSync(new URL(path), "utf8"), `${id}.json`);
};

export const sentinelFile = () => collectionFile("sentinel-2-l2a");
export const landsatFile = () => collectionFile("landsat-ot-l2");
