import { allocateQuads, blendValid, QUADS, type Quads } from "./blend.ts";
import { GridError } from "../errors.ts";
import { gather } from "./gather.ts";
import { blendingOf, colorBlending } from "../kernels/blending.ts";
import { blendInner, blendInnerColors, type ColorBands } from "../kernels/inner-blending.ts";
import { InnerIndices, ROOM } from "../kernels/inner-indices.ts";
import type { Resampling, WarpPlan } from "./plan.ts";
import { planMemory } from "./plan-memory.ts";
import { allInside, fillerOf, holdsPixels, holdsQuads, inWindow } from "./stencil.ts";
import { checkRaster, isComplete, type Raster } from "../raster/raster.ts";
import type { SamplePool } from "../memory/sample-pool.ts";
import { allocateSamples, type Samples, type SampleType, sampleTypeOf } from "../raster/samples.ts";
import type { Window } from "../grid/window.ts";

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
  checkWindow(plan, window);
  const count = plan.target.width * plan.target.height;
  const { pool } = options;
  const take = (type: SampleType): Samples =>
    pool === undefined ? allocateSamples(type, count) : pool.take(type, count);
  const layers = sources.map((source): Layer => {
    const allValid = isComplete(source);
    const bands = source.bands.map((band) => take(sampleTypeOf(band)));
    return { source, allValid, bands, valid: undefined };
  });
  const covered = take("uint8") as Uint8Array;
  if (resampling === "bilinear" && warpWhole(plan, layers, window)) {
    covered.fill(1);
    return layers.map(({ bands }) => ({ grid: plan.target, bands, valid: covered }));
  }
  for (const layer of layers) layer.valid = layer.allValid ? covered : (take("uint8") as Uint8Array);
  if (resampling === "nearest" && gatherInner(plan, layers, window)) {
    if (layers.some(({ allValid }) => allValid)) covered.fill(1);
    else pool?.giveBack([covered]);
    return layers.map(({ bands, valid }) => ({ grid: plan.target, bands, valid: valid ?? covered }));
  }
  // memory of a pool may hold anything
  if (pool !== undefined) for (const array of layers.flatMap(arraysOf)) array.fill(0);
  if (resampling === "bilinear") warpBilinear(plan, layers, window, covered);
  else warpNearest(plan, layers, window, covered);
  if (!layers.some(({ valid }) => valid === covered)) pool?.giveBack([covered]);
  return layers.map(({ bands, valid }) => ({ grid: plan.target, bands, valid: valid ?? covered }));
}

function checkWindow({ source }: WarpPlan, { x, y, width, height }: Window): void {
  if (x < 0 || y < 0 || x + width > source.width || y + height > source.height) {
    throw new GridError("invalid-size", `Expected a window of the source, got ${width} × ${height} at ${x}, ${y}.`);
  }
}

/**
 * Draws three bands of bytes that lie pixel by pixel, as files of colours hold them: `3 × window.width × window.height` bytes. As `warp`
 * does with `bilinear` where each pixel of the target has its four pixels in the window and all of that hold data; undefined where
 * it is not so, or `splitColors` and `warp` are as good. Without data are pixels all of whose bytes are `nodata`.
 *
 * @throws {GridError} `invalid-size` where the colours do not have the size of the window or it leaves the source grid.
 */
export function warpColors(
  plan: WarpPlan,
  colors: Uint8Array,
  window: Window,
  nodata: number | undefined,
  { pool }: WarpOptions = {},
): Raster | undefined {
  if (colors.length !== 3 * window.width * window.height) {
    const expected = `${window.width} × ${window.height} × 3`;
    throw new GridError("invalid-size", `Expected ${expected} bytes of colours, got ${colors.length}.`);
  }
  checkWindow(plan, window);
  if (plan.separable !== undefined) return undefined;
  const { width, height } = plan.target;
  const count = width * height;
  const take = (): Uint8Array =>
    pool === undefined ? new Uint8Array(count) : (pool.take("uint8", count) as Uint8Array);
  const bands = [take(), take(), take()] as const;
  // what is no byte is the value of none
  const absent = nodata !== undefined && nodata === (nodata & 0xff) ? nodata : undefined;
  if (!drawColors(plan, { colors, outs: bands }, window, absent)) {
    pool?.giveBack(bands);
    return undefined;
  }
  return { grid: plan.target, bands, valid: take().fill(1) };
}

