import { allocateQuads, blend, QUADS, type Quads } from "./blend.ts";
import { GridError } from "./errors.ts";
import { gather } from "./gather.ts";
import type { Resampling, WarpPlan } from "./plan.ts";
import { checkRaster, type Raster } from "./raster.ts";
import { allocateSamples, type Samples, sampleTypeOf } from "./samples.ts";
import type { Window } from "./window.ts";

/**
 * Draws `source`, which holds the pixels of `window` of `plan.source`, onto `plan.target`. Any window that holds
 * `sourceWindow(plan, resampling)` gives the same bytes; target pixels outside it are 0 and not valid.
 *
 * A target pixel is valid where the nearest source pixel is. `nearest` copies that pixel. `bilinear` weights the four
 * nearest pixel centres, leaves out those that are not valid or off the image, and scales the other weights up;
 * integers are rounded, half upwards.
 *
 * @throws {GridError} `invalid-size` where bands do not have the size of the window or it leaves the source grid.
 */
export function warp(plan: WarpPlan, source: Raster, window: Window, resampling: Resampling): Raster {
  checkRaster(source, window.width, window.height);
  const inside =
    window.x >= 0 &&
    window.y >= 0 &&
    window.x + window.width <= plan.source.width &&
    window.y + window.height <= plan.source.height;
  if (!inside) {
    const { x, y, width, height } = window;
    throw new GridError("invalid-size", `Expected a window of the source, got ${width} × ${height} at ${x}, ${y}.`);
  }
  const count = plan.target.width * plan.target.height;
  const bands = source.bands.map((band) => allocateSamples(sampleTypeOf(band), count));
  const valid = new Uint8Array(count);
  if (resampling === "bilinear") warpBilinear(plan, source, window, bands, valid);
  else warpNearest(plan, source, window, bands, valid);
  return { grid: plan.target, bands, valid };
}

function warpNearest(plan: WarpPlan, source: Raster, window: Window, bands: Samples[], valid: Uint8Array): void {
  const index = windowIndex(plan, window);
  source.bands.forEach((band, b) => {
    const out = bands[b];
    if (out !== undefined) gather(band, index, out);
  });
  gather(source.valid, index, valid);
}

/** Place in the window's arrays of each target pixel's source pixel; −1 where there is none. */
function windowIndex(plan: WarpPlan, window: Window): Int32Array {
  const { width, height } = window;
  const count = plan.target.width * plan.target.height;
  const index = new Int32Array(count);
  if (plan.separable !== undefined) {
    const columns = inWindow(plan.separable.x.indices, window.x, width);
    const rows = inWindow(plan.separable.y.indices, window.y, height);
    let k = 0;
    for (let j = 0; j < rows.length; j++) {
      const start = rows[j]! * width;
      for (let i = 0; i < columns.length; i++) {
        const column = columns[i]!;
        index[k++] = start < 0 || column < 0 ? -1 : start + column;
      }
    }
    return index;
  }
  const { cols, rows } = plan.indices(false);
  const { x, y } = window;
  for (let k = 0; k < count; k++) {
    const col = cols[k]! - x;
    const row = rows[k]! - y;
    index[k] = col >= 0 && col < width && row >= 0 && row < height ? row * width + col : -1;
  }
  return index;
}

function inWindow(indices: Int32Array, start: number, size: number): Int32Array {
  return indices.map((index) => (index >= start && index < start + size ? index - start : -1));
}

function warpBilinear(plan: WarpPlan, source: Raster, window: Window, bands: Samples[], valid: Uint8Array): void {
  const count = plan.target.width * plan.target.height;
  const quads = allocateQuads();
  const allValid = source.valid.indexOf(0) < 0;
  const fill = plan.separable === undefined ? generalQuads(plan, window) : separableQuads(plan, window);
  for (let start = 0; start < count; start += QUADS) {
    const n = Math.min(QUADS, count - start);
    if (!fill(quads, start, n)) continue;
    if (!allValid) leaveOutInvalid(source.valid, quads, n);
    for (let i = 0; i < n; i++) valid[start + i] = quads.index[i]! < 0 ? 0 : 1;
    source.bands.forEach((band, b) => {
      const out = bands[b];
      if (out !== undefined) blend(band, quads, n, out, start);
    });
  }
}

/** Fills `count` quads from target pixel `start`; false where all of them lie outside. */
type FillQuads = (quads: Quads, start: number, count: number) => boolean;

