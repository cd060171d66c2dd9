import type { BandSchema, Unit } from "@swath/schema";

/** Unit of an index: a plain number (UCUM). */
export const PLAIN_NUMBER = "1";

/** The unit of a band where values of `units` are asked for: thermal bands beside reflectance are in kelvin. */
export const unitOfBand = ({ kind }: Pick<BandSchema, "kind">, units: Unit): Unit =>
  units === "REFLECTANCE" && kind === "thermal" ? "KELVIN" : units;

/** The unit that all bands share, else the one that was asked for. */
export function sharedUnit(bands: readonly Pick<BandSchema, "kind">[], units: Unit): Unit {
  const own = new Set(bands.map((band) => unitOfBand(band, units)));
  return own.size === 1 ? ([...own][0] ?? units) : units;
}
