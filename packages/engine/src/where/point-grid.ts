import { type Grid, resolveCrs } from "@swath/raster";

/**
 * Pixel of the grid of a point, degrees: far smaller than pixels of files, so that they are read at full resolution and
 * the one around the point is taken.
 */
const POINT_PIXEL = 1e-7;

/** The grid of one pixel around a point in degrees. */
export function pointGrid([lon, lat]: readonly [number, number]): Grid {
  const half = POINT_PIXEL / 2;
  const transform = [POINT_PIXEL, 0, lon - half, 0, -POINT_PIXEL, lat + half] as const;
  return { crs: resolveCrs("EPSG:4326"), transform, width: 1, height: 1 };
}
