import { innerPoint } from "@swath/geometry";
import { polygonSpans } from "@swath/mosaic";
import { applyAffine, invertAffine, resolveCrs, sameCrs, transformer, windowGrid } from "@swath/raster";
import type { AnalysisGrid } from "./analysis-grid.ts";
import type { Area } from "./area.ts";

const DEGREES = resolveCrs("EPSG:4326");

/**
 * The same grid where its region has the centre of a pixel; else the one pixel that holds an inner point of the region: a field
 * that is smaller than a pixel, or narrower, has the value of the pixel it is in.
 *
 * @param area that the grid is of
 */
export function orSampledPixel(analysis: AnalysisGrid, area: Pick<Area, "crs">): AnalysisGrid {
  const { grid, region } = analysis;
  if (region === undefined || hasCentre(analysis)) return analysis;
  const inner = innerPoint(region.polygon);
  if (inner === undefined) return analysis;
  const [x, y] = sameCrs(area.crs, grid.crs) ? inner : transformer(area.crs, grid.crs)(...inner);
  const [column, row] = applyAffine(invertAffine(grid.transform), x, y);
  // a part of a cube's grid may not reach that far
  const isOnGrid = column >= 0 && column <= grid.width && row >= 0 && row <= grid.height;
  if (!isOnGrid) return analysis;
  const pixel = (value: number, size: number): number => Math.min(size - 1, Math.floor(value));
  const window = { x: pixel(column, grid.width), y: pixel(row, grid.height), width: 1, height: 1 };
  // the transform brings longitudes beyond 180° back
  return { grid: windowGrid(grid, window), sampledAt: transformer(area.crs, DEGREES)(...inner) };
}

function hasCentre({ grid, region }: AnalysisGrid): boolean {
  let found = false;
  polygonSpans(region!.polygon, grid, resolveCrs(region!.crs), () => {
    found = true;
  });
  return found;
}