function generalQuads(plan: WarpPlan, window: Window): FillQuads {
  const { cols, rows, dx, dy } = plan.indices(true);
  const { x, y, width, height } = window;
  return (q, start, count) => {
    if (dx === undefined || dy === undefined) return false;
    const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
    let any = false;
    for (let i = 0; i < count; i++) {
      const k = start + i;
      const col = cols[k]! - x;
      const row = rows[k]! - y;
      if (col < 0 || col >= width || row < 0 || row >= height) {
        index[i] = -1;
        continue;
      }
      any = true;
      const offsetX = dx[k]!;
      const offsetY = dy[k]!;
      const nextCol = offsetX < 0 ? col - 1 : col + 1;
      const nextRow = offsetY < 0 ? row - 1 : row + 1;
      const acrossX = nextCol >= 0 && nextCol < width;
      const acrossY = nextRow >= 0 && nextRow < height;
      const wx = acrossX ? Math.abs(offsetX) : 0;
      const wy = acrossY ? Math.abs(offsetY) : 0;
      const here = row * width + col;
      const toRight = acrossX ? nextCol - col : 0;
      const toBelow = acrossY ? (nextRow - row) * width : 0;
      index[i] = here;
      right[i] = here + toRight;
      below[i] = here + toBelow;
      diagonal[i] = here + toRight + toBelow;
      weight[i] = (1 - wx) * (1 - wy);
      weightRight[i] = wx * (1 - wy);
      weightBelow[i] = (1 - wx) * wy;
      weightDiagonal[i] = wx * wy;
    }
    return any;
  };
}

function separableQuads(plan: WarpPlan, window: Window): FillQuads {
  const targetWidth = plan.target.width;
  const { width, height } = window;
  const x = plan.separable?.x;
  const y = plan.separable?.y;
  if (x === undefined || y === undefined) return () => false;
  const columns = inWindow(x.indices, window.x, width);
  const rows = inWindow(y.indices, window.y, height);
  const [stepX, weightX] = neighbours(columns, x.offsets, width);
  const [stepY, weightY] = neighbours(rows, y.offsets, height);
  return (q, start, count) => {
    const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
    let any = false;
    let row = Math.floor(start / targetWidth);
    let col = start - row * targetWidth;
    for (let i = 0; i < count; i++) {
      const sourceCol = columns[col]!;
      const sourceRow = rows[row]!;
      if (sourceCol < 0 || sourceRow < 0) {
        index[i] = -1;
      } else {
        any = true;
        const here = sourceRow * width + sourceCol;
        const toRight = stepX[col]!;
        const toBelow = stepY[row]! * width;
        const wx = weightX[col]!;
        const wy = weightY[row]!;
        index[i] = here;
        right[i] = here + toRight;
        below[i] = here + toBelow;
        diagonal[i] = here + toRight + toBelow;
        weight[i] = (1 - wx) * (1 - wy);
        weightRight[i] = wx * (1 - wy);
        weightBelow[i] = (1 - wx) * wy;
        weightDiagonal[i] = wx * wy;
      }
      if (++col === targetWidth) {
        col = 0;
        row += 1;
      }
    }
    return any;
  };
}

/** Step to the second nearest pixel (−1, 0 at the edge, 1) and its weight, along one axis. */
function neighbours(indices: Int32Array, offsets: Float64Array, size: number): [Int32Array, Float64Array] {
  const steps = new Int32Array(indices.length);
  const weights = new Float64Array(indices.length);
  indices.forEach((index, i) => {
    const offset = offsets[i] ?? 0;
    const next = offset < 0 ? index - 1 : index + 1;
    if (index < 0 || next < 0 || next >= size) return;
    steps[i] = next - index;
    weights[i] = Math.abs(offset);
  });
  return [steps, weights];
}

/** Takes pixels without data out of the quads; quads whose nearest pixel has none become −1. */
function leaveOutInvalid(valid: Uint8Array, q: Quads, count: number): void {
  const { index, right, below, diagonal, weight, weightRight, weightBelow, weightDiagonal } = q;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    if (valid[k] === 0) {
      index[i] = -1;
      continue;
    }
    if ((valid[right[i]!]! & valid[below[i]!]! & valid[diagonal[i]!]!) === 1) continue;
    // the index moves too: a value without data may be NaN, which no weight of 0 silences
    if (valid[right[i]!] === 0) {
      right[i] = k;
      weightRight[i] = 0;
    }
    if (valid[below[i]!] === 0) {
      below[i] = k;
      weightBelow[i] = 0;
    }
    if (valid[diagonal[i]!] === 0) {
      diagonal[i] = k;
      weightDiagonal[i] = 0;
    }
    const scale = 1 / (weight[i]! + weightRight[i]! + weightBelow[i]! + weightDiagonal[i]!);
    weight[i]! *= scale;
    weightRight[i]! *= scale;
    weightBelow[i]! *= scale;
    weightDiagonal[i]! *= scale;
  }
}
