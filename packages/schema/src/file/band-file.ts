import * as z from "zod";
import { DataType, Unit } from "../vocabulary.ts";
import { Pattern } from "./patterns.ts";

/**
 * The contents of a band. `spectral`, `thermal`, `elevation` and `backscatter` can be given in physical units and are
 * the default bands of a process request; `class`, `bits` and `ancillary` are given as stored.
 */
export const BandKind = z.enum(["spectral", "thermal", "elevation", "backscatter", "class", "bits", "ancillary"]);
export type BandKind = z.infer<typeof BandKind>;

/**
 * The offset depends on the processing baseline of the item: it applies from `from` on, and not where the pixels have
 * it taken out already.
 */
export const OffsetRule = z.strictObject({
  kind: z.literal("by-processing-baseline"),
  description: z.string().min(1).meta({ description: "The rule in words, as the band documents show it." }),
  property: z.string().min(1).meta({ description: "Item property that holds the baseline, such as 05.10." }),
  from: z
    .string()
    .regex(/^\d{1,2}\.\d{1,2}$/)
    .meta({ description: "First baseline whose stored values carry the offset." }),
  appliedFlags: z
    .array(z.string().min(1))
    .meta({ description: "Item properties that, where true, say that the offset is taken out of the pixels." }),
  product: z
    .strictObject({ property: z.string().min(1), pattern: Pattern })
    .optional()
    .meta({
      description: "Where the baseline is found if `property` is missing: two groups, before and after its point.",
    }),
});
export type OffsetRule = z.infer<typeof OffsetRule>;

/**
 * The factors of each scene are in a document of its own, the MTL file of Landsat Collection 2 in JSON: at-sensor
 * reflectance of spectral bands, brightness temperature of thermal ones (USGS LSDS-1822, LSDS-1414, section 5).
 */
export const ScalingRule = z.strictObject({
  kind: z.literal("landsat-mtl"),
  description: z.string().min(1).meta({ description: "The rule in words, as the band documents show it." }),
  asset: z.string().min(1).meta({ description: "Asset of items that is the document." }),
  band: Pattern.meta({
    description: "Pattern of a file's address whose first group is what the document calls its band, such as 6_VCID_1.",
  }),
});
export type ScalingRule = z.infer<typeof ScalingRule>;

/** One band in a collection file. */
export const BandFile = z.strictObject({
  name: z.string().min(1).meta({ description: "Native name, unique in the collection." }),
  asset: z.string().min(1).optional().meta({
    description: "Asset of items whose file holds the band, where bands share a file; default: the band's own name.",
  }),
  pseudoBand: z.literal("cloud_probability").optional().meta({
    description: "Pseudo band that gives the stored values of this band.",
  }),
  index: z.int().min(1).optional().meta({ description: "Number of the band in its file, from 1; default 1." }),
  kind: BandKind,
  commonName: z.string().min(1).optional().meta({ description: "STAC eo common name, the key across sensors." }),
  description: z.string().min(1),
  aliases: z.array(z.string().min(1)).optional().meta({ description: "Other names of the band in this collection." }),
  centerWavelength: z.number().positive().optional().meta({ description: "Micrometres." }),
  fullWidthHalfMax: z.number().positive().optional().meta({ description: "Micrometres." }),
  gsd: z.number().positive().meta({ description: "Native ground sample distance, metres." }),
  dataType: DataType,
  scale: z.number().positive().meta({ description: "value = scale × stored + offset." }),
  offset: z.number().meta({ description: "Offset of the newest product." }),
  offsetRule: z.string().min(1).optional().meta({ description: "Member of `offsetRules`; absent: a constant offset." }),
  nodata: z.number().nullable().meta({
    description: "Stored value that means no data, whatever the TIFF's tag says; null: every value is data.",
  }),
  unit: Unit,
  crossSensor: z.boolean().optional().meta({ description: "Whether the common name means the same on other sensors." }),
  usual: z.array(z.number()).min(2).max(64).optional().meta({
    description:
      "Values over usual surfaces, in the same order in all bands: reflectance, kelvin, metres or linear power. Images without a range are stretched between the percentiles 2 and 98 of what they show there.",
  }),
  notes: z.string().min(1).optional(),
});
export type BandFile = z.infer<typeof BandFile>;
