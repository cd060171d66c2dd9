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
import type { BandAdjustment } from "../render/scene-read.ts";
import { fileHref, unreadFormat } from "./item-files.ts";
import type { ProductBand } from "./pseudo-bands.ts";

/** A band of an item, and the collection whose file describes it. */
export interface ItemBand {
  /** Of an item of a virtual collection: the member that it comes from. */
  readonly collection: CollectionSchema;
  readonly band: ProductBand;
}

/**
 * The band of an item that a band of its collection stands for: in a virtual collection the one of the same common name.
 * `undefined` where the item lacks it, or has it in a file that is not read here.
 */
export function bandOfItem(item: Item, collection: CollectionSchema, band: ProductBand): ItemBand | undefined {
  const own = nativeBand(item, collection, band);
  return own === undefined || fileHref(item, fileOfBand(own.band).asset) === undefined ? undefined : own;
}

/** Why `bandOfItem` finds no band, as what follows "of the scene". */
export function lackOfBand(item: Item, collection: CollectionSchema, band: ProductBand): string {
  const own = nativeBand(item, collection, band);
  const format = own && unreadFormat(item, fileOfBand(own.band).asset);
  if (format === undefined) return `it has no band ${band.name}`;
  return `its band ${band.name} is in ${format}, which is not read here`;
}

function nativeBand(item: Item, collection: CollectionSchema, band: ProductBand): ItemBand | undefined {
  const source = sourceCollection(collection, item.properties);
  if (source === undefined) return undefined;
  const own: ProductBand | undefined = collection.virtual === undefined ? band : bandOfCommonName(source, band.name);
  return own && { collection: source, band: own };
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
