import { aligned, type RasterKernels } from "../../kernels/kernels.ts";
import type { KernelMemory } from "../../kernels/wasm-kernels.ts";
import type { PatchFit } from "./chebyshev.ts";

/** Source pixels of rows of a patch, row by row: views of memory that the next call uses again. */
export interface FittedRows {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
  readonly dx: Float32Array;
  readonly dy: Float32Array;
  /** Pixels of them whose source coordinates have to be computed exactly. */
  readonly doubtful: Int32Array;
  /** Least and greatest column and row, as in `cols` and `rows` then; where no column counts, the least is the greater. */
  extremes(): readonly [minCol: number, maxCol: number, minRow: number, maxRow: number];
}

/** The result of a fit for the pixels of its patch. */
export interface FitLimits {
  /** A pixel is doubtful more than this from the centre of its source pixel. */
  readonly limit: number;
  /** The number that is added to coordinates. */
  readonly edge: number;
}

/**
 * Evaluates a fit over `rows` rows, from row `first`, of a patch of `width` × `height` target pixels. Columns are −1 outside
 * `source`; without it the patch is wholly inside its source.
 */
export function fittedRows(
  kernels: KernelMemory<RasterKernels>,
  fit: PatchFit,
  width: number,
  height: number,
  first: number,
  rows: number,
  { limit, edge }: FitLimits,
  source?: { readonly width: number; readonly height: number },
): FittedRows {
  const count = width * rows;
  const size = aligned(4 * count);
  const powers = aligned(fit.x.byteLength + fit.y.byteLength);
  const { run, base, bytes } = kernels(powers + 4 * size + 4 * count + 16);
  const cols = base + powers;
  const list = cols + 4 * size;
  putCoefficients(bytes, base, fit);
  const across = source?.width ?? 0;
  const down = source?.height ?? 0;
  const listed = run.fit(base, width, height, first, rows, width, limit, edge, cols, size, list, across, down);
  return {
    cols: new Int32Array(bytes.buffer, cols, count),
    rows: new Int32Array(bytes.buffer, cols + size, count),
    dx: new Float32Array(bytes.buffer, cols + 2 * size, count),
    dy: new Float32Array(bytes.buffer, cols + 3 * size, count),
    doubtful: new Int32Array(bytes.buffer, list, listed),
    extremes() {
      const found = list + 4 * count;
      run.extremes(cols, count, size, found);
      const [minCol, maxCol, minRow, maxRow] = new Int32Array(bytes.buffer, found, 4);
      return [minCol!, maxCol!, minRow!, maxRow!];
    },
  };
}

/** Bytes of the coefficients of a fit. */
export const COEFFICIENT_BYTES = 2 * 36 * 8;

export function putCoefficients({ buffer }: Uint8Array<ArrayBuffer>, at: number, { x, y }: PatchFit): void {
  new Float64Array(buffer, at, x.length).set(x);
  new Float64Array(buffer, at + x.byteLength, y.length).set(y);
}
