import { ownedContext, type WarpContext } from "../context.ts";
import { GridError } from "../errors.ts";
import { invertAffine } from "../grid/affine.ts";
import type { Grid } from "../grid/grid.ts";
import type { Window } from "../grid/window.ts";
import { type InnerPatches, innerPatches } from "./coordinates/patch.ts";
import { findPixelIndices, type PixelIndices, releaseIndices } from "./coordinates/pixel-indices.ts";
import { EDGE, isSeparable, overlapRegion, type PixelMap, pixelMap } from "./coordinates/pixel-map.ts";

/** The rule that gives a target pixel its value from source pixels. */
export type Resampling = "nearest" | "bilinear";

/**
 * One axis of a separable plan: for each target column (or row) the source column (or row), −1 where there is none,
 * and the distance of the centres, −0.5 to 0.5 source pixels. From `start` to before `end` are those that have one;
 * `max` < `min` and `end` is 0 where there is none at all.
 */
export interface AxisIndices {
  readonly indices: Int32Array;
  readonly offsets: Float64Array;
  readonly min: number;
  readonly max: number;
  readonly start: number;
  readonly end: number;
}

/**
 * The mapping of target pixels to source pixels; it is made once for a pair of grids and shared by all bands and
 * windows. It keeps polynomials where the target is wholly inside the source; else, or used again, source coordinates
 * until it is dropped or released: 8 bytes per pixel of its region, 16 for bilinear, or a few bytes for each row and column
 * where the axes are independent (`separable`: same CRS, or degrees and Mercator, unrotated).
 */
export interface WarpPlan {
  readonly source: Grid;
  readonly target: Grid;
  readonly separable: { readonly x: AxisIndices; readonly y: AxisIndices } | undefined;
  /** The part of the target outside of which no pixel is in the source: without pixels where none is. */
  readonly region: Window;
  /** The context whose memory the plan uses. */
  readonly context: WarpContext;
  /** The polynomials of a target that is wholly inside the source, where not separable. */
  readonly inner: InnerPatches | undefined;
  /**
   * As `inner`, for a warp that evaluates them strip by strip and keeps nothing: on the first warp, and always where the target is
   * larger than a tile of 512 × 512. Undefined from the second warp on, which keeps `indices`.
   */
  innerForWarp(): InnerPatches | undefined;
  /** Indices of the pixels of the region, where not separable, kept until they are released; `offsets` makes `dx` and `dy`. */
  indices(offsets: boolean): PixelIndices;
  /** Releases the memory of source coordinates for other plans; a later use of the plan computes them again. */
  release(): void;
}

/** Options of a plan. */
export interface PlanOptions {
  /** Gives the memory of the plan and of its warps. Default: the context of this thread. */
  readonly context?: WarpContext | undefined;
}

/** Target pixels up to which a plan keeps its indices from the second warp on: a tile of 512 × 512. */
const MAX_KEPT = 512 * 512;

/**
 * Plans a warp. Exact: nearest picks, for every target pixel, the source pixel that holds its centre by proj4 and
 * GDAL's rule (`floor(coordinate + 1e-10)`), as `gdalwarp -r near -et 0` does. South-up and rotated grids are taken
 * as they are. Costs nothing until the plan is used, except where the axes are independent.
 *
 * @throws {GridError} `degenerate-transform` where pixels of a grid have no area, `invalid-size` where a grid has none.
 */
