import { allocateSamples, type Grid, type Raster, sampleTypeOf, type Window, windowGrid } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";
import { type Resampling, sourceWindow, type WarpPlan, warpAll, warpInterleavedRgb } from "@swath/raster/warp";
import { CogError } from "../errors.ts";
import { checkGeoreference, type InterleavedRgb, type RasterFile, type WindowRaster } from "../raster-file.ts";
import { defaultContext, type GridContext } from "./grid-context.ts";
import { type LevelRule, levelFor } from "./level.ts";
import type { ReadOptions } from "./read-options.ts";
import { markAll, toRaster } from "./read-window.ts";

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
 * Reads several files on one grid, as {@link readGrid} does each: all at once, single bands of one file together, and files of the same
 * pixel grid are warped together.
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
  const joined = joinReads(reads);
  const sources = await readSources(joined, target, options);
  const results: (Raster | undefined)[] = reads.map(() => undefined);
  const layers: Layer[] = [];
  sources.forEach((source, i) => {
    if (source === undefined) return;
    const { plan, window, pixels } = source;
    const { places } = joined[i]!;
    const colors = resampling === "bilinear" ? warpColors(source, places.length > 1, options.pool) : undefined;
    const rasters = colors === undefined ? toRasters(pixels, places.length > 1, context) : [];
    layers.push(...rasters.map((raster, n) => ({ plan, window, raster, place: places[n]! })));
    colors?.forEach((raster, n) => {
      results[places[n]!] = raster;
    });
    if ("rgb" in pixels) context.free([pixels.rgb]);
  });
  for (const first of layers) {
    if (results[first.place] !== undefined) continue;
    const together = layers.filter((other) => isAlike(first, other));
    const { plan, window } = first;
    const warped = warpAll(
      plan,
      together.map(({ raster }) => raster),
      window,
      resampling,
      { pool: options.pool },
    );
    together.forEach(({ place, raster: { bands, valid } }, n) => {
      results[place] = warped[n];
      context.free([...bands, valid]);
    });
  }
  return results;
}

/** A read of all bands that several reads want of one file. */
interface JoinedRead extends GridRead {
  /** Numbers of the reads; several want a band each. */
  readonly places: number[];
}

/** Joins reads of single bands of one file, which hold data by the same rule. */
function joinReads(reads: readonly GridRead[]): JoinedRead[] {
  const joined: (JoinedRead & { readonly bands?: number[] | undefined })[] = [];
  reads.forEach((read, place) => {
    const { file, bands, level, nodata } = read;
    const single = bands?.length === 1;
    const known = joined.find(
      (other) =>
        single &&
        other.bands?.length === other.places.length &&
        other.file === file &&
        other.level === level &&
        Object.is(other.nodata, nodata),
    );
    if (known === undefined) joined.push({ ...read, bands: bands && [...bands], places: [place] });
    else {
      known.bands?.push(...bands!);
      known.places.push(place);
    }
  });
  return joined;
}

interface SourcePixels {
  readonly plan: WarpPlan;
  readonly window: Window;
  readonly pixels: WindowRaster | InterleavedRgb;
}

/** Source pixels of a read, and its number. */
interface Layer extends Pick<SourcePixels, "plan" | "window"> {
  readonly raster: Raster;
  readonly place: number;
}

/** Warps interleaved RGB as it is, where that can be done and, of bands that are read each by itself, where all hold data. */
function warpColors(
  { plan, window, pixels }: SourcePixels,
  isApart: boolean,
  pool: SamplePool | undefined,
): readonly Raster[] | undefined {
  if (!("rgb" in pixels)) return undefined;
  const { rgb, nodata } = pixels;
  if (isApart && nodata !== undefined && rgb.includes(nodata)) return undefined;
  const warped = warpInterleavedRgb(plan, rgb, window, nodata, { pool });
  if (warped === undefined || !isApart) return warped && [warped];
  return warped.bands.map((band) => ({ ...warped, bands: [band] }));
}

/** The pixels that were read as one raster, or each band by itself as one. */
function toRasters(pixels: SourcePixels["pixels"], isApart: boolean, context: GridContext): readonly Raster[] {
  const take = context.takeSamples.bind(context);
  const whole = toRaster(pixels, take);
  const { grid, bands, valid, nodata } = whole;
  if (!isApart) return [whole];
  if (nodata === undefined) return bands.map((band) => ({ grid, bands: [band], valid }));
  context.free([valid]);
  return bands.map((band) => {
    const own = take("uint8", band.length) as Uint8Array;
    markAll(own, [band], nodata);
    return { grid, bands: [band], valid: own };
  });
}

// files of one pixel grid are given one plan
function isAlike(a: Layer, b: Layer): boolean {
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
