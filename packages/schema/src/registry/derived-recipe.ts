import type { BandSchema } from "../collection/band.ts";
import { bandTable } from "../collection/band-names.ts";
import type { CollectionSchema } from "../collection/collection.ts";
import type { PresetFile, Recipe } from "../preset/preset.ts";
import type { Unit } from "../vocabulary.ts";

/** Names as expressions have them. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*/g;
const UNITS: Readonly<Partial<Record<BandSchema["kind"], Unit>>> = {
  spectral: "REFLECTANCE",
  thermal: "KELVIN",
  elevation: "METERS",
  backscatter: "LINEAR_POWER",
};

/**
 * Makes the recipe of a preset from its bands and expression: of physical values, by band names. An index reads the bands that
 * the collection names for indices.
 *
 * @returns undefined where the collection lacks one of the bands, or gives it as stored numbers alone.
 */
export function derivedRecipe(
  { bands: names, expression, rescale, colormap }: Pick<PresetFile, "bands" | "expression" | "rescale" | "colormap">,
  collection: CollectionSchema,
): Recipe | undefined {
  const table = bandTable(collection);
  const { indexBands, zoom } = collection;
  const bands = names.map((name) => table.get(expression === undefined ? name : (indexBands[name] ?? name)));
  const [first] = bands;
  const units = first === undefined ? undefined : UNITS[first.kind];
  if (units === undefined || bands.some((band) => band === undefined || UNITS[band.kind] === undefined))
    return undefined;
  const place = new Map(names.map((name, i) => [name, `b${i + 1}`]));
  return {
    assets: bands.map((band) => band?.name ?? ""),
    ...(expression === undefined ? {} : { expression: expression.replace(NAME, (word) => place.get(word) ?? word) }),
    ...(rescale === undefined ? {} : { rescale }),
    ...(colormap === undefined ? {} : { colormap }),
    units,
    minzoom: zoom.min,
    maxzoom: zoom.max,
  };
}
