import { applyAffine, type Grid, invertAffine, sameCrs, transformer } from "@swath/raster";
import { longestStep, sourceStep } from "@swath/raster/warp";
import { checkGeoreference, type RasterFile } from "../raster-file.ts";

/**
 * The rule that picks the level which a target is read from.
 *
 * - `display` the coarsest that is still at least as fine as the target
 * - `gdal` the finest where the target is as fine or finer, else what `gdalwarp -ovr AUTO` takes
 * - `full` the finest
 */
export type LevelRule = "display" | "gdal" | "full";

/**
 * The level for a target grid.
 *
 * @throws {CogError} `no-georeference`
 */
export function levelFor(file: RasterFile, target: Grid, rule: LevelRule): number {
  checkGeoreference(file);
  const { levels } = file;
  if (rule === "full" || levels.length === 1) return 0;
  const width = levels[0]!.width;
  const ratios = levels.map((level) => width / level.width);
  if (rule === "display") return displayLevel(ratios, sourceStep(file.grid, target));
  const level = gdalLevel(ratios, gdalRatio(file.grid, target));
  return level > 0 && longestStep(file.grid, target) <= ROUNDING ? 0 : level;
}

/** Levels of 2325 pixels at 581 are a factor of 4.0017: what rounding of sizes adds must not push a level out. */
const ROUNDING = 1.01;

/** @param step pixels of level 0 per pixel of the target */
export function displayLevel(ratios: readonly number[], step: number): number {
  let level = 0;
  for (let i = 1; i < ratios.length; i++) if (ratios[i]! <= step * ROUNDING) level = i;
  return level;
}

/**
 * The choice of GDAL 3.6 (`apps/gdalwarp_lib.cpp`, the loop over overviews): the last level before the one that is
 * coarser than the target, or the first within 0.1 of it.
 */
export function gdalLevel(ratios: readonly number[], target: number): number {
  if (!(target > 1)) return 0;
  let level = 0;
  for (; level < ratios.length - 1; level++) {
    const ratio = ratios[level]!;
    if (ratio < target && ratios[level + 1]! > target) break;
    if (Math.abs(ratio - target) < 0.1) break;
  }
  return level;
}

/**
 * Returns the function that gives the source coordinates of a place of the target, in columns and rows; NaN where it
 * has no coordinates there.
 */
function sourcePixels(source: Grid, target: Grid): (column: number, row: number) => [number, number] {
  const inverse = invertAffine(source.transform);
  const project = sameCrs(source.crs, target.crs) ? undefined : transformer(target.crs, source.crs);
  const wrap = wrapOf(source, project !== undefined);
  return (column, row) => {
    const [x, y] = applyAffine(target.transform, column, row);
    const [px, py] = project === undefined ? [x, y] : project(x, y);
    return applyAffine(inverse, wrap === undefined ? px : wrap(px), py);
  };
}

const EDGE_STEPS = 20;

/**
 * Source pixels per target pixel as `gdalwarp` takes it: the columns of the source that the outline of the target
 * spans, divided by the columns of the target. Rows do not count. Found by measuring GDAL 3.6.2: see
 * `test/fixtures/gdal-levels.json`.
 */
export function gdalRatio(source: Grid, target: Grid): number {
  const { width, height } = target;
  const map = sourcePixels(source, target);
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const see = (column: number, row: number): void => {
    const [sourceColumn] = map(column, row);
    if (!Number.isFinite(sourceColumn)) return;
    low = Math.min(low, sourceColumn);
    high = Math.max(high, sourceColumn);
  };
  for (let step = 0; step <= EDGE_STEPS; step++) {
    const part = step / EDGE_STEPS;
    see(part * width, 0);
    see(part * width, height);
    see(0, part * height);
    see(width, part * height);
  }
  return (high - low) / width;
}

/**
 * Degrees by which a longitude may be beyond the edge of a global grid before it is taken for one on the other side.
 */
const EDGE = 1e-9;

/**
 * Returns the function that moves a longitude to where GDAL looks for it in a grid of longitudes: when it projects,
 * within 180 degrees of the grid's centre; when it does not, inside a grid round the whole Earth. So a target across
 * the edge of such a grid spans it from side to side. Measured with GDAL 3.6.2 in `test/window/level.test.ts`.
 */
function wrapOf({ crs, transform, width }: Grid, isProjected: boolean): ((longitude: number) => number) | undefined {
  const [step, skew, west] = transform;
  if (!crs.geographic || skew !== 0 || step <= 0) return undefined;
  const isGlobal = Math.abs(width * step - 360) <= step / 2;
  if (!isGlobal && !isProjected) return undefined;
  const start = isGlobal ? west : west + (width * step) / 2 - 180;
  return (longitude) => {
    if (longitude >= start - EDGE && longitude <= start + 360 + EDGE) return longitude;
    return longitude - 360 * Math.floor((longitude - start) / 360);
  };
}
