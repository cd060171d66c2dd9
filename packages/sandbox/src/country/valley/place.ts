/**
 * The valley is a part of the country in the true pixels of its sensors, seen every few days: fields, a river that floods,
 * a hill forest that burns. It lies west of all other scenes, so that nothing else shows it; elevation alone does.
 */

/** West, south, east, north in metres of EPSG:32633, as Sentinel-2 sees it: whole pixels of 60 m of tile 33TTL. */
export const VALLEY_BOUNDS = [283_800, 5_067_420, 288_900, 5_072_520] as const;

/** The same for Landsat: edges at 15 m past multiples of 30 m. */
export const VALLEY_LANDSAT_BOUNDS = [283_785, 5_067_405, 288_915, 5_072_535] as const;

/** Its MGRS tile, and the WRS-2 path and row that see it. */
export const VALLEY_TILE = "33TTL";
export const VALLEY_PATH = 192;

/** Metres around the bounds over which heights turn into those of the country: Landsat sees the ground beyond. */
const MARGIN = 3000;

/** Is a point in the valley or its margin? Metres of EPSG:32633. */
export function isNearValley(easting: number, northing: number): boolean {
  const [west, south, east, north] = VALLEY_BOUNDS;
  return easting > west - MARGIN && easting < east + MARGIN && northing > south - MARGIN && northing < north + MARGIN;
}

/** Returns 1 in the valley and 0 from the end of its margin on, linear in between. */
export function valleyShare(easting: number, northing: number): number {
  const [west, south, east, north] = VALLEY_BOUNDS;
  const outside = Math.max(west - easting, easting - east, south - northing, northing - north, 0);
  return Math.max(0, 1 - outside / MARGIN);
}
