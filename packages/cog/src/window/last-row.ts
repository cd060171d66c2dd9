import { applyAffine, type Grid, gridBounds, invertAffine, transformBounds } from "@swath/raster";

/** Rows more than the outline needs: what a warp may look at beyond it. */
const MARGIN = 4;

/** The row of `source` down to which an area needs its pixels, roughly; infinite where that is not known. */
export function findLastRow(source: Grid, output: Grid): number {
  try {
    const [minX, minY, maxX, maxY] = transformBounds(gridBounds(output), output.crs, source.crs);
    const toPixel = invertAffine(source.transform);
    const corners = [applyAffine(toPixel, minX, minY), applyAffine(toPixel, maxX, minY)];
    corners.push(applyAffine(toPixel, minX, maxY), applyAffine(toPixel, maxX, maxY));
    return Math.ceil(Math.max(...corners.map(([, row]) => row))) + MARGIN;
  } catch {
    // an outline without coordinates there says nothing of what is inside
    return Number.POSITIVE_INFINITY;
  }
}
