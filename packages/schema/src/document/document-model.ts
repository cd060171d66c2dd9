import * as z from "zod";
import { Alias } from "../collection/alias.ts";
import { Band } from "../collection/band.ts";
import { BandpassTable, NadirTable } from "../file/harmonization-file.ts";
import { CollectionId, HarmonizeLevel, MaskClass, MaskSource, PseudoBand, Unit } from "../vocabulary.ts";

/** The members of a collection in the document besides its bands. */
export const SchemaCollection = z
  .object({
    title: z.string(),
    aliases: z.array(Alias),
    units: z.array(Unit),
    default_units: Unit,
    harmonize_levels: z.array(HarmonizeLevel),
    default_harmonize: HarmonizeLevel,
    pseudo_bands: z.array(PseudoBand),
    index_bands: z.record(z.string(), z.string()).meta({
      description: "Bands that indices read here in place of others, by common names.",
    }),
    mask_source: z.union([MaskSource, z.array(MaskSource).min(2)]).meta({
      description: "Of a virtual collection those of its members, where these have several.",
    }),
    mask_capabilities: z.array(MaskClass),
    upstream: z
      .object({ collection: z.string(), assets: z.record(z.string(), z.string()) })
      .optional()
      .meta({ description: "Absent of a virtual collection." }),
    members: z.array(CollectionId).optional().meta({ description: "Collections that a virtual one is made of." }),
    bands_common: z.array(z.string()).optional().meta({ description: "Common band names of a virtual collection." }),
    sources: z.array(z.string()).meta({ description: "Where the published constants come from." }),
  })
  .meta({ id: "SchemaCollection", description: "A collection in schema v1." });
export type SchemaCollection = z.infer<typeof SchemaCollection>;

const BitField = z.object({ bit: z.int(), class: MaskClass, meaning: z.string() });
const ConfidenceField = z.object({ bits: z.array(z.int()).min(2).max(2), class: MaskClass });

const ClassTable = z
  .record(z.string().regex(/^\d+$/), MaskClass)
  .meta({ description: "Stored value to class; 7 of scl follows the setting scl7." });
const BitFlags = z.object({ bits: z.array(BitField), confidence: z.array(ConfidenceField) });

/** Model of the schema v1 document, as `GET /v1/schema` serves it. */
export const SchemaDocument = z
  .object({
    "svc:schemaVersion": z.string().regex(/^\d+\.\d+\.\d+$/),
    collections: z.record(CollectionId, SchemaCollection),
    bands: z.record(CollectionId, z.array(Band)).meta({ description: "Bands by collection, in native order." }),
    common_names: z
      .record(z.string(), z.record(CollectionId, z.string()))
      .meta({ description: "Common name to the native name in each collection." }),
    mask: z.object({
      classes: z.array(MaskClass).meta({ description: "The position is the value in a mask_class raster." }),
      default_exclude: z.array(MaskClass).meta({
        description: "What statistics, time series and the pseudo band `mask` drop unless a request says otherwise.",
      }),
      sources: z
        .record(MaskSource, z.union([ClassTable, BitFlags]))
        .meta({ description: "By the name of the source: a table of classes, or bits." }),
    }),
    harmonization: z.object({
      levels: z.record(HarmonizeLevel, z.object({ title: z.string(), description: z.string() })),
      rules: z.array(z.object({ collection: CollectionId, level: HarmonizeLevel, rule: z.string() })),
      bandpass: z
        .object({
          reference: z.string().meta({ description: "The sensor that all others are brought to." }),
          formula: z.string(),
          tables: z.array(BandpassTable.extend({ collection: CollectionId })),
        })
        .optional()
        .meta({ description: "Coefficients of the level `bandpass_adjusted`, by platform and native band name." }),
      nbar: z
        .object({
          formula: z.string(),
          kernels: z.string(),
          view_zenith: z.number().meta({ description: "Degrees." }),
          sun_zenith: z
            .object({ source: z.string(), coefficients: z.array(z.number()) })
            .meta({ description: "Degrees: coefficients of the powers of the latitude in degrees, from 0 on." }),
          tables: z.array(NadirTable.extend({ collection: CollectionId })),
        })
        .optional()
        .meta({
          description: "The level `nbar`: weights of the kernels by native band name, and where angles come from.",
        }),
    }),
    units: z.record(Unit, z.object({ title: z.string(), description: z.string(), symbol: z.string() })),
    colormaps: z.array(z.string()).meta({
      description: "Names of colormaps, those of matplotlib in lower case; each exists reversed with `_r` at its end.",
    }),
    indices: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        domain: z
          .string()
          .meta({ description: "What it is about: vegetation, water, soil, burn, snow, urban or clouds." }),
        aliases: z.array(z.string()),
        bands: z.array(z.string()),
        expression: z.string(),
        range: z.array(z.number()).min(2).max(2),
        source: z.string(),
      }),
    ),
  })
  .meta({ id: "SchemaDocument", description: "Schema v1: band crosswalk, masks, harmonization, units, indices." });
export type SchemaDocument = z.infer<typeof SchemaDocument>;

/** JSON Schema (2020-12) of the document, as text; the file that the package ships. */
export function schemaJsonSchema(): string {
  return `${JSON.stringify({ $id: "urn:swath:schema-v1", ...z.toJSONSchema(SchemaDocument) }, null, 2)}\n`;
}
