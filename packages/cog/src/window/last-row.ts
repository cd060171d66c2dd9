import { applyAffine, type Grid, gridBounds, invertAffine, transformBounds } from "@swath/raster";

/** Rows beyond the outline that a warp may read. */
const MARGIN = 4;

/** An upper bound of the last row of `source` that the grid `output` needs; infinite where it is not known. */
export function findLastRow(source: Grid, output: Grid): number {
  try {
    const [minX, minY, maxX, maxY] = transformBounds(gridBounds(output), output.crs, source.crs);
    const toPixel = invertAffine(source.transform);
    const corners = [applyAffine(toPixel, minX, minY), applyAffine(toPixel, maxX, minY)];
    corners.push(applyAffine(toPixel, minX, maxY), applyAffine(toPixel, maxX, maxY));
    return Math.ceil(Math.max(...corners.map(([, row]) => row))) + MARGIN;
  } catch {
    // an outline without coordinates in the source CRS gives no bound
    return Number.POSITIVE_INFINITY;
  }
}
