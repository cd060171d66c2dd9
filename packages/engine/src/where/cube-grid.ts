import type { Geometry } from "@swath/geometry";
import { type AskedPixels, type Extent, METRES_PER_DEGREE, type PlannedArea, type PlannedGrid } from "@swath/openeo";
import {
  type Bounds,
  type Grid,
  intersectWindows,
  invertAffine,
  resolveCrs,
  sameCrs,
  transformer,
  type Window,
  windowGrid,
} from "@swath/raster";
import { type CubeRegion, centresBetween, partsOf, rasterizeRegion } from "../run/cube-region.ts";
import { analysisGrid, boundsIn, checkSide, type PixelCorner } from "./analysis-grid.ts";
import { type Area, invalidBody } from "./area.ts";
import { areaBoundsIn } from "./area-outline.ts";
import { areaOfExtent, areaOfGeometry, boundsOfGeometry, isThin, regionOfExtent } from "./cube-region.ts";
import { checkPixelSize, pixelFault, unitOf } from "./pixel-size.ts";
import { pointGrid } from "./point-grid.ts";
import { orSampledPixel } from "./sampled-pixel.ts";
import { gridZone } from "./utm-zone.ts";

const DEGREES = "EPSG:4326";
/** Where a body holds the resolutions of cubes. */
const GRAPH = "/process/process_graph";

/**
 * The grid of a cube: of the pixels of the files, or of those that were asked for, all whose centres are in the boxes around the
 * cube's extents, and no row or column more.
 *
 * @param corners of pixels of the files that it may be aligned with
 * @throws {ProblemError} `output-too-large` beyond 2,500 pixels a side; `invalid-body` where no pixel is in the extents;
 *   `pixel-too-large`.
 */
export function cubeGrid(request: PlannedGrid, corners: readonly PixelCorner[]): Grid {
  const { asked, extents, native } = request;
  const around = extents.at(-1) ?? asked?.extent;
  if (around === undefined) throw new TypeError("Expected a cube with bounds.");
  const area = areaOfExtent(around);
  const whole = asked === undefined ? fileGrid(area, native, corners) : askedGrid(asked, native, area, corners);
  const window = extents.reduce<Window | undefined>(
    (kept, extent) => (kept === undefined ? undefined : intersectWindows(kept, windowOf(extent, whole))),
    { x: 0, y: 0, width: whole.width, height: whole.height },
  );
  const [width, height] = [Math.abs(whole.transform[0]), Math.abs(whole.transform[4])];
  const kept = window === undefined ? undefined : withoutEmptyEdges(windowGrid(whole, checked(window)), extents);
  if (kept !== undefined) return kept;
  throw invalidBody(
    "",
    `The extent of the cube holds the centre of no pixel of ${width} × ${height} ${unitOf(whole.crs)}.`,
  );
}

function checked(window: Window): Window {
  checkSide(window.width, window.height);
  return window;
}

/** All pixels that an area touches, of the native resolution in the UTM zone of most scenes, aligned with those of files. */
function fileGrid(area: Area, native: number, corners: readonly PixelCorner[]): Grid {
  const crs = gridZone(area, corners);
  const [minX, minY, maxX, maxY] = boundsIn(area, crs, native);
  const corner = corners.find(({ crs: own, resolution: [x, y] }) => sameCrs(own, crs) && x === native && y === native);
  const [x0, y0] = [(corner?.x ?? 0) % native, (corner?.y ?? 0) % native];
  const [left, right] = [Math.floor((minX - x0) / native), Math.ceil((maxX - x0) / native)];
  const [bottom, top] = [Math.floor((minY - y0) / native), Math.ceil((maxY - y0) / native)];
  const transform = [native, 0, x0 + left * native, 0, -native, y0 + top * native] as const;
  return { crs, transform, width: Math.max(1, right - left), height: Math.max(1, top - bottom) };
}

/** Pixels that were asked for: as many as have their centres in the box of the extent, from a corner of it. */
function askedGrid(asked: AskedPixels, native: number, otherwise: Area, corners: readonly PixelCorner[]): Grid {
  const area = asked.extent === undefined ? otherwise : areaOfExtent(asked.extent);
  const { crs, size, bounds } = askedPixels(asked, native, area, corners);
  if (asked.resolution !== undefined) checkPixelSize({ size, pointers: [GRAPH, GRAPH] }, bounds, crs);
  return gridFromCorner({ crs, size, bounds }, asked.align, (pixels) => centresBetween(0, pixels)[1]);
}

/** What is asked for of pixels, and the box of an area in their CRS. */
function askedPixels(
  { resolution, crs: name }: AskedPixels,
  native: number,
  area: Area,
  corners: readonly PixelCorner[],
) {
  const crs = name === undefined ? gridZone(area, corners) : resolveCrs(name);
  const own = crs.geographic ? native / METRES_PER_DEGREE : native;
  const size = resolution ?? ([own, own] as const);
  const bounds = boundsIn(area, crs, crs.geographic ? size[0] * METRES_PER_DEGREE : size[0]);
  return { crs, size, bounds };
}

/**
 * Pixels from a corner of a box.
 *
 * @param count how many of them a side of as many pixels has
 */
function gridFromCorner(
  { crs, size: [resx, resy], bounds: [minX, minY, maxX, maxY] }: ReturnType<typeof askedPixels>,
  align: AskedPixels["align"],
  count: (pixels: number) => number,
): Grid {
  const [width, height] = [count((maxX - minX) / resx), count((maxY - minY) / resy)];
  checkSide(width, height);
  const left = align.endsWith("left") ? minX : maxX - width * resx;
  const top = align.startsWith("upper") ? maxY : minY + height * resy;
  return { crs, transform: [resx, 0, left, 0, -resy, top], width, height };
}

