import { allocateQuads, blend, blendValid, QUADS, type Quads } from "./blend.ts";
import { GridError } from "./errors.ts";
import { gather } from "./gather.ts";
import type { PixelIndices } from "./pixel-indices.ts";
import type { Resampling, WarpPlan } from "./plan.ts";
import { checkRaster, type Raster } from "./raster.ts";
import type { SamplePool } from "./sample-pool.ts";
import { allocateSamples, type Samples, type SampleType, sampleTypeOf } from "./samples.ts";
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
  return warpAll(plan, [source], window, resampling)[0]!;
}

/** Where results come from. */
export interface WarpOptions {
  /** Gives the memory of bands and `valid`; the caller gives it back. Default: new memory. */
  readonly pool?: SamplePool | undefined;
}

/**
 * Draws several sources of the same window, such as the files of a scene's bands: as `warp` for each, but what depends
 * on the window alone is worked out once. Results without holes share one `valid`.
 *
 * @throws {GridError} as `warp`.
 */
export function warpAll(
  plan: WarpPlan,
  sources: readonly Raster[],
  window: Window,
  resampling: Resampling,
  options: WarpOptions = {},
): readonly Raster[] {
  for (const source of sources) checkRaster(source, window.width, window.height);
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
  const { pool } = options;
  const zeros = (type: SampleType): Samples =>
    pool === undefined ? allocateSamples(type, count) : pool.take(type, count).fill(0);
  const layers = sources.map((source): Layer => {
    const allValid = source.valid.indexOf(0) < 0;
    const bands = source.bands.map((band) => zeros(sampleTypeOf(band)));
    return { source, allValid, bands, valid: undefined };
  });
  const covered = zeros("uint8") as Uint8Array;
  for (const layer of layers) layer.valid = layer.allValid ? covered : (zeros("uint8") as Uint8Array);
  if (resampling === "bilinear") warpBilinear(plan, layers, window, covered);
  else warpNearest(plan, layers, window, covered);
  return layers.map(({ bands, valid }) => ({ grid: plan.target, bands, valid: valid ?? covered }));
}

/** One source on its way to the target. `valid` is where pixels lie in the window at all, for a source without holes. */
interface Layer {
  readonly source: Raster;
  readonly allValid: boolean;
  readonly bands: Samples[];
  valid: Uint8Array | undefined;
}

