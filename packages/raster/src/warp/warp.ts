import { type OwnedWarpContext, ownedContext } from "../context.ts";
import { GridError } from "../errors.ts";
import type { Grid } from "../grid/grid.ts";
import type { Window } from "../grid/window.ts";
import type { SamplePool } from "../memory/sample-pool.ts";
import { checkRaster, isComplete, type Raster } from "../raster/raster.ts";
import { allocateSamples, type Samples, type SampleType, sampleTypeOf } from "../raster/samples.ts";
import { allocateStencils, blendValid, STENCILS, type Stencils } from "./blend/blend.ts";
import { blendingOf, interleavedRgbBlending } from "./blend/blending.ts";
import { gather } from "./blend/gather.ts";
import { blendInner, blendInnerRgb, type InterleavedRgbBands } from "./blend/inner-blending.ts";
import { CAPACITY, InnerIndices } from "./coordinates/inner-indices.ts";
import type { Resampling, WarpPlan } from "./plan.ts";
import { allInside, holdsPixels, holdsStencils, inWindow, stencilFiller } from "./stencil.ts";

/**
 * Warps `source`, which holds the pixels of `window` of `plan.source`, onto `plan.target`. Any window that holds
 * `sourceWindow(plan, resampling)` gives the same bytes; target pixels outside it are 0 and not valid.
 *
 * A target pixel is valid where the nearest source pixel is. `nearest` copies that pixel. `bilinear` weights the four
 * nearest pixel centres, leaves out those that are not valid or off the image, and scales the other weights up;
 * integers are rounded, half upwards.
 *
 * @throws {GridError} `invalid-size` where bands do not have the size of the window or it exceeds the source grid.
 */
export function warp(plan: WarpPlan, source: Raster, window: Window, resampling: Resampling): Raster {
  return warpAll(plan, [source], window, resampling)[0]!;
}

/** Memory of the results. */
export interface WarpOptions {
  /** Gives the memory of bands and `valid`; the caller gives it back. Default: new memory. */
  readonly pool?: SamplePool | undefined;
}

/**
 * Warps several sources of the same window, such as the files of a scene's bands: as `warp` does each, but values that
 * depend on the window alone are computed once. Results without gaps share one `valid`, and so do those of sources that share one.
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
  const { pool } = options;
  const take = takerOf(plan.region, pool);
  const layers = sources.map((source): Layer => {
    const allValid = isComplete(source);
    const bands = source.bands.map((band) => take(sampleTypeOf(band)));
    return { source, allValid, bands, valid: undefined };
  });
  const covered = take("uint8") as Uint8Array;
  if (resampling === "bilinear" && warpWithoutGaps(plan, layers, window)) {
    covered.fill(1);
    return onTarget(plan, layers, covered, pool);
  }
  const valids = new Map<Uint8Array, Uint8Array>();
  for (const layer of layers) {
    const { valid } = layer.source;
    layer.valid = layer.allValid ? covered : (valids.get(valid) ?? (take("uint8") as Uint8Array));
    if (!layer.allValid) valids.set(valid, layer.valid);
  }
  if (resampling === "nearest" && gatherInner(plan, layers, window)) {
    if (layers.some(({ allValid }) => allValid)) covered.fill(1);
    else pool?.release([covered]);
    return onTarget(plan, layers, covered, pool);
  }
  // memory of a pool may hold anything
  if (pool !== undefined) for (const array of layers.flatMap(arraysOf)) array.fill(0);
  if (resampling === "bilinear") warpBilinear(plan, layers, window, covered);
  else warpNearest(plan, layers, window, covered);
  if (!layers.some(({ valid }) => valid === covered)) pool?.release([covered]);
  return onTarget(plan, layers, covered, pool);
}

function takerOf({ width, height }: Pick<Window, "width" | "height">, pool: SamplePool | undefined): Take {
  const count = width * height;
  return (type) => (pool === undefined ? allocateSamples(type, count) : pool.take(type, count));
}

type Take = (type: SampleType) => Samples;

/** Rasters of the whole target, from layers of the plan's region; `covered` is the `valid` of layers without one. */
function onTarget(
  { target, region }: WarpPlan,
  layers: readonly Layer[],
  covered: Uint8Array,
  pool: SamplePool | undefined,
): Raster[] {
  const parts = layers.map(({ bands, valid }) => ({ bands, valid: valid ?? covered }));
  if (isWhole(region, target)) return parts.map((part) => ({ grid: target, ...part }));
  const take = takerOf(target, pool);
  const placed = new Map<Samples, Samples>();
  const place = <T extends Samples>(part: T): T => {
    const known = placed.get(part);
    if (known !== undefined) return known as T;
    const whole = take(sampleTypeOf(part)).fill(0) as T;
    for (let row = 0; row < region.height; row++) {
      const start = row * region.width;
      whole.set(part.subarray(start, start + region.width), (region.y + row) * target.width + region.x);
    }
    placed.set(part, whole);
    return whole;
  };
  const rasters = parts.map(({ bands, valid }) => ({ grid: target, bands: bands.map(place), valid: place(valid) }));
  pool?.release(placed.keys());
  return rasters;
}

