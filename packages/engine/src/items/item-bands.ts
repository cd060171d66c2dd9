import type { Item } from "@swath/catalog";
import { bandOfCommonName, type CollectionSchema, fileOfBand, sourceCollection } from "@swath/schema";
import type { FileAddress } from "../run/scene/scene-read.ts";
import type { ProductBand } from "../what/bands/bands.ts";
import { assetFile } from "./asset-file.ts";

/** A band of an item, and the collection whose file describes it. */
export interface ItemBand {
  /** The item's own collection; for an item of a virtual collection the member that it comes from. */
  readonly collection: CollectionSchema;
  readonly band: ProductBand;
  /** The asset whose file has it. */
  readonly asset: string;
  readonly file: FileAddress;
  /** Number of the band in the file, from 0. */
  readonly index: number;
}

/**
 * The band of an item that a band of its collection stands for: in a virtual collection the one of the same common name.
 * `undefined` where the item lacks it.
 */
export function bandOfItem(item: Item, collection: CollectionSchema, band: ProductBand): ItemBand | undefined {
  const source = sourceCollection(collection, item.properties);
  if (source === undefined) return undefined;
  const own: ProductBand | undefined = collection.virtual === undefined ? band : bandOfCommonName(source, band.name);
  if (own === undefined) return undefined;
  const { asset, index } = fileOfBand(own);
  const file = assetFile(item, asset);
  return file === undefined ? undefined : { collection: source, band: own, asset, file, index };
}
