import { type Bounds, type Crs, type Grid, gridFromBounds, sameCrs } from "@swath/raster";
import { checkSide, checkSpan, pixelFault } from "../limits/limits.ts";
import { memberOf } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { Frame } from "../request.ts";
import {
  alignedGrid,
  cornerGrid,
  coveringPixels,
  gridZone,
  type PixelCorner,
  type PixelSize,
  pixelCount,
} from "./alignment.ts";
import { type Area, readCrs } from "./area.ts";
import { type AnalysisGrid, nativeGrid } from "./native-grid.ts";

/** Width and height where the request names neither sizes nor resolutions, as at Sentinel Hub. */
const DEFAULT_SIDE = 256;

/**
 * The grid of a file: its outer edge is exactly the area's box, transformed to the CRS of the frame, by default Web Mercator, with
 * 21 points a side; pixels of an exact size begin in its upper left corner. Sizes may be beyond every cap: see `checkSize`.
 *
 * @throws {Refusal} `invalid` for members that contradict each other or an area that the CRS cannot hold;
 *   `pixel-too-large`.
 */
export function outputGrid(area: Area, frame: Frame = {}): Grid {
  const { crs, bounds, pixels, resolution } = readFrame(area, { ...frame, crs: frame.crs ?? "EPSG:3857" });
  if (frame.exact !== true) {
    return gridFromBounds(crs, bounds, pixels?.width ?? DEFAULT_SIDE, pixels?.height ?? DEFAULT_SIDE);
  }
  if (resolution !== undefined) return cornerGrid(crs, bounds, resolution, "upper-left", wholePixels);
  throw new Refusal("invalid", [...memberOf(area.path, "frame"), "resx"], "Expected resx and resy of exact pixels.");
}

const wholePixels = (pixels: number): number => pixelCount(coveringPixels(pixels));

/**
 * The grid of numbers of an area.
 * - By width and height, or of a box by resx and resy: the area's box is the grid's outer edge, in the area's CRS.
 * - Of a polygon by resx and resy: whole multiples of them around it, in the area's CRS.
 * - By neither: pixels of the native resolution around the area, in the UTM zone of most scenes.
 *
 * A frame may name another CRS than the area's: then the area's pixels alone count, of a box too.
 *
 * In the last two cases pixels coincide with those of files that have the same resolution in the same CRS; those of another
 * resolution, where a request names it, begin where pixels of the files do.
 *
 * @param native metres, the coarsest native resolution of the bands
 * @param corners where the pixels of the files meet; multiples of the resolution without
 * @throws {Refusal} `invalid` for members that contradict each other, `output-too-large` beyond 2,500 pixels a side,
 *   `pixel-too-large`.
 */
export function analysisGrid(area: Area, frame: Frame, native: number, corners: readonly PixelCorner[]): AnalysisGrid {
  const { crs, bounds, pixels, resolution } = readFrame(area, frame);
  const isPolygon = area.polygon !== undefined;
  if (pixels === undefined) {
    const zone = frame.crs === undefined ? gridZone(area, corners) : crs;
    if (!sameCrs(area.crs, zone)) checkSpan(area, native);
    const analysis = nativeGrid(area, native, corners, zone);
    checkSide(analysis.grid);
    return analysis;
  }
  const isAligned = isPolygon && resolution !== undefined;
  const grid = isAligned ? alignedGrid(crs, bounds, resolution, corners, true) : undefined;
  checkSide(grid ?? pixels);
  return {
    grid: grid ?? gridFromBounds(crs, bounds, pixels.width, pixels.height),
    ...(isPolygon || !sameCrs(crs, area.crs) ? { region: area.clip } : {}),
  };
}

/** A frame that was read. */
interface AskedFrame {
  readonly crs: Crs;
  readonly bounds: Bounds;
  /** Pixels of the box; absent: the request names neither sizes nor resolutions. */
  readonly pixels?: { readonly width: number; readonly height: number };
  /** Absent: by sizes, or by neither. */
  readonly resolution?: PixelSize;
}

/**
 * Reads a frame, by default in the CRS of the area.
 *
 * @throws {Refusal} as `outputGrid`.
 */
function readFrame(area: Area, frame: Frame): AskedFrame {
  const path = memberOf(area.path, "frame");
  const place: Path = [...path, "crs"];
  const crs = frame.crs === undefined ? area.crs : readCrs(frame.crs, place);
  const bounds = area.boundsIn(crs, { path: place });
  const [minX, minY, maxX, maxY] = bounds;
  if (!bounds.every(Number.isFinite) || !(minX < maxX && minY < maxY)) {
    throw new Refusal("invalid", place, `The area cannot be transformed to ${crs.name}.`);
  }
  const isBySides = frame.width !== undefined || frame.height !== undefined;
  const isByResolution = frame.resx !== undefined || frame.resy !== undefined;
  if (isBySides && isByResolution) {
    throw new Refusal("invalid", path, "Expected width and height, or resx and resy, got both.");
  }
  if (frame.size !== undefined && (isBySides || isByResolution)) {
    throw new Refusal("invalid", [...path, "size"], "Expected the size of the long edge alone.");
  }
  const sides = bothOf(frame, ["width", "height"], path) ?? longEdge(frame, maxX - minX, maxY - minY);
  const resolution = bothOf(frame, ["resx", "resy"], path);
  if (sides !== undefined) return { crs, bounds, pixels: pixelsOf(sides, maxX - minX, maxY - minY, path) };
  if (resolution === undefined) return { crs, bounds };
  const [resx, resy] = resolution;
  const names = ["resx", "resy"] as const;
  const fault = pixelFault(
    {
      size: resolution,
      names,
      paths: [
        [...path, "resx"],
        [...path, "resy"],
      ],
    },
    bounds,
    crs,
  );
  if (fault !== undefined && frame.exact !== true) throw fault;
  const pixels = (span: number, pixel: number): number => pixelCount(Math.round(span / pixel));
  return { crs, bounds, resolution, pixels: { width: pixels(maxX - minX, resx), height: pixels(maxY - minY, resy) } };
}

/** The long edge by its size, the other side in proportion; `undefined`: the frame has no such size. */
function longEdge({ size }: Frame, spanX: number, spanY: number): readonly [Side, Side] | undefined {
  if (size === undefined) return undefined;
  return spanX >= spanY ? [size, "auto"] : ["auto", size];
}

type Side = number | "auto";

/** Pixels of both sides, of which one may be in proportion to the other. */
function pixelsOf([width, height]: readonly [Side, Side], spanX: number, spanY: number, path: Path) {
  const other = (pixels: number, ratio: number): number => Math.max(1, Math.round(pixels * ratio));
  if (width !== "auto") return { width, height: height === "auto" ? other(width, spanY / spanX) : height };
  if (height !== "auto") return { width: other(height, spanX / spanY), height };
  throw new Refusal("invalid", [...path, "width"], 'Expected a number beside the height "auto", got "auto".');
}

/** Two members that belong together; `undefined`: neither is there. */
function bothOf<N extends "width" | "height" | "resx" | "resy">(
  frame: Frame,
  names: readonly [N, N],
  path: Path,
): readonly [NonNullable<Frame[N]>, NonNullable<Frame[N]>] | undefined {
  const [first, second] = names.map((name) => frame[name]);
  if (first !== undefined && second !== undefined) return [first, second];
  if (first === second) return undefined;
  const [missing, given] = first === undefined ? names : [names[1], names[0]];
  throw new Refusal("invalid", [...path, missing], `Expected ${missing} beside ${given}.`);
}
