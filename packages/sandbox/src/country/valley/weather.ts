import { type Curve, curveOf, dayOf, valueAt, yearDay } from "./curves.ts";

/** The day on which the hill forest burned. */
export const FIRE_DATE = "2022-08-11";
/** The day on which the river was highest. */
export const FLOOD_DATE = "2023-05-17";

/** Water above the river's usual level, decimetres. */
const STAGE = curveOf([
  ["2023-05-12", 0],
  ["2023-05-14", 12],
  ["2023-05-16", 24],
  [FLOOD_DATE, 26],
  ["2023-05-19", 21],
  ["2023-05-21", 16],
  ["2023-05-26", 7],
  ["2023-06-01", 2],
  ["2023-06-04", 0],
]);

/** Snow lies above this height in metres: in the two years of which every day is known. */
const SNOW_LINE = curveOf([
  ["2022-01-01", 520],
  ["2022-01-04", 420],
  ["2022-01-05", -200],
  ["2022-01-15", -120],
  ["2022-01-22", 60],
  ["2022-01-30", 320],
  ["2022-02-16", 520],
  ["2022-03-08", 720],
  ["2022-03-24", 1500],
  ["2022-11-18", 1500],
  ["2022-11-26", 620],
  ["2022-12-10", 380],
  ["2022-12-11", -260],
  ["2022-12-19", -60],
  ["2022-12-27", 260],
  ["2023-01-12", 520],
  ["2023-01-18", 420],
  ["2023-01-19", -320],
  ["2023-02-04", -160],
  ["2023-02-14", 40],
  ["2023-02-22", 300],
  ["2023-03-12", 620],
  ["2023-03-26", 1500],
  ["2023-11-20", 1500],
  ["2023-11-28", 560],
  ["2023-12-02", 340],
  ["2023-12-03", -140],
  ["2023-12-10", 160],
  ["2023-12-22", 480],
  ["2023-12-31", 520],
]);

/** The same by days since the first of January, for all other years. */
const USUAL_SNOW_LINE: Curve = [
  [0, 520],
  [17, 380],
  [18, -260],
  [30, -100],
  [40, 120],
  [54, 420],
  [80, 1500],
  [325, 1500],
  [337, 480],
  [343, -140],
  [350, 220],
  [366, 520],
];

/** Vigour of grass and spring crops in the dry summer of 2022, as a share of the usual. */
const DROUGHT = curveOf([
  ["2022-06-10", 1],
  ["2022-07-15", 0.68],
  ["2022-08-25", 0.6],
  ["2022-09-25", 0.85],
  ["2022-10-20", 1],
]);

/** Share of the burned ground that is green again, by days after the fire. */
const REGROWTH: Curve = [
  [0, 0],
  [45, 0.03],
  [200, 0.06],
  [265, 0.2],
  [330, 0.31],
  [440, 0.34],
  [570, 0.38],
  [700, 0.55],
  [1500, 0.85],
  [2500, 1],
];

/** Vigour of fields and meadows that were under water, by days after the water left them. */
const RECOVERY: Curve = [
  [0, 0.05],
  [12, 0.25],
  [40, 0.8],
  [70, 1],
];

/** Height of the snow line in metres. */
export function snowLineOf(day: number): number {
  const isKnown = day >= dayOf("2022-01-01") && day < dayOf("2024-01-01");
  return isKnown ? valueAt(SNOW_LINE, day) : valueAt(USUAL_SNOW_LINE, yearDay(day)[1]);
}

/** Water above the river's usual level, decimetres: ground floods from its `flood` on. */
export function stageOf(day: number): number {
  return valueAt(STAGE, day);
}

export function droughtOf(day: number): number {
  return valueAt(DROUGHT, day);
}

/** The regrown share of what burned; `undefined` before the fire. */
export function regrowthOf(day: number): number | undefined {
  const after = day - dayOf(FIRE_DATE);
  return after < 0 ? undefined : valueAt(REGROWTH, after);
}

/** The vigour that ground has after it was under water, by its `flood`: 1 where it was not, or before. */
export function recoveryOf(day: number, flood: number): number {
  const peak = dayOf(FLOOD_DATE);
  if (flood > stageOf(peak) || day <= peak) return 1;
  let left = peak;
  while (stageOf(left) >= flood) left++;
  return day < left ? 1 : valueAt(RECOVERY, day - left);
}
