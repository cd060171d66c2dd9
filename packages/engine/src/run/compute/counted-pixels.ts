import { polygonSpans } from "@swath/mosaic";
import { resolveCrs, type Window } from "@swath/raster";
import { type Clip, type GridSpec, gridFromSpec } from "../scene/scene-read.ts";

/** Pixels of a side of the windows that a sparse polygon is read by: at 10 m about a quarter of a block of Sentinel-2. */
export const TILE = 256;
/** Pixels of all windows of which masks are kept; those of more are made when they are needed. */
const KEPT_PIXELS = 1 << 24;

/** Runs of pixels of a window: row, first column, column after the last, counted in the window. */
type Runs = number[];

/** The pixels of windows of a grid that count: those whose centres are in a polygon. */
export class CountedPixels {
  readonly windows: readonly Window[];
  /** Pixels that count. */
  readonly pixels: number;
  readonly #runs: readonly Runs[] | undefined;
  readonly #kept: (Uint8Array | undefined)[] | undefined;

  /** @param windows apart from each other; pixels outside of all of them are not counted */
  constructor(grid: GridSpec, clip: Clip | undefined, windows: readonly Window[]) {
    this.windows = windows;
    const all = windows.reduce((sum, { width, height }) => sum + width * height, 0);
    if (clip === undefined) {
      this.pixels = all;
      return;
    }
    const runs = windows.map((): Runs => []);
    const byRow = windowsByRow(windows);
    polygonSpans(clip.polygon, gridFromSpec(grid), resolveCrs(clip.crs), (row, first, end) => {
      for (const i of byRow.get(Math.floor(row / TILE)) ?? []) {
        const { x, y, width, height } = windows[i]!;
        const [from, to] = [Math.max(first, x), Math.min(end, x + width)];
        if (from < to && row >= y && row < y + height) runs[i]!.push(row - y, from - x, to - x);
      }
    });
    // only polygons that overlap give a pixel twice
    this.#runs = clip.polygon.type === "Polygon" ? runs : runs.map(united);
    this.pixels = this.#runs.reduce((sum, each) => sum + lengthOf(each), 0);
    this.#kept = all > KEPT_PIXELS ? undefined : windows.map(() => undefined);
  }

  /** 1 where a pixel of a window counts, in memory that threads share; `undefined` where every pixel of the grid does. */
  of(window: number): Uint8Array | undefined {
    if (this.#runs === undefined) return undefined;
    const kept = this.#kept?.[window];
    if (kept !== undefined) return kept;
    const { width, height } = this.windows[window]!;
    const mask = new Uint8Array(new SharedArrayBuffer(width * height));
    const runs = this.#runs[window]!;
    for (let i = 0; i < runs.length; i += 3) {
      mask.fill(1, runs[i]! * width + runs[i + 1]!, runs[i]! * width + runs[i + 2]!);
    }
    if (this.#kept !== undefined) this.#kept[window] = mask;
    return mask;
  }
}

/** The pixels of a grid that a polygon covers, tile by tile: for grids that are far larger than the polygon. */
export interface PolygonTiles {
  /** The smallest windows that hold the pixels of each tile, row by row. */
  readonly windows: readonly Window[];
  /** Pixels that count. */
  readonly pixels: number;
}

/** The tiles of 256 × 256 pixels in which a polygon has the centres of pixels. */
export function polygonTiles(grid: GridSpec, clip: Clip): PolygonTiles {
  const tiles = new Map<string, { left: number; top: number; right: number; bottom: number }>();
  let pixels = 0;
  polygonSpans(clip.polygon, gridFromSpec(grid), resolveCrs(clip.crs), (row, first, end) => {
    pixels += end - first;
    const tileRow = Math.floor(row / TILE);
    for (let column = Math.floor(first / TILE); column * TILE < end; column++) {
      const [left, right] = [Math.max(first, column * TILE), Math.min(end, (column + 1) * TILE)];
      const key = `${tileRow} ${column}`;
      const tile = tiles.get(key);
      if (tile === undefined) tiles.set(key, { left, top: row, right, bottom: row + 1 });
      else {
        tile.left = Math.min(tile.left, left);
        tile.right = Math.max(tile.right, right);
        tile.top = Math.min(tile.top, row);
        tile.bottom = Math.max(tile.bottom, row + 1);
      }
    }
  });
  const windows = [...tiles.values()]
    .map(({ left, top, right, bottom }): Window => ({ x: left, y: top, width: right - left, height: bottom - top }))
    .sort((a, b) => Math.floor(a.y / TILE) - Math.floor(b.y / TILE) || a.x - b.x);
  // polygons that overlap give a pixel twice
  return { windows, pixels: clip.polygon.type === "Polygon" ? pixels : new CountedPixels(grid, clip, windows).pixels };
}

/** Numbers of windows by the rows of tiles that they touch. */
function windowsByRow(windows: readonly Window[]): ReadonlyMap<number, readonly number[]> {
  const byRow = new Map<number, number[]>();
  for (const [i, { y, height }] of windows.entries()) {
    for (let row = Math.floor(y / TILE); row * TILE < y + height; row++) {
      const others = byRow.get(row);
      if (others === undefined) byRow.set(row, [i]);
      else others.push(i);
    }
  }
  return byRow;
}

/** The runs of pixels that any run has, each pixel once. */
function united(runs: Runs): Runs {
  const sorted = Array.from({ length: runs.length / 3 }, (_, i) => runs.slice(3 * i, 3 * i + 3)).sort(
    ([row = 0, first = 0], [other = 0, start = 0]) => row - other || first - start,
  );
  const out: Runs = [];
  for (const [row = 0, first = 0, end = 0] of sorted) {
    const isAdjacent = out.at(-3) === row && first <= out.at(-1)!;
    if (isAdjacent) out[out.length - 1] = Math.max(out.at(-1)!, end);
    else out.push(row, first, end);
  }
  return out;
}

function lengthOf(runs: Runs): number {
  let sum = 0;
  for (let i = 0; i < runs.length; i += 3) sum += runs[i + 2]! - runs[i + 1]!;
  return sum;
}
