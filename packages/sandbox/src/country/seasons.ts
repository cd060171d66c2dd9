import { smoothstep } from "./noise.ts";
import { MIX_STEPS, TRUTH_CLASSES } from "./spectra.ts";
import {
  VALLEY_ROTATION,
  type ValleyGround,
  type ValleySeason,
  valleyBrightness,
  valleyKey,
  valleySeasonOf,
} from "./valley/season.ts";

/** Whole days since 1970-01-01 (UTC) of a date. */
export function dayNumber(date: Date): number {
  return Math.floor(date.getTime() / 86_400_000);
}

/** Returns the day of the year as 0 to below 1, from a day number. */
export function yearFraction(day: number): number {
  const date = new Date(day * 86_400_000);
  const start = Date.UTC(date.getUTCFullYear(), 0, 1) / 86_400_000;
  return (day - start) / 366;
}

/** The state of the ground on a day of the year. */
export interface Season {
  /** Crop greenness by `rotation`, 0 to 1: multiplies the mix of a field. */
  readonly crops: readonly number[];
  /** Snow covers the ground above this height, metres, give or take `landscape` noise. */
  readonly snowLine: number;
  /** Added to summer surface temperatures, kelvin. */
  readonly warmth: number;
  readonly valley: ValleySeason;
}

/** Middle of the green time and half its length, in years, for each of the eight rotations. */
const ROTATIONS: readonly (readonly [number, number])[] = [
  [0.55, 0.2], // maize
  [0.58, 0.2],
  [0.52, 0.24], // beet, potatoes
  [0.5, 0.34], // lucerne
  [0.36, 0.2], // winter wheat
  [0.33, 0.2], // winter barley
  [0.4, 0.26], // oil seed, then catch crop
  [0.6, 0.3], // vines and orchards
];

export function seasonOf(day: number): Season {
  const t = yearFraction(day);
  const crops = ROTATIONS.map(([middle, half], i) => {
    let d = Math.abs(t - middle);
    if (d > 0.5) d = 1 - d;
    const green = 1 - smoothstep(half * 0.55, half * 1.3, d);
    // winter cereals and catch crops keep some green through the winter
    const rest = i >= 3 ? 0.56 : 0.24;
    return rest + (1 - rest) * green;
  });
  // triangle wave: 1 on about 20 July, 0 half a year away
  let away = Math.abs(t - 0.55);
  if (away > 0.5) away = 1 - away;
  const summer = smoothstep(0.5, 0, away);
  return { crops, snowLine: 1500 + 850 * summer, warmth: -24 * (1 - summer), valley: valleySeasonOf(day) };
}

export const SNOW = TRUTH_CLASSES.indexOf("snow");
const CROP = TRUTH_CLASSES.indexOf("crop");
const WATER = TRUTH_CLASSES.indexOf("water");

/** Brightness of a point on a day, by its `seasonalKey`. */
export function seasonalBrightness(key: number, { brightness, rotation }: ValleyGround): number {
  return rotation >= VALLEY_ROTATION ? valleyBrightness(key, brightness) : brightness;
}

/**
 * Cover and mix of a point on a day, as `cover × 256 + mix`. There is snow above the snow line, later on bright (sunny)
 * slopes than on dark ones; fields turn green and bare.
 */
export function seasonalKey(season: Season, ground: ValleyGround): number {
  const { cover, mix, brightness, height, rotation } = ground;
  if (rotation >= VALLEY_ROTATION) return valleyKey(season.valley, ground);
  if (cover !== WATER) {
    const above = height * 10 - season.snowLine - (brightness - 20) * 17;
    if (above > 0) return SNOW * 256 + Math.min(MIX_STEPS, Math.round(above * 0.08));
  }
  if (cover === CROP) return cover * 256 + Math.round(mix * season.crops[rotation]!);
  return cover * 256 + mix;
}
