import { sameCrs } from "../../crs/crs.ts";
import { GridError } from "../../errors.ts";
import type { Grid } from "../../grid/grid.ts";
import type { Window } from "../../grid/window.ts";
import { EDGE, isSeparable, pixelMap } from "../coordinates/pixel-map.ts";

/**
 * The rule that turns values of one grid into those of another, by the names of `gdalwarp -r`.
 * - `near`: the pixel that the centre is in.
 * - `bilinear`, `cubic`: weighted by distance from the centre; over as many pixels as a coarser one covers.
 * - `average`, `rms`, `sum`: over the pixels that it covers, weighted by the share covered. `sum` is for grids of one
 *   CRS.
 * - `mode`, `min`, `max`, `q1`, `med`, `q3`: over all pixels that it touches.
 */
export type ResamplingMethod = (typeof RESAMPLING_METHODS)[number];

/** The methods of {@link ResamplingMethod}. */
export const RESAMPLING_METHODS = [
  "near",
  "bilinear",
  "cubic",
  "average",
  "rms",
  "sum",
  "mode",
  "min",
  "max",
  "q1",
  "med",
  "q3",
] as const;

/** Methods that weight pixels by their distance, and pixels to each side of the centre that they take at full scale. */
const RADIUS: Readonly<Partial<Record<ResamplingMethod, number>>> = { bilinear: 1, cubic: 2 };

/** The source pixels that a method takes for each target pixel. */
export interface ResamplePlan {
  readonly source: Grid;
  readonly target: Grid;
  readonly method: ResamplingMethod;
  /** Whether a target pixel takes the pixels around its centre, or those that it covers. */
  readonly takes: "centre" | "area";
  /** The smallest window of the source that holds all that is taken; undefined: no target pixel touches the source. */
  readonly window: Window | undefined;
  /**
   * Source coordinates in pixels, NaN where there are none: for methods by distance the centre of each target pixel,
   * for the others its upper left and lower right corner, two numbers each.
   */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Target pixels per source pixel along each axis, at most 1: how far methods by distance reach. */
  readonly scale: readonly [x: number, y: number];
}

/** Options of resampling. */
export interface ResampleOptions {
  /** The whole grid of which the target is a part, so that all parts take pixels from as far away. Default: the target. */
  readonly area?: Grid;
}

/**
 * Plans the resampling of a grid onto another.
 *
 * @throws {GridError} `invalid-size` for a grid without pixels, `degenerate-transform` where pixels have no area,
 *   `different-crs` for a sum of pixels of another CRS: GDAL cuts up each source pixel there.
 */
export function planResample(
  source: Grid,
  target: Grid,
  method: ResamplingMethod,
  { area = target }: ResampleOptions = {},
): ResamplePlan {
  for (const { width, height } of [source, target]) {
    if (Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0) continue;
    throw new GridError("invalid-size", `Expected a grid of whole pixels, got ${width} × ${height}.`);
  }
  if (method === "sum" && !sameCrs(source.crs, target.crs)) {
    throw new GridError("different-crs", `Expected grids of one CRS, got ${source.crs.name} and ${target.crs.name}.`);
  }
  const takes = method === "near" || RADIUS[method] !== undefined ? "centre" : "area";
  const { x, y } = takes === "area" ? corners(source, target) : centres(source, target);
  const scale = RADIUS[method] === undefined ? ([1, 1] as const) : scaleOf(source, area);
  const plan = { source, target, method, takes, x, y, scale } as const;
  return { ...plan, window: windowOf(plan) };
}

/** Source pixels that a method by distance takes to each side of the pixel before the centre. */
export function reachOf({ method, scale }: Pick<ResamplePlan, "method" | "scale">): readonly [x: number, y: number] {
  const radius = RADIUS[method] ?? 0;
  const reach = (along: number): number => (along < FULL_SCALE ? Math.ceil(radius / along) : radius);
  return [reach(scale[0]), reach(scale[1])];
}

/** From this scale on both axes GDAL takes the pixels next to the centre alone (GWKGetFilterRadius, bUse4SamplesFormula). */
export const FULL_SCALE = 0.95;

/** Source coordinates of a point of the target, in pixels of both. */
type Locate = (col: number, row: number) => { readonly x: number; readonly y: number };

