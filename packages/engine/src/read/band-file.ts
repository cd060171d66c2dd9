import type { Item } from "@swath/catalog";
import { type BandScaling, bandScaling, type CollectionMatch, type Unit } from "@swath/schema";
import { bandAdjustment } from "@swath/schema/harmonization";
import { assetFile } from "../items/asset-file.ts";
import { bandOfItem } from "../items/item-bands.ts";
import { lacksFactors } from "../metadata/scene-factors.ts";
import type { Adjustments, FileRead, SampleConversion } from "../run/scene/scene-read.ts";
import type { ProductBand } from "../what/bands/bands.ts";
import type { AdjustmentLevel } from "../what/bands/levels.ts";
import { DATA_ALONE } from "../what/bands/pseudo-numbers.ts";
import { type NadirFactors, nadirPart } from "./nadir.ts";

/** The bands that are read of scenes, and their conversion. */
export interface Wanted extends AdjustmentLevel {
  readonly match: Pick<CollectionMatch, "collection">;
  /** Text: an asset that is no band, such as the true-colour image, which is read whole. */
  readonly bands: readonly (ProductBand | string)[];
  /**
   * - `untouched`: samples as the file has them; `shift`: with the offset of the newest product, by which a preset's numbers
   *   hold for every scene.
   * - `stored`, `offset-removed`, `physical`: as of `BandConversion`.
   */
  readonly conversion: "untouched" | "shift" | "stored" | "offset-removed" | "physical";
  readonly units: Unit;
  readonly clipNegative: boolean;
}

/** The read of one band of a scene, and the meaning of its samples afterwards: value = scale × sample + offset. */
export interface BandFile {
  readonly file: FileRead;
  readonly scale: number;
  readonly offset: number;
}

/** The reason why a band, or the mask, of an item cannot be read. */
export interface Lack {
  /** `factors`: of the scene's document; `coefficients`: of the reference sensor, for the item's platform. */
  readonly kind: "band" | "factors" | "coefficients" | "mask";
  /** The end of a sentence: "Scene a cannot be read, it has no band red". */
  readonly reason: string;
}

export interface BandFileOptions {
  /** c-factors, of what is wanted at nadir view. */
  readonly factors: NadirFactors;
  /** Whether several scenes lie over each other in the file that the samples go into; absent: they go into none. */
  readonly isMosaic?: boolean | undefined;
}

/** Plans the read of a band of an item. */
export function bandFile(
  item: Item,
  asked: ProductBand | string,
  wanted: Wanted,
  { factors, isMosaic }: BandFileOptions,
): BandFile | Lack {
  if (typeof asked === "string") {
    // an image has no physical values
    const file = wanted.conversion === "physical" ? undefined : assetFile(item, asked);
    return file === undefined ? noBand(asked) : { file, scale: 1, offset: 0 };
  }
  const own = bandOfItem(item, wanted.match.collection, asked);
  if (own === undefined) return noBand(asked.name);
  const { collection, band, file, index } = own;
  const read = {
    ...file,
    bands: [index],
    ...gapsOfFile(band, { isMosaic, isOfFile: collection.upstream.filesSayNodata === true }),
  };
  if (band.derived !== undefined) {
    return { file: { ...read, conversion: { kind: "classes", ...band.derived } }, scale: 1, offset: 0 };
  }
  if (wanted.conversion === "physical" && lacksFactors(item, collection, band)) {
    return { kind: "factors", reason: `its factors of ${band.name} are not known` };
  }
  const adjustment = wanted.isAdjusted ? bandAdjustment(collection, band, item.properties) : undefined;
  if (wanted.isAdjusted && adjustment === undefined) {
    const platform = typeof item.properties.platform === "string" ? item.properties.platform : "unknown";
    return { kind: "coefficients", reason: `no coefficients of ${band.name} are published for platform ${platform}` };
  }
  const adjusted = {
    ...(adjustment === undefined ? {} : { adjust: { slope: adjustment.slope, intercept: adjustment.offset } }),
    ...(wanted.isNadir ? nadirPart(factors, item, asked.name) : {}),
  };
  const scaling = multiplied(bandScaling(collection, band, item.properties), asked);
  const { conversion, scale, offset } = conversionOf(scaling, wanted, adjusted);
  return { file: { ...read, ...(conversion === undefined ? {} : { conversion }) }, scale, offset };
}

function multiplied(scaling: BandScaling, { factor = 1 }: ProductBand): BandScaling {
  return { ...scaling, scale: scaling.scale * factor, offset: scaling.offset * factor };
}

const noBand = (name: string): Lack => ({ kind: "band", reason: `it has no band ${name}` });

/**
 * Returns the stored samples that mean "no data" in a file of bands; nothing where the file says it. Quality bits are given as they are stored, their
 * fill value among them, which in a mosaic leaves the pixel to the next scene; so does that of a band from which
 * another is derived.
 */
function gapsOfFile(
  { kind, nodata, derived, sourceNodata = null }: ProductBand,
  { isMosaic, isOfFile }: { readonly isMosaic: boolean | undefined; readonly isOfFile: boolean },
): Pick<FileRead, "nodata" | "yields" | "claims"> {
  if (isOfFile) return {};
  if (isMosaic === undefined) return { nodata };
  if (derived === DATA_ALONE) return { nodata: sourceNodata };
  if (derived !== undefined) return { nodata: null, ...(sourceNodata === null ? {} : { yields: sourceNodata }) };
  if (nodata === null && isMosaic) return { nodata, claims: false };
  if (kind !== "bits") return { nodata };
  return { nodata: null, ...(isMosaic && nodata !== null ? { yields: nodata } : {}) };
}

/** Kelvin at 0 degrees Celsius. */
const ZERO_CELSIUS = 273.15;

/** Returns the conversion of stored samples, and the scale and offset from the converted ones to values. */
function conversionOf(
  { scale, offset, dnOffset, recipeShift: shift, nodata, brightness }: BandScaling,
  { conversion, clipNegative, units }: Pick<Wanted, "conversion" | "clipNegative" | "units">,
  adjusted: Adjustments,
): { readonly conversion: SampleConversion | undefined; readonly scale: number; readonly offset: number } {
  const known = nodata === undefined ? {} : { nodata };
  const clip = clipNegative ? { clipNegative } : {};
  switch (conversion) {
    case "physical": {
      const zero = units === "CELSIUS" ? -ZERO_CELSIUS : 0;
      const physical: SampleConversion =
        brightness !== undefined
          ? // radiance is scaled first, and temperatures are never clipped
            { kind: conversion, scale, offset, ...known, brightness: { ...brightness, offset: zero } }
          : {
              ...{ kind: conversion, scale, offset: offset + zero, ...known, ...clip, ...adjusted },
              ...(units === "DB" ? { decibels: true } : {}),
            };
      return { conversion: physical, scale: 1, offset: 0 };
    }
    case "offset-removed":
      return {
        conversion: { kind: conversion, dnOffset, ...known, ...clip },
        scale,
        // the offset no longer has the number that was subtracted from the samples
        offset: dnOffset === 0 ? offset : 0,
      };
    case "stored":
      return { conversion: { kind: conversion, ...known }, scale, offset };
    case "shift":
      return { conversion: shift === 0 ? undefined : { kind: conversion, shift }, scale, offset };
    case "untouched":
      return { conversion: undefined, scale, offset };
  }
}
