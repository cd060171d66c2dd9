import { type BandSchema, isUnit, type Unit } from "@swath/schema";
import { type Path, Refusal, refuseAny } from "../../refusal.ts";
import type { AskedBands } from "./levels.ts";

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

/** Kinds of bands that can be given in a unit. REFLECTANCE includes thermal bands, in kelvin. */
const KINDS: ReadonlyMap<string, readonly BandSchema["kind"][]> = new Map<Unit, readonly BandSchema["kind"][]>([
  ["REFLECTANCE", ["spectral", "thermal"]],
  ["KELVIN", ["thermal"]],
  ["CELSIUS", ["thermal"]],
  ["METERS", ["elevation"]],
  ["LINEAR_POWER", ["backscatter"]],
  ["DB", ["backscatter"]],
]);

/** Whether a band has values of a unit: digital numbers every one; of what is no unit none. */
export const hasUnit = ({ kind }: Pick<BandSchema, "kind">, units: string): boolean =>
  units === "DN" || KINDS.get(units)?.includes(kind) === true;

/** @throws {Refusal} `units-unavailable` for units that the collection or a band lacks, `invalid` for what is no unit. */
export function checkUnits({ collection, bands, paths }: AskedBands, units: string, path: Path): asserts units is Unit {
  const { id, processUnits } = collection;
  if (!processUnits.some((unit) => unit === units)) {
    const detail = `Expected ${processUnits.join(" or ")}, got "${units}".`;
    throw new Refusal(isUnit(units) ? "units-unavailable" : "invalid", path, detail);
  }
  const faults = bands.flatMap((band, i) => {
    if (hasUnit(band, units)) return [];
    const others = processUnits.filter((unit) => hasUnit(band, unit));
    const hint = others.length === 0 ? "" : `: ask for ${others.join(" or ")}`;
    return [{ path: paths[i] ?? path, detail: `${band.name} of ${id} cannot be given as ${units}${hint}.` }];
  });
  refuseAny("units-unavailable", faults);
}
