import { commonIndices } from "./common-indices.ts";
import type { IndexSchema } from "./index-schema.ts";
import { indices } from "./indices.ts";
import type { PresetFile } from "./preset.ts";

/** Colors by domain: from bare to green for plants, from dry to wet for water, others from low to high. */
const COLORMAPS: Readonly<Record<IndexSchema["domain"], string>> = {
  vegetation: "rdylgn",
  burn: "rdylgn",
  water: "brbg",
  snow: "rdylbu",
  clouds: "rdylbu",
  urban: "rdylbu_r",
  soil: "rdylbu_r",
};

const common: ReadonlySet<IndexSchema> = new Set(commonIndices);

/** A preset for each index, `index-{id}`, of all collections that have its bands. */
export const INDEX_PRESETS: readonly PresetFile[] = indices.map((index) => ({
  id: `index-${index.id}`,
  title: index.title,
  description: `${index.expression}, ${index.range[0]} to ${index.range[1]} (${index.source}).`,
  collection: "sentinel-2-l2a",
  bands: [...index.bands],
  expression: index.expression,
  rescale: [...index.range],
  colormap: index.id === "moisture" ? "rdylbu" : COLORMAPS[index.domain],
  harmonize: "offset_removed",
  mosaickingOrder: "leastCC",
  defaultWindow: "P90D",
  minzoom: 7,
  maxzoom: 14,
  tileMatrixSets: ["WebMercatorQuad", "WorldCRS84Quad"],
  formats: ["png", "jpg", "webp"],
  ...(common.has(index) ? {} : { further: true }),
  recipes: "derived",
}));