/** False where it cannot be done: nothing is written. */
function drawColors(plan: WarpPlan, bands: ColorBands, window: Window, nodata: number | undefined): boolean {
  const { width, height } = plan.target;
  const inner = isFirstUse(plan) ? plan.inner : undefined;
  if (inner !== undefined) {
    return holdsQuads(window, inner) && blendInnerColors(inner, width, bands, window, nodata);
  }
  // places are found by kernels too, whose memory is the same: before the colours are put there
  const pixels = plan.indices(true);
  if (!allInside(pixels, window)) return false;
  const count = width * height;
  const { colors, outs } = bands;
  const blending = colorBlending(colors, window, count, nodata);
  if (blending === undefined) return false;
  for (let start = 0; start < count; start += QUADS) {
    blending.usePlaces(pixels, window, start, Math.min(QUADS, count - start));
    blending.writeColors(colors, outs, start);
  }
  return true;
}

function arraysOf({ bands, valid }: Layer): Samples[] {
  return valid === undefined ? [...bands] : [...bands, valid];
}

/** One source on its way to the target. `valid` is where pixels lie in the window at all, for a source without holes. */
interface Layer {
  readonly source: Raster;
  readonly allValid: boolean;
  readonly bands: Samples[];
  valid: Uint8Array | undefined;
}

/** As `warpNearest`, where all of the target lies in the window: its places are found as they are needed, and all is written. */
function gatherInner(plan: WarpPlan, layers: readonly Layer[], window: Window): boolean {
  const { width, height } = plan.target;
  const inner = plan.separable === undefined && width <= ROOM && isFirstUse(plan) ? plan.inner : undefined;
  if (inner === undefined || !holdsPixels(window, inner)) return false;
  const indices = new InnerIndices(inner, width, window);
  const step = Math.floor(ROOM / width);
  for (let row = 0; row < height; row += step) {
    const index = indices.find(row, Math.min(step, height - row));
    const start = row * width;
    const end = start + index.length;
    for (const { source, allValid, bands, valid } of layers) {
      for (let b = 0; b < bands.length; b++) gather(source.bands[b]!, index, bands[b]!.subarray(start, end));
      if (!allValid && valid !== undefined) gather(source.valid, index, valid.subarray(start, end));
    }
  }
  return true;
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
  if (layers.some(({ allValid }) => allValid)) markCovered(index, covered, 0, index.length);
  planMemory.giveBack([index]);
}

