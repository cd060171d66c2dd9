import { type FlatRing, flattenRing, type Position } from "@swath/geometry";
import { type Crs, type Grid, gridBounds, invertAffine, transformer } from "@swath/raster";
import { periodOf, ringProjector } from "./project.ts";

/** The greatest distance, in pixels, of an edge from its exact projection. */
const TOLERANCE = 0.001;

/**
 * Marks the pixels of a grid that lines pass through: 1 where a point of a line is in the pixel, which then is the one
 * whose centre is the closest, else 0, row-major. A point on an edge is in the pixel to the right of it, or below.
 *
 * @param crs of the coordinates; default that of the grid. Lines are straight there, and bent to within 0.001 pixels where the
 *   grid's CRS is another. In longitude and latitude a piece longer than 180° crosses the antimeridian.
 */
export function rasterizeLines(
  lines: readonly (readonly Position[])[],
  grid: Grid,
  crs: Crs = grid.crs,
): Uint8Array<ArrayBuffer> {
  const inside = new Uint8Array(grid.width * grid.height);
  const project = ringProjector(grid, crs, TOLERANCE);
  for (const line of lines) {
    const there = thereAndBack(line, crs);
    if (there === undefined) continue;
    for (const ring of project(there)) {
      for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
        markSegment(inside, grid, ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!);
      }
    }
  }
  return inside;
}

/** Marks the pixels of a grid that points are in, as `rasterizeLines` does for lines. */
export function rasterizePoints(points: readonly Position[], grid: Grid, crs: Crs = grid.crs): Uint8Array<ArrayBuffer> {
  const inside = new Uint8Array(grid.width * grid.height);
  const project = transformer(crs, grid.crs);
  const [a, b, c, d, e, f] = invertAffine(grid.transform);
  const [west, , east] = gridBounds(grid);
  const period = periodOf(grid.crs);
  for (const [lon = Number.NaN, lat = Number.NaN] of points) {
    const [x, y] = project(lon, lat);
    const turn = period === 0 ? 0 : period * Math.round((x - (west + east) / 2) / period);
    const [column, row] = [Math.floor(a * (x - turn) + b * y + c), Math.floor(d * (x - turn) + e * y + f)];
    if (column >= 0 && column < grid.width && row >= 0 && row < grid.height) inside[row * grid.width + column] = 1;
  }
  return inside;
}

/** A line as a ring without an area, which is projected, cut and bent as other rings are. */
function thereAndBack(line: readonly Position[], { geographic }: Crs): FlatRing | undefined {
  const back = line.slice(1, -1).reverse();
  const [[x0 = 0, y0 = 0] = [], [x1 = 0, y1 = 0] = []] = [line[0], line.at(-1)];
  const turn = geographic ? 360 * Math.round((x1 - x0) / 360) : 0;
  // a line of two points comes back by its middle, since a ring has three points
  const middle = [(x0 + x1 - turn) / 2, (y0 + y1) / 2];
  return flattenRing([...line, ...(back.length > 0 ? back : [middle]), [x0, y0]]);
}

/**
 * Marks the cells that a segment passes through, one edge of a cell after the other (Amanatides and Woo 1987, "A fast voxel
 * traversal algorithm for ray tracing").
 */
function markSegment(
  inside: Uint8Array,
  { width, height }: Grid,
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): void {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const [enter, leave] = within(x0, dx, width, within(y0, dy, height, [0, 1]));
  if (!(enter <= leave)) return;
  let column = cellOf(x0 + enter * dx, width);
  let row = cellOf(y0 + enter * dy, height);
  const mark = (): void => {
    inside[row * width + column] = 1;
  };
  mark();
  const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
  const nextEdge = (cell: number, step: number, start: number, along: number): number =>
    step === 0 ? Number.POSITIVE_INFINITY : (cell + (step > 0 ? 1 : 0) - start) / along;
  for (;;) {
    const [toX, toY] = [nextEdge(column, stepX, x0, dx), nextEdge(row, stepY, y0, dy)];
    if (Math.min(toX, toY) > leave) return;
    if (toX <= toY) column += stepX;
    if (toY <= toX) row += stepY;
    if (column < 0 || column >= width || row < 0 || row >= height) return;
    mark();
  }
}

/** The part of a segment that is from 0 to `size` along an axis, as shares of the segment. */
function within(
  start: number,
  along: number,
  size: number,
  [enter, leave]: readonly [number, number],
): readonly [number, number] {
  if (along === 0) return start >= 0 && start < size ? [enter, leave] : [1, 0];
  const [a, b] = [-start / along, (size - start) / along];
  return [Math.max(enter, Math.min(a, b)), Math.min(leave, Math.max(a, b))];
}

const cellOf = (coordinate: number, size: number): number => Math.min(size - 1, Math.max(0, Math.floor(coordinate)));
