import { CLASS_OF_COVER, TRUTH_CLASSES } from "../country/spectra.ts";

const WATER = TRUTH_CLASSES.indexOf("water");
const SNOW = TRUTH_CLASSES.indexOf("snow");
const VEGETATED: ReadonlySet<number> = new Set(
  (["forest", "crop", "grassland"] as const).map((name) => TRUTH_CLASSES.indexOf(name)),
);

/** Opacity (64ths) from which a cloud is called one by the masks; thinner is haze at its rim. */
export const CLOUD_LIMIT = 16;

/**
 * Sentinel-2 scene classification of a point: 9 and 8 cloud (opacity at least 0.6, 0.25), 7 the haze around it,
 * 3 cloud shadow, 11 snow, 6 water, 4 vegetation (a vegetated class with NDVI of 0.4 or more), 5 bare ground.
 */
export function sclOf(cover: number, ndvi: number, cloud: number, shadow: number): number {
  if (cloud >= 38) return 9;
  if (cloud >= CLOUD_LIMIT) return 8;
  if (cloud > 0) return 7;
  if (shadow > 0) return 3;
  const ground = CLASS_OF_COVER[cover]!;
  if (ground === SNOW) return 11;
  if (ground === WATER) return 6;
  return VEGETATED.has(ground) && ndvi >= 0.4 ? 4 : 5;
}

/**
 * Landsat QA_PIXEL of a point: the values that real Collection 2 files hold for cloud (22280), dilated cloud (22018),
 * shadow (23888), snow (30048) and clear (21824), with bit 7 for water.
 */
export function qaPixelOf(cover: number, cloud: number, shadow: number): number {
  if (cloud >= CLOUD_LIMIT) return 22280;
  const water = CLASS_OF_COVER[cover] === WATER ? 128 : 0;
  if (cloud > 0) return 22018 + water;
  if (shadow > 0) return 23888 + water;
  if (cover === SNOW) return 30048;
  return 21824 + water;
}

/**
 * Fmask of HLS v2.0 for a point: bit 1 cloud, 2 adjacent to cloud or shadow, 3 cloud shadow, 4 snow, 5 water; aerosol
 * (bits 6 and 7) is low everywhere.
 */
export function fmaskOf(cover: number, cloud: number, shadow: number): number {
  const ground = (cover === SNOW ? 16 : 0) + (CLASS_OF_COVER[cover] === WATER ? 32 : 0) + 64;
  if (cloud >= CLOUD_LIMIT) return 2 + 64;
  if (cloud > 0) return 4 + ground;
  return shadow > 0 ? 8 + ground : ground;
}
