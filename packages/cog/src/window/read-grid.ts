import { allocateSamples, type Grid, type Raster, sampleTypeOf, type Window, windowGrid } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { type Resampling, sourceWindow, type WarpPlan, warpAll, warpInterleavedRgb } from "@swath/raster/warp";
import { CogError } from "../errors.ts";
import { checkGeoreference, type InterleavedRgb, type RasterFile } from "../raster-file.ts";
import { defaultContext, type GridContext } from "./grid-context.ts";
import { type LevelRule, levelFor } from "./level.ts";
import type { ReadOptions } from "./read-options.ts";
import { toRaster } from "./read-window.ts";

/** Options for reading pixels on a grid. */
export interface GridOptions extends ReadOptions {
  /** Default `nearest`. */
  readonly resampling?: Resampling | undefined;
  /** Default `display`. */
  readonly level?: LevelRule | undefined;
  /** Pool of the results' memory, to which the caller releases them. Default: new memory. */
  readonly pool?: SamplePool | undefined;
  /** Keeps plans and buffers between calls. Default: a shared one, which `closeDefaultGridContext` closes. */
  readonly context?: GridContext | undefined;
  /** Files that are read at the same time: fewer files need less memory for compressed bytes. Default: all. */
  readonly concurrency?: number | undefined;
  /** Source pixels of one file read at a time; a grid that needs more is read in halves. Default: no limit. */
  readonly maxWindow?: number | undefined;
}

/** A file to read on a grid, and which of its bands. */
export interface GridRead {
  readonly file: RasterFile;
  /** Counted from 0, in the order wanted. Default: all. */
  readonly bands?: readonly number[] | undefined;
  /** The level to read, whatever the rule says. */
  readonly level?: number | undefined;
  /** As in {@link ReadOptions}. */
  readonly nodata?: number | null | undefined;
}

/**
 * Reads the pixels of a file on a grid: chooses a level, reads the blocks needed and warps them. Undefined where
 * the file does not touch the grid.
 *
 * @throws {CogError} `no-georeference`, and what {@link readWindow} throws.
 */
export async function readGrid(file: RasterFile, target: Grid, options: GridOptions = {}): Promise<Raster | undefined> {
  return (await readGrids([{ file, bands: options.bands, nodata: options.nodata }], target, options))[0];
}

/**
 * Reads several files on one grid, as {@link readGrid} does each: all at once, and files of the same pixel grid are
 * warped together.
 *
 * @throws {CogError} what the first file that fails throws.
 */
export async function readGrids(
  reads: readonly GridRead[],
  target: Grid,
  options: Omit<GridOptions, "bands" | "nodata"> = {},
): Promise<(Raster | undefined)[]> {
  const { maxWindow } = options;
  if (maxWindow !== undefined && target.height > 1 && reads.some((read) => needsMore(read, target, options, maxWindow)))
    return readHalves(reads, target, options);
  const { resampling = "nearest", context = defaultContext } = options;
  const takeWindow = context.takeSamples.bind(context);
  const sources = await readSources(reads, target, options);
  const results: (Raster | undefined)[] = sources.map(() => undefined);
  sources.forEach((first, i) => {
    if (first === undefined || results[i] !== undefined) return;
    if (resampling === "bilinear" && "rgb" in first.pixels) {
      const { rgb, nodata } = first.pixels;
      results[i] = warpInterleavedRgb(first.plan, rgb, first.window, nodata, { pool: options.pool });
      if (results[i] !== undefined) return;
    }
    const together: number[] = [];
    for (let k = i; k < sources.length; k++) {
      const other = sources[k];
      if (other !== undefined && (k === i || isAlike(first, other))) together.push(k);
    }
    const rasters = together.map((k) => toRaster(sources[k]!.pixels, takeWindow));
    const warped = warpAll(first.plan, rasters, first.window, resampling, { pool: options.pool });
    together.forEach((k, n) => {
      results[k] = warped[n];
    });
    for (const { bands, valid } of rasters) context.free([...bands, valid]);
  });
  for (const source of sources) {
    if (source !== undefined && "rgb" in source.pixels) context.free([source.pixels.rgb]);
  }
  return results;
}

