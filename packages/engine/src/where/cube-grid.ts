import type { Geometry } from "@swath/geometry";
import type { AskedPixels, PlannedArea, PlannedGrid, SpatialExtent } from "@swath/openeo";
import {
  type Bounds,
  type Crs,
  type Grid,
  intersectWindows,
  invertAffine,
  METRES_PER_DEGREE,
  resolveCrs,
  sameCrs,
  transformer,
  type Window,
  windowGrid,
} from "@swath/raster";
import { checkSide, checkSpan, pixelFault, unitOf } from "../limits/limits.ts";
import { type Path, Refusal } from "../refusal.ts";
import { type CubeRegion, centresBetween, partsOf, rasterizeRegion } from "../run/compute/cube-region.ts";
import { cornerGrid, coveringPixels, gridZone, type PixelCorner, type PixelSize } from "./alignment.ts";
import { Area, areaOfGeometry, boundsOfGeometry, DEGREES } from "./area.ts";
import { areaOfExtent, isThin, regionOfExtent } from "./cube-region.ts";
import { analysisGrid } from "./frame.ts";
import { nativeGrid, orSampledPixel, pointGrid } from "./native-grid.ts";

/** Path of the resolutions of cubes in a request. */
const NODES: Path = ["what", "graph", "nodes"];

/**
 * The grid of a cube: of the pixels of the files, or of those that were asked for, all whose centres are in the boxes around the
 * cube's extents, and no row or column more.
 *
 * @param corners of pixels of the files that it may be aligned with
 * @param path of the node that the grid is of
 * @throws {Refusal} `output-too-large` beyond 2,500 pixels a side; `invalid` where no pixel is in the extents;
 *   `pixel-too-large`.
 */
export function cubeGrid(request: PlannedGrid, corners: readonly PixelCorner[], path: Path): Grid {
  const { asked, extents, native } = request;
  const around = extents.at(-1) ?? asked?.extent;
  if (around === undefined) throw new TypeError("Expected a cube with bounds.");
  const area = areaOfExtent(around, path);
  const whole = asked === undefined ? fileGrid(area, native, corners) : askedGrid(asked, native, area, corners);
  const window = extents.reduce<Window | undefined>(
    (kept, extent) => (kept === undefined ? undefined : intersectWindows(kept, windowOf(extent, whole, path))),
    { x: 0, y: 0, width: whole.width, height: whole.height },
  );
  if (window !== undefined) checkSide(window);
  const kept = window === undefined ? undefined : withoutEmptyEdges(windowGrid(whole, window), extents, path);
  if (kept !== undefined) return kept;
  const [width, height] = [Math.abs(whole.transform[0]), Math.abs(whole.transform[4])];
  const detail = `The extent of the cube holds the centre of no pixel of ${width} × ${height} ${unitOf(whole.crs)}.`;
  throw new Refusal("invalid", path, detail);
}

/** All pixels that an area touches, of the native resolution in the UTM zone of most scenes, aligned with those of files. */
function fileGrid(area: Area, native: number, corners: readonly PixelCorner[]): Grid {
  const crs = gridZone(area, corners);
  if (!sameCrs(area.crs, crs)) checkSpan(area, native);
  return nativeGrid(area, native, corners, crs).grid;
}

/** Pixels that were asked for: as many as have their centres in the box of the extent, from a corner of it. */
function askedGrid(asked: AskedPixels, native: number, otherwise: Area, corners: readonly PixelCorner[]): Grid {
  const area = asked.extent === undefined ? otherwise : areaOfExtent(asked.extent, otherwise.path);
  const pixels = askedPixels(asked, native, area, corners);
  const fault = asked.resolution === undefined ? undefined : resolutionFault(pixels);
  if (fault !== undefined) throw fault;
  return gridOf(pixels, asked, (count) => centresBetween(0, count)[1]);
}

/** Pixels that are asked for, and the box of an area in their CRS. */
interface AreaPixels {
  readonly crs: Crs;
  readonly size: PixelSize;
  readonly bounds: Bounds;
}

