import {
  type Affine,
  applyAffine,
  type Grid,
  invertAffine,
  planWarp,
  sameCrs,
  sourceStep,
  transformer,
} from "@swath/raster";
import { type Cog, checkGeoreference } from "./cog.ts";

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
export function levelFor(cog: Cog, target: Grid, rule: LevelRule): number {
  checkGeoreference(cog);
  const { levels } = cog;
  if (rule === "full" || levels.length === 1) return 0;
  const width = levels[0]!.width;
  const ratios = levels.map((level) => width / level.width);
  return rule === "gdal"
    ? gdalLevel(ratios, gdalRatio(cog.grid, target))
    : displayLevel(ratios, sourceStep(planWarp(cog.grid, target)));
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
 * Source pixels per target pixel as GDAL takes it (`GDALSuggestedWarpOutput2`): along the diagonal of the whole
 * source image, from corner to corner, or across its extent where a corner cannot be transformed.
 */
export function gdalRatio(source: Grid, target: Grid): number {
  const { width, height } = source;
  const toTarget = pixelTransform(source, target);
  const [x0, y0] = toTarget(0, 0);
  const [x1, y1] = toTarget(width, height);
  let dx = x1 - x0;
  let dy = y1 - y0;
  if (!Number.isFinite(dx) || !Number.isFinite(dy) || dx === 0 || dy === 0) {
    [dx, dy] = extentOf(toTarget, width, height);
  }
  return Math.hypot(width, height) / Math.hypot(dx, dy);
}

const EDGE_STEPS = 20;

function extentOf(
  toTarget: (x: number, y: number) => [number, number],
  width: number,
  height: number,
): [number, number] {
  let minX = Number.POSITIVE_INFINITY;
  let minY = Number.POSITIVE_INFINITY;
  let maxX = Number.NEGATIVE_INFINITY;
  let maxY = Number.NEGATIVE_INFINITY;
  for (let row = 0; row <= EDGE_STEPS; row++) {
    for (let column = 0; column <= EDGE_STEPS; column++) {
      const [x, y] = toTarget((column / EDGE_STEPS) * width, (row / EDGE_STEPS) * height);
      if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
      minX = Math.min(minX, x);
      minY = Math.min(minY, y);
      maxX = Math.max(maxX, x);
      maxY = Math.max(maxY, y);
    }
  }
  return [maxX - minX, maxY - minY];
}

function pixelTransform(source: Grid, target: Grid): (x: number, y: number) => [number, number] {
  const inverse: Affine = invertAffine(target.transform);
  const project = sameCrs(source.crs, target.crs) ? undefined : transformer(source.crs, target.crs);
  return (column, row) => {
    const [x, y] = applyAffine(source.transform, column, row);
    const [px, py] = project === undefined ? [x, y] : project(x, y);
    return applyAffine(inverse, px, py);
  };
}
