import {
  type BandSchema,
  bandScaling,
  type CollectionRegistry,
  type CollectionSchema,
  findBand,
  hasSceneFactors,
  toNativeAsset,
} from "@swath/schema";
import { findPattern } from "@swath/schema/files";
import type { Json } from "../json.ts";
import { hasPlatform, platformOf } from "../names/platform.ts";

/** The facts that schema v1 states about a band, for one item. */
export interface BandFacts {
  readonly band: BandSchema;
  /** Absent where values are classes or bits. */
  readonly scaling: { readonly scale: number; readonly offset: number } | undefined;
}

/** An upstream item, as far as it decides the collection. */
export interface UpstreamItem {
  readonly id: string;
  readonly collection: string | undefined;
  readonly properties: Json;
}

/**
 * The collection of the service that an upstream item belongs to: by its collection or, without one, by its id; where
 * several come from there, by its platform. `undefined` too for platforms that none of them has.
 *
 * @param upstream the name of the upstream; without it, that of any.
 */
export function collectionOf(
  { id, collection, properties }: UpstreamItem,
  registry: CollectionRegistry,
  upstream?: string,
): CollectionSchema | undefined {
  const candidates =
    collection === undefined ? registry.findByItemId(id, upstream) : registry.findByUpstream(collection, upstream);
  return candidates.find(
    (candidate) =>
      hasPlatform(candidate, platformOf(candidate, id, properties)) &&
      (candidate.upstream.isDividedById !== true || fitsId(candidate, id)),
  );
}

/**
 * The service's key for an upstream asset: by the tables of keys, else by the native name, which stands in every
 * href (`…_SR_B4.TIF`, `…/B8A.tif`) and in the keys of some upstreams (`SR_B4.TIF`, `B8A`), else the upstream's key.
 */
export function nativeKey(
  collection: CollectionSchema,
  key: string,
  href: string,
  upstreamCollection?: string,
): string {
  const listed = listedKey(collection, key, upstreamCollection);
  if (listed !== undefined) return listed;
  const bare = key.replace(/\.tif$/i, "");
  const file = /([^/]+)\.(?:tiff?|jp2)$/i.exec(href)?.[1] ?? "";
  const named = ({ name }: BandSchema): boolean => name === bare || name === file || file.endsWith(`_${name}`);
  return collection.bands.find(named)?.name ?? key;
}

/** The service's key for an upstream asset that a table of the collection has. */
export function listedKey(collection: CollectionSchema, key: string, upstreamCollection?: string): string | undefined {
  const { otherAssets = {} } = collection.upstream;
  return (
    toNativeAsset(collection, key, upstreamCollection) ??
    (Object.hasOwn(otherAssets, key) ? otherAssets[key] : undefined)
  );
}

/** The native name of a band that an upstream calls `name` (`red`, `OLI_B4`, `B04`). */
export function nativeBandName(collection: CollectionSchema, name: string): string {
  return findBand(collection, toNativeAsset(collection, name) ?? name)?.name ?? name;
}

function fitsId({ upstream }: CollectionSchema, id: string): boolean {
  return (upstream.idPatterns ?? []).some((pattern) => findPattern(id, pattern, "$&") !== undefined);
}

/** Facts about the band with this native name; its scaling is the item's own. `undefined` for what is no band. */
export function bandFacts(collection: CollectionSchema, name: string, properties: Json): BandFacts | undefined {
  const band = collection.bands.find((candidate) => candidate.name === name);
  if (band === undefined) return undefined;
  // factors of the scene are not known before its document is read
  if (band.kind === "class" || band.kind === "bits" || hasSceneFactors(collection, band))
    return { band, scaling: undefined };
  const { scale, offset } = bandScaling(collection, band, properties);
  return { band, scaling: { scale, offset } };
}