function askedPixels(
  { resolution, crs: name }: AskedPixels,
  native: number,
  area: Area,
  corners: readonly PixelCorner[],
): AreaPixels {
  const crs = name === undefined ? gridZone(area, corners) : resolveCrs(name);
  const metres = crs.geographic ? METRES_PER_DEGREE : 1;
  const own = native / metres;
  const size = resolution ?? ([own, own] as const);
  if (!sameCrs(area.crs, crs)) checkSpan(area, size[0] * metres);
  return { crs, size, bounds: area.boundsIn(crs) };
}

const resolutionFault = ({ crs, size, bounds }: AreaPixels): Refusal | undefined =>
  pixelFault({ size, names: ["resolution", "resolution"], paths: [NODES, NODES] }, bounds, crs);

function gridOf({ crs, size, bounds }: AreaPixels, { align }: AskedPixels, count: (pixels: number) => number): Grid {
  const grid = cornerGrid(crs, bounds, size, align, count);
  checkSide(grid);
  return grid;
}

/** The pixels whose centres are in the box around an extent; of lines and points those that the box touches. */
function windowOf(extent: SpatialExtent, grid: Grid, path: Path): Window {
  const { geometry } = extent;
  const isMixed = geometry?.type === "GeometryCollection";
  const parts: readonly SpatialExtent[] = isMixed
    ? partsOf(geometry).map((part) => ({ geometry: part, crs: extent.crs }))
    : [extent];
  const windows = parts.map((part) => {
    const thin = part.geometry !== undefined && isThin(part.geometry) ? part.geometry : undefined;
    const area =
      thin === undefined ? areaOfExtent(part, path) : new Area(path, DEGREES, boundsOfGeometry(thin), undefined);
    if (!sameCrs(area.crs, grid.crs)) checkSpan(area, 1);
    return boundsWindow(area.boundsIn(grid.crs), grid, thin === undefined ? centresBetween : pixelsBetween);
  });
  const [x, y] = [Math.min(...windows.map((own) => own.x)), Math.min(...windows.map((own) => own.y))];
  const right = Math.max(...windows.map((own) => own.x + own.width));
  const bottom = Math.max(...windows.map((own) => own.y + own.height));
  return { x, y, width: right - x, height: bottom - y };
}

/** The pixels of a north-up grid that are in bounds, by a rule for columns and rows. */
function boundsWindow(
  [minX, minY, maxX, maxY]: Bounds,
  { transform }: Grid,
  between: (from: number, to: number) => readonly [first: number, end: number],
): Window {
  const [a, , c, , e, f] = invertAffine(transform);
  const [left, right] = between(a * minX + c, a * maxX + c);
  const [top, bottom] = between(e * maxY + f, e * minY + f);
  return { x: left, y: top, width: right - left, height: bottom - top };
}

const pixelsBetween = (from: number, to: number): readonly [first: number, end: number] => [
  Math.floor(from),
  Math.floor(to) + 1,
];

/**
 * The grid without rows and columns at its edges in which no centre is in a box of another CRS, whose sides are bent in this one;
 * `undefined`: there is no such centre.
 */
function withoutEmptyEdges(grid: Grid, extents: readonly SpatialExtent[], path: Path): Grid | undefined {
  const boxes = extents
    .map((extent) => regionOfExtent(extent, path))
    .filter((region) => region.kind === "box" && !sameCrs(resolveCrs(region.crs), grid.crs));
  let window: Window | undefined = { x: 0, y: 0, width: grid.width, height: grid.height };
  for (const box of boxes) window = window === undefined ? undefined : trimmed(window, grid, box);
  return window === undefined ? undefined : windowGrid(grid, window);
}

function trimmed(window: Window, grid: Grid, region: CubeRegion): Window | undefined {
  const isEmpty = (part: Window): boolean => !rasterizeRegion(region, windowGrid(grid, part)).includes(1);
  let { x, y, width, height } = window;
  while (height > 0 && isEmpty({ x, y, width, height: 1 })) [y, height] = [y + 1, height - 1];
  while (height > 0 && isEmpty({ x, y: y + height - 1, width, height: 1 })) height -= 1;
  if (height === 0) return undefined;
  while (isEmpty({ x, y, width: 1, height })) [x, width] = [x + 1, width - 1];
  while (isEmpty({ x: x + width - 1, y, width: 1, height })) width -= 1;
  return { x, y, width, height };
}

