import type { Band, Collection, Item, Preset } from "../api/types.ts";

/**
 * The collection with bands to choose from: a virtual one has none of its own, and gets the common names that resolve on
 * all its members, described as on the first of them, with the finest pixel of any.
 *
 * @param all - the collections among which the members are
 */
export function withMemberBands(collection: Collection, all: readonly Collection[]): Collection {
  const { "svc:members": members, "svc:bands_common": names } = collection;
  if (members === undefined || names === undefined) return collection;
  const bands = names.flatMap((name) => {
    const same = all.filter(({ id }) => members.includes(id)).flatMap((member) => bandNamed(member, name) ?? []);
    const [first] = same;
    if (first === undefined) return [];
    const { common_name: _, ...described } = first;
    return [{ ...described, name, gsd: Math.min(...same.map(({ gsd }) => gsd ?? Number.POSITIVE_INFINITY)) }];
  });
  return { ...collection, bands };
}

/** The band that a preset means by a common name: `nir` is `nir08` where a sensor has only that. */
export function bandNamed({ bands = [] }: Pick<Collection, "bands">, name: string): Band | undefined {
  const found = bands.find((band) => band.common_name === name || band.name === name);
  return found === undefined && name === "nir" ? bandNamed({ bands }, "nir08") : found;
}

/** Names of the bands that a preset renders. */
export function presetBands(collection: Collection, preset: Preset): string[] {
  return preset.bands.map((name) => bandNamed(collection, name)?.name).filter((name) => name !== undefined);
}

/** Bands with physical units, such as reflectance, temperature and metres. */
export function measuredBands(collection: Collection): readonly Band[] {
  return (collection.bands ?? []).filter(({ unit }) => unit !== undefined && unit !== "DN");
}

/**
 * Measured bands that all these scenes have: the sensors of one collection differ. The scenes of a virtual collection
 * have its bands by other names.
 */
export function bandsOfAll(collection: Collection, items: readonly Item[]): readonly Band[] {
  const bands = measuredBands(collection);
  if (collection["svc:members"] !== undefined) return bands;
  const held = items.map(({ assets }) => new Set(Object.values(assets).map((asset) => asset["svc:band"])));
  return bands.filter(({ name }) => held.every((names) => names.has(name)));
}

/** Whether clouds hide the ground in scenes of a collection: radar and elevation have no cloud cover to choose by. */
export function hasClouds(collection: Collection): boolean {
  return collection["svc:units"]?.includes("REFLECTANCE") === true;
}

/** The finest pixel of a collection, metres. */
export function finestPixel(collection: Collection): number {
  return Math.min(...measuredBands(collection).map(({ gsd }) => gsd ?? Number.POSITIVE_INFINITY));
}
