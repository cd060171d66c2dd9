import { coverNumber, MIX_STEPS } from "../spectra.ts";
import { type CropOnDay, cropOn, type FieldState, fieldOn, ROTATIONS, SHIFTS } from "./crops.ts";
import { type Curve, valueAt, yearDay } from "./curves.ts";
import { droughtOf, recoveryOf, regrowthOf, snowLineOf, stageOf } from "./weather.ts";

/** `Ground.rotation` of the valley's ground is this and more: `VALLEY_ROTATION + rotation × SHIFTS + shift`. */
export const VALLEY_ROTATION = 8;
/** Rotations beyond those of parcels: broad-leaved forest, ground that is the same on every day, and the river. */
export const BROADLEAF = ROTATIONS.length;
export const LASTING = ROTATIONS.length + 1;
export const RIVER = ROTATIONS.length + 2;
const RIVER_CODE = VALLEY_ROTATION + RIVER * SHIFTS;

/** Deciduous leaves by days since the first of January. */
const LEAVES: Curve = [
  [96, 0],
  [110, 0.35],
  [128, 1],
  [268, 1],
  [290, 0.66],
  [306, 0.3],
  [322, 0],
];

/** The state of the valley on a day. */
export interface ValleySeason {
  /** By `Ground.rotation − VALLEY_ROTATION`; `undefined`: as the ground says. */
  readonly fields: readonly (FieldState | undefined)[];
  /** Snow lies above this height, metres. */
  readonly snowLine: number;
  /** Ground whose `flood` is 1 to this is under water, decimetres. */
  readonly stage: number;
  /** Vigour of ground by its `flood`. */
  readonly recovery: readonly number[];
  /** The regrown share of what burned; `undefined` before the fire. */
  readonly regrown: number | undefined;
}

const HIGHEST_FLOOD = 40;
const KEPT = 64;
const seasons = new Map<number, ValleySeason>();

/** @param day whole days since 1970-01-01 */
export function valleySeasonOf(day: number): ValleySeason {
  const known = seasons.get(day);
  if (known !== undefined) return known;
  const drought = droughtOf(day);
  const fields = ROTATIONS.flatMap((_, rotation) =>
    Array.from({ length: SHIFTS }, (_, shift) => fieldOn(rotation, shift, day, drought)),
  );
  const leaves = { cover: coverNumber("broadleaf"), factor: valueAt(LEAVES, yearDay(day)[1]) };
  const season: ValleySeason = {
    fields: [...fields, ...Array.from({ length: SHIFTS }, () => leaves)],
    snowLine: snowLineOf(day),
    stage: stageOf(day),
    recovery: Array.from({ length: HIGHEST_FLOOD + 1 }, (_, flood) => (flood === 0 ? 1 : recoveryOf(day, flood))),
    regrown: regrowthOf(day),
  };
  if (seasons.size >= KEPT) seasons.clear();
  seasons.set(day, season);
  return season;
}

const WATER = coverNumber("water");
const FLOOD = coverNumber("flood");
const SNOW = coverNumber("snow");
const FOREST = coverNumber("forest");
const GRASS = coverNumber("grassland");
const BURNED = coverNumber("burned");

/** Returns the crop of ground on a day, by its `Ground.rotation`; `undefined` where there is no parcel. */
export function parcelCropOn(rotation: number, day: number): CropOnDay | undefined {
  const place = Math.floor((rotation - VALLEY_ROTATION) / SHIFTS);
  return rotation < VALLEY_ROTATION || place >= ROTATIONS.length
    ? undefined
    : cropOn(place, (rotation - VALLEY_ROTATION) % SHIFTS, day);
}

/** Ground of the valley, in the numbers of `Ground`. */
export interface ValleyGround {
  readonly cover: number;
  readonly mix: number;
  readonly brightness: number;
  readonly height: number;
  readonly rotation: number;
  readonly flood: number;
  readonly burn: number;
}

/** Cover and mix of a point of the valley on a day, as `cover × 256 + mix`. */
export function valleyKey(season: ValleySeason, ground: ValleyGround): number {
  const { cover, mix, burn, flood } = ground;
  if (flood > 0 && flood <= season.stage) {
    // the deeper the water the more it carries
    return FLOOD * 256 + Math.min(MIX_STEPS, Math.round(20 + (season.stage - flood) * 1.5));
  }
  if (ground.rotation === RIVER_CODE && season.stage > 1) {
    return FLOOD * 256 + Math.min(MIX_STEPS, Math.round(16 + season.stage * 1.5));
  }
  if (cover !== WATER && lies(season, ground)) return snowKey(season, ground);
  if (burn > 0 && season.regrown !== undefined && (cover === FOREST || cover === GRASS)) {
    return BURNED * 256 + MIX_STEPS - Math.round(burn * (1 - season.regrown));
  }
  const field = season.fields[ground.rotation - VALLEY_ROTATION];
  if (field === undefined) return cover * 256 + mix;
  return field.cover * 256 + Math.round(mix * field.factor * (season.recovery[flood] ?? 1));
}

/** Brightness of a point of the valley on a day, in steps of `Ground.brightness`: water is smooth, and snow evens fields out. */
export function valleyBrightness(key: number, brightness: number): number {
  const cover = key >> 8;
  if (cover === FLOOD) return 20;
  return cover === SNOW ? Math.round((brightness + 20) / 2) : brightness;
}

/** Crowns show no snow but where it is this much higher than the snow line, metres. */
const CROWNS = 820;

function heightAboveSnowLine(season: ValleySeason, { cover, brightness, height, burn }: ValleyGround): number {
  const hidden = cover === FOREST && (burn === 0 || season.regrown === undefined) ? CROWNS : 0;
  return height * 10 - season.snowLine - (brightness - 20) * 12 - hidden;
}

function lies(season: ValleySeason, ground: ValleyGround): boolean {
  return heightAboveSnowLine(season, ground) > 0;
}

function snowKey(season: ValleySeason, ground: ValleyGround): number {
  return SNOW * 256 + Math.min(MIX_STEPS, Math.round(heightAboveSnowLine(season, ground) * 0.11));
}
