import { type Crs, resolveCrs, sameCrs } from "../crs/crs.ts";
import { GridError } from "../errors.ts";
import { type Affine, applyAffine, composeAffine } from "./affine.ts";
import { type Bbox, type Bounds, transformBounds } from "./bounds.ts";
import type { Window } from "./window.ts";

/** The georeference of pixels: `transform` takes column and row of a pixel's upper left corner to coordinates of `crs`. */
export interface Grid {
  readonly crs: Crs;
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/**
 * A north-up grid of `width × height` pixels that fills `bounds`.
 *
 * @throws {GridError} `invalid-size` unless bounds have an area and sizes are whole numbers of at least 1.
 */
export function gridFromBounds(crs: Crs, bounds: Bounds, width: number, height: number): Grid {
  const [minX, minY, maxX, maxY] = bounds;
  if (!(maxX > minX && maxY > minY && Number.isFinite(maxX - minX) && Number.isFinite(maxY - minY))) {
    throw new GridError("invalid-size", `Expected bounds with an area, got [${bounds.join(", ")}].`);
  }
  if (!(Number.isSafeInteger(width) && Number.isSafeInteger(height) && width >= 1 && height >= 1)) {
    throw new GridError("invalid-size", `Expected a size of whole pixels, got ${width} × ${height}.`);
  }
  return { crs, transform: [(maxX - minX) / width, 0, minX, 0, -(maxY - minY) / height, maxY], width, height };
}

/** The rectangle around all four corners, which rotated grids do not fill. */
export function gridBounds(grid: Grid): Bounds {
  const { transform, width, height } = grid;
  const corners = [
    applyAffine(transform, 0, 0),
    applyAffine(transform, width, 0),
    applyAffine(transform, 0, height),
    applyAffine(transform, width, height),
  ];
  const xs = corners.map((corner) => corner[0]);
  const ys = corners.map((corner) => corner[1]);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/**
 * The box around a grid in degrees; west > east where it crosses the antimeridian.
 *
 * @throws {CrsError} `outside-crs` where no point of its edge has a longitude and latitude.
 */
export function gridBbox(grid: Grid): Bbox {
  const [west, south, east, north] = transformBounds(gridBounds(grid), grid.crs, resolveCrs("EPSG:4326"));
  if (east - west >= 360) return [-180, south, 180, north];
  return [west, south, east > 180 ? east - 360 : east, north];
}

/** The part of a grid under a window, which may reach beyond the grid. */
export function windowGrid(grid: Grid, window: Window): Grid {
  const { x, y, width, height } = window;
  if (x === 0 && y === 0) return { ...grid, width, height };
  return { crs: grid.crs, transform: composeAffine(grid.transform, [1, 0, x, 0, 1, y]), width, height };
}

/** Whether two grids have the same pixels: same CRS and size, no corner more than a millionth of a pixel apart. */
export function sameGrid(a: Grid, b: Grid): boolean {
  if (a === b) return true;
  if (a.width !== b.width || a.height !== b.height || !sameCrs(a.crs, b.crs)) return false;
  const pixel = Math.max(...[0, 1, 3, 4].map((i) => Math.abs(a.transform[i] ?? 0)));
  return [
    [0, 0],
    [a.width, 0],
    [0, a.height],
  ].every(([col = 0, row = 0]) => {
    const [ax, ay] = applyAffine(a.transform, col, row);
    const [bx, by] = applyAffine(b.transform, col, row);
    return Math.hypot(ax - bx, ay - by) <= 1e-6 * pixel;
  });
}

/** Rows go south, columns east, nothing is rotated. */
export function isNorthUp(grid: Grid): boolean {
  const [a, b, , d, e] = grid.transform;
  return a > 0 && e < 0 && b === 0 && d === 0;
}
