import type { OwnedWarpContext } from "../../context.ts";
import type { Grid } from "../../grid/grid.ts";
import type { Window } from "../../grid/window.ts";
import type { RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import type { SamplePool } from "../../memory/sample-pool.ts";
import { PATCH_POINTS, rowCoefficients, samplePatch } from "./chebyshev.ts";
import { type FittedRows, fittedRows } from "./fitting.ts";
import {
  type BoundedFit,
  boundedFit,
  exactSourcePixel,
  type InnerPatches,
  limitsOf,
  PATCH_SIZE,
  type SourcePixel,
} from "./patch.ts";
import { EDGE, type PixelMap, pixelMap } from "./pixel-map.ts";

/**
 * For each target pixel of a region, row-major, the column and row of the source pixel that holds its centre; column −1 where
 * none does, and the others hold anything there. `dx` and `dy`, where requested, are the distance of the centre from that source pixel's centre, −0.5 to 0.5.
 * The four limits enclose all columns and rows found; `maxCol` < `minCol` where there is none.
 */
export interface PixelIndices {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
  readonly dx: Float32Array | undefined;
  readonly dy: Float32Array | undefined;
  readonly minCol: number;
  readonly minRow: number;
  readonly maxCol: number;
  readonly maxRow: number;
}

/** Patches this small are computed point by point rather than split. */
const SMALL_PATCH = 16 * 16;
/** A patch all of whose samples have no source coordinates is left out from this side down, and split above. */
const EMPTY_PATCH = 64;

/**
 * Finds them as proj4 for every pixel would: polynomials over patches of target pixels, whose error is measured, give
 * all but those within the error bound of a source pixel's edge; these are computed exactly.
 */
export function findPixelIndices(
  context: OwnedWarpContext,
  source: Grid,
  target: Grid,
  region: Window,
  offsets: boolean,
  inner: InnerPatches | undefined,
): PixelIndices {
  const indices = new IndexWriter(context, source, region, inner?.map ?? pixelMap(source, target), offsets);
  const { kernels } = context;
  if (inner !== undefined && kernels !== undefined) {
    indices.addInner(kernels, inner);
    return indices;
  }
  for (let y = 0; y < region.height; y += PATCH_SIZE) {
    const height = Math.min(PATCH_SIZE, region.height - y);
    for (let x = 0; x < region.width; x += PATCH_SIZE) {
      indices.addPatch(region.x + x, region.y + y, Math.min(PATCH_SIZE, region.width - x), height);
    }
  }
  return indices;
}

/** Releases the memory of unused indices to the pool. */
export function releaseIndices(pool: SamplePool, { cols, rows, dx, dy }: PixelIndices): void {
  pool.release([cols, rows, ...(dx === undefined ? [] : [dx]), ...(dy === undefined ? [] : [dy])]);
}

class IndexWriter implements PixelIndices {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
  readonly dx: Float32Array | undefined;
  readonly dy: Float32Array | undefined;
  minCol = Number.MAX_SAFE_INTEGER;
  minRow = Number.MAX_SAFE_INTEGER;
  maxCol = -1;
  maxRow = -1;
  readonly #context: OwnedWarpContext;
  readonly #source: Grid;
  readonly #region: Window;
  readonly #map: PixelMap;
  readonly #rowX = new Float64Array(6);
  readonly #rowY = new Float64Array(6);

  constructor(context: OwnedWarpContext, source: Grid, region: Window, map: PixelMap, offsets: boolean) {
    const { pool } = context;
    const count = region.width * region.height;
    this.#context = context;
    this.#source = source;
    this.#region = region;
    this.#map = map;
    this.cols = pool.take("int32", count).fill(-1) as Int32Array;
    this.rows = pool.take("int32", count) as Int32Array;
    this.dx = offsets ? (pool.take("float32", count) as Float32Array) : undefined;
    this.dy = offsets ? (pool.take("float32", count) as Float32Array) : undefined;
  }

  addInner(kernels: KernelMemory<RasterKernels>, { patches, minCol, minRow, maxCol, maxRow }: InnerPatches): void {
    for (const patch of patches) {
      const { x, y, width, height } = patch;
      this.#copy(this.#fittedRows(kernels, patch, x, y, width, height, undefined), x, y, width, height);
    }
    this.minCol = minCol;
    this.minRow = minRow;
    this.maxCol = maxCol;
    this.maxRow = maxRow;
  }

  addPatch(x0: number, y0: number, width: number, height: number): void {
    const pixels = width * height;
    if (pixels <= PATCH_POINTS) {
      this.#addExactly(x0, y0, width, height);
      return;
    }
    const samples = samplePatch(this.#map, x0, y0, width, height);
    if (samples.found === 0 && Math.max(width, height) <= EMPTY_PATCH) return;
    if (samples.fit !== undefined) {
      const marginX = 1 + 0.5 * (samples.maxX - samples.minX);
      const marginY = 1 + 0.5 * (samples.maxY - samples.minY);
      const near =
        samples.maxX + marginX >= 0 &&
        samples.maxY + marginY >= 0 &&
        samples.minX - marginX <= this.#source.width &&
        samples.minY - marginY <= this.#source.height;
      if (!near) return;
      const bounded = boundedFit(samples, pixels);
      if (bounded !== undefined) {
        const { kernels } = this.#context;
        if (kernels !== undefined) this.#addByKernel(kernels, bounded, x0, y0, width, height);
        else this.#addFitted(bounded, x0, y0, width, height);
        return;
      }
    }
    if (pixels <= SMALL_PATCH) {
      this.#addExactly(x0, y0, width, height);
      return;
    }
    const left = width > 8 ? width >> 1 : width;
    const top = height > 8 ? height >> 1 : height;
    this.addPatch(x0, y0, left, top);
    if (left < width) this.addPatch(x0 + left, y0, width - left, top);
    if (top < height) this.addPatch(x0, y0 + top, left, height - top);
    if (left < width && top < height) this.addPatch(x0 + left, y0 + top, width - left, height - top);
  }

  #addExactly(x0: number, y0: number, width: number, height: number): void {
    for (let row = y0; row < y0 + height; row++) {
      for (let col = x0; col < x0 + width; col++) this.#addPoint(col, row);
    }
  }

  #addPoint(targetCol: number, targetRow: number): void {
    const exact = exactSourcePixel(this.#map, targetCol, targetRow);
    if (!this.#holds(exact)) return; // NaN ends here too
    const { col, row, dx, dy } = exact;
    const k = this.#place(targetCol, targetRow);
    this.cols[k] = col;
    this.rows[k] = row;
    if (this.dx !== undefined) this.dx[k] = dx;
    if (this.dy !== undefined) this.dy[k] = dy;
    if (col < this.minCol) this.minCol = col;
    if (col > this.maxCol) this.maxCol = col;
    if (row < this.minRow) this.minRow = row;
    if (row > this.maxRow) this.maxRow = row;
  }

  /** As `#addFitted`, by kernels. */
  #addByKernel(
    kernels: KernelMemory<RasterKernels>,
    bounded: BoundedFit,
    x0: number,
    y0: number,
    width: number,
    height: number,
  ): void {
    const fitted = this.#fittedRows(kernels, bounded, x0, y0, width, height, this.#source);
    const [minCol, maxCol, minRow, maxRow] = fitted.extremes();
    this.minCol = Math.min(this.minCol, minCol);
    this.maxCol = Math.max(this.maxCol, maxCol);
    this.minRow = Math.min(this.minRow, minRow);
    this.maxRow = Math.max(this.maxRow, maxRow);
    this.#copy(fitted, x0, y0, width, height);
  }

  /** The source pixels of a patch; those in doubt are computed exactly. */
  #fittedRows(
    kernels: KernelMemory<RasterKernels>,
    bounded: BoundedFit,
    x0: number,
    y0: number,
    width: number,
    height: number,
    source: Grid | undefined,
  ): FittedRows {
    const fitted = fittedRows(kernels, bounded.fit, width, height, 0, height, limitsOf(bounded), source);
    const { cols, rows, dx, dy } = fitted;
    for (const i of fitted.doubtful) {
      const exact = exactSourcePixel(this.#map, x0 + (i % width), y0 + Math.floor(i / width));
      cols[i] = this.#holds(exact) ? exact.col : -1;
      rows[i] = exact.row;
      dx[i] = exact.dx;
      dy[i] = exact.dy;
    }
    return fitted;
  }

  #copy(fitted: FittedRows, x0: number, y0: number, width: number, height: number): void {
    // whole rows follow each other here too
    const [columns, lines] = width === this.#region.width ? [width * height, 1] : [width, height];
    for (let j = 0; j < lines; j++) {
      const from = j * columns;
      const to = from + columns;
      const start = this.#place(x0, y0 + j);
      this.cols.set(fitted.cols.subarray(from, to), start);
      this.rows.set(fitted.rows.subarray(from, to), start);
      this.dx?.set(fitted.dx.subarray(from, to), start);
      this.dy?.set(fitted.dy.subarray(from, to), start);
    }
  }

  /** The index of a target pixel of the region. */
  #place(targetCol: number, targetRow: number): number {
    const { x, y, width } = this.#region;
    return (targetRow - y) * width + targetCol - x;
  }

  #holds({ col, row }: SourcePixel): boolean {
    return col >= 0 && col < this.#source.width && row >= 0 && row < this.#source.height;
  }

  #addFitted({ fit, error }: BoundedFit, x0: number, y0: number, width: number, height: number): void {
    const { cols, rows, dx, dy } = this;
    const rowX = this.#rowX;
    const rowY = this.#rowY;
    const sourceWidth = this.#source.width;
    const sourceHeight = this.#source.height;
    const high = 1 - error;
    const scaleX = width > 1 ? 2 / (width - 1) : 0;
    const scaleY = height > 1 ? 2 / (height - 1) : 0;
    let { minCol, minRow, maxCol, maxRow } = this;
    for (let j = 0; j < height; j++) {
      const v = j * scaleY - 1;
      rowCoefficients(fit.x, v, rowX);
      rowCoefficients(fit.y, v, rowY);
      const a0 = rowX[0]! + EDGE;
      const a1 = rowX[1]!;
      const a2 = rowX[2]!;
      const a3 = rowX[3]!;
      const a4 = rowX[4]!;
      const a5 = rowX[5]!;
      const b0 = rowY[0]! + EDGE;
      const b1 = rowY[1]!;
      const b2 = rowY[2]!;
      const b3 = rowY[3]!;
      const b4 = rowY[4]!;
      const b5 = rowY[5]!;
      const start = this.#place(x0, y0 + j);
      for (let i = 0; i < width; i++) {
        const u = i * scaleX - 1;
        const x = ((((a5 * u + a4) * u + a3) * u + a2) * u + a1) * u + a0;
        const y = ((((b5 * u + b4) * u + b3) * u + b2) * u + b1) * u + b0;
        const col = Math.floor(x);
        const row = Math.floor(y);
        const partX = x - col;
        const partY = y - row;
        if (partX < error || partX > high || partY < error || partY > high) {
          this.#addPoint(x0 + i, y0 + j);
          continue;
        }
        if (col < 0 || col >= sourceWidth || row < 0 || row >= sourceHeight) continue;
        const k = start + i;
        cols[k] = col;
        rows[k] = row;
        if (dx !== undefined && dy !== undefined) {
          dx[k] = partX - 0.5;
          dy[k] = partY - 0.5;
        }
        if (col < minCol) minCol = col;
        if (col > maxCol) maxCol = col;
        if (row < minRow) minRow = row;
        if (row > maxRow) maxRow = row;
      }
    }
    this.minCol = Math.min(this.minCol, minCol);
    this.maxCol = Math.max(this.maxCol, maxCol);
    this.minRow = Math.min(this.minRow, minRow);
    this.maxRow = Math.max(this.maxRow, maxRow);
  }
}
