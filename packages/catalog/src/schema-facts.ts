import {
  type BandSchema,
  bandScaling,
  type CollectionSchema,
  findBand,
  findCollection,
  toNativeAsset,
} from "@swath/schema";
import type { Json } from "./json.ts";

/** What schema v1 says of a band, for one item. */
export interface BandFacts {
  readonly band: BandSchema;
  /** Absent where values are classes or bits. */
  readonly scaling: { readonly scale: number; readonly offset: number } | undefined;
}

/** Upstream ids of the same products that are no aliases: nobody asks the service for them by these names. */
const OTHER_UPSTREAMS: ReadonlyMap<string, string> = new Map([
  ["sentinel-2-pre-c1-l2a", "sentinel-2-l2a"],
  ["landsat-c2l2-sr", "landsat-ot-l2"],
  ["landsat-c2l2-st", "landsat-ot-l2"],
]);

const ID_FORMS: readonly (readonly [RegExp, string])[] = [
  [/^S2[A-D]_.*(_L2A|MSIL2A)/, "sentinel-2-l2a"],
  [/^LC0[89]_L2S[PR]_/, "landsat-ot-l2"],
];

/** The collection of the service that an upstream item belongs to, by its collection or, without one, by its id. */
export function collectionOf(upstream: string | undefined, id: string): CollectionSchema | undefined {
  const name = upstream ?? ID_FORMS.find(([form]) => form.test(id))?.[1];
  return name === undefined ? undefined : findCollection(OTHER_UPSTREAMS.get(name) ?? name)?.collection;
}

/**
 * The service's key for an upstream asset: by the upstream's table, else by the native name, which stands in every
 * href (`…_SR_B4.TIF`, `…/B8A.tif`) and in the keys of some upstreams (`SR_B4.TIF`, `B8A`), else the upstream's key.
 */
export function nativeKey(collection: CollectionSchema, key: string, href: string): string {
  const listed = toNativeAsset(collection, key);
  if (listed !== undefined) return listed;
  const bare = key.replace(/\.tif$/i, "");
  const file = /([^/]+)\.tiff?$/i.exec(href)?.[1] ?? "";
  const named = ({ name }: BandSchema): boolean => name === bare || name === file || file.endsWith(`_${name}`);
  return collection.bands.find(named)?.name ?? key;
}

/** The native name of a band that an upstream calls `name` (`red`, `OLI_B4`, `B04`). */
export function nativeBandName(collection: CollectionSchema, name: string): string {
  return findBand(collection, toNativeAsset(collection, name) ?? name)?.name ?? name;
}

/** What is known of the band with this native name; its scaling is the item's own. `undefined` for what is no band. */
export function bandFacts(collection: CollectionSchema, name: string, properties: Json): BandFacts | undefined {
  const band = collection.bands.find((candidate) => candidate.name === name);
  if (band === undefined) return undefined;
  if (band.kind === "class" || band.kind === "bits") return { band, scaling: undefined };
  const { scale, offset } = bandScaling(collection, band, properties);
  return { band, scaling: { scale, offset } };
}