/** The pixels of an area, and which of them count. */
export interface AreaGrid {
  readonly grid: Grid;
  readonly region?: CubeRegion;
  /** Whether it is the one pixel of a point. */
  readonly isPoint: boolean;
}

/** Whether areas are reduced on pixels of the cube: where it has bounds and was resampled. */
export const isPartOfCube = ({ asked, extents }: PlannedGrid): boolean =>
  asked !== undefined && (asked.extent !== undefined || extents.length > 0);

/**
 * The grid of an area to be reduced: of a cube that was resampled a part of its grid, else pixels of its own: of a point the
 * one that it is in, of other geometries those of the native resolution around it.
 *
 * @returns `undefined`: the area lies outside of the cube's grid.
 */
export function areaGrid(
  { geometry, grid }: PlannedArea,
  corners: readonly PixelCorner[],
  path: Path,
): AreaGrid | undefined {
  const { asked, native } = grid;
  if (isPartOfCube(grid)) return partOfGrid(geometry, cubeGrid(grid, corners, path), path);
  if (geometry.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { grid: pointGrid([lon, lat]), isPoint: true };
  }
  const area = areaOfGeometry(geometry, path);
  if (asked === undefined) return pixelsOf(geometry, area, analysisGrid(area, {}, native, corners).grid);
  // the area may be smaller than a pixel: all that it touches
  return pixelsOf(geometry, area, gridOf(askedPixels(asked, native, area, corners), asked, coveringPixels));
}

/** The pixels of a grid that count for an area: without the centre of one in its polygon, that of its inner point. */
function pixelsOf(geometry: Geometry, { crs, polygon }: Area, grid: Grid): AreaGrid {
  const region: CubeRegion = { kind: "geometry", geometry: polygon ?? geometry, crs: crs.name };
  if (polygon === undefined) return { grid, region, isPoint: false };
  const sampled = orSampledPixel({ grid, region: { polygon, crs: crs.name } }, crs);
  return sampled.region === undefined ? { grid: sampled.grid, isPoint: false } : { grid, region, isPoint: false };
}

/**
 * Refuses a resolution of which a pixel is larger than each of the areas that are reduced on pixels of their own.
 *
 * @throws {Refusal} `pixel-too-large`, by the first of them
 */
export function checkAreaPixels(areas: readonly PlannedArea[], path: Path): void {
  const byGrid = new Map<PlannedGrid, Area[]>();
  for (const { geometry, grid } of areas) {
    const hasSize = grid.asked?.resolution !== undefined && !isPartOfCube(grid);
    if (!hasSize || geometry.type === "Point") continue;
    const own = byGrid.get(grid) ?? [];
    own.push(areaOfGeometry(geometry, path));
    byGrid.set(grid, own);
  }
  for (const [{ asked, native }, own] of byGrid) {
    const faults = own.map((area) => resolutionFault(askedPixels(asked!, native, area, [])));
    if (faults[0] !== undefined && !faults.includes(undefined)) throw faults[0];
  }
}

/** The pixels of a grid that an area touches. */
function partOfGrid(geometry: Geometry, whole: Grid, path: Path): AreaGrid | undefined {
  const area = geometry.type === "Point" ? undefined : areaOfGeometry(geometry, path);
  const bounds = area === undefined ? pointIn(geometry, whole) : area.boundsIn(whole.crs, { whole: false });
  const touched = boundsWindow(bounds, whole, pixelsBetween);
  const window = intersectWindows(touched, { x: 0, y: 0, width: whole.width, height: whole.height });
  if (window === undefined) return undefined;
  const grid = windowGrid(whole, window);
  return area === undefined ? { grid, isPoint: true } : pixelsOf(geometry, area, grid);
}

function pointIn(geometry: Geometry, { crs }: Grid): Bounds {
  const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
  const [x, y] = transformer(DEGREES, crs)(lon, lat);
  return [x, y, x, y];
}
