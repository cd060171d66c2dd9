import {
  doubleArea,
  type FlatRing,
  flattenRing,
  type PolygonGeometry,
  polygonsOf,
  ringBounds,
  uniteBounds,
} from "@swath/geometry";
import type { Crs, Grid } from "@swath/raster";
import { ringProjector } from "./project.ts";

/** Rows filled at a time; bounds the list of crossings to 128 × the number of edges. */
const BAND = 128;
/** The greatest distance, in pixels, of an edge from its exact projection. */
const TOLERANCE = 0.001;

/**
 * Marks the pixels of a grid that are in a polygon: 1 where the pixel's centre is inside, else 0, row-major. The rule
 * is that of `gdal_rasterize` and `gdalwarp -cutline` without ALL_TOUCHED, ties included: a centre exactly on a left,
 * upper or lower outer edge is inside, on a right one outside. Inner rings count by the even-odd rule; parts of a
 * MultiPolygon add up.
 *
 * @param crs of the coordinates; default that of the grid. Edges are straight there and bent to within 0.001 pixels
 * when the grid's CRS is another. In longitude and latitude an edge longer than 180° crosses the antimeridian.
 */
export function rasterizePolygon(geometry: PolygonGeometry, grid: Grid, crs: Crs = grid.crs): Uint8Array<ArrayBuffer> {
  const inside = new Uint8Array(grid.width * grid.height);
  const mark: MarkSpan = (row, first, end) => inside.fill(1, row * grid.width + first, row * grid.width + end);
  polygonSpans(geometry, grid, crs, mark);
  return inside;
}

/** Cells of a row from column `first` on, before `end`. */
export type MarkSpan = (row: number, first: number, end: number) => void;

/**
 * Calls `mark` with the pixels that `rasterizePolygon` marks, run by run: it takes no memory for the rest of a grid
 * that is far larger than the polygon's part of it. Time goes with the rows and vertices of each polygon. Runs of
 * polygons that overlap are given twice.
 */
export function polygonSpans(geometry: PolygonGeometry, grid: Grid, crs: Crs, mark: MarkSpan): void {
  const project = ringProjector(grid, crs, TOLERANCE);
  for (const polygon of polygonsOf(geometry)) {
    const rings = polygon.flatMap((ring) => {
      const flat = flattenRing(ring);
      return flat === undefined ? [] : project(flat);
    });
    fillRings(rings, grid.width, grid.height, mark);
  }
}

/** Marks every cell whose centre is inside the rings (even-odd), in columns and rows. */
export function fillRings(rings: readonly FlatRing[], width: number, height: number, mark: MarkSpan): void {
  const starts = new Int32Array(BAND + 1);
  const [, from, , to] = uniteBounds(rings.map(ringBounds));
  const last = Math.min(height, Math.ceil(to) + 1);
  for (let top = Math.max(0, Math.floor(from) - 1); top < last; top += BAND) {
    const bottom = Math.min(top + BAND, last);
    starts.fill(0);
    eachCrossing(rings, top, bottom, (row) => {
      starts[row - top + 1]! += 1;
    });
    for (let i = 0; i < BAND; i++) starts[i + 1]! += starts[i]!;
    const crossings = new Float64Array(starts[BAND]!);
    const ends = starts.slice();
    eachCrossing(rings, top, bottom, (row, x) => {
      crossings[ends[row - top]!++] = x;
    });
    for (let row = top; row < bottom; row++) {
      const line = crossings.subarray(starts[row - top]!, starts[row - top + 1]!).sort();
      for (let i = 0; i + 1 < line.length; i += 2) markSpan(mark, row, width, line[i]!, line[i + 1]!);
    }
    markBottomEdges(rings, top, bottom, width, mark);
  }
}

/**
 * Visits the points where edges cross the centre lines of rows `top`..`bottom`; an edge owns its upper end, not its
 * lower one.
 */
function eachCrossing(
  rings: readonly FlatRing[],
  top: number,
  bottom: number,
  visit: (row: number, x: number) => void,
): void {
  for (const ring of rings) {
    for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
      const down = ring[previous + 1]! < ring[i + 1]!;
      const [from, to] = down ? [previous, i] : [i, previous];
      const [x0, y0, x1, y1] = [ring[from]!, ring[from + 1]!, ring[to]!, ring[to + 1]!];
      const first = Math.max(top, Math.ceil(y0 - 0.5));
      for (let row = first; row < bottom && row + 0.5 < y1; row++) {
        visit(row, ((row + 0.5 - y0) * (x1 - x0)) / (y1 - y0) + x0);
      }
    }
  }
}

/** Lower edges that are exactly on a centre line: GDAL fills them too, whichever way the ring turns. */
function markBottomEdges(rings: readonly FlatRing[], top: number, bottom: number, width: number, mark: MarkSpan): void {
  for (const ring of rings) {
    const turn = Math.sign(doubleArea(ring));
    for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
      const row = ring[i + 1]! - 0.5;
      if (ring[previous + 1] !== ring[i + 1] || !Number.isInteger(row) || row < top || row >= bottom) continue;
      const [from, to] = turn > 0 ? [ring[i]!, ring[previous]!] : [ring[previous]!, ring[i]!];
      if (from < to) markSpan(mark, row, width, from, to);
    }
  }
}

function markSpan(mark: MarkSpan, row: number, width: number, from: number, to: number): void {
  const first = Math.max(0, Math.floor(from + 0.5));
  const end = Math.min(width, Math.floor(to + 0.5));
  if (first < end) mark(row, first, end);
}
