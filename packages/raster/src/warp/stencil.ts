import type { Window } from "../grid/window.ts";
import type { Stencils } from "./blend/blend.ts";
import type { PixelIndices } from "./coordinates/pixel-indices.ts";
import type { AxisIndices, WarpPlan } from "./plan.ts";

export function stencilFiller(plan: WarpPlan, window: Window): FillStencils {
  return plan.separable === undefined ? generalStencils(plan, window) : separableStencils(plan, window);
}

/** Fills `count` stencils from pixel `start` of the plan's region; false where all of them are outside the window. */
export type FillStencils = (stencils: Stencils, start: number, count: number) => boolean;

/** Whether each pixel has a source pixel, and all four pixels of its stencil are in the window. */
export function allInside(pixels: PixelIndices, window: Window): boolean {
  return holdsStencils(window, pixels) && pixels.cols.indexOf(-1) < 0;
}

/** Whether all four pixels of every stencil are in the window. */
export function holdsStencils({ x, y, width, height }: Window, { minCol, minRow, maxCol, maxRow }: Extremes): boolean {
  return minCol > x && minRow > y && maxCol < x + width - 1 && maxRow < y + height - 1;
}

/** Whether every source pixel is in the window. */
export function holdsPixels({ x, y, width, height }: Window, { minCol, minRow, maxCol, maxRow }: Extremes): boolean {
  return minCol >= x && minRow >= y && maxCol < x + width && maxRow < y + height;
}

type Extremes = Pick<PixelIndices, "minCol" | "minRow" | "maxCol" | "maxRow">;

function generalStencils(plan: WarpPlan, window: Window): FillStencils {
  const pixels = plan.indices(true);
  // −1 or 1 from the sign bit: a comparison would be mispredicted every other time
  const signX = new Int32Array(pixels.dx?.buffer ?? new ArrayBuffer(0));
  const signY = new Int32Array(pixels.dy?.buffer ?? new ArrayBuffer(0));
  if (allInside(pixels, window))
    return (stencils, start, count) => fillInside(pixels, signX, signY, window, stencils, start, count);
  return (stencils, start, count) => fillGeneral(pixels, signX, signY, window, stencils, start, count);
}

/** As `fillGeneral`, where all four pixels of every stencil are in the window. */
function fillInside(
  pixels: PixelIndices,
  signX: Int32Array,
  signY: Int32Array,
  window: Window,
  stencils: Stencils,
  start: number,
  count: number,
): boolean {
  const { cols, rows, dx, dy } = pixels;
  const { width } = window;
  const first = window.y * width + window.x;
  const { index, nearest, weightX, weightY } = stencils;
  if (dx === undefined || dy === undefined) return false;
  for (let i = 0; i < count; i++) {
    const k = start + i;
    const at = rows[k]! * width + cols[k]! - first;
    const backX = signX[k]! >> 31;
    const backY = signY[k]! >> 31;
    nearest[i] = at;
    index[i] = at + backY * width + backX;
    weightX[i] = dx[k]! - backX;
    weightY[i] = dy[k]! - backY;
  }
  return true;
}

// a function of its own with everything in locals: read from a closure's context the same loop is three times slower
function fillGeneral(
  pixels: PixelIndices,
  signX: Int32Array,
  signY: Int32Array,
  window: Window,
  stencils: Stencils,
  start: number,
  count: number,
): boolean {
  const { cols, rows, dx, dy } = pixels;
  const { x, y, width, height } = window;
  const { index, nearest, weightX, weightY } = stencils;
  if (dx === undefined || dy === undefined) return false;
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
    const backX = signX[k]! >> 31;
    const backY = signY[k]! >> 31;
    let left = col + backX;
    let upper = row + backY;
    weightX[i] = dx[k]! - backX;
    weightY[i] = dy[k]! - backY;
    // beyond the edge of the image the pixel on it has all the weight
    if (left < 0) {
      left = 0;
      weightX[i] = 0;
    } else if (left + 1 >= width) {
      left = Math.max(0, width - 2);
      weightX[i] = width > 1 ? 1 : 0;
    }
    if (upper < 0) {
      upper = 0;
      weightY[i] = 0;
    } else if (upper + 1 >= height) {
      upper = Math.max(0, height - 2);
      weightY[i] = height > 1 ? 1 : 0;
    }
    nearest[i] = row * width + col;
    index[i] = upper * width + left;
  }
  return any;
}

function separableStencils(plan: WarpPlan, window: Window): FillStencils {
  const { width, height } = window;
  const { x, y } = plan.separable ?? {};
  if (x === undefined || y === undefined) return () => false;
  const across = neighbours(x, window.x, width);
  const down = neighbours(y, window.y, height);
  return (stencils, start, count) => fillSeparable(across, down, width, stencils, start, count);
}

function fillSeparable(
  across: Neighbours,
  down: Neighbours,
  width: number,
  stencils: Stencils,
  start: number,
  count: number,
): boolean {
  const { index, nearest, weightX, weightY } = stencils;
  let any = false;
  const columns = across.nearest.length;
  let i = 0;
  while (i < count) {
    const row = Math.floor((start + i) / columns);
    const first = start + i - row * columns;
    const last = Math.min(columns, first + count - i);
    const nearestRow = down.nearest[row]!;
    const rowStart = down.before[row]! * width;
    const rowWeight = down.weights[row]!;
    for (let col = first; col < last; col++, i++) {
      const nearestCol = across.nearest[col]!;
      if (nearestRow < 0 || nearestCol < 0) {
        index[i] = -1;
        continue;
      }
      index[i] = rowStart + across.before[col]!;
      nearest[i] = nearestRow * width + nearestCol;
      weightX[i] = across.weights[col]!;
      weightY[i] = rowWeight;
      any = true;
    }
  }
  return any;
}

/** Along one axis of the region: nearest pixel in the window or −1, the one at or before the point, and the weight of the next. */
interface Neighbours {
  readonly nearest: Int32Array;
  readonly before: Int32Array;
  readonly weights: Float64Array;
}

function neighbours(axis: AxisIndices, windowStart: number, size: number): Neighbours {
  const nearest = inWindow(axis, windowStart, size);
  const before = new Int32Array(nearest.length);
  const weights = new Float64Array(nearest.length);
  nearest.forEach((index, i) => {
    if (index < 0) return;
    const offset = axis.offsets[axis.start + i] ?? 0;
    const first = offset < 0 ? index - 1 : index;
    const last = Math.max(0, size - 2);
    before[i] = Math.min(Math.max(first, 0), last);
    weights[i] = first < 0 || size < 2 ? 0 : first > last ? 1 : offset < 0 ? offset + 1 : offset;
  });
  return { nearest, before, weights };
}

/** Indices of an axis of the region, less the start of the window; −1 outside it. */
export function inWindow({ indices, start, end }: AxisIndices, windowStart: number, size: number): Int32Array {
  return indices
    .subarray(start, end)
    .map((index) => (index >= windowStart && index < windowStart + size ? index - windowStart : -1));
}
