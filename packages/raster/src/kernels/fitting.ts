import type { PatchFit } from "../chebyshev.ts";
import { canLoadKernels } from "../wasm-kernels.ts";
import { aligned, kernels } from "./kernels.ts";

/** Source pixels of a patch, row by row: views of memory that the next call uses again. */
export interface FittedPatch {
  readonly cols: Int32Array;
  readonly rows: Int32Array;
  readonly dx: Float32Array;
  readonly dy: Float32Array;
  /** Places in them that have to be computed exactly. */
  readonly doubtful: Int32Array;
}

/**
 * Evaluates a fit over a patch of `width` × `height` target pixels that lies in the source whole; undefined where WebAssembly
 * is not allowed. Doubtful is what lies more than `limit` from the centre of its source pixel. `edge` is added to coordinates.
 */
export function fittedPatch(
  fit: PatchFit,
  width: number,
  height: number,
  limit: number,
  edge: number,
): FittedPatch | undefined {
  if (!canLoadKernels(kernels)) return undefined;
  const count = width * height;
  const size = aligned(4 * (count + 1));
  const powers = aligned(fit.x.byteLength + fit.y.byteLength);
  const { run, base, bytes } = kernels(powers + 4 * size + 4 * count);
  const cols = base + powers;
  const list = cols + 4 * size;
  new Float64Array(bytes.buffer, base, fit.x.length).set(fit.x);
  new Float64Array(bytes.buffer, base + fit.x.byteLength, fit.y.length).set(fit.y);
  const listed = run.fitInside(base, width, height, limit, edge, cols, list);
  return {
    cols: new Int32Array(bytes.buffer, cols, count),
    rows: new Int32Array(bytes.buffer, cols + size, count),
    dx: new Float32Array(bytes.buffer, cols + 2 * size, count),
    dy: new Float32Array(bytes.buffer, cols + 3 * size, count),
    doubtful: new Int32Array(bytes.buffer, list, listed),
  };
}