export function planWarp(source: Grid, target: Grid, options: PlanOptions = {}): WarpPlan {
  const context = ownedContext(options.context);
  for (const { transform, width, height } of [source, target]) {
    invertAffine(transform);
    if (!(Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0)) {
      throw new GridError("invalid-size", `Expected a grid of whole pixels, got ${width} × ${height}.`);
    }
  }
  const separable = isSeparable(source, target) ? separate(source, target) : undefined;
  let inner: { readonly patches: InnerPatches | undefined } | undefined;
  let found: PixelIndices | undefined;
  let region = separable === undefined ? undefined : regionOf(separable);
  let warps = 0;
  const indices = (offsets: boolean): PixelIndices => {
    if (found === undefined || (offsets && found.dx === undefined)) {
      if (found !== undefined) releaseIndices(context.pool, found);
      found = findPixelIndices(context, source, target, plan.region, offsets, plan.inner);
    }
    return found;
  };
  const plan: WarpPlan = {
    source,
    target,
    separable,
    context,
    get region() {
      region ??=
        plan.inner === undefined
          ? overlapRegion(source, target)
          : { x: 0, y: 0, width: target.width, height: target.height };
      return region;
    },
    get inner() {
      const { kernels } = context;
      if (separable !== undefined || kernels === undefined) return undefined;
      inner ??= { patches: innerPatches(kernels, source, target) };
      return inner.patches;
    },
    innerForWarp() {
      warps += 1;
      return warps === 1 || target.width * target.height > MAX_KEPT ? plan.inner : undefined;
    },
    indices,
    release() {
      if (found !== undefined) releaseIndices(context.pool, found);
      found = undefined;
    },
  };
  return plan;
}

/**
 * The smallest window of the source grid that the warp reads; undefined where no target pixel is in the source.
 * Bilinear takes one pixel more on each side that has one.
 */
export function sourceWindow(plan: WarpPlan, resampling: Resampling): Window | undefined {
  const { x, y } = plan.separable ?? {};
  const pixels =
    x === undefined || y === undefined ? (plan.inner ?? plan.indices(resampling === "bilinear")) : undefined;
  let minCol = x?.min ?? pixels?.minCol ?? 0;
  let maxCol = x?.max ?? pixels?.maxCol ?? -1;
  let minRow = y?.min ?? pixels?.minRow ?? 0;
  let maxRow = y?.max ?? pixels?.maxRow ?? -1;
  if (maxCol < minCol || maxRow < minRow) return undefined;
  if (resampling === "bilinear") {
    minCol = Math.max(0, minCol - 1);
    minRow = Math.max(0, minRow - 1);
    maxCol = Math.min(plan.source.width - 1, maxCol + 1);
    maxRow = Math.min(plan.source.height - 1, maxRow + 1);
  }
  return { x: minCol, y: minRow, width: maxCol - minCol + 1, height: maxRow - minRow + 1 };
}

function separate(source: Grid, target: Grid): { x: AxisIndices; y: AxisIndices } {
  const map = pixelMap(source, target);
  // any row will do for the columns, if it has coordinates: the equator, or y = 0, always has
  const [a, , c, , e, f] = target.transform;
  return {
    x: axis(map, target.width, source.width, "x", -f / e),
    y: axis(map, target.height, source.height, "y", -c / a),
  };
}

function regionOf({ x, y }: { readonly x: AxisIndices; readonly y: AxisIndices }): Window {
  return { x: x.start, y: y.start, width: x.end - x.start, height: y.end - y.start };
}

function axis(map: PixelMap, count: number, sourceCount: number, along: "x" | "y", across: number): AxisIndices {
  const indices = new Int32Array(count).fill(-1);
  const offsets = new Float64Array(count);
  let [min, max, start, end] = [Number.MAX_SAFE_INTEGER, -1, 0, 0];
  const point = { x: 0, y: 0 };
  for (let i = 0; i < count; i++) {
    point.x = along === "x" ? i + 0.5 : across;
    point.y = along === "x" ? across : i + 0.5;
    map(point);
    const index = Math.floor(point[along] + EDGE);
    if (!(index >= 0 && index < sourceCount)) continue;
    indices[i] = index;
    offsets[i] = point[along] - index - 0.5;
    min = Math.min(min, index);
    max = Math.max(max, index);
    if (end === 0) start = i;
    end = i + 1;
  }
  return { indices, offsets, min, max, start, end };
}
