import type { Item } from "@swath/catalog";
import { ProblemError } from "@swath/problem";
import {
  type BandSchema,
  bandAdjustment,
  bandOfCommonName,
  type CollectionSchema,
  fileOfBand,
  sourceCollection,
} from "@swath/schema";
import type { BandAdjustment } from "../run/scene-read.ts";
import type { ProductBand } from "./pseudo-bands.ts";

/** A band of an item, and the collection whose file describes it. */
export interface ItemBand {
  /** Of an item of a virtual collection: the member that it comes from. */
  readonly collection: CollectionSchema;
  readonly band: ProductBand;
}

/**
 * The band of an item that a band of its collection stands for: in a virtual collection the one of the same common name.
 * `undefined` where the item lacks it.
 */
export function bandOfItem(item: Item, collection: CollectionSchema, band: ProductBand): ItemBand | undefined {
  const source = sourceCollection(collection, item.properties);
  if (source === undefined) return undefined;
  const own: ProductBand | undefined = collection.virtual === undefined ? band : bandOfCommonName(source, band.name);
  if (own === undefined || item.assets[fileOfBand(own).asset] === undefined) return undefined;
  return { collection: source, band: own };
}

/**
 * What brings a band of an item to the reference sensor.
 *
 * @throws {ProblemError} `harmonize-unavailable` where no coefficients are published for its platform.
 */
export function adjustmentOf(item: Item, collection: CollectionSchema, band: BandSchema): BandAdjustment {
  const adjustment = bandAdjustment(collection, band, item.properties);
  if (adjustment !== undefined) return { slope: adjustment.slope, intercept: adjustment.offset };
  const platform = typeof item.properties.platform === "string" ? item.properties.platform : "unknown";
  throw new ProblemError(
    "harmonize-unavailable",
    `No coefficients of bandpass_adjusted are published for ${band.name} of scene ${item.id} (platform ${platform}).`,
  );
}
