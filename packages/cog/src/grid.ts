import {
  type Grid,
  type Raster,
  type Resampling,
  sourceWindow,
  type WarpPlan,
  type Window,
  warpAll,
} from "@swath/raster";
import { type Cog, checkGeoreference } from "./cog.ts";
import { CogError } from "./errors.ts";
import { type LevelRule, levelFor } from "./level.ts";
import { planFor } from "./plans.ts";
import { giveBackScratch, takeScratch } from "./scratch.ts";
import { type ReadOptions, readInto } from "./window.ts";

export interface GridOptions extends ReadOptions {
  /** Default `nearest`. */
  readonly resampling?: Resampling | undefined;
  /** Default `display`. */
  readonly level?: LevelRule | undefined;
}

/** A file to read on a grid, and which of its bands. */
export interface GridRead {
  readonly cog: Cog;
  /** Counted from 0, in the order wanted. Default: all. */
  readonly bands?: readonly number[] | undefined;
  /** As in {@link ReadOptions}. */
  readonly nodata?: number | undefined;
}

/**
 * Reads the pixels of a file on a grid: chooses a level, reads the blocks needed and warps them. Undefined where
 * the file does not touch the grid.
 *
 * @throws {CogError} `no-georeference`, and what {@link readWindow} throws.
 */
export async function readGrid(cog: Cog, target: Grid, options: GridOptions = {}): Promise<Raster | undefined> {
  return (await readGrids([{ cog, bands: options.bands, nodata: options.nodata }], target, options))[0];
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
  const resampling = options.resampling ?? "nearest";
  const sources = await Promise.all(reads.map((read) => readSource(read, target, options)));
  const results: (Raster | undefined)[] = sources.map(() => undefined);
  sources.forEach((first, i) => {
    if (first === undefined || results[i] !== undefined) return;
    const together: number[] = [];
    for (let k = i; k < sources.length; k++) {
      const other = sources[k];
      if (other !== undefined && (k === i || isAlike(first, other))) together.push(k);
    }
    const rasters = warpAll(
      first.plan,
      together.map((k) => sources[k]!.raster),
      first.window,
      resampling,
    );
    together.forEach((k, n) => {
      results[k] = rasters[n];
    });
  });
  for (const source of sources) {
    if (source !== undefined) giveBackScratch(new Set([...source.raster.bands, source.raster.valid]));
  }
  return results;
}

interface SourcePixels {
  readonly plan: WarpPlan;
  readonly window: Window;
  readonly raster: Raster;
}

// files of one pixel grid are given one plan
function isAlike(a: SourcePixels, b: SourcePixels): boolean {
  const { x, y, width, height } = a.window;
  return (
    a.plan === b.plan && x === b.window.x && y === b.window.y && width === b.window.width && height === b.window.height
  );
}

async function readSource(read: GridRead, target: Grid, options: GridOptions): Promise<SourcePixels | undefined> {
  try {
    return await readOnce(read, target, options);
  } catch (error) {
    // the file was replaced by one of another size, and its new header has been read: plan anew
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    return readOnce(read, target, options);
  }
}

async function readOnce(
  { cog, bands, nodata }: GridRead,
  target: Grid,
  options: GridOptions,
): Promise<SourcePixels | undefined> {
  checkGeoreference(cog);
  const level = levelFor(cog, target, options.level ?? "display");
  const plan = planFor(cog.levels[level]!.grid, target);
  const window = sourceWindow(plan, options.resampling ?? "nearest");
  if (window === undefined) return undefined;
  return { plan, window, raster: await readInto(cog, level, window, { ...options, bands, nodata }, takeScratch) };
}
