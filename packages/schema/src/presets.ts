import * as z from "zod";
import { SchemaError } from "./errors.ts";
import { CloudMask } from "./mask.ts";
import { LIVE_COLLECTION_IDS } from "./registry.ts";
import { suggest } from "./suggest.ts";
import { CollectionId, HarmonizeLevel, MosaickingOrder } from "./vocabulary.ts";

const Range = z.array(z.number()).min(2).max(2).meta({ description: "Value range mapped to 0-255." });

/** How a preset is drawn from one collection, in the upstream's terms. */
export const Recipe = z
  .object({
    assets: z.array(z.string()).min(1).meta({ description: "Upstream asset keys in band order." }),
    expression: z.string().optional().meta({ description: "Over b1, b2, ... in the order of the assets." }),
    rescale: Range.optional().meta({
      description:
        "Stored DN range of the newest product, or with an expression the range of its values, mapped to 0-255.",
    }),
    colormap: z.string().optional(),
    minzoom: z.int().min(0).max(24).optional(),
    maxzoom: z.int().min(0).max(24).optional(),
  })
  .meta({ id: "Recipe", description: "How a preset is drawn from one collection." });
export type Recipe = z.infer<typeof Recipe>;

/** A named way to draw a collection. */
export const Preset = z
  .object({
    id: z.string().min(1),
    title: z.string(),
    description: z.string().optional(),
    collection: CollectionId.meta({ description: "Default collection." }),
    collections: z.array(CollectionId).optional().meta({ description: "Collections accepted by ?collection=." }),
    bands: z.array(z.string()).min(1).meta({ description: "Common band names read." }),
    expression: z.string().optional().meta({ description: "Band math by common name, on reflectance." }),
    rescale: Range.optional(),
    colormap: z.string().optional().meta({ description: "Named colormap for one-band presets." }),
    harmonize: HarmonizeLevel.optional(),
    mosaickingOrder: MosaickingOrder.optional(),
    maxCloudCoverage: z.number().max(100).optional().meta({ description: "Scene cloud cover ceiling, percent." }),
    cloudMask: CloudMask.optional(),
    defaultWindow: z
      .string()
      .optional()
      .meta({ description: "ISO 8601 duration ending now, when datetime is absent." }),
    minzoom: z.int().min(0).max(24),
    maxzoom: z.int().min(0).max(24),
    tileMatrixSets: z.array(z.enum(["WebMercatorQuad", "WorldCRS84Quad"])).optional(),
    formats: z.array(z.enum(["png", "jpg", "webp"])).optional(),
    "svc:recipes": z.record(z.string(), Recipe).optional().meta({ description: "Recipe by collection id." }),
    links: z
      .array(
        z.looseObject({
          href: z.url(),
          rel: z.string(),
          type: z.string().optional(),
          title: z.string().optional(),
        }),
      )
      .optional()
      .meta({ description: "self, tiles (TileJSON)." }),
  })
  .meta({ id: "Preset", description: "A named way to draw a collection." });
export type Preset = z.infer<typeof Preset>;

const COMMON = {
  collection: "sentinel-2-l2a",
  collections: [...LIVE_COLLECTION_IDS],
  harmonize: "offset_removed",
  mosaickingOrder: "leastCC",
  defaultWindow: "P90D",
  minzoom: 7,
  maxzoom: 14,
  tileMatrixSets: ["WebMercatorQuad", "WorldCRS84Quad"],
  formats: ["png", "jpg", "webp"],
} as const;

const SENTINEL_2_ZOOM = { minzoom: 7, maxzoom: 14 } as const;
const LANDSAT_ZOOM = { minzoom: 7, maxzoom: 13 } as const;

/**
 * The presets. Recipe ranges are stored digital numbers: 1000 to 5000 of Sentinel-2 and 7273 to 21818 of Landsat are
 * both reflectance 0 to 0.4. The subtracted constants of the index expressions are twice each collection's offset in
 * digital numbers (1000 and 0.2 / 0.0000275), so that both sensors give the same index.
 */
export const presets: readonly Preset[] = [
  {
    ...COMMON,
    id: "true-color",
    title: "True colour",
    description: "Red, green and blue as the eye sees them.",
    collections: [...COMMON.collections],
    bands: ["red", "green", "blue"],
    rescale: [0, 0.3],
    tileMatrixSets: [...COMMON.tileMatrixSets],
    formats: [...COMMON.formats],
    "svc:recipes": {
      "sentinel-2-l2a": { assets: ["visual"], ...SENTINEL_2_ZOOM },
      "landsat-ot-l2": { assets: ["red", "green", "blue"], rescale: [7273, 18182], ...LANDSAT_ZOOM },
    },
  },
  {
    ...COMMON,
    id: "false-color",
    title: "False colour",
    description: "Near infrared, red and green: vegetation is red.",
    collections: [...COMMON.collections],
    bands: ["nir", "red", "green"],
    rescale: [0, 0.4],
    tileMatrixSets: [...COMMON.tileMatrixSets],
    formats: [...COMMON.formats],
    "svc:recipes": {
      "sentinel-2-l2a": { assets: ["nir", "red", "green"], rescale: [1000, 5000], ...SENTINEL_2_ZOOM },
      "landsat-ot-l2": { assets: ["nir08", "red", "green"], rescale: [7273, 21_818], ...LANDSAT_ZOOM },
    },
  },
  {
    ...COMMON,
    id: "ndvi",
    title: "NDVI",
    description: "Normalized difference vegetation index, from red (bare) to green (dense vegetation).",
    collections: [...COMMON.collections],
    bands: ["nir", "red"],
    expression: "(nir - red) / (nir + red)",
    rescale: [-0.2, 0.8],
    colormap: "rdylgn",
    tileMatrixSets: [...COMMON.tileMatrixSets],
    formats: [...COMMON.formats],
    "svc:recipes": {
      "sentinel-2-l2a": {
        assets: ["nir", "red"],
        expression: "(b1-b2)/(b1+b2-2000)",
        rescale: [-0.2, 0.8],
        colormap: "rdylgn",
        ...SENTINEL_2_ZOOM,
      },
      "landsat-ot-l2": {
        assets: ["nir08", "red"],
        expression: "(b1-b2)/(b1+b2-14545.45)",
        rescale: [-0.2, 0.8],
        colormap: "rdylgn",
        ...LANDSAT_ZOOM,
      },
    },
  },
];

/** The preset with this id; `undefined` when there is none. */
export function findPreset(id: string): Preset | undefined {
  return presets.find((preset) => preset.id === id);
}

/**
 * The preset with this id.
 *
 * @throws {SchemaError} `unknown-preset`.
 */
export function resolvePreset(id: string): Preset {
  const preset = findPreset(id);
  if (preset !== undefined) return preset;
  const ids = presets.map((each) => each.id);
  throw new SchemaError("unknown-preset", id, `No preset is called "${id}".`, suggest(id, ids));
}
