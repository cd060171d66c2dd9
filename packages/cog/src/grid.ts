import { type Grid, planWarp, type Raster, type Resampling, sourceWindow, warp } from "@swath/raster";
import { type Cog, checkGeoreference } from "./cog.ts";
import { CogError } from "./errors.ts";
import { type LevelRule, levelFor } from "./level.ts";
import { type ReadOptions, readWindow } from "./window.ts";

export interface GridOptions extends ReadOptions {
  /** Default `nearest`. */
  readonly resampling?: Resampling | undefined;
  /** Default `display`. */
  readonly level?: LevelRule | undefined;
}

/**
 * Reads the pixels of a file on a grid: chooses a level, reads the blocks needed and warps them. Undefined where
 * the file does not touch the grid.
 *
 * @throws {CogError} `no-georeference`, and what {@link readWindow} throws.
 */
export async function readGrid(cog: Cog, target: Grid, options: GridOptions = {}): Promise<Raster | undefined> {
  try {
    return await readOnce(cog, target, options);
  } catch (error) {
    // the file was replaced by one of another size, and its new header has been read: plan anew
    if (!(error instanceof CogError) || error.code !== "changed") throw error;
    return readOnce(cog, target, options);
  }
}

async function readOnce(cog: Cog, target: Grid, options: GridOptions): Promise<Raster | undefined> {
  checkGeoreference(cog);
  const resampling = options.resampling ?? "nearest";
  const level = levelFor(cog, target, options.level ?? "display");
  const plan = planWarp(cog.levels[level]!.grid, target);
  const window = sourceWindow(plan, resampling);
  if (window === undefined) return undefined;
  return warp(plan, await readWindow(cog, level, window, options), window, resampling);
}
