import { type BandSchema, bandOfCommonName, type CollectionSchema, HarmonizeLevel } from "@swath/schema";
import { isAdjustable, nadirAdjustment } from "@swath/schema/harmonization";
import { type Path, Refusal, refuseAny } from "../../refusal.ts";

/** The effect of a level of harmonization on reflectance. */
export interface AdjustmentLevel {
  /** Whether it is brought to the reference sensor, by the coefficients of each scene. */
  readonly isAdjusted: boolean;
  /** Whether that is brought to nadir view too, by the angles of each scene. */
  readonly isNadir: boolean;
}

/** Returns the effect of the level of this name. */
export function adjustmentLevel(harmonize: string): AdjustmentLevel {
  const isNadir = harmonize === "nbar";
  return { isAdjusted: isNadir || harmonize === "bandpass_adjusted", isNadir };
}

/** `offset_removed` where a collection of one sensor has it, as the interface says; else the collection's own default. */
export function defaultLevel({ virtual, harmonizeLevels, defaultHarmonize }: CollectionSchema): HarmonizeLevel {
  return virtual === undefined && harmonizeLevels.includes("offset_removed") ? "offset_removed" : defaultHarmonize;
}

/** @throws {Refusal} `invalid` for what is no level, `harmonize-unavailable` for one that the collection lacks. */
export function checkLevel(
  { id, harmonizeLevels }: CollectionSchema,
  level: string,
  path: Path,
): asserts level is HarmonizeLevel {
  if (harmonizeLevels.some((known) => known === level)) return;
  if (!HarmonizeLevel.safeParse(level).success) {
    throw new Refusal("invalid", path, `Expected ${harmonizeLevels.join(" or ")}, got "${level}".`);
  }
  const detail = `${id} has the levels ${harmonizeLevels.join(", ")}, not "${level}".`;
  throw new Refusal("harmonize-unavailable", path, detail);
}

/** Whether a band can be given at a level; of a virtual collection, that of each of its members. */
export function hasLevel(
  collection: CollectionSchema,
  band: BandSchema,
  { isAdjusted, isNadir }: AdjustmentLevel,
): boolean {
  if (!isAdjusted) return true;
  if (collection.virtual !== undefined) {
    return collection.virtual.members.every((member) => {
      const own = bandOfCommonName(member, band.name);
      return own !== undefined && hasLevel(member, own, { isAdjusted, isNadir });
    });
  }
  return isAdjustable(collection, band) && (!isNadir || nadirAdjustment(collection, band) !== undefined);
}

/** Bands that are asked for, and where the request names each. */
export interface AskedBands {
  readonly collection: CollectionSchema;
  readonly bands: readonly BandSchema[];
  readonly paths: readonly Path[];
}

/** @throws {Refusal} `harmonize-unavailable`: coefficients are for reflectance, and not published for every band. */
export function checkAdjustable(
  { collection, bands, paths }: AskedBands,
  units: string,
  level: AdjustmentLevel,
  path: Path,
): void {
  if (!level.isAdjusted) return;
  const name = level.isNadir ? "nbar" : "bandpass_adjusted";
  if (units === "DN") {
    const detail = `The level ${name} is one of REFLECTANCE: digital numbers have none to be brought to.`;
    throw new Refusal("harmonize-unavailable", path, detail);
  }
  const faults = bands.flatMap((band, i) => {
    if (hasLevel(collection, band, level)) return [];
    return [{ path: paths[i] ?? path, detail: `${band.name} of ${collection.id} has no coefficients of ${name}.` }];
  });
  refuseAny("harmonize-unavailable", faults);
}