/** @param shift of the points in their pixels: 0.5 for centres, 0 for corners */
function locator(source: Grid, target: Grid, shift: number): Locate {
  const map = pixelMap(source, target);
  const point = { x: 0, y: 0 };
  const locate: Locate = (col, row) => {
    point.x = col + shift;
    point.y = row + shift;
    map(point);
    return point;
  };
  if (!isSeparable(source, target)) return locate;
  // any row will do for the columns, if it has coordinates: the equator, or y = 0, always has
  const [a, , c, , e, f] = target.transform;
  const columns = Float64Array.from({ length: target.width + 1 }, (_, col) => locate(col, -f / e).x);
  const rows = Float64Array.from({ length: target.height + 1 }, (_, row) => locate(-c / a, row).y);
  const found = { x: 0, y: 0 };
  return (col, row) => {
    found.x = columns[col]!;
    found.y = rows[row]!;
    return found;
  };
}

function centres(source: Grid, target: Grid): Pick<ResamplePlan, "x" | "y"> {
  const { width, height } = target;
  const locate = locator(source, target, 0.5);
  const [x, y] = [new Float64Array(width * height), new Float64Array(width * height)];
  for (let row = 0, i = 0; row < height; row++) {
    for (let col = 0; col < width; col++, i++) {
      const point = locate(col, row);
      x[i] = point.x;
      y[i] = point.y;
    }
  }
  return { x, y };
}

/** Each point at which pixels meet is the lower right corner of one pixel and the upper left corner of another. */
function corners(source: Grid, target: Grid): Pick<ResamplePlan, "x" | "y"> {
  const { width, height } = target;
  const locate = locator(source, target, 0);
  const count = width * height;
  const [x, y] = [new Float64Array(2 * count), new Float64Array(2 * count)];
  for (let row = 0; row <= height; row++) {
    for (let col = 0; col <= width; col++) {
      const point = locate(col, row);
      const i = row * width + col;
      if (col < width && row < height) {
        x[2 * i] = point.x;
        y[2 * i] = point.y;
      }
      if (col > 0 && row > 0) {
        const before = 2 * (i - width - 1) + 1;
        x[before] = point.x;
        y[before] = point.y;
      }
    }
  }
  return { x, y };
}

/**
 * The scale at the centre of the area. Near a whole number of source pixels it is that number, as GDAL has it (gdalwarper.cpp,
 * `dfXReciprocalScale`).
 */
function scaleOf(source: Grid, area: Grid): readonly [x: number, y: number] {
  const map = pixelMap(source, area);
  const at = (col: number, row: number): { x: number; y: number } => {
    const point = { x: col, y: row };
    map(point);
    return point;
  };
  const [col, row] = [area.width / 2, area.height / 2];
  const [west, east, north, south] = [at(col - 0.5, row), at(col + 0.5, row), at(col, row - 0.5), at(col, row + 0.5)];
  const along = (a: { x: number; y: number }, b: { x: number; y: number }): number => {
    const pixels = Math.hypot(b.x - a.x, b.y - a.y);
    const whole = Math.round(pixels);
    const near = whole > 0 && Math.abs(pixels - whole) < 0.05 ? whole : pixels;
    return near > 1 ? 1 / near : 1;
  };
  return [along(west, east), along(north, south)];
}

function windowOf(plan: Omit<ResamplePlan, "window">): Window | undefined {
  const { source, x, y } = plan;
  const [reachX, reachY] = reachOf(plan);
  const across = spanOf(x, source.width, reachX);
  const down = spanOf(y, source.height, reachY);
  if (across === undefined || down === undefined) return undefined;
  return { x: across[0], y: down[0], width: across[1] - across[0], height: down[1] - down[0] };
}

/** The first pixel that is taken, and the one after the last. */
function spanOf(coordinates: Float64Array, count: number, reach: number): readonly [number, number] | undefined {
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const coordinate of coordinates) {
    if (coordinate < least) least = coordinate;
    if (coordinate > most) most = coordinate;
  }
  const first = Math.max(0, Math.floor(least + EDGE) - reach);
  const end = Math.min(count, Math.floor(most + EDGE) + 1 + reach);
  return first < end ? [first, end] : undefined;
}