/** The pixels whose centres are in the box around an extent; of lines and points those that the box touches. */
function windowOf(extent: Extent, { crs, transform }: Grid): Window {
  const { geometry } = extent;
  const isMixed = geometry?.type === "GeometryCollection";
  const parts: readonly Extent[] = isMixed
    ? partsOf(geometry).map((part) => ({ geometry: part, crs: extent.crs }))
    : [extent];
  const [a, , c, , e, f] = invertAffine(transform);
  const spans = parts.map((part) => {
    const thin = part.geometry !== undefined && isThin(part.geometry) ? part.geometry : undefined;
    const area = thin === undefined ? areaOfExtent(part) : { crs: resolveCrs(DEGREES), bounds: boundsOfGeometry(thin) };
    const [minX, minY, maxX, maxY] = boundsIn(area, crs, 1);
    const between = thin === undefined ? centresBetween : pixelsBetween;
    return [between(a * minX + c, a * maxX + c), between(e * maxY + f, e * minY + f)] as const;
  });
  const [left, right] = [Math.min(...spans.map(([x]) => x[0])), Math.max(...spans.map(([x]) => x[1]))];
  const [top, bottom] = [Math.min(...spans.map(([, y]) => y[0])), Math.max(...spans.map(([, y]) => y[1]))];
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
function withoutEmptyEdges(grid: Grid, extents: readonly Extent[]): Grid | undefined {
  const boxes = extents
    .map(regionOfExtent)
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

/** The pixels of an area, and which of them count. `undefined`: the area lies outside of the cube's grid. */
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
 */
export function areaGrid({ geometry, grid }: PlannedArea, corners: readonly PixelCorner[]): AreaGrid | undefined {
  const { asked, native } = grid;
  if (isPartOfCube(grid)) return partOfGrid(geometry, cubeGrid(grid, corners));
  if (geometry.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { grid: pointGrid([lon, lat]), isPoint: true };
  }
  const area = areaOfGeometry(geometry);
  if (asked === undefined) return pixelsOf(geometry, area, analysisGrid(area, {}, native, corners, "").grid);
  return pixelsOf(geometry, area, ownGrid(asked, native, area, corners));
}

/** All pixels that were asked for and that an area touches: the area may be smaller than one. */
function ownGrid(asked: AskedPixels, native: number, area: Area, corners: readonly PixelCorner[]): Grid {
  // a bound within a millionth of a pixel of an edge is on it
  const touched = (pixels: number): number => Math.max(1, Math.ceil(pixels - 1e-6));
  return gridFromCorner(askedPixels(asked, native, area, corners), asked.align, touched);
}

/** The pixels of a grid that count for an area: without the centre of one in its polygon, that of its inner point. */
function pixelsOf(geometry: Geometry, { crs, polygon }: Area, grid: Grid): AreaGrid {
  const region: CubeRegion = { kind: "geometry", geometry: polygon ?? geometry, crs: DEGREES };
  if (polygon === undefined) return { grid, region, isPoint: false };
  const sampled = orSampledPixel({ grid, region: { polygon, crs: DEGREES } }, { crs });
  return sampled.region === undefined ? { grid: sampled.grid, isPoint: false } : { grid, region, isPoint: false };
}

/**
 * Refuses a resolution of which a pixel is larger than each of the areas that are reduced on pixels of their own.
 *
 * @throws {ProblemError} `pixel-too-large`, by the first of them
 */
export function checkAreaPixels(areas: readonly PlannedArea[]): void {
  const byGrid = new Map<PlannedGrid, Area[]>();
  for (const { geometry, grid } of areas) {
    const hasSize = grid.asked?.resolution !== undefined && !isPartOfCube(grid);
    if (!hasSize || geometry.type === "Point") continue;
    const own = byGrid.get(grid) ?? [];
    own.push(areaOfGeometry(geometry));
    byGrid.set(grid, own);
  }
  for (const [{ asked, native }, own] of byGrid) {
    const faults = own.map((area) => {
      const { crs, size, bounds } = askedPixels(asked!, native, area, []);
      return pixelFault({ size, pointers: [GRAPH, GRAPH] }, bounds, crs);
    });
    if (faults[0] !== undefined && !faults.includes(undefined)) throw faults[0];
  }
}

/** The pixels of a grid that an area touches. */
function partOfGrid(geometry: Geometry, whole: Grid): AreaGrid | undefined {
  const isPoint = geometry.type === "Point";
  const inverse = invertAffine(whole.transform);
  const area = isPoint ? undefined : areaOfGeometry(geometry);
  const [minX, minY, maxX, maxY] = area === undefined ? pointIn(geometry, whole) : areaBoundsIn(area, whole.crs, false);
  const [left, right] = pixelsBetween(inverse[0] * minX + inverse[2], inverse[0] * maxX + inverse[2]);
  const [top, bottom] = pixelsBetween(inverse[4] * maxY + inverse[5], inverse[4] * minY + inverse[5]);
  const touched = { x: left, y: top, width: right - left, height: bottom - top };
  const window = intersectWindows(touched, { x: 0, y: 0, width: whole.width, height: whole.height });
  if (window === undefined) return undefined;
  const grid = windowGrid(whole, window);
  return area === undefined ? { grid, isPoint } : pixelsOf(geometry, area, grid);
}

function pointIn(geometry: Geometry, { crs }: Grid): Bounds {
  const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
  const [x, y] = transformer(resolveCrs(DEGREES), crs)(lon, lat);
  return [x, y, x, y];
}