interface SourcePixels {
  readonly plan: WarpPlan;
  readonly window: Window;
  readonly pixels: Raster | InterleavedRgb;
}

// files of one pixel grid are given one plan
function isAlike(a: SourcePixels, b: SourcePixels): boolean {
  const { x, y, width, height } = a.window;
  return (
    a.plan === b.plan && x === b.window.x && y === b.window.y && width === b.window.width && height === b.window.height
  );
}

async function readSources(
  reads: readonly GridRead[],
  target: Grid,
  options: GridOptions,
): Promise<(SourcePixels | undefined)[]> {
  const sources: (SourcePixels | undefined)[] = [];
  const step = Math.max(1, options.concurrency ?? reads.length);
  for (let i = 0; i < reads.length; i += step) {
    sources.push(...(await Promise.all(reads.slice(i, i + step).map((read) => readSource(read, target, options)))));
  }
  return sources;
}

async function readSource(read: GridRead, target: Grid, options: GridOptions): Promise<SourcePixels | undefined> {
  try {
    return await readOnce(read, target, options);
  } catch (error) {
    // the file was replaced by one of another size, and its new header has been read: plan again
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    return readOnce(read, target, options);
  }
}

async function readOnce(read: GridRead, target: Grid, options: GridOptions): Promise<SourcePixels | undefined> {
  const { file, bands, nodata } = read;
  const { level, plan, window } = planRead(read, target, options);
  if (window === undefined) return undefined;
  const { context = defaultContext } = options;
  const allocate = context.takeSamples.bind(context);
  const keepInterleaved = options.resampling === "bilinear" && plan.separable === undefined;
  const how = { ...options, bands, nodata, allocate, keepInterleaved };
  return { plan, window, pixels: await file.readPixels(level, window, how) };
}

function planRead(
  read: GridRead,
  target: Grid,
  options: GridOptions,
): { level: number; plan: WarpPlan; window: Window | undefined } {
  checkGeoreference(read.file);
  const level = read.level ?? levelFor(read.file, target, options.level ?? "display");
  const plan = (options.context ?? defaultContext).planFor(read.file.levels[level]!.grid, target);
  return { level, plan, window: sourceWindow(plan, options.resampling ?? "nearest") };
}

function needsMore(read: GridRead, target: Grid, options: GridOptions, pixels: number): boolean {
  const { window } = planRead(read, target, options);
  return window !== undefined && window.width * window.height > pixels;
}

/** The upper and the lower half one after the other. */
async function readHalves(
  reads: readonly GridRead[],
  target: Grid,
  options: GridOptions,
): Promise<(Raster | undefined)[]> {
  const { width, height } = target;
  const middle = height >> 1;
  const above = windowGrid(target, { x: 0, y: 0, width, height: middle });
  const below = windowGrid(target, { x: 0, y: middle, width, height: height - middle });
  const upper = await readGrids(reads, above, options);
  const lower = await readGrids(reads, below, options);
  return reads.map((_, i) => {
    const known = upper[i] ?? lower[i];
    if (known === undefined) return undefined;
    const bands = known.bands.map((band, b) => {
      const joined = allocateSamples(sampleTypeOf(band), width * height);
      if (upper[i] !== undefined) joined.set(upper[i].bands[b]!);
      if (lower[i] !== undefined) joined.set(lower[i].bands[b]!, middle * width);
      return joined;
    });
    const valid = new Uint8Array(width * height);
    if (upper[i] !== undefined) valid.set(upper[i].valid);
    if (lower[i] !== undefined) valid.set(lower[i].valid, middle * width);
    return { grid: target, bands, valid };
  });
}
