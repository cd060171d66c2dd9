import { boundsRing } from "@swath/geometry";
import { ProblemError } from "@swath/problem";
import { type Bounds, type Crs, CrsError, type Grid, gridFromBounds, sameCrs } from "@swath/raster";
import type { Clip } from "../run/extract-job.ts";
import { type Area, areaBbox, invalidBody } from "./area.ts";
import { areaBoundsIn } from "./area-outline.ts";
import { pixelCount } from "./output-grid.ts";
import { checkPixelSize } from "./pixel-size.ts";
import { gridZone } from "./utm-zone.ts";

/** How fine a grid is asked for; nothing: the native resolution. */
export interface GridSize {
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** Units of the area's CRS. */
  readonly resx?: number | undefined;
  readonly resy?: number | undefined;
}

/** A point at which pixels meet, by which grids of the same resolution are aligned with files. */
export interface PixelCorner {
  readonly crs: Crs;
  readonly x: number;
  readonly y: number;
  /** Pixel width and height. */
  readonly resolution: readonly [x: number, y: number];
}

/** Where values are computed: the pixels of `grid` whose centres are in `region`. */
export interface AnalysisGrid {
  readonly grid: Grid;
  /** Absent: every pixel. */
  readonly region?: Clip;
  /** Longitude and latitude of the point whose pixel stands for an area without a pixel's centre. */
  readonly sampledAt?: readonly [longitude: number, latitude: number];
}

/** Pixels a side. */
export const MAX_ANALYSIS_SIDE = 2500;
/** Degrees that an area may span in a UTM zone. */
const MAX_DEGREES = 20;

/**
 * The grid of an area.
 * - By width and height, or of a box by resx and resy: the area's box is the grid's outer edge, in the area's CRS.
 * - Of a polygon by resx and resy: whole multiples of them around it, in the area's CRS.
 * - By neither: pixels of the native resolution around the area, in the UTM zone of most scenes.
 *
 * In the last two cases pixels coincide with those of files that have the same resolution in the same CRS; those of another
 * resolution, where a request names it, begin where pixels of the files do.
 *
 * @param native metres, the coarsest native resolution of the bands
 * @param corners where the pixels of the files meet; multiples of the resolution without
 * @param pointer of the object that holds the size in the body
 * @throws {ProblemError} `invalid-body` for members that contradict each other, `output-too-large` beyond 2,500 pixels a side,
 *   `pixel-too-large`.
 */
export function analysisGrid(
  area: Area,
  size: GridSize,
  native: number,
  corners: readonly PixelCorner[],
  pointer: string,
): AnalysisGrid {
  const { width, height, resx, resy } = size;
  const bySize = width !== undefined || height !== undefined;
  const byResolution = resx !== undefined || resy !== undefined;
  if (bySize && byResolution) throw invalidBody(pointer, "Expected width and height, or resx and resy, got both.");
  const polygon = area.polygon === undefined ? {} : { region: regionOf(area) };
  const [minX, minY, maxX, maxY] = area.bounds;
  if (bySize) {
    if (width === undefined) throw invalidBody(`${pointer}/width`, "Expected width beside height.");
    if (height === undefined) throw invalidBody(`${pointer}/height`, "Expected height beside width.");
    return { grid: checkedGrid(area.crs, area.bounds, width, height), ...polygon };
  }
  if (byResolution) {
    if (resx === undefined) throw invalidBody(`${pointer}/resx`, "Expected resx beside resy.");
    if (resy === undefined) throw invalidBody(`${pointer}/resy`, "Expected resy beside resx.");
    checkPixelSize({ size: [resx, resy], pointers: [`${pointer}/resx`, `${pointer}/resy`] }, area.bounds, area.crs);
    if (area.polygon !== undefined) {
      const own = corners.filter((corner) => sameCrs(corner.crs, area.crs));
      const corner = cornerOf(own, [resx, resy]) ?? own[0];
      const grid = alignedGrid(area.crs, area.bounds, [resx, resy], corner);
      checkSide(grid.width, grid.height);
      return { grid, ...polygon };
    }
    const pixels = (span: number, resolution: number): number => pixelCount(Math.round(span / resolution));
    return { grid: checkedGrid(area.crs, area.bounds, pixels(maxX - minX, resx), pixels(maxY - minY, resy)) };
  }
  if (!sameCrs(area.crs, gridZone(area, corners))) checkSpan(area, native);
  const analysis = nativeGrid(area, native, corners, "/input/bounds");
  checkSide(analysis.grid.width, analysis.grid.height);
  return analysis;
}

