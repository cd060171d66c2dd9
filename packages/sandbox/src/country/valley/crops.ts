import { coverNumber } from "../spectra.ts";
import { type CropName, type CropYear, isYearly, LASTING, YEARS } from "./crop-years.ts";
import { valueAt, yearDay } from "./curves.ts";

/** The look of a parcel on a day: its cover, and by what the mix of its pixels is multiplied. */
export interface FieldState {
  readonly cover: number;
  readonly factor: number;
}

const CROP = coverNumber("crop");
const RIPE = coverNumber("ripe");
const BLOOM = coverNumber("bloom");

/** Rotations of parcels: the first crop is that of years of even number, the second that of the others. */
export const ROTATIONS = [
  ["wheat", "maize"],
  ["maize", "wheat"],
  ["barley", "rape"],
  ["rape", "wheat"],
  ["maize", "beet"],
  ["beet", "wheat"],
  ["wheat", "barley"],
  ["lucerne"],
  ["meadow"],
  ["pasture"],
  ["vines"],
] as const satisfies readonly (readonly CropName[])[];

/** Parcels of one crop are sown and harvested within three weeks: by their shift, 0 to 7, three days apart. */
export const SHIFTS = 8;
function shiftDays(shift: number): number {
  return shift * 3 - 10;
}

/** The crop of a parcel on a day. */
export interface CropOnDay {
  readonly name: CropName;
  /** Days since 1970-01-01, for crops that are sown and harvested. */
  readonly sown?: number;
  readonly harvested?: number;
}

function cropOfYear(rotation: number, year: number): CropName {
  const crops: readonly CropName[] = ROTATIONS[rotation]!;
  return crops[year % crops.length]!;
}

interface Growth {
  readonly name: CropName;
  /** Days since the first of January of the harvest's year, as on a parcel without a shift. */
  readonly days: number;
}

/** The crop that has a parcel on a day: from its sowing to that of the next. */
function growthOn(rotation: number, shift: number, day: number): Growth {
  const [year, days] = yearDay(day - shiftDays(shift));
  for (const harvest of [year + 1, year]) {
    const name = cropOfYear(rotation, harvest);
    if (!isYearly(name)) return { name, days };
    const own = harvest === year ? days : days - daysIn(year);
    if (own >= YEARS[name].sown) return { name, days: own };
  }
  return { name: cropOfYear(rotation, year - 1), days: days + daysIn(year - 1) };
}

function daysIn(year: number): number {
  return (Date.UTC(year + 1, 0, 1) - Date.UTC(year, 0, 1)) / 86_400_000;
}

/** Returns the crop of a parcel on a day, with its days of sowing and harvest. */
export function cropOn(rotation: number, shift: number, day: number): CropOnDay {
  const { name, days } = growthOn(rotation, shift, day);
  if (!isYearly(name)) return { name };
  const { sown, harvested } = YEARS[name];
  return { name, sown: day - days + sown, harvested: day - days + harvested };
}

/**
 * Returns the look of a parcel on a day.
 *
 * @param drought vigour of grass and spring crops, as a share of the usual
 */
export function fieldOn(rotation: number, shift: number, day: number, drought: number): FieldState {
  const { name, days } = growthOn(rotation, shift, day);
  if (!isYearly(name)) {
    const { cover, green } = LASTING[name];
    return { cover, factor: valueAt(green, days) * (name === "vines" ? 1 : drought) };
  }
  const { green, ripe, bloom }: CropYear = YEARS[name];
  const leaves = valueAt(green, days);
  if (ripe !== undefined && days >= ripe.from && days < ripe.to) return { cover: RIPE, factor: leaves };
  const flowers = bloom === undefined ? 0 : valueAt(bloom, days);
  if (flowers > 0) return { cover: BLOOM, factor: flowers };
  return { cover: CROP, factor: name === "maize" || name === "beet" ? leaves * drought : leaves };
}
