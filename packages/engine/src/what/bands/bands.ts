import { type BandSchema, type CollectionSchema, DEFAULT_EXCLUDED, findBand, namesOfBand } from "@swath/schema";
import { didYouMean } from "../../names.ts";
import { type Path, Refusal, refuseAny } from "../../refusal.ts";
import type { ClassNumbers } from "../../run/scene/class-numbers.ts";
import { DATA_ALONE, pseudoNumbers } from "./pseudo-numbers.ts";

/** A band of an output: one of the collection, or a pseudo band, which is derived from one. */
export interface ProductBand extends BandSchema {
  /** Whether it is a pseudo band: its numbers, 0 to 255, fit into every sample type. */
  readonly isPseudo?: true;
  /** The class numbers derived from the stored samples; absent: the samples themselves. */
  readonly derived?: ClassNumbers;
  /** Stored sample of the band it is derived from that means "no data"; `null`: none does. */
  readonly sourceNodata?: number | null;
  /** By which physical values are multiplied; absent: 1. */
  readonly factor?: number;
}

/** The bands that a request may name. */
export interface KnownBands {
  readonly collection: CollectionSchema;
  readonly names: readonly string[];
  /** By any of their names; `undefined` where there is none. */
  find(name: string): ProductBand | undefined;
}

/** @param hasPseudo whether pseudo bands are among them: nothing is computed of classes */
export function knownBands(collection: CollectionSchema, { hasPseudo }: { readonly hasPseudo: boolean }): KnownBands {
  const { bands, pseudoBands, virtual } = collection;
  return {
    collection,
    names: [...(virtual?.bands ?? bands).flatMap(namesOfBand), ...(hasPseudo ? pseudoBands : [])],
    find: (name) => findBand(collection, name) ?? (hasPseudo ? findPseudoBand(collection, name) : undefined),
  };
}

/** Writes the message for a name that no band has. */
export function unknownBand(name: string, { collection, names }: KnownBands): string {
  return `${collection.id} has no band called "${name}".${didYouMean(name, names)}`;
}

/**
 * The bands of these names, each once.
 *
 * @param path of the list
 * @throws {Refusal} `unknown-band`, or `invalid` for a band named twice.
 */
export function bandsNamed(names: readonly string[], known: KnownBands, path: Path): readonly ProductBand[] {
  const found = names.map((name) => known.find(name));
  refuseAny(
    "unknown-band",
    names.flatMap((name, i) =>
      found[i] === undefined ? [{ path: [...path, i], detail: unknownBand(name, known) }] : [],
    ),
  );
  const bands = found.filter((band) => band !== undefined);
  const own = bands.map(({ name }) => name);
  const again = own.findIndex((name, i) => own.indexOf(name) < i);
  if (again === -1) return bands;
  const first = names[own.indexOf(own[again]!)];
  const detail = `Expected each band once: "${names[again]}" is the band that "${first}" names.`;
  throw new Refusal("invalid", [...path, again], detail);
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
    derived: pseudoNumbers({ gives: pseudo, of: mask, exclude: DEFAULT_EXCLUDED }),
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