const isWhole = (region: Window, { width, height }: Grid): boolean =>
  region.width === width && region.height === height;

function checkWindow({ source }: WarpPlan, { x, y, width, height }: Window): void {
  if (x < 0 || y < 0 || x + width > source.width || y + height > source.height) {
    throw new GridError("invalid-size", `Expected a window of the source, got ${width} × ${height} at ${x}, ${y}.`);
  }
}

/**
 * Warps pixel-interleaved RGB, `3 × window.width × window.height` bytes, without deinterleaving it. The result equals that of
 * `warp` with `bilinear`. Undefined where the 2×2 neighbourhood of a target pixel is not inside the window or contains nodata,
 * or where this way is not faster: then use `deinterleaveRgb` and `warp`. A pixel is nodata when all its bytes are `nodata`.
 *
 * @throws {GridError} `invalid-size` where `rgb` does not have the size of the window or it exceeds the source grid.
 */
export function warpInterleavedRgb(
  plan: WarpPlan,
  rgb: Uint8Array,
  window: Window,
  nodata: number | undefined,
  { pool }: WarpOptions = {},
): Raster | undefined {
  if (rgb.length !== 3 * window.width * window.height) {
    const expected = `${window.width} × ${window.height} × 3`;
    throw new GridError("invalid-size", `Expected ${expected} bytes of interleaved RGB, got ${rgb.length}.`);
  }
  checkWindow(plan, window);
  if (plan.separable !== undefined) return undefined;
  const { width, height } = plan.target;
  const count = width * height;
  const take = (): Uint8Array =>
    pool === undefined ? new Uint8Array(count) : (pool.take("uint8", count) as Uint8Array);
  const bands = [take(), take(), take()] as const;
  // a value that is no byte is the value of no pixel
  const absent = nodata !== undefined && nodata === (nodata & 0xff) ? nodata : undefined;
  if (!warpRgbInto(plan, { rgb, outs: bands }, window, absent)) {
    pool?.release(bands);
    return undefined;
  }
  return { grid: plan.target, bands, valid: take().fill(1) };
}

/** False where the kernels cannot warp it; then nothing is written. */
function warpRgbInto(plan: WarpPlan, bands: InterleavedRgbBands, window: Window, nodata: number | undefined): boolean {
  const { width, height } = plan.target;
  const inner = plan.innerForWarp();
  const { kernels } = contextOf(plan);
  if (inner !== undefined && kernels !== undefined) {
    return holdsStencils(window, inner) && blendInnerRgb(kernels, inner, width, bands, window, nodata);
  }
  // source coordinates are found by kernels too, in the same memory: before the interleaved RGB is put there
  const pixels = plan.indices(true);
  if (!isWhole(plan.region, plan.target) || !allInside(pixels, window)) return false;
  const count = width * height;
  const { rgb, outs } = bands;
  const blending = interleavedRgbBlending(kernels, rgb, window, count, nodata);
  if (blending === undefined) return false;
  for (let start = 0; start < count; start += STENCILS) {
    blending.useSourcePixels(pixels, window, start, Math.min(STENCILS, count - start));
    blending.writeInterleavedRgb(rgb, outs, start);
  }
  return true;
}

function arraysOf({ bands, valid }: Layer): Samples[] {
  return valid === undefined ? [...bands] : [...bands, valid];
}

/** One source that is being warped to the plan's region. For a source without gaps `valid` says which of its pixels have a source pixel in the window. */
interface Layer {
  readonly source: Raster;
  readonly allValid: boolean;
  readonly bands: Samples[];
  valid: Uint8Array | undefined;
}

/** As `warpNearest`, where all of the target is in the window: source coordinates are computed strip by strip, and every pixel is written. */
function gatherInner(plan: WarpPlan, layers: readonly Layer[], window: Window): boolean {
  const { width, height } = plan.target;
  const inner = plan.separable === undefined && width <= CAPACITY ? plan.innerForWarp() : undefined;
  const { kernels } = contextOf(plan);
  if (inner === undefined || kernels === undefined || !holdsPixels(window, inner)) return false;
  const indices = new InnerIndices(kernels, inner, width, window);
  const step = Math.floor(CAPACITY / width);
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
  contextOf(plan).pool.release([index]);
}

/**
 * Index into the window's arrays of the source pixel of each pixel of the region; −1 where there is none. From the pool of the
 * context.
 */
