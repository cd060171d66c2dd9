import * as z from "zod";
import type { BandKind, OffsetRule } from "../file/band-file.ts";
import { DataType, Unit } from "../vocabulary.ts";

export type { BandKind } from "../file/band-file.ts";

/** A band of a collection: one row of the crosswalk. */
export interface BandSchema {
  /** Native name, unique within the collection. */
  readonly name: string;
  /** Asset of items whose file holds the band; absent: the one of its own name. See {@link fileOfBand}. */
  readonly asset?: string | undefined;
  /** Pseudo band that gives the stored values of this band. */
  readonly pseudoBand?: "cloud_probability" | undefined;
  /** Number of the band in its file, from 1; absent: 1. */
  readonly index?: number | undefined;
  readonly kind: BandKind;
  /** STAC eo common name, the key across sensors. */
  readonly commonName?: string | undefined;
  readonly description: string;
  /** Other names that lead here within the collection. */
  readonly aliases: readonly string[];
  /** Micrometres. */
  readonly centerWavelength: number | null;
  /** Micrometres. */
  readonly fullWidthHalfMax: number | null;
  /** Native ground sample distance, metres. */
  readonly gsd: number;
  readonly dataType: DataType;
  /** value = scale × DN + offset. */
  readonly scale: number;
  /** Offset of the newest product. */
  readonly offset: number;
  /** The rule that gives the offset per item; absent where it is constant. */
  readonly offsetRule?: OffsetRule;
  /** Stored value that means "no data", whatever the TIFF's tag says; `null`: every value is data. */
  readonly nodata: number | null;
  readonly unit: Unit;
  /** Whether the common name resolves on `optical-sr`. */
  readonly crossSensor: boolean;
  /** Values over usual surfaces, in the same order in all bands of a collection, in physical units. */
  readonly usual?: readonly number[] | undefined;
  readonly notes?: string | undefined;
}

/** The asset whose file holds a band, and the number of the band in it, from 0. */
export function fileOfBand({ name, asset = name, index = 1 }: BandSchema): {
  readonly asset: string;
  readonly index: number;
} {
  return { asset, index: index - 1 };
}

/** Model of a Band document: the specification's keys beside the prefixed ones of STAC 1.1. */
export const Band = z
  .object({
    name: z.string().min(1).meta({ description: "Native band name, unique within the collection." }),
    common_name: z.string().optional().meta({ description: "STAC eo common name, the key across sensors." }),
    description: z.string().min(1).optional(),
    aliases: z.array(z.string()).optional().meta({ description: "Other names that resolve to this band here." }),
    center_wavelength: z.number().positive().optional().meta({ description: "Micrometres." }),
    full_width_half_max: z.number().positive().optional().meta({ description: "Micrometres." }),
    gsd: z.number().positive().optional().meta({ description: "Native ground sample distance, metres." }),
    data_type: DataType.optional(),
    scale: z.number().optional().meta({ description: "value = scale × DN + offset." }),
    offset: z.number().optional().meta({ description: "Offset of the newest product." }),
    offset_rule: z.string().optional().meta({ description: "How the offset is chosen per item; absent if constant." }),
    nodata: z.number().optional().meta({ description: "Stored nodata value." }),
    unit: Unit.optional(),
    cross_sensor: z.boolean().optional().meta({ description: "Whether the band resolves on `optical-sr`." }),
    notes: z.string().optional(),
    "eo:common_name": z.string().optional(),
    "eo:center_wavelength": z.number().optional(),
    "eo:full_width_half_max": z.number().optional(),
    "raster:scale": z.number().optional(),
    "raster:offset": z.number().optional(),
    "raster:spatial_resolution": z.number().optional(),
  })
  .meta({ id: "Band", description: "A band of a collection." });
export type Band = z.infer<typeof Band>;

/**
 * Writes a band as a STAC 1.1 Band object with both spellings: the specification's keys and the prefixed ones of the
 * eo 2.0.0 and raster 2.0.0 extensions. What is not known is left out, since STAC 1.1 refuses null.
 */
export function toBand(band: BandSchema): Band {
  const scaled = band.kind !== "class" && band.kind !== "bits";
  return {
    name: band.name,
    ...(band.commonName === undefined ? {} : { common_name: band.commonName }),
    description: band.description,
    aliases: [...band.aliases],
    ...(band.centerWavelength === null ? {} : { center_wavelength: band.centerWavelength }),
    ...(band.fullWidthHalfMax === null ? {} : { full_width_half_max: band.fullWidthHalfMax }),
    gsd: band.gsd,
    data_type: band.dataType,
    scale: band.scale,
    offset: band.offset,
    ...(band.offsetRule === undefined ? {} : { offset_rule: band.offsetRule.description }),
    ...(band.nodata === null ? {} : { nodata: band.nodata }),
    unit: band.unit,
    cross_sensor: band.crossSensor,
    ...(band.notes === undefined ? {} : { notes: band.notes }),
    ...(band.commonName === undefined ? {} : { "eo:common_name": band.commonName }),
    ...(band.centerWavelength === null ? {} : { "eo:center_wavelength": band.centerWavelength }),
    ...(band.fullWidthHalfMax === null ? {} : { "eo:full_width_half_max": band.fullWidthHalfMax }),
    ...(scaled ? { "raster:scale": band.scale, "raster:offset": band.offset } : {}),
    "raster:spatial_resolution": band.gsd,
  };
}
