import type { Band, Collection, Preset } from "./api.ts";

/** The band that a preset means by a common name: `nir` is `nir08` where a sensor has only that. */
export function bandNamed(collection: Collection, name: string): Band | undefined {
  const bands = collection.bands ?? [];
  return (
    bands.find((band) => band.common_name === name || band.name === name) ??
    (name === "nir" ? bands.find((band) => band.common_name === "nir08") : undefined)
  );
}

/** Native names of the bands that a preset renders. */
export function presetBands(collection: Collection, preset: Preset): string[] {
  return preset.bands.map((name) => bandNamed(collection, name)?.name).filter((name) => name !== undefined);
}

/** Bands with physical units: reflectance and temperature. */
export function measuredBands(collection: Collection): readonly Band[] {
  return (collection.bands ?? []).filter(({ unit }) => unit === "REFLECTANCE" || unit === "KELVIN");
}

/** The finest pixel of a collection, metres. */
export function finestPixel(collection: Collection): number {
  return Math.min(...measuredBands(collection).map(({ gsd }) => gsd ?? Number.POSITIVE_INFINITY));
}