function windowIndex(plan: WarpPlan, window: Window): Int32Array {
  const { width, height } = window;
  const count = plan.region.width * plan.region.height;
  const index = contextOf(plan).pool.take("int32", count) as Int32Array;
  if (plan.separable !== undefined) {
    const columns = inWindow(plan.separable.x, window.x, width);
    const rows = inWindow(plan.separable.y, window.y, height);
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
 * Sources without gaps where each pixel of the region has its stencil in the window, as most map tiles are: every value is
 * written. False where it is not so, or the kernels are not allowed: nothing is written.
 */
function warpWithoutGaps(plan: WarpPlan, layers: readonly Layer[], window: Window): boolean {
  if (plan.separable !== undefined || !layers.every(({ allValid }) => allValid)) return false;
  const { width, height } = plan.region;
  const count = width * height;
  const pairs = layers.flatMap(({ source, bands }) => source.bands.map((band, b) => ({ band, out: bands[b]! })));
  const inner = plan.innerForWarp();
  const { kernels } = contextOf(plan);
  if (inner !== undefined && kernels !== undefined && holdsStencils(window, inner))
    return blendInner(kernels, inner, width, pairs, window);
  // source coordinates are found by kernels too, in the same memory: before the bands are put there
  const pixels = plan.indices(true);
  if (!allInside(pixels, window)) return false;
  const sources = pairs.map(({ band }) => band);
  const blending = blendingOf(kernels, sources, window, count);
  if (!blending.takesSourcePixels) return false;
  for (let start = 0; start < count; start += STENCILS) {
    blending.useSourcePixels(pixels, window, start, Math.min(STENCILS, count - start));
    for (const { band, out } of pairs) blending.write(band, out, start);
  }
  return true;
}

function contextOf(plan: WarpPlan): OwnedWarpContext {
  return ownedContext(plan.context);
}

function warpBilinear(plan: WarpPlan, layers: readonly Layer[], window: Window, covered: Uint8Array): void {
  const count = plan.region.width * plan.region.height;
  // source coordinates are found by kernels too, in the same memory: before the bands are put there
  const pixels = plan.separable === undefined ? plan.indices(true) : undefined;
  const sources = layers.flatMap(({ source }) => source.bands);
  const gaps = layers.flatMap(({ source, allValid }) => (allValid ? [] : [source.valid]));
  const blending = blendingOf(contextOf(plan).kernels, sources, window, count, gaps);
  if (pixels !== undefined && blending.takesSourcePixels) {
    for (let start = 0; start < count; start += STENCILS) {
      const n = Math.min(STENCILS, count - start);
      let previous: Uint8Array | undefined | null = null;
      for (const { source, allValid, bands, valid } of layers) {
        const flags = allValid ? undefined : source.valid;
        if (flags !== previous) blending.useAnySourcePixels(pixels, window, flags, start, n, valid ?? covered);
        previous = flags;
        for (let b = 0; b < bands.length; b++) blending.write(source.bands[b]!, bands[b]!, start);
      }
    }
    return;
  }
  const stencils = allocateStencils(window.width, window.height);
  const withGaps = allocateStencils(window.width, window.height);
  const mixed = new Int32Array(STENCILS);
  const fill = stencilFiller(plan, window);
  for (let start = 0; start < count; start += STENCILS) {
    const n = Math.min(STENCILS, count - start);
    if (!fill(stencils, start, n)) continue;
    markCovered(stencils.index, covered, start, n);
    blending.use(stencils, 0, n);
    for (const { source, allValid, bands } of layers) {
      if (allValid) for (let b = 0; b < bands.length; b++) blending.write(source.bands[b]!, bands[b]!, start);
    }
    let previous: Uint8Array | undefined;
    let mixedCount = 0;
    for (const { source, allValid, bands, valid } of layers) {
      if (allValid || valid === undefined) continue;
      if (source.valid !== previous) {
        mixedCount = findMixed(source.valid, stencils, n, withGaps, mixed);
        markCovered(withGaps.index, valid, start, n);
        blending.use(withGaps, 0, n);
        previous = source.valid;
      }
      for (let b = 0; b < bands.length; b++) {
        blending.write(source.bands[b]!, bands[b]!, start);
        for (let m = 0; m < mixedCount; m++) {
          const i = mixed[m]!;
          bands[b]![start + i] = blendValid(source.bands[b]!, source.valid, withGaps, i);
        }
      }
    }
  }
}

/** 1 where a target pixel has a source pixel in the window. */
function markCovered(index: Int32Array, valid: Uint8Array, start: number, count: number): void {
  for (let i = 0; i < count; i++) valid[start + i] = (index[i]! >>> 31) ^ 1;
}

/**
 * Copies `count` stencils to `out`, without those whose nearest pixel holds no data (index −1), and
 * lists those with another that holds none. Returns how many are listed.
 */
function findMixed(valid: Uint8Array, stencils: Stencils, count: number, out: Stencils, mixed: Int32Array): number {
  const { nearest, stepX, stepY } = stencils;
  const { index } = out;
  index.set(stencils.index.subarray(0, count));
  out.weightX.set(stencils.weightX.subarray(0, count));
  out.weightY.set(stencils.weightY.subarray(0, count));
  let listed = 0;
  for (let i = 0; i < count; i++) {
    const k = index[i]!;
    if (k < 0) continue;
    if (valid[nearest[i]!] === 0) index[i] = -1;
    else if ((valid[k]! & valid[k + stepX]! & valid[k + stepY]! & valid[k + stepX + stepY]!) === 0) mixed[listed++] = i;
  }
  return listed;
}