/** Place in the window's arrays of each target pixel's source pixel; −1 where there is none. From `planMemory`. */
function windowIndex(plan: WarpPlan, window: Window): Int32Array {
  const { width, height } = window;
  const count = plan.target.width * plan.target.height;
  const index = planMemory.take("int32", count) as Int32Array;
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

/**
 * Sources without holes where each pixel of the target has its quad in the window, as most map tiles are: every value is
 * written. False where it is not so, or the kernels are not allowed: nothing is written.
 */
function warpWhole(plan: WarpPlan, layers: readonly Layer[], window: Window): boolean {
  if (plan.separable !== undefined || !layers.every(({ allValid }) => allValid)) return false;
  const { width, height } = plan.target;
  const count = width * height;
  const pairs = layers.flatMap(({ source, bands }) => source.bands.map((band, b) => ({ band, out: bands[b]! })));
  const inner = isFirstUse(plan) ? plan.inner : undefined;
  if (inner !== undefined && holdsQuads(window, inner)) return blendInner(inner, width, pairs, window);
  // places are found by kernels too, whose memory is the same: before the bands are put there
  const pixels = plan.indices(true);
  if (!allInside(pixels, window)) return false;
  const sources = pairs.map(({ band }) => band);
  const blending = blendingOf(sources, window, count);
  if (!blending.takesPlaces) return false;
  for (let start = 0; start < count; start += QUADS) {
    blending.usePlaces(pixels, window, start, Math.min(QUADS, count - start));
    for (const { band, out } of pairs) blending.write(band, out, start);
  }
  return true;
}

/** Target pixels up to which a plan's places are kept: a tile of 512 × 512. */
const MAX_KEPT = 512 * 512;
const used = new WeakSet<WarpPlan>();

/** What is used again is worth keeping, unless it is large: else places are worked out as they are needed, a few rows at a time. */
function isFirstUse(plan: WarpPlan): boolean {
  const isFirst = !used.has(plan);
  used.add(plan);
  return isFirst || plan.target.width * plan.target.height > MAX_KEPT;
}

function warpBilinear(plan: WarpPlan, layers: readonly Layer[], window: Window, covered: Uint8Array): void {
  const count = plan.target.width * plan.target.height;
  // places are found by kernels too, whose memory is the same: before the bands are put there
  const pixels = plan.separable === undefined ? plan.indices(true) : undefined;
  const sources = layers.flatMap(({ source }) => source.bands);
  const holes = layers.flatMap(({ source, allValid }) => (allValid ? [] : [source.valid]));
  const blending = blendingOf(sources, window, count, holes);
  if (pixels !== undefined && blending.takesPlaces) {
    for (let start = 0; start < count; start += QUADS) {
      const n = Math.min(QUADS, count - start);
      let previous: Uint8Array | undefined | null = null;
      for (const { source, allValid, bands, valid } of layers) {
        const flags = allValid ? undefined : source.valid;
        if (flags !== previous) blending.useAnyPlaces(pixels, window, flags, start, n, valid ?? covered);
        previous = flags;
        for (let b = 0; b < bands.length; b++) blending.write(source.bands[b]!, bands[b]!, start);
      }
    }
    return;
  }
  const quads = allocateQuads(window.width, window.height);
  const withHoles = allocateQuads(window.width, window.height);
  const mixed = new Int32Array(QUADS);
  const fill = fillerOf(plan, window);
  for (let start = 0; start < count; start += QUADS) {
    const n = Math.min(QUADS, count - start);
    if (!fill(quads, start, n)) continue;
    markCovered(quads.index, covered, start, n);
    blending.use(quads, 0, n);
    for (const { source, allValid, bands } of layers) {
      if (allValid) for (let b = 0; b < bands.length; b++) blending.write(source.bands[b]!, bands[b]!, start);
    }
    for (const { source, allValid, bands, valid } of layers) {
      if (allValid || valid === undefined) continue;
      const mixedCount = findMixed(source.valid, quads, n, withHoles, mixed);
      markCovered(withHoles.index, valid, start, n);
      blending.use(withHoles, 0, n);
      for (let b = 0; b < bands.length; b++) {
        blending.write(source.bands[b]!, bands[b]!, start);
        for (let m = 0; m < mixedCount; m++) {
          const i = mixed[m]!;
          bands[b]![start + i] = blendValid(source.bands[b]!, source.valid, withHoles, i);
        }
      }
    }
  }
}

/** 1 where there is a place in the window. */
function markCovered(index: Int32Array, valid: Uint8Array, start: number, count: number): void {
  for (let i = 0; i < count; i++) valid[start + i] = (index[i]! >>> 31) ^ 1;
}

/**
 * Copies `count` quads to `out`, without those whose nearest pixel holds no data (index −1), and
 * lists those with another that holds none. Returns how many are listed.
 */
function findMixed(valid: Uint8Array, quads: Quads, count: number, out: Quads, mixed: Int32Array): number {
  const { nearest, stepX, stepY } = quads;
  const { index } = out;
  index.set(quads.index.subarray(0, count));
  out.weightX.set(quads.weightX.subarray(0, count));
  out.weightY.set(quads.weightY.subarray(0, count));
  let listed = 0;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    if (valid[nearest[i]!] === 0) index[i] = -1;
    else if ((valid[k]! & valid[k + stepX]! & valid[k + stepY]! & valid[k + stepX + stepY]!) === 0) mixed[listed++] = i;
  }
  return listed;
}
