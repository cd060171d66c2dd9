import type { Band } from "../api/types.ts";
import { bandNamed } from "../view/bands.ts";
import type { Reading } from "./probe.ts";
import { ndvi } from "./probe-grid.ts";

/** A value with its unit, as the table has it. */
export function valueText(value: number | undefined, band: Band): string {
  if (value === undefined) return "no data";
  if (band.unit === "KELVIN") return `${value.toFixed(1)} K`;
  return band.unit === "METERS" ? `${value.toFixed(1)} m` : value.toFixed(4);
}

/** NDVI of a reading; undefined where the bands are not among its own, or have no data. */
export function ndviOf({ bands, values }: Extract<Reading, { kind: "values" }>): number | undefined {
  const [nir, red] = [bandNamed({ bands }, "nir"), bandNamed({ bands }, "red")];
  if (nir === undefined || red === undefined) return undefined;
  return ndvi(values[bands.indexOf(nir)], values[bands.indexOf(red)]);
}

/** The one value that stands beside the point on the map: NDVI, or the first band. */
export function headline(reading: Reading): string {
  if (reading.kind === "no scene") return "no scene";
  if (reading.kind === "problem") return "no value";
  const index = ndviOf(reading);
  if (index !== undefined) return `NDVI ${index.toFixed(3)}`;
  const [band] = reading.bands;
  return band === undefined ? "no value" : `${band.name} ${valueText(reading.values[0], band)}`;
}
