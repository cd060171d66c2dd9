import { readFileSync } from "node:fs";
import { parseCollectionFile } from "@swath/schema";

const fileOf = (id: string) => {
  const path = import.meta.resolve(`@swath/schema/collections/${id}.json`);
  return parseCollectionFile(readFileSync(new URL(path), "utf8"), `${id}.json`);
};

/** The built-in collections as their files have them. */
export const sentinelFile = () => fileOf("sentinel-2-l2a");
export const landsatFile = () => fileOf("landsat-ot-l2");
