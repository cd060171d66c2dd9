import type { BandSchema } from "./band.ts";
import type { CollectionSchema } from "./collection.ts";

const bandTables = new WeakMap<CollectionSchema, ReadonlyMap<string, BandSchema>>();

/** The bands of a collection by each of their names; a virtual collection has those that all its members have. */
export function bandTable(collection: CollectionSchema): ReadonlyMap<string, BandSchema> {
  let table = bandTables.get(collection);
  if (table === undefined) {
    const bands = collection.virtual?.bands ?? collection.bands;
    table = new Map(bands.flatMap((band) => namesOfBand(band).map((name) => [name, band] as const)));
    bandTables.set(collection, table);
  }
  return table;
}

/** Every name of a band: native first, then common, then aliases. */
export function namesOfBand(band: Pick<BandSchema, "name" | "commonName" | "aliases">): string[] {
  return [band.name, ...(band.commonName === undefined ? [] : [band.commonName]), ...band.aliases];
}
