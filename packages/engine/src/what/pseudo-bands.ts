import { type BandSchema, type CollectionSchema, DEFAULT_EXCLUDED, findBand, namesOfBand } from "@swath/schema";
import { classNumbers, DATA_ALONE } from "../read/class-numbers.ts";
import type { ClassNumbers } from "../run/class-numbers.ts";

/** A band of an output: one of the collection, or a pseudo band, which is derived from one. */
export interface ProductBand extends BandSchema {
  /** Whether it is a pseudo band: its numbers, 0 to 255, fit into every sample type. */
  readonly isPseudo?: true;
  /** What is derived from the stored samples; absent: nothing, they are given themselves. */
  readonly derived?: ClassNumbers;
  /** Stored sample of the band it is derived from that means "no data"; `null`: none does. */
  readonly sourceNodata?: number | null;
}

/** Names of bands and pseudo bands that `findProductBand` knows. */
export function namesOfProductBands(collection: CollectionSchema): readonly string[] {
  const { bands, pseudoBands, virtual } = collection;
  return [...(virtual?.bands ?? bands).flatMap(namesOfBand), ...pseudoBands];
}

/** A band or pseudo band of a collection by any of its names; `undefined` where there is none. */
export function findProductBand(collection: CollectionSchema, name: string): ProductBand | undefined {
  return findBand(collection, name) ?? findPseudoBand(collection, name);
}

/**
 * `mask`, `mask_class` and `dataMask` of the mask band, `cloud_probability` of the band that holds it: each uint8. Without
 * a mask, `dataMask` is that of the first band that has a nodata value.
 */
function findPseudoBand(collection: CollectionSchema, name: string): ProductBand | undefined {
  const pseudo = collection.pseudoBands.find((known) => known === name);
  if (pseudo === undefined) return undefined;
  if (pseudo === "cloud_probability") {
    const source = collection.bands.find(({ pseudoBand }) => pseudoBand === pseudo);
    return source === undefined ? undefined : derivedFrom(source, pseudo);
  }
  const { mask, maskBand } = collection;
  const source = maskBand === undefined ? undefined : findBand(collection, maskBand);
  if (mask === undefined || source === undefined) return pseudo === "dataMask" ? withoutMask(collection) : undefined;
  return {
    ...derivedFrom(source, pseudo),
    derived: classNumbers({ gives: pseudo, of: mask, exclude: DEFAULT_EXCLUDED }),
    sourceNodata: source.nodata,
  };
}

function withoutMask({ bands }: CollectionSchema): ProductBand | undefined {
  const source = bands.find(({ nodata }) => nodata !== null) ?? bands[0];
  if (source === undefined) return undefined;
  return {
    ...derivedFrom(source, "dataMask"),
    derived: DATA_ALONE,
    sourceNodata: source.nodata,
  };
}

function derivedFrom(source: BandSchema, name: string): ProductBand {
  return {
    ...source,
    name,
    isPseudo: true,
    asset: source.asset ?? source.name,
    aliases: [],
    dataType: "uint8",
    nodata: null,
  };
}
