import { applyAffine, type Grid, invertAffine, planWarp, sameCrs, sourceStep, transformer } from "@swath/raster";
import { checkGeoreference, type RasterFile } from "../raster-file.ts";

/**
 * Which level a target is read from.
 *
 * - `display` the coarsest that is still at least as fine as the target
 * - `gdal` what `gdalwarp -ovr AUTO` takes
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
  return rule === "gdal"
    ? gdalLevel(ratios, gdalRatio(file.grid, target))
    : displayLevel(ratios, sourceStep(planWarp(file.grid, target)));
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

const EDGE_STEPS = 20;

/**
 * Source pixels per target pixel as `gdalwarp` takes it: the columns of the source that the outline of the target
 * spans, divided by the columns of the target. Rows do not count. Found by measuring GDAL 3.6.2: see
 * `test/fixtures/gdal-levels.json`.
 */
export function gdalRatio(source: Grid, target: Grid): number {
  const { width, height } = target;
  const inverse = invertAffine(source.transform);
  const project = sameCrs(source.crs, target.crs) ? undefined : transformer(target.crs, source.crs);
  const wrap = project === undefined ? wrapOf(source) : undefined;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  const see = (column: number, row: number): void => {
    const [x, y] = applyAffine(target.transform, column, row);
    const [px, py] = project === undefined ? [x, y] : project(x, y);
    const [sourceColumn] = applyAffine(inverse, wrap === undefined ? px : wrap(px), py);
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

/** Degrees by which a longitude may be beyond the edge of a global grid before it is taken for one on the other side. */
const EDGE = 1e-9;

/**
 * Of a grid of longitudes round the whole Earth: brings longitudes beyond its edges inside, as GDAL does, so that a target
 * across the edge spans it from side to side. Measured with GDAL 3.6.2 in `test/level.test.ts`.
 */
function wrapOf({ crs, transform, width }: Grid): ((longitude: number) => number) | undefined {
  const [step, skew, west] = transform;
  if (!crs.geographic || skew !== 0 || step <= 0 || Math.abs(width * step - 360) > step / 2) return undefined;
  return (longitude) => {
    if (longitude >= west - EDGE && longitude <= west + 360 + EDGE) return longitude;
    return longitude - 360 * Math.floor((longitude - west) / 360);
  };
}
