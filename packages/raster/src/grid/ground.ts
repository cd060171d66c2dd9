import { resolveCrs } from "../crs/crs.ts";
import { ECCENTRICITY2, EQUATOR_RADIUS } from "../crs/earth.ts";
import { transformer } from "../crs/transform.ts";
import { applyAffine } from "./affine.ts";
import type { Grid } from "./grid.ts";

const RADIANS = Math.PI / 180;

type Degrees = readonly [lon: number, lat: number];

/** Lengths on the ground, metres: one per row, NaN for rows without a longitude and latitude. */
export interface GroundSizes {
  /** From a pixel's centre to that of its neighbour to the right. */
  readonly widths: Float64Array;
  /** From a pixel's centre to that of its neighbour below. */
  readonly heights: Float64Array;
}

/**
 * Computes the lengths of the pixels of each row on the ground, along columns and along rows, on the WGS 84 ellipsoid
 * at the grid's middle column. Exact for all columns where the CRS is in degrees or Mercator; elsewhere it varies along
 * a row as the scale of the projection does, by less than a thousandth within a UTM zone.
 */
export function groundSizes(grid: Grid): GroundSizes {
  const toDegrees = transformer(grid.crs, resolveCrs("EPSG:4326"));
  const at = (col: number, row: number): Degrees => toDegrees(...applyAffine(grid.transform, col, row));
  const middle = grid.width / 2;
  const widths = new Float64Array(grid.height);
  const heights = new Float64Array(grid.height);
  for (let row = 0; row < grid.height; row++) {
    const centre = row + 0.5;
    widths[row] = groundLength(at(middle - 0.5, centre), at(middle + 0.5, centre));
    heights[row] = groundLength(at(middle, centre - 0.5), at(middle, centre + 0.5));
  }
  return { widths, heights };
}

/**
 * Metres between two points that are near each other, in degrees, by the radii of curvature at the latitude between them
 * (Snyder 1987, Map Projections: A Working Manual, equations 4-18 and 4-20).
 */
function groundLength([lon0, lat0]: Degrees, [lon1, lat1]: Degrees): number {
  const across = lon1 - lon0;
  const lat = ((lat0 + lat1) / 2) * RADIANS;
  const w2 = 1 - ECCENTRICITY2 * Math.sin(lat) ** 2;
  const primeVertical = EQUATOR_RADIUS / Math.sqrt(w2);
  const meridian = (EQUATOR_RADIUS * (1 - ECCENTRICITY2)) / w2 ** 1.5;
  const east = (across - 360 * Math.round(across / 360)) * RADIANS * primeVertical * Math.cos(lat);
  const north = (lat1 - lat0) * RADIANS * meridian;
  return Math.hypot(east, north);
}
