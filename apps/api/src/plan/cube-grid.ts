import type { Geometry } from "@swath/geometry";
import { type AskedPixels, type Extent, METRES_PER_DEGREE, type PlannedArea, type PlannedGrid } from "@swath/openeo";
import {
  type Bounds,
  type Crs,
  type Grid,
  intersectWindows,
  invertAffine,
  resolveCrs,
  sameCrs,
  transformBounds,
  transformer,
  type Window,
  windowGrid,
} from "@swath/raster";
import { type CubeRegion, centresBetween, partsOf, rasterizeRegion } from "../render/cube-region.ts";
import { analysisGrid, boundsIn, checkSide, type PixelCorner, utmZone } from "./analysis-grid.ts";
import { type Area, EDGE_POINTS, invalidBody } from "./area.ts";
import { areaOfExtent, areaOfGeometry, boundsOfGeometry, isThin, regionOfExtent } from "./cube-region.ts";
import { pointGrid } from "./point-grid.ts";

const DEGREES = "EPSG:4326";

/**
 * The grid of a cube: of the pixels of the files, or of those that were asked for, all whose centres are in the boxes around the
 * cube's extents, and no row or column more.
 *
 * @param corners of pixels of the files that it may be aligned with
 * @throws {ProblemError} `output-too-large` beyond 2,500 pixels a side; `invalid-body` where no pixel is in the extents, or one is
 *   larger than all of the extent.
 */
export function cubeGrid(request: PlannedGrid, corners: readonly PixelCorner[]): Grid {
  const { asked, extents, native } = request;
  const around = extents.at(-1) ?? asked?.extent;
  if (around === undefined) throw new TypeError("Expected a cube with bounds.");
  const area = areaOfExtent(around);
  const whole = asked === undefined ? fileGrid(area, native, corners) : askedGrid(asked, native, area);
  const window = extents.reduce<Window | undefined>(
    (kept, extent) => (kept === undefined ? undefined : intersectWindows(kept, windowOf(extent, whole))),
    { x: 0, y: 0, width: whole.width, height: whole.height },
  );
  const [width, height] = [Math.abs(whole.transform[0]), Math.abs(whole.transform[4])];
  const kept = window === undefined ? undefined : withoutEmptyEdges(windowGrid(whole, checked(window)), extents);
  if (kept !== undefined) return kept;
  const unit = whole.crs.geographic ? "degrees" : "metres";
  throw invalidBody("", `The extent of the cube holds the centre of no pixel of ${width} × ${height} ${unit}.`);
}

function checked(window: Window): Window {
  checkSide(window.width, window.height);
  return window;
}

/** All pixels that an area touches, of the native resolution in the UTM zone of its centre, aligned with those of files. */
function fileGrid(area: Area, native: number, corners: readonly PixelCorner[]): Grid {
  const crs = utmZone(area);
  const [minX, minY, maxX, maxY] = boundsIn(area, crs, native);
  const corner = corners.find(({ crs: own, resolution: [x, y] }) => sameCrs(own, crs) && x === native && y === native);
  const [x0, y0] = [(corner?.x ?? 0) % native, (corner?.y ?? 0) % native];
  const [left, right] = [Math.floor((minX - x0) / native), Math.ceil((maxX - x0) / native)];
  const [bottom, top] = [Math.floor((minY - y0) / native), Math.ceil((maxY - y0) / native)];
  const transform = [native, 0, x0 + left * native, 0, -native, y0 + top * native] as const;
  return { crs, transform, width: Math.max(1, right - left), height: Math.max(1, top - bottom) };
}