function warpNearest(plan: WarpPlan, layers: readonly Layer[], window: Window, covered: Uint8Array): void {
  const index = windowIndex(plan, window);
  for (const { source, allValid, bands, valid } of layers) {
    source.bands.forEach((band, b) => {
      const out = bands[b];
      if (out !== undefined) gather(band, index, out);
    });
    if (!allValid && valid !== undefined) gather(source.valid, index, valid);
  }
  if (layers.some(({ allValid }) => allValid)) markCovered(index, 0, covered, 0, index.length);
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

function warpBilinear(plan: WarpPlan, layers: readonly Layer[], window: Window, covered: Uint8Array): void {
  const count = plan.target.width * plan.target.height;
  const known = plan.separable === undefined && count <= MAX_KNOWN ? knownQuads(plan, window) : undefined;
  const quads = known ?? allocateQuads(window.width, window.height);
  const withHoles = allocateQuads(window.width, window.height);
  const mixed = new Int32Array(QUADS);
  const fill = known === undefined ? fillerOf(plan, window) : undefined;
  for (let start = 0; start < count; start += QUADS) {
    const n = Math.min(QUADS, count - start);
    const first = known === undefined ? 0 : start;
    if (fill !== undefined && !fill(quads, start, n)) continue;
    markCovered(quads.index, first, covered, start, n);
    for (const { source, allValid, bands, valid } of layers) {
      if (allValid || valid === undefined) {
        for (let b = 0; b < bands.length; b++) blend(source.bands[b]!, quads, first, n, bands[b]!, start);
        continue;
      }
      const mixedCount = findMixed(source.valid, quads, first, n, withHoles, mixed);
      markCovered(withHoles.index, 0, valid, start, n);
      for (let b = 0; b < bands.length; b++) {
        blend(source.bands[b]!, withHoles, 0, n, bands[b]!, start);
        for (let m = 0; m < mixedCount; m++) {
          const i = mixed[m]!;
          bands[b]![start + i] = blendValid(source.bands[b]!, source.valid, withHoles, i);
        }
      }
    }
  }
}

/** Target pixels up to which a plan's quads are kept: a tile of 512 × 512. */
const MAX_KNOWN = 512 * 512;
/** Quads of the window that a plan was last used with: all scenes and presets of a map tile have the same. */
const lastQuads = new WeakMap<WarpPlan, { readonly window: Window; readonly quads: Quads }>();

function knownQuads(plan: WarpPlan, window: Window): Quads {
  const last = lastQuads.get(plan);
  if (last !== undefined && sameWindow(last.window, window)) return last.quads;
  const count = plan.target.width * plan.target.height;
  const quads = allocateQuads(window.width, window.height, count);
  generalQuads(plan, window)(quads, 0, count);
  lastQuads.set(plan, { window, quads });
  return quads;
}

function sameWindow(a: Window, b: Window): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

function fillerOf(plan: WarpPlan, window: Window): FillQuads {
  return plan.separable === undefined ? generalQuads(plan, window) : separableQuads(plan, window);
}

/** 1 where there is a place in the window. */
function markCovered(index: Int32Array, first: number, valid: Uint8Array, start: number, count: number): void {
  for (let i = 0; i < count; i++) valid[start + i] = (index[first + i]! >>> 31) ^ 1;
}

/** Fills `count` quads from target pixel `start`; false where all of them lie outside. */
type FillQuads = (quads: Quads, start: number, count: number) => boolean;

function generalQuads(plan: WarpPlan, window: Window): FillQuads {
  const pixels = plan.indices(true);
  // −1 or 1 from the sign bit: a comparison would be mispredicted every other time
  const signX = new Int32Array(pixels.dx?.buffer ?? new ArrayBuffer(0));
  const signY = new Int32Array(pixels.dy?.buffer ?? new ArrayBuffer(0));
  return (quads, start, count) => fillGeneral(pixels, signX, signY, window, quads, start, count);
}

// a function of its own with everything in locals: read from a closure's context the same loop is three times slower
function fillGeneral(
  pixels: PixelIndices,
  signX: Int32Array,
  signY: Int32Array,
  window: Window,
  quads: Quads,
  start: number,
  count: number,
): boolean {
  const { cols, rows, dx, dy } = pixels;
  const { x, y, width, height } = window;
  const { index, nearest, weightX, weightY } = quads;
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

function separableQuads(plan: WarpPlan, window: Window): FillQuads {
  const targetWidth = plan.target.width;
  const { width, height } = window;
  const { x, y } = plan.separable ?? {};
  if (x === undefined || y === undefined) return () => false;
  const across = neighbours(inWindow(x.indices, window.x, width), x.offsets, width);
  const down = neighbours(inWindow(y.indices, window.y, height), y.offsets, height);
  return (quads, start, count) => fillSeparable(across, down, width, targetWidth, quads, start, count);
}

function fillSeparable(
  across: Neighbours,
  down: Neighbours,
  width: number,
  targetWidth: number,
  quads: Quads,
  start: number,
  count: number,
): boolean {
  const { index, nearest, weightX, weightY } = quads;
  let any = false;
  let i = 0;
  while (i < count) {
    const row = Math.floor((start + i) / targetWidth);
    const first = start + i - row * targetWidth;
    const last = Math.min(targetWidth, first + count - i);
    const nearestRow = down.nearest[row]!;
    const rowStart = down.before[row]! * width;
    const rowWeight = down.weights[row]!;
    for (let col = first; col < last; col++) {
      const nearestCol = across.nearest[col]!;
      const inside = nearestRow >= 0 && nearestCol >= 0;
      index[i] = inside ? rowStart + across.before[col]! : -1;
      nearest[i] = nearestRow * width + nearestCol;
      weightX[i] = across.weights[col]!;
      weightY[i] = rowWeight;
      if (inside) any = true;
      i += 1;
    }
  }
  return any;
}

/** Along one axis: nearest pixel in the window or −1, the one at or before the point, and the weight of the next. */
interface Neighbours {
  readonly nearest: Int32Array;
  readonly before: Int32Array;
  readonly weights: Float64Array;
}

function neighbours(nearest: Int32Array, offsets: Float64Array, size: number): Neighbours {
  const before = new Int32Array(nearest.length);
  const weights = new Float64Array(nearest.length);
  nearest.forEach((index, i) => {
    if (index < 0) return;
    const offset = offsets[i] ?? 0;
    const first = offset < 0 ? index - 1 : index;
    const last = Math.max(0, size - 2);
    before[i] = Math.min(Math.max(first, 0), last);
    weights[i] = first < 0 || size < 2 ? 0 : first > last ? 1 : offset < 0 ? offset + 1 : offset;
  });
  return { nearest, before, weights };
}

/**
 * Copies `count` quads from number `first` to `out`, without those whose nearest pixel holds no data (index −1), and
 * lists those with another that holds none. Returns how many are listed.
 */
function findMixed(
  valid: Uint8Array,
  quads: Quads,
  first: number,
  count: number,
  out: Quads,
  mixed: Int32Array,
): number {
  const { nearest, stepX, stepY } = quads;
  const { index } = out;
  const last = first + count;
  index.set(quads.index.subarray(first, last));
  out.weightX.set(quads.weightX.subarray(first, last));
  out.weightY.set(quads.weightY.subarray(first, last));
  let listed = 0;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    if (valid[nearest[first + i]!] === 0) index[i] = -1;
    else if ((valid[k]! & valid[k + stepX]! & valid[k + stepY]! & valid[k + stepX + stepY]!) === 0) mixed[listed++] = i;
  }
  return listed;
}
