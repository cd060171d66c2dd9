import * as z from "zod";
import { CollectionId, HarmonizeLevel, MosaickingOrder, Unit } from "../vocabulary.ts";
import { CloudMask } from "./cloud-mask.ts";

const Range = z.array(z.number()).min(2).max(2).meta({ description: "Value range mapped to 0-255." });

/** Shaded relief: where the sun stands. */
export const Hillshade = z
  .strictObject({
    azimuth: z
      .number()
      .min(0)
      .max(360)
      .meta({ description: "Direction the light comes from, degrees clockwise from the top." }),
    altitude: z.number().positive().max(90).meta({ description: "Height of the sun above the horizon, degrees." }),
  })
  .meta({ id: "Hillshade", description: "Shaded relief by Horn 1981, slopes as rise over ground distance." });
export type Hillshade = z.infer<typeof Hillshade>;

/** Assets that take the place of those of a recipe. */
const Alternative = z.strictObject({
  assets: z
    .array(z.string())
    .min(1)
    .meta({ description: "Asset keys, as many as of the recipe and in the same order; one may stand for several." }),
  factors: z
    .array(z.number().positive())
    .min(1)
    .optional()
    .meta({ description: "By which the values of each asset are multiplied to become b1, b2, ...; absent: 1." }),
});

/** The rendering of a preset from one collection, in the upstream's asset names. */
export const Recipe = z
  .object({
    assets: z.array(z.string()).min(1).meta({ description: "Upstream asset keys in band order." }),
    alternatives: z.array(Alternative).min(1).optional().meta({
      description: "In place of assets for an item that lacks one of these: the first of which it has all assets.",
    }),
    expression: z.string().optional().meta({ description: "Over b1, b2, ... in the order of the assets." }),
    rescale: Range.optional().meta({
      description:
        "Stored DN range of the newest product, or with an expression the range of its values, mapped to 0-255.",
    }),
    colormap: z.string().optional(),
    units: Unit.optional().meta({
      description: "What b1, b2, ... are converted to before the expression and the range; absent: stored DN.",
    }),
    hillshade: Hillshade.optional().meta({
      description:
        "The one asset holds heights in metres, which are shaded; in place of expression, rescale and colormap.",
    }),
    minzoom: z.int().min(0).max(24).optional(),
    maxzoom: z.int().min(0).max(24).optional(),
  })
  .meta({ id: "Recipe", description: "How a preset is rendered from one collection." });
export type Recipe = z.infer<typeof Recipe>;

/** A named way to render a collection. */
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
    hillshade: Hillshade.optional().meta({ description: "Shaded relief of the band, which holds heights." }),
    harmonize: HarmonizeLevel.optional(),
    mosaickingOrder: MosaickingOrder.optional(),
    maxCloudCoverage: z.number().max(100).optional().meta({ description: "Scene cloud cover ceiling, percent." }),
    cloudMask: CloudMask.optional(),
    defaultWindow: z
      .string()
      .optional()
      .meta({ description: "ISO 8601 duration ending now, when datetime is absent; absent itself: all times." }),
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
  .meta({ id: "Preset", description: "A named way to render a collection." });
export type Preset = z.infer<typeof Preset>;

/** A preset as a file of data: what is the same on every collection. Recipes are in the collections' files. */
export const PresetFile = z
  .strictObject({
    ...Preset.omit({ collections: true, "svc:recipes": true, links: true }).shape,
    collection: CollectionId.optional().meta({
      description: "Default collection; absent, or where it has no recipe: the first that has one.",
    }),
    further: z.literal(true).optional().meta({
      description: "Is found by its id, and listed after the first page of presets.",
    }),
    recipes: z.literal("derived").optional().meta({
      description:
        "Every collection that has the bands draws the preset, from physical values; absent: those whose files have a recipe.",
    }),
  })
  .meta({ id: "PresetFile", description: "A preset without what depends on collections." });
export type PresetFile = z.infer<typeof PresetFile>;