/** Pixels that were asked for: as many as have their centres in the box of the extent, from a corner of it. */
function askedGrid({ resolution, crs: name, align, extent }: AskedPixels, native: number, otherwise: Area): Grid {
  const area = extent === undefined ? otherwise : areaOfExtent(extent);
  const crs = name === undefined ? utmZone(area) : resolveCrs(name);
  const own = crs.geographic ? native / METRES_PER_DEGREE : native;
  const [resx, resy] = resolution ?? [own, own];
  const bounds = boundsIn(area, crs, crs.geographic ? resx * METRES_PER_DEGREE : resx);
  const [minX, minY, maxX, maxY] = bounds;
  checkPixel(bounds, crs, [resx, resy]);
  const [[, width], [, height]] = [centresBetween(0, (maxX - minX) / resx), centresBetween(0, (maxY - minY) / resy)];
  checkSide(width, height);
  const left = align.endsWith("left") ? minX : maxX - width * resx;
  const top = align.startsWith("upper") ? maxY : minY + height * resy;
  return { crs, transform: [resx, 0, left, 0, -resy, top], width, height };
}

/** @throws {ProblemError} `invalid-body` for pixels larger than the box, which are mostly meant in another unit. */
function checkPixel(
  [minX, minY, maxX, maxY]: Bounds,
  { geographic, name }: Crs,
  [resx, resy]: readonly [number, number],
) {
  const [width, height] = [maxX - minX, maxY - minY];
  if (resx <= width && resy <= height) return;
  const text = (value: number): string => String(Number(value.toPrecision(4)));
  const unit = geographic ? "degrees" : "metres";
  throw invalidBody(
    "",
    `A pixel of ${text(resx)} × ${text(resy)} ${unit} is larger than the extent of ${text(width)} × ${text(height)} ${unit}: the resolution is in units of ${name}.`,
  );
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

/**
 * The grid of an area to be reduced: of a cube that was resampled a part of its grid, else pixels of its own: of a point the
 * one that it is in, of other geometries those of the native resolution around it.
 */
export function areaGrid({ geometry, grid }: PlannedArea, corners: readonly PixelCorner[]): AreaGrid | undefined {
  const { asked, native } = grid;
  if (asked !== undefined && (asked.extent !== undefined || grid.extents.length > 0)) {
    return partOfGrid(geometry, cubeGrid(grid, corners));
  }
  if (geometry.type === "Point") {
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { grid: pointGrid([lon, lat]), isPoint: true };
  }
  const area = areaOfGeometry(geometry);
  const region: CubeRegion = { kind: "geometry", geometry: area.polygon ?? geometry, crs: DEGREES };
  if (asked === undefined) return { grid: analysisGrid(area, {}, native, corners, "").grid, region, isPoint: false };
  return { grid: askedGrid(asked, native, area), region, isPoint: false };
}

/** The pixels of a grid that an area touches. */
function partOfGrid(geometry: Geometry, whole: Grid): AreaGrid | undefined {
  const isPoint = geometry.type === "Point";
  const inverse = invertAffine(whole.transform);
  const area = isPoint ? undefined : areaOfGeometry(geometry);
  const [minX, minY, maxX, maxY] =
    area === undefined ? pointIn(geometry, whole) : transformBounds(area.bounds, area.crs, whole.crs, EDGE_POINTS);
  const [left, right] = pixelsBetween(inverse[0] * minX + inverse[2], inverse[0] * maxX + inverse[2]);
  const [top, bottom] = pixelsBetween(inverse[4] * maxY + inverse[5], inverse[4] * minY + inverse[5]);
  const touched = { x: left, y: top, width: right - left, height: bottom - top };
  const window = intersectWindows(touched, { x: 0, y: 0, width: whole.width, height: whole.height });
  if (window === undefined) return undefined;
  const region: CubeRegion = { kind: "geometry", geometry: area?.polygon ?? geometry, crs: DEGREES };
  return { grid: windowGrid(whole, window), ...(isPoint ? {} : { region }), isPoint };
}

function pointIn(geometry: Geometry, { crs }: Grid): Bounds {
  const [lon = 0, lat = 0] = geometry.type === "Point" ? geometry.coordinates : [];
  const [x, y] = transformer(resolveCrs(DEGREES), crs)(lon, lat);
  return [x, y, x, y];
}
