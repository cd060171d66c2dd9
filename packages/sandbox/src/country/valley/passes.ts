import { hashUnit } from "../noise.ts";
import { dayOf, yearDay } from "./curves.ts";
import { VALLEY_PATH } from "./place.ts";

/** An overpass of the valley: members of `Acquisition`, and its day since 1970-01-01. */
export interface ValleyPass {
  readonly day: number;
  readonly sensor: "sentinel-2" | "landsat";
  readonly platform: "sentinel-2a" | "sentinel-2c" | "landsat-8" | "landsat-9";
  readonly track: number;
  readonly baseline?: string;
  readonly cloud: number;
}

/** Every scene of two whole years is there: the first day, and the first day after them. */
export const VALLEY_YEARS = ["2022-01-01", "2024-01-01"] as const;

/** Sentinel-2A passes on this day and every ten days; Landsat 9 on the other and every sixteen, Landsat 8 between. */
const SENTINEL_2_DAY = dayOf("2022-01-01");
const LANDSAT_9_DAY = dayOf("2022-01-04");
const SENTINEL_2_ORBIT = 22;

/** Scenes from this long ago to that, in days: a map without dates shows the valley, behind what is newest elsewhere. */
const RECENT = [365, 13] as const;

/** Fraction of the sky under cloud on days on which the weather matters. */
const SKIES: Readonly<Record<string, number>> = {
  "2022-05-11": 0,
  "2022-06-20": 0,
  "2022-07-10": 0,
  "2022-07-20": 0,
  "2022-08-09": 0,
  "2022-08-19": 0,
  "2022-10-18": 0,
  "2022-12-17": 0,
  "2023-01-26": 0,
  "2023-05-06": 0,
  "2023-05-16": 0,
  "2023-05-23": 0,
  "2023-05-26": 0,
  "2023-06-05": 0,
  "2023-08-14": 0,
  "2023-10-13": 0,
};

/** All overpasses of an archive made on a day: those of two years, and those of Sentinel-2 in the last twelve months. */
export function valleyPasses(today: number): readonly ValleyPass[] {
  const [first, end] = VALLEY_YEARS.map(dayOf) as [number, number];
  const passes: ValleyPass[] = [];
  for (let day = first; day < end; day++) {
    if ((day - SENTINEL_2_DAY) % 10 === 0) passes.push(sentinel2(day));
    if ((day - LANDSAT_9_DAY) % 8 === 0) passes.push(landsat(day));
  }
  for (let day = today - RECENT[0]; day <= today - RECENT[1]; day++) {
    if (day >= end && (day - SENTINEL_2_DAY) % 10 === 0) passes.push(sentinel2(day));
  }
  return passes;
}

function sentinel2(day: number): ValleyPass {
  const platform = day < dayOf("2025-01-01") ? "sentinel-2a" : "sentinel-2c";
  return {
    day,
    sensor: "sentinel-2",
    platform,
    track: SENTINEL_2_ORBIT,
    baseline: baselineOn(day),
    cloud: cloudOn(day),
  };
}

/** From 25 January 2022 on the processor adds an offset to stored values. */
function baselineOn(day: number): string {
  if (day < dayOf("2022-01-25")) return "03.01";
  return day < dayOf("2022-12-06") ? "04.00" : day < dayOf("2025-01-01") ? "05.09" : "05.11";
}

function landsat(day: number): ValleyPass {
  const platform = (day - LANDSAT_9_DAY) % 16 === 0 ? "landsat-9" : "landsat-8";
  return { day, sensor: "landsat", platform, track: VALLEY_PATH, cloud: cloudOn(day) };
}

/** Fraction of the sky under cloud: two days of three are clear in summer, half of them in winter. */
function cloudOn(day: number): number {
  const known = SKIES[new Date(day * 86_400_000).toISOString().slice(0, 10)];
  if (known !== undefined) return known;
  const [, days] = yearDay(day);
  const winter = days < 75 || days > 300 ? 1 : 0;
  const [clear, broken] = [0.58 - 0.14 * winter, 0.78 - 0.08 * winter];
  const luck = hashUnit(8_117, day, 3);
  if (luck < clear) return luck < clear / 2 ? 0 : 0.03 * hashUnit(8_117, day, 4);
  return luck < broken ? 0.08 + 0.4 * hashUnit(8_117, day, 5) : 0.85 + 0.15 * hashUnit(8_117, day, 6);
}
