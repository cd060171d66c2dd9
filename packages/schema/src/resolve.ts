import type { AliasSchema } from "./alias.ts";
import type { BandSchema } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";
import { SchemaError } from "./errors.ts";
import { collections } from "./registry.ts";
import { suggest } from "./suggest.ts";

/** A collection and, where it was named by one, the alias with the restriction it implies. */
export interface CollectionMatch {
  readonly collection: CollectionSchema;
  readonly alias?: AliasSchema;
}

const byName = new Map<string, CollectionMatch>();
for (const collection of Object.values(collections)) {
  byName.set(collection.id, { collection });
  for (const alias of collection.aliases) byName.set(alias.id, { collection, alias });
}

/** Every id and alias of the live collections. */
export const COLLECTION_NAMES: readonly string[] = [...byName.keys()];

/** The collection with this id or alias, letter case included; `undefined` when there is none. */
export function findCollection(idOrAlias: string): CollectionMatch | undefined {
  return byName.get(idOrAlias);
}

/**
 * The live collection with this id or alias.
 *
 * @throws {SchemaError} `unknown-collection`.
 */
export function resolveCollection(idOrAlias: string): CollectionSchema {
  const match = byName.get(idOrAlias);
  if (match !== undefined) return match.collection;
  throw new SchemaError(
    "unknown-collection",
    idOrAlias,
    `No collection or alias is called "${idOrAlias}".`,
    suggest(idOrAlias, COLLECTION_NAMES),
  );
}

/** A collection, its id, or one of its aliases. */
export type CollectionName = CollectionSchema | string;

function collectionOf(collection: CollectionName): CollectionSchema {
  return typeof collection === "string" ? resolveCollection(collection) : collection;
}

const bandTables = new WeakMap<CollectionSchema, ReadonlyMap<string, BandSchema>>();

function bandTable(collection: CollectionSchema): ReadonlyMap<string, BandSchema> {
  let table = bandTables.get(collection);
  if (table === undefined) {
    table = new Map(collection.bands.flatMap((band) => namesOfBand(band).map((name) => [name, band] as const)));
    bandTables.set(collection, table);
  }
  return table;
}

/** Every name of a band: native first, then common, then aliases. */
export function namesOfBand(band: BandSchema): string[] {
  return [band.name, ...(band.commonName === undefined ? [] : [band.commonName]), ...band.aliases];
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

/** Bands read when a request names none: spectral and thermal ones in native order. */
export function defaultBands(collection: CollectionName): BandSchema[] {
  return collectionOf(collection).bands.filter(hasPhysicalUnits);
}

/** Whether a band can be given in physical units (`REFLECTANCE` in a process request); others are `DN` only. */
export function hasPhysicalUnits(band: BandSchema): boolean {
  return band.kind === "spectral" || band.kind === "thermal";
}

/** The key shown here for an upstream asset; `undefined` for assets that are not passed on. */
export function toNativeAsset(collection: CollectionName, upstreamKey: string): string | undefined {
  const { assets } = collectionOf(collection).upstream;
  return Object.hasOwn(assets, upstreamKey) ? assets[upstreamKey] : undefined;
}

/** The upstream's key of an asset shown here; `undefined` when the upstream has none. */
export function toUpstreamAsset(collection: CollectionName, nativeKey: string): string | undefined {
  const { assets } = collectionOf(collection).upstream;
  return Object.keys(assets).find((key) => assets[key] === nativeKey);
}

/** The collection whose upstream id this is; `undefined` when no live collection comes from there. */
export function findByUpstream(upstreamCollection: string): CollectionSchema | undefined {
  return Object.values(collections).find(({ upstream }) => upstream.collection === upstreamCollection);
}
