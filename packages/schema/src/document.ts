import * as z from "zod";
import { Alias, toAlias } from "./alias.ts";
import { Band, toBand } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";
import { harmonization } from "./harmonization.ts";
import { indices } from "./indices.ts";
import { QA_PIXEL_BITS, QA_PIXEL_CONFIDENCES, SCL_CLASSES } from "./mask.ts";
import { collections } from "./registry.ts";
import { units } from "./units.ts";
import {
  CollectionId,
  HarmonizeLevel,
  MASK_CLASSES,
  MaskClass,
  MaskSource,
  PseudoBand,
  SCHEMA_VERSION,
  Unit,
} from "./vocabulary.ts";

/** What the document says about a collection besides its bands. */
export const SchemaCollection = z
  .object({
    title: z.string(),
    aliases: z.array(Alias),
    units: z.array(Unit),
    default_units: Unit,
    harmonize_levels: z.array(HarmonizeLevel),
    default_harmonize: HarmonizeLevel,
    pseudo_bands: z.array(PseudoBand),
    mask_source: MaskSource,
    mask_capabilities: z.array(MaskClass),
    upstream: z.object({ collection: z.string(), assets: z.record(z.string(), z.string()) }),
    sources: z.array(z.string()).meta({ description: "Where the published constants come from." }),
  })
  .meta({ id: "SchemaCollection", description: "A collection in schema v1." });
export type SchemaCollection = z.infer<typeof SchemaCollection>;

const BitField = z.object({ bit: z.int(), class: MaskClass, meaning: z.string() });
const ConfidenceField = z.object({ bits: z.array(z.int()).min(2).max(2), class: MaskClass });

/** Model of the schema v1 document, as `GET /v1/schema` serves it. */
export const SchemaDocument = z
  .object({
    "svc:schemaVersion": z.string().regex(/^\d+\.\d+\.\d+$/),
    collections: z.partialRecord(CollectionId, SchemaCollection),
    bands: z.partialRecord(CollectionId, z.array(Band)).meta({ description: "Bands by collection, in native order." }),
    common_names: z
      .record(z.string(), z.partialRecord(CollectionId, z.string()))
      .meta({ description: "Common name to the native name in each collection." }),
    mask: z.object({
      classes: z.array(MaskClass).meta({ description: "The position is the value in a mask_class raster." }),
      sources: z.object({
        scl: z.record(z.string(), MaskClass).meta({ description: "SCL value to class; 7 follows the setting scl7." }),
        qa_pixel: z.object({ bits: z.array(BitField), confidence: z.array(ConfidenceField) }),
      }),
    }),
    harmonization: z.object({
      levels: z.record(HarmonizeLevel, z.object({ title: z.string(), description: z.string() })),
      rules: z.array(z.object({ collection: CollectionId, level: HarmonizeLevel, rule: z.string() })),
    }),
    units: z.record(Unit, z.object({ title: z.string(), description: z.string(), symbol: z.string() })),
    indices: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
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

/** The schema as plain data. A new object each time, which the caller may change. */
export function schemaData(): SchemaDocument {
  const all: readonly CollectionSchema[] = Object.values(collections);
  return {
    "svc:schemaVersion": SCHEMA_VERSION,
    collections: Object.fromEntries(all.map((each) => [each.id, describe(each)])),
    bands: Object.fromEntries(all.map((each) => [each.id, each.bands.map(toBand)])),
    common_names: commonNames(all),
    mask: {
      classes: [...MASK_CLASSES],
      sources: {
        scl: Object.fromEntries(SCL_CLASSES.map((name, value) => [String(value), name])),
        qa_pixel: {
          bits: QA_PIXEL_BITS.map((field) => ({ ...field })),
          confidence: QA_PIXEL_CONFIDENCES.map((field) => ({ bits: [...field.bits], class: field.class })),
        },
      },
    },
    harmonization: {
      levels: structuredClone(harmonization.levels),
      rules: harmonization.rules.map((rule) => ({ ...rule })),
    },
    units: structuredClone(units),
    indices: indices.map((index) => ({
      ...index,
      aliases: [...index.aliases],
      bands: [...index.bands],
      range: [...index.range],
    })),
  };
}

/** The bytes of `GET /v1/schema` as text (UTF-8): the same for the same version, and the file that the package ships. */
export function schemaDocument(): string {
  return `${JSON.stringify(schemaData(), null, 2)}\n`;
}

/** JSON Schema (2020-12) of the document, as text; the file that the package ships. */
export function schemaJsonSchema(): string {
  return `${JSON.stringify({ $id: "urn:swath:schema-v1", ...z.toJSONSchema(SchemaDocument) }, null, 2)}\n`;
}

function describe(collection: CollectionSchema): SchemaCollection {
  return {
    title: collection.title,
    aliases: collection.aliases.map(toAlias),
    units: [...collection.units],
    default_units: collection.defaultUnits,
    harmonize_levels: [...collection.harmonizeLevels],
    default_harmonize: collection.defaultHarmonize,
    pseudo_bands: [...collection.pseudoBands],
    mask_source: collection.maskSource,
    mask_capabilities: [...collection.maskCapabilities],
    upstream: { collection: collection.upstream.collection, assets: { ...collection.upstream.assets } },
    sources: [...collection.sources],
  };
}

function commonNames(all: readonly CollectionSchema[]): SchemaDocument["common_names"] {
  const names: SchemaDocument["common_names"] = {};
  for (const { id, bands } of all) {
    for (const { commonName, name } of bands) {
      if (commonName === undefined) continue;
      names[commonName] = { ...names[commonName], [id]: name };
    }
  }
  return names;
}
