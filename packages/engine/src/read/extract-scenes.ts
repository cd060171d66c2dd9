import type { Item } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import { type BandScaling, bandScaling, fileOfBand, sourceCollection } from "@swath/schema";
import type { ExtractScene } from "../run/extract-job.ts";
import type { Adjustments, FileRead, SampleConversion } from "../run/scene-read.ts";
import { adjustmentOf, bandOfItem } from "../what/item-bands.ts";
import type { Product } from "../what/product.ts";
import type { ProductBand } from "../what/pseudo-bands.ts";
import { assetFile } from "./asset-file.ts";
import { DATA_ALONE } from "./class-numbers.ts";
import { maskRead } from "./mask.ts";
import { type NadirFactors, nadirPart } from "./nadir.ts";

/**
 * What is read of items for a product, in mosaicking order. Samples are those of `gdalwarp -r near`: by nearest
 * neighbour, from the overview that GDAL takes.
 *
 * @param factors of the items, for a product at nadir view
 * @throws {ProblemError} `unknown-band` where an item lacks one of the product's bands, `harmonize-unavailable` where
 *   no coefficients are published for its platform.
 */
export function extractScenes(
  items: readonly Item[],
  product: Product,
  factors: NadirFactors = new Map(),
): readonly ExtractScene[] {
  return items.map((item) => extractScene(item, product, factors, items.length > 1));
}

function extractScene(item: Item, product: Product, factors: NadirFactors, isMosaic: boolean): ExtractScene {
  const found = product.bands.map((band) => bandOfItem(item, product.match.collection, band));
  const errors = found.flatMap((band, i) => {
    if (band !== undefined) return [];
    const detail = `Scene ${item.id} has no band ${product.bands[i]?.name}.`;
    return [{ pointer: product.pointers[i] ?? "/bands", detail }];
  });
  if (errors.length > 0) {
    throw new ProblemError("unknown-band", errors.map(({ detail }) => detail).join(" "), { errors });
  }
  const bands = found.flatMap((own, i) => {
    if (own === undefined) return [];
    const { collection, band } = own;
    const scaling = bandScaling(collection, band, item.properties);
    const { asset, index } = fileOfBand(band);
    const adjusted = {
      ...(product.isAdjusted ? { adjust: adjustmentOf(item, collection, band) } : {}),
      ...(product.isNadir ? nadirPart(factors, item, product.bands[i]?.name ?? band.name) : {}),
    };
    const { conversion, scale, offset } =
      band.derived === undefined
        ? conversionOf(scaling, product, adjusted)
        : { conversion: { kind: "classes", ...band.derived } as const, scale: 1, offset: 0 };
    const file: FileRead = {
      ...(assetFile(item, asset) ?? { href: "" }),
      bands: [index],
      ...missing(band, isMosaic),
      conversion,
    };
    return { file, scale, offset };
  });
  const source = sourceCollection(product.match.collection, item.properties);
  // where no band says which pixels have data, the collection's mask does: a mosaic has to know
  const mask =
    isMosaic && source !== undefined && bands.every(({ file }) => file.claims === false)
      ? maskRead(item, source, {})
      : undefined;
  return {
    datetime: item.properties.datetime,
    ...(product.match.collection.virtual === undefined || source === undefined
      ? {}
      : { attribution: source.attribution }),
    scales: bands.map(({ scale, offset }) => ({ scale, offset })),
    read: {
      id: item.id,
      // the pixels of every scene decide, not its footprint, which is approximate
      footprint: [],
      files: bands.map(({ file }) => file),
      resampling: "nearest",
      overviews: "gdal",
      validWhere: "any-file",
      output: { sampleType: product.sampleType, nodata: product.nodata ?? 0 },
      ...(mask === undefined ? {} : { mask }),
    },
  };
}

/**
 * Which stored samples hold no data. Quality bits are given as they are stored, their fill value among them, which in a
 * mosaic leaves the pixel to the next scene; so does that of a band from which another is derived.
 */
function missing(
  { kind, nodata, derived, sourceNodata = null }: ProductBand,
  isMosaic: boolean,
): Pick<FileRead, "nodata" | "yields" | "claims"> {
  if (derived === DATA_ALONE) return { nodata: sourceNodata };
  if (derived !== undefined) return { nodata: null, ...(sourceNodata === null ? {} : { yields: sourceNodata }) };
  if (nodata === null && isMosaic) return { nodata, claims: false };
  if (kind !== "bits") return { nodata };
  return { nodata: null, ...(isMosaic && nodata !== null ? { yields: nodata } : {}) };
}

/** Kelvin at 0 degrees Celsius. */
const ZERO_CELSIUS = 273.15;

/** What decides the conversion of samples. */
export type ConversionSettings = Pick<Product, "conversion" | "clipNegative" | "units">;

/** What becomes of stored samples, and how the values of the file follow from its samples. */
export function conversionOf(
  { scale, offset, dnOffset, nodata, brightness }: BandScaling,
  { conversion, clipNegative, units }: ConversionSettings,
  adjusted: Adjustments,
): { readonly conversion: SampleConversion; readonly scale: number; readonly offset: number } {
  const known = nodata === undefined ? {} : { nodata };
  switch (conversion) {
    case "physical": {
      const zero = units === "CELSIUS" ? -ZERO_CELSIUS : 0;
      if (brightness !== undefined) {
        // radiance is scaled first, and temperatures are never clipped
        const temperature = { ...brightness, offset: zero };
        return {
          conversion: { kind: "physical", scale, offset, clipNegative: false, brightness: temperature, ...known },
          scale: 1,
          offset: 0,
        };
      }
      const from = offset + zero;
      const decibels = units === "DB" ? { decibels: true } : {};
      return {
        conversion: { kind: "physical", scale, offset: from, clipNegative, ...decibels, ...known, ...adjusted },
        scale: 1,
        offset: 0,
      };
    }
    case "offset-removed":
      return {
        conversion: { kind: "offset-removed", dnOffset, clipNegative, ...known },
        scale,
        // what was subtracted from the samples is taken out of their offset too
        offset: dnOffset === 0 ? offset : 0,
      };
    case "stored":
      return { conversion: { kind: "stored", ...known }, scale, offset };
  }
}
