import { innerPoint } from "@swath/geometry";
import { polygonSpans } from "@swath/mosaic";
import {
  applyAffine,
  type Crs,
  type Grid,
  invertAffine,
  METRES_PER_DEGREE,
  resolveCrs,
  sameCrs,
  transformer,
  windowGrid,
} from "@swath/raster";
import type { Clip } from "../run/scene/scene-read.ts";
import { alignedGrid, gridZone, type PixelCorner } from "./alignment.ts";
import { type Area, DEGREES } from "./area.ts";

/** The pixels on which values are computed: those of `grid` whose centres are in `region`. */
export interface AnalysisGrid {
  readonly grid: Grid;
  /** Absent: every pixel. */
  readonly region?: Clip;
  /** Longitude and latitude of the point whose pixel stands for an area without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
}

/**
 * Pixels of a resolution around an area, those of files that have the same resolution there; as many as there are.
 *
 * @param native metres, the coarsest native resolution of the bands
 * @param corners where the pixels of the files meet
 * @param crs default: the UTM zone of most scenes
 * @throws {Refusal} `invalid` for an area that the CRS cannot hold.
 */
export function nativeGrid(
  area: Area,
  native: number,
  corners: readonly PixelCorner[],
  crs = gridZone(area, corners),
): AnalysisGrid & { readonly region: Clip } {
  const size = crs.geographic ? native / METRES_PER_DEGREE : native;
  const grid = alignedGrid(crs, area.boundsIn(crs), [size, size], corners);
  return { grid, region: area.clip };
}

/**
 * Pixel of the grid of a point, degrees: far smaller than pixels of files, so that they are read at full resolution and
 * the one around the point is taken.
 */
const POINT_PIXEL = 1e-7;

/** The grid of one pixel around a point in degrees. */
export function pointGrid([lon, lat]: readonly [number, number]): Grid {
  const half = POINT_PIXEL / 2;
  const transform = [POINT_PIXEL, 0, lon - half, 0, -POINT_PIXEL, lat + half] as const;
  return { crs: DEGREES, transform, width: 1, height: 1 };
}

/**
 * The same grid where its region has the centre of a pixel; else the one pixel that holds an inner point of the region: a field
 * that is smaller than a pixel, or narrower, has the value of the pixel it is in.
 *
 * @param crs of the region's polygon
 */
export function orSampledPixel(analysis: AnalysisGrid, crs: Crs): AnalysisGrid {
  const { grid, region } = analysis;
  if (region === undefined || hasCentre(grid, region)) return analysis;
  const inner = innerPoint(region.polygon);
  if (inner === undefined) return analysis;
  const [x, y] = sameCrs(crs, grid.crs) ? inner : transformer(crs, grid.crs)(...inner);
  const [column, row] = applyAffine(invertAffine(grid.transform), x, y);
  // a part of a cube's grid may not reach that far
  const isOnGrid = column >= 0 && column <= grid.width && row >= 0 && row <= grid.height;
  if (!isOnGrid) return analysis;
  const pixel = (value: number, size: number): number => Math.min(size - 1, Math.floor(value));
  const window = { x: pixel(column, grid.width), y: pixel(row, grid.height), width: 1, height: 1 };
  // the transform brings longitudes beyond 180° back
  return { grid: windowGrid(grid, window), sampledAt: transformer(crs, DEGREES)(...inner) };
}

function hasCentre(grid: Grid, { polygon, crs }: Clip): boolean {
  let found = false;
  polygonSpans(polygon, grid, resolveCrs(crs), () => {
    found = true;
  });
  return found;
}
