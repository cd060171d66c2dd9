import type { Grid } from "../../grid/grid.ts";
import type { RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import { PATCH_POINTS, type PatchFit, type PatchSamples, samplePatch } from "./chebyshev.ts";
import { type FitLimits, fittedRows } from "./fitting.ts";
import { EDGE, type PixelMap, pixelMap } from "./pixel-map.ts";

/** Longest side of a first patch, target pixels. */
export const PATCH_SIZE = 256;
/** Errors found at the check points are multiplied by this. */
const SAFETY = 4;
/** Greatest error bound of a patch that is used, source pixels. */
const MAX_ERROR = 1e-3;

/** A polynomial that holds over a patch of target pixels, give or take `error` source pixels. */
export interface BoundedFit {
  readonly fit: PatchFit;
  readonly error: number;
}

/** The fit over a patch of this many pixels, where it is close enough to leave few of them in doubt. */
export function boundedFit(samples: PatchSamples, pixels: number): BoundedFit | undefined {
  const { fit, minX, maxX, minY, maxY } = samples;
  if (fit === undefined) return undefined;
  const reach = Math.max(Math.abs(minX), Math.abs(maxX), Math.abs(minY), Math.abs(maxY));
  // the rounding of proj4 and of the polynomials is far below a ten-millionth of a pixel
  const error = SAFETY * fit.error + 1e-7 + 1e-13 * reach;
  return error <= MAX_ERROR && 4 * error * pixels <= 4 * PATCH_POINTS ? { fit, error } : undefined;
}

/** Whether all of a patch is inside the source. */
function liesInside({ minX, maxX, minY, maxY }: PatchSamples, source: Grid): boolean {
  // a tenth: the most that the edge of a patch may bulge between two samples
  const bulgeX = 1 + 0.1 * (maxX - minX);
  const bulgeY = 1 + 0.1 * (maxY - minY);
  return minX > bulgeX && minY > bulgeY && maxX < source.width - bulgeX && maxY < source.height - bulgeY;
}

/** Returns the limits beyond which a fit is doubtful. */
export function limitsOf({ error }: BoundedFit): FitLimits {
  return { limit: 0.5 - error, edge: EDGE };
}

/** A patch of target pixels, all of whose source pixels exist. */
export interface InnerPatch extends BoundedFit {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The source pixels of a target that is wholly inside the source, for callers that need them row by row and once. */
export interface InnerPatches {
  /** Row by row, each `PATCH_SIZE` wide and high except the last ones. */
  readonly patches: readonly InnerPatch[];
  /** Patches side by side. */
  readonly across: number;
  readonly map: PixelMap;
  /** Least and greatest column and row. */
  readonly minCol: number;
  readonly minRow: number;
  readonly maxCol: number;
  readonly maxRow: number;
}

/** Undefined where parts of the target may be outside the source, or no polynomial is close or worth it. */
export function innerPatches(
  kernels: KernelMemory<RasterKernels>,
  source: Grid,
  target: Grid,
): InnerPatches | undefined {
  const map = pixelMap(source, target);
  const patches: InnerPatch[] = [];
  for (let y = 0; y < target.height; y += PATCH_SIZE) {
    const height = Math.min(PATCH_SIZE, target.height - y);
    for (let x = 0; x < target.width; x += PATCH_SIZE) {
      const width = Math.min(PATCH_SIZE, target.width - x);
      // few pixels are computed exactly, as everywhere
      if (width * height <= PATCH_POINTS) return undefined;
      const samples = samplePatch(map, x, y, width, height);
      const bounded = boundedFit(samples, width * height);
      if (bounded === undefined || !liesInside(samples, source)) return undefined;
      patches.push({ x, y, width, height, ...bounded });
    }
  }
  return { patches, across: Math.ceil(target.width / PATCH_SIZE), map, ...extremes(kernels, patches, target, map) };
}

type Extremes = Pick<InnerPatches, "minCol" | "minRow" | "maxCol" | "maxRow">;

/** A map without folds takes its extremes on the edge of the target. */
function extremes(
  kernels: KernelMemory<RasterKernels>,
  patches: readonly InnerPatch[],
  target: Grid,
  map: PixelMap,
): Extremes {
  const found = new ExtremesOf(kernels, map);
  for (const patch of patches) {
    const { x, y, width, height, fit } = patch;
    const [right, last] = [x + width - 1, y + height - 1];
    if (y === 0) found.addLine(fit, width, height, 0, patch, (i) => [x + i, y]);
    if (last === target.height - 1) found.addLine(fit, width, height, height - 1, patch, (i) => [x + i, last]);
    if (x > 0 && right < target.width - 1) continue;
    const turned = { x: transposed(fit.x), y: transposed(fit.y), error: fit.error };
    if (x === 0) found.addLine(turned, height, width, 0, patch, (i) => [x, y + i]);
    if (right === target.width - 1) found.addLine(turned, height, width, width - 1, patch, (i) => [right, y + i]);
  }
  return found;
}

class ExtremesOf implements Extremes {
  minCol = Number.MAX_SAFE_INTEGER;
  minRow = Number.MAX_SAFE_INTEGER;
  maxCol = -1;
  maxRow = -1;
  readonly #kernels: KernelMemory<RasterKernels>;
  readonly #map: PixelMap;

  constructor(kernels: KernelMemory<RasterKernels>, map: PixelMap) {
    this.#kernels = kernels;
    this.#map = map;
  }

  /** One row of a fit; `pixel` gives the target pixel of index `i`. */
  addLine(
    fit: PatchFit,
    width: number,
    height: number,
    row: number,
    patch: BoundedFit,
    pixel: (i: number) => readonly [col: number, row: number],
  ): void {
    const fitted = fittedRows(this.#kernels, fit, width, height, row, 1, limitsOf(patch));
    const { cols, rows } = fitted;
    for (const i of fitted.doubtful) {
      const [col, line] = pixel(i);
      const exact = exactSourcePixel(this.#map, col, line);
      cols[i] = exact.col;
      rows[i] = exact.row;
    }
    const [minCol, maxCol, minRow, maxRow] = fitted.extremes();
    this.minCol = Math.min(this.minCol, minCol);
    this.maxCol = Math.max(this.maxCol, maxCol);
    this.minRow = Math.min(this.minRow, minRow);
    this.maxRow = Math.max(this.maxRow, maxRow);
  }
}

/** The source pixel of a target pixel, and how far its centre is from that one's: −0.5 to 0.5. */
export interface SourcePixel {
  readonly col: number;
  readonly row: number;
  readonly dx: number;
  readonly dy: number;
}

export function exactSourcePixel(map: PixelMap, targetCol: number, targetRow: number): SourcePixel {
  const point = { x: targetCol + 0.5, y: targetRow + 0.5 };
  map(point);
  const col = Math.floor(point.x + EDGE);
  const row = Math.floor(point.y + EDGE);
  return { col, row, dx: point.x - col - 0.5, dy: point.y - row - 0.5 };
}

/** Coefficients of v^p·u^q. */
function transposed(powers: Float64Array): Float64Array {
  const side = Math.sqrt(powers.length);
  return powers.map((_, i) => powers[(i % side) * side + Math.floor(i / side)]!);
}
