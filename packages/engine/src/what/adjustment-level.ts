import { ProblemError } from "@swath/problem";
import {
  type BandSchema,
  bandOfCommonName,
  type CollectionMatch,
  type CollectionSchema,
  isAdjustable,
  nadirAdjustment,
} from "@swath/schema";

/** What a level of harmonization does to reflectance. */
export interface AdjustmentLevel {
  /** Whether it is brought to the reference sensor, by the coefficients of each scene. */
  readonly isAdjusted: boolean;
  /** Whether that is brought to nadir view too, by the angles of each scene. */
  readonly isNadir: boolean;
}

/** What the level of this name does. */
export function adjustmentLevel(harmonize: string): AdjustmentLevel {
  const isNadir = harmonize === "nbar";
  return { isAdjusted: isNadir || harmonize === "bandpass_adjusted", isNadir };
}

/** Whether a band can be given at a level that adjusts; of a virtual collection, that of each of its members. */
export function hasCoefficients(
  collection: CollectionSchema,
  band: BandSchema,
  { isNadir }: Pick<AdjustmentLevel, "isNadir">,
): boolean {
  if (collection.virtual !== undefined) {
    return collection.virtual.members.every((member) => {
      const own = bandOfCommonName(member, band.name);
      return own !== undefined && hasCoefficients(member, own, { isNadir });
    });
  }
  return isAdjustable(collection, band) && (!isNadir || nadirAdjustment(collection, band) !== undefined);
}

/** @throws {ProblemError} `harmonize-unavailable`: coefficients are for reflectance, and not published for every band. */
export function checkAdjustable(
  { collection }: CollectionMatch,
  bands: readonly BandSchema[],
  units: string,
  level: AdjustmentLevel,
  /** Where the body holds the level, and one pointer a band. */
  pointers: { readonly bands: readonly string[]; readonly harmonize: string },
): void {
  const name = level.isNadir ? "nbar" : "bandpass_adjusted";
  if (units === "DN") {
    const detail = `The level ${name} is one of REFLECTANCE: digital numbers have none to be brought to.`;
    throw new ProblemError("harmonize-unavailable", detail, { errors: [{ pointer: pointers.harmonize, detail }] });
  }
  const errors = bands.flatMap((band, i) => {
    if (hasCoefficients(collection, band, level)) return [];
    const detail = `${band.name} of ${collection.id} has no coefficients of ${name}.`;
    return [{ pointer: pointers.bands[i] ?? "/bands", detail }];
  });
  if (errors.length > 0) {
    throw new ProblemError("harmonize-unavailable", errors.map(({ detail }) => detail).join(" "), { errors });
  }
}
