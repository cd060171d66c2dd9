import type { Geometry } from "@swath/geometry";
import { type Position, polygonsOf } from "@swath/geometry";
import { rasterizeLines, rasterizePoints, rasterizePolygon } from "@swath/mosaic";
import { type Bounds, type Crs, type Grid, invertAffine, resolveCrs, sameCrs } from "@swath/raster";

/** A region of pixels, as plain data. */
export type CubeRegion =
  /** A box in units of a CRS. */
  | { readonly kind: "box"; readonly bounds: Bounds; readonly crs: string }
  /** Polygons, lines and points; polygons may be in any CRS. */
  | { readonly kind: "geometry"; readonly geometry: Geometry; readonly crs: string };

/**
 * 1 where a pixel is in a region, else 0, row-major: its centre is in a box, edges included, or in a polygon; a line passes through
 * it; a point is in it.
 */
export function rasterizeRegion(region: CubeRegion, grid: Grid): Uint8Array<ArrayBuffer> {
  const crs = resolveCrs(region.crs);
  if (region.kind === "box") return rasterizeBox(region.bounds, crs, grid);
  const inside = new Uint8Array(grid.width * grid.height);
  for (const part of partsOf(region.geometry)) {
    const found = rasterizePart(part, crs, grid);
    for (let i = 0; i < inside.length; i++) if (found[i] === 1) inside[i] = 1;
  }
  return inside;
}

function rasterizePart(part: Geometry, crs: Crs, grid: Grid): Uint8Array {
  switch (part.type) {
    case "Point":
      return rasterizePoints([part.coordinates], grid, crs);
    case "MultiPoint":
      return rasterizePoints(part.coordinates, grid, crs);
    case "LineString":
      return rasterizeLines([part.coordinates], grid, crs);
    case "MultiLineString":
      return rasterizeLines(part.coordinates, grid, crs);
    case "Polygon":
    case "MultiPolygon":
      return rasterizePolygon({ type: "MultiPolygon", coordinates: polygonsOf(part) }, grid, crs);
    case "GeometryCollection":
      throw new TypeError("Expected the parts of a collection.");
  }
}

/** The geometries of a collection; of any other geometry itself. */
export function partsOf(geometry: Geometry): readonly Geometry[] {
  return geometry.type === "GeometryCollection" ? geometry.geometries.flatMap(partsOf) : [geometry];
}

/** A centre within a millionth of a pixel of an edge is on it. */
const ON_EDGE = 1e-6;

/** The columns, or rows, whose centres are between two coordinates, which count from the start of the first one: first, and after the last. */
export function centresBetween(from: number, to: number): readonly [first: number, end: number] {
  return [Math.ceil(Math.min(from, to) - 0.5 - ON_EDGE), Math.floor(Math.max(from, to) - 0.5 + ON_EDGE) + 1];
}

function rasterizeBox([minX, minY, maxX, maxY]: Bounds, crs: Crs, grid: Grid): Uint8Array<ArrayBuffer> {
  const { width, height, transform } = grid;
  if (!sameCrs(crs, grid.crs) || transform[1] !== 0 || transform[3] !== 0) {
    const ring: Position[] = [
      [minX, minY],
      [maxX, minY],
      [maxX, maxY],
      [minX, maxY],
      [minX, minY],
    ];
    return rasterizePolygon({ type: "Polygon", coordinates: [ring] }, grid, crs);
  }
  const [a, , c, , e, f] = invertAffine(transform);
  const turn = crs.geographic ? 360 * Math.round(((minX + maxX) / 2 - middleOf(grid)) / 360) : 0;
  const [left, right] = centresBetween(a * (minX - turn) + c, a * (maxX - turn) + c);
  const [top, bottom] = centresBetween(e * minY + f, e * maxY + f);
  const inside = new Uint8Array(width * height);
  const [first, end] = [Math.max(0, left), Math.min(width, right)];
  for (let row = Math.max(0, top); row < Math.min(height, bottom) && first < end; row++) {
    inside.fill(1, row * width + first, row * width + end);
  }
  return inside;
}

const middleOf = ({ transform, width }: Grid): number => transform[2] + (transform[0] * width) / 2;