/**
 * Pixels of a resolution around an area in the UTM zone of most scenes, those of files that have the same resolution there; of
 * any size.
 *
 * @param pointer of the area in the body
 * @throws {ProblemError} `invalid-body` for an area that the zone cannot hold.
 */
export function nativeGrid(
  area: Area,
  native: number,
  corners: readonly PixelCorner[],
  pointer: string,
): AnalysisGrid & { readonly region: Clip } {
  const crs = gridZone(area, corners);
  const own = corners.filter((corner) => sameCrs(corner.crs, crs));
  const size = [native, native] as const;
  return {
    grid: alignedGrid(crs, wholeBoundsIn(area, crs, pointer), size, cornerOf(own, size)),
    region: regionOf(area),
  };
}

/** The area as a polygon by which pixels are chosen. */
function regionOf({ polygon, bounds, crs }: Area): Clip {
  return { polygon: polygon ?? { type: "Polygon", coordinates: [boundsRing(bounds)] }, crs: crs.name };
}

/**
 * The bounds of an area in a CRS.
 *
 * @param native pixel size, metres, for the message
 * @throws {ProblemError} `output-too-large` for areas far beyond the limits; `invalid-body` for what the CRS does not hold.
 */
export function boundsIn(area: Area, crs: Crs, native: number): Bounds {
  if (!sameCrs(area.crs, crs)) checkSpan(area, native);
  return wholeBoundsIn(area, crs, "/input/bounds");
}

/** Refuses areas for which coordinates of one zone would mean nothing: they are far beyond the limit. */
function checkSpan(area: Area, native: number): void {
  const [west, south, east, north] = areaBbox(area);
  const across = east < west ? east + 360 - west : east - west;
  if (across > MAX_DEGREES || north - south > MAX_DEGREES) {
    const pixels = (degrees: number): number => Math.round((degrees * 111_320) / native);
    const nearest = south < 0 && north > 0 ? 0 : Math.min(Math.abs(south), Math.abs(north));
    const parallel = Math.cos((nearest * Math.PI) / 180);
    throw tooLarge(pixels(across * parallel), pixels(north - south));
  }
}

function wholeBoundsIn(area: Area, crs: Crs, pointer: string): Bounds {
  try {
    return areaBoundsIn(area, crs);
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    throw invalidBody(pointer, `The area cannot be transformed to ${crs.name}: ${error.message}`, error);
  }
}

/** The first corner of pixels of a resolution. */
function cornerOf(corners: readonly PixelCorner[], [resx, resy]: readonly [number, number]): PixelCorner | undefined {
  return corners.find(({ resolution: [x, y] }) => x === resx && y === resy);
}

/** Pixels of a resolution around bounds, of which one has `corner`; without, at multiples of the resolution. */
function alignedGrid(
  crs: Crs,
  [minX, minY, maxX, maxY]: Bounds,
  [resx, resy]: readonly [number, number],
  corner: PixelCorner | undefined,
): Grid {
  const [x0, y0] = [(corner?.x ?? 0) % resx, (corner?.y ?? 0) % resy];
  // a bound within a millionth of a pixel of an edge is on it
  const down = (value: number, origin: number, step: number): number => Math.floor((value - origin) / step + 1e-6);
  const up = (value: number, origin: number, step: number): number => Math.ceil((value - origin) / step - 1e-6);
  const [left, right] = [down(minX, x0, resx), up(maxX, x0, resx)];
  const [bottom, top] = [down(minY, y0, resy), up(maxY, y0, resy)];
  const [width, height] = [pixelCount(right - left), pixelCount(top - bottom)];
  return { crs, transform: [resx, 0, x0 + left * resx, 0, -resy, y0 + top * resy], width, height };
}

function checkedGrid(crs: Crs, bounds: Bounds, width: number, height: number): Grid {
  checkSide(width, height);
  return gridFromBounds(crs, bounds, width, height);
}

/** @throws {ProblemError} `output-too-large` beyond 2,500 pixels a side. */
export function checkSide(width: number, height: number): void {
  if (width > MAX_ANALYSIS_SIDE || height > MAX_ANALYSIS_SIDE) throw tooLarge(width, height);
}

function tooLarge(width: number, height: number): ProblemError {
  const number = (value: number): string => value.toLocaleString("en-US");
  const most = number(MAX_ANALYSIS_SIDE);
  const detail = `The grid would have ${number(width)} × ${number(height)} pixels (at most ${most} a side).`;
  return new ProblemError("output-too-large", detail, {
    limits: {
      maxOutputWidth: MAX_ANALYSIS_SIDE,
      maxOutputHeight: MAX_ANALYSIS_SIDE,
      requestedWidth: width,
      requestedHeight: height,
    },
  });
}
