import type { BandSchema } from "../collection/band.ts";
import { bandTable } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import { SchemaError } from "../errors.ts";
import { suggest } from "../suggest.ts";
import { defaultRegistry } from "./default-registry.ts";

/**
 * The built-in collection with this id or alias.
 *
 * @throws {SchemaError} `unknown-collection`.
 */
export function resolveCollection(idOrAlias: string): CollectionSchema {
  return defaultRegistry.resolve(idOrAlias);
}

/** A collection, its id, or one of its aliases. */
export type CollectionName = CollectionSchema | string;

function collectionOf(collection: CollectionName): CollectionSchema {
  return typeof collection === "string" ? resolveCollection(collection) : collection;
}

/** The band with this native name, common name or alias; `undefined` when the collection has none. */
export function findBand(collection: CollectionName, name: string): BandSchema | undefined {
  return bandTable(collectionOf(collection)).get(name);
}

/**
 * The band with this native name, common name or alias, letter case included.
 *
 * @throws {SchemaError} `unknown-band`, or `unknown-collection` when `collection` is a name that does not resolve.
 */
export function resolveBand(collection: CollectionName, name: string): BandSchema {
  const known = collectionOf(collection);
  const table = bandTable(known);
  const band = table.get(name);
  if (band !== undefined) return band;
  throw new SchemaError("unknown-band", name, `${known.id} has no band called "${name}".`, suggest(name, table.keys()));
}

/** Bands read when a request names none: those with physical units in native order, where there are none all. */
export function defaultBands(collection: CollectionName): BandSchema[] {
  const { bands, virtual } = collectionOf(collection);
  const all = virtual?.bands ?? bands;
  const physical = all.filter(hasPhysicalUnits);
  return physical.length === 0 ? [...all] : physical;
}

const STORED_KINDS: ReadonlySet<BandSchema["kind"]> = new Set(["class", "bits", "ancillary"]);

/** Whether a band can be given in physical units (the default of a process request); others are `DN` only. */
export function hasPhysicalUnits(band: BandSchema): boolean {
  return !STORED_KINDS.has(band.kind);
}

/**
 * The key shown here for an upstream asset; `undefined` for assets that are not passed on.
 *
 * @param upstreamCollection the upstream collection of the item, which may have keys of its own.
 */
export function toNativeAsset(
  collection: CollectionName,
  upstreamKey: string,
  upstreamCollection?: string,
): string | undefined {
  const { assets, assetsByCollection = {} } = collectionOf(collection).upstream;
  const own = upstreamCollection === undefined ? undefined : assetsByCollection[upstreamCollection];
  if (own !== undefined && Object.hasOwn(own, upstreamKey)) return own[upstreamKey];
  return Object.hasOwn(assets, upstreamKey) ? assets[upstreamKey] : undefined;
}

/** The upstream's key of an asset shown here; `undefined` when the upstream has none. */
export function toUpstreamAsset(collection: CollectionName, nativeKey: string): string | undefined {
  const { assets } = collectionOf(collection).upstream;
  return Object.keys(assets).find((key) => assets[key] === nativeKey);
}
