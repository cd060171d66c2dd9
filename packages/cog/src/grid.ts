import { type Grid, planWarp, type Raster, type Resampling, sourceWindow, type WarpPlan, warp } from "@swath/raster";
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
  const plan = planFor(cog.levels[level]!.grid, target);
  const window = sourceWindow(plan, resampling);
  if (window === undefined) return undefined;
  return warp(plan, await readWindow(cog, level, window, options), window, resampling);
}

/** Plans of a target live as long as the target does: all bands of a scene share one. */
const PLANS = new WeakMap<Grid, Map<string, WarpPlan>>();
const MAX_PLANS = 64;

function planFor(source: Grid, target: Grid): WarpPlan {
  let plans = PLANS.get(target);
  if (plans === undefined) {
    plans = new Map();
    PLANS.set(target, plans);
  }
  const key = `${source.crs.name} ${source.transform.join(" ")} ${source.width} ${source.height}`;
  let plan = plans.get(key);
  if (plan === undefined) {
    if (plans.size >= MAX_PLANS) plans.clear();
    plan = planWarp(source, target);
    plans.set(key, plan);
  }
  return plan;
}
