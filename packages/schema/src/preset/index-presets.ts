import { type IndexSchema, indices } from "./indices.ts";
import type { PresetFile } from "./preset.ts";

/** Colors by index: from bare to green for plants, from dry to wet for water, others from low to high. */
const COLORMAP_OF: Readonly<Record<string, string>> = {
  ndwi: "brbg",
  mndwi: "brbg",
  moisture: "rdylbu",
  ndsi: "rdylbu",
  ndbi: "rdylbu_r",
};

/** A preset for each index, `index-{id}`, of all collections that have its bands. */
export const INDEX_PRESETS: readonly PresetFile[] = indices.map((index: IndexSchema) => ({
  id: `index-${index.id}`,
  title: index.title,
  description: `${index.expression}, ${index.range[0]} to ${index.range[1]} (${index.source}).`,
  collection: "sentinel-2-l2a",
  bands: [...index.bands],
  expression: index.expression,
  rescale: [...index.range],
  colormap: COLORMAP_OF[index.id] ?? "rdylgn",
  harmonize: "offset_removed",
  mosaickingOrder: "leastCC",
  defaultWindow: "P90D",
  minzoom: 7,
  maxzoom: 14,
  tileMatrixSets: ["WebMercatorQuad", "WorldCRS84Quad"],
  formats: ["png", "jpg", "webp"],
  recipes: "derived",
}));
