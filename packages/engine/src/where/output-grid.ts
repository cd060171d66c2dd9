import { ProblemError } from "@swath/problem";
import { type Bounds, type Crs, CrsError, type Grid, gridFromBounds } from "@swath/raster";
import type { Frame } from "../request.ts";
import { type Area, invalidBody, processCrs } from "./area.ts";
import { areaBoundsIn } from "./area-outline.ts";
import { checkPixelSize } from "./pixel-size.ts";

/** Limits of one request. */
export interface SizeCaps {
  /** Pixels a side. */
  readonly side: number;
  /** Width × height × bands. */
  readonly values: number;
  /** Values × scenes read. */
  readonly valuesTimesScenes: number;
}

export const SYNC_CAPS: SizeCaps = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };
export const JOB_CAPS: SizeCaps = { side: 20_000, values: 600_000_000, valuesTimesScenes: 2_400_000_000 };

const DEFAULT_CRS = "EPSG:3857";
/** Width and height where the request names neither sizes nor resolutions, as at Sentinel Hub. */
const DEFAULT_SIDE = 256;

/**
 * CRS, bounds and size of the output: its outer edge is exactly the area's box, transformed to the output CRS with 21 points a side.
 * Sizes may be beyond every cap: see {@link checkSize}.
 *
 * @throws {ProblemError} `invalid-body` for members that contradict each other or an area that the CRS cannot hold;
 *   `pixel-too-large`.
 */
export function outputFrame(area: Area, output: Frame): { crs: Crs; bounds: Bounds; width: number; height: number } {
  const crs = processCrs(output.crs ?? DEFAULT_CRS, "/output/crs");
  const bounds = boundsIn(area, crs);
  const [minX, minY, maxX, maxY] = bounds;
  if (![minX, minY, maxX, maxY].every(Number.isFinite) || !(minX < maxX && minY < maxY)) {
    throw invalidBody("/output/crs", `The area cannot be transformed to ${crs.name}.`);
  }
  const { resx, resy } = output;
  const size = sizeOf(output, maxX - minX, maxY - minY);
  if (resx !== undefined && resy !== undefined) {
    checkPixelSize({ size: [resx, resy], pointers: ["/output/resx", "/output/resy"] }, bounds, crs);
  }
  return { crs, bounds, ...size };
}

/** The output grid of a frame. */
export function outputGrid({ crs, bounds, width, height }: ReturnType<typeof outputFrame>): Grid {
  return gridFromBounds(crs, bounds, width, height);
}

function boundsIn(area: Area, crs: Crs): Bounds {
  try {
    return areaBoundsIn(area, crs);
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    throw invalidBody("/output/crs", `The area cannot be transformed to ${crs.name}: ${error.message}`, error);
  }
}

/** Beyond every limit: more pixels a side are not counted. */
const MOST_PIXELS = 1e12;

/** Pixels of a side as a number that can be written and multiplied, at least one: a tiny resolution gives any number, or none. */
export function pixelCount(count: number): number {
  return count < MOST_PIXELS ? Math.max(1, count) : MOST_PIXELS;
}

function sizeOf(output: Frame, spanX: number, spanY: number): { width: number; height: number } {
  const { width, height, resx, resy } = output;
  const bySize = width !== undefined || height !== undefined;
  const byResolution = resx !== undefined || resy !== undefined;
  if (bySize && byResolution) throw invalidBody("/output", "Expected width and height, or resx and resy, got both.");
  if (bySize) {
    if (width === undefined) throw invalidBody("/output/width", "Expected width beside height.");
    if (height === undefined) throw invalidBody("/output/height", "Expected height beside width.");
    return { width, height };
  }
  if (!byResolution) return { width: DEFAULT_SIDE, height: DEFAULT_SIDE };
  if (resx === undefined) throw invalidBody("/output/resx", "Expected resx beside resy.");
  if (resy === undefined) throw invalidBody("/output/resy", "Expected resy beside resx.");
  const pixels = (span: number, resolution: number): number => pixelCount(Math.round(span / resolution));
  return { width: pixels(spanX, resx), height: pixels(spanY, resy) };
}

export interface RequestedSize {
  readonly width: number;
  readonly height: number;
  readonly bands: number;
  /** Scenes to be read; 1 before they are known. */
  readonly scenes: number;
}

/**
 * Holds a request against the caps.
 *
 * @throws {ProblemError} `output-too-large` with every limit that is exceeded and the requested values.
 */
export function checkSize({ width, height, bands, scenes }: RequestedSize, caps: SizeCaps): void {
  const values = width * height * bands;
  const work = values * scenes;
  const tooWide = width > caps.side || height > caps.side;
  const tooMany = values > caps.values;
  // a request of one scene is not a mosaic
  const tooMuch = scenes > 1 && work > caps.valuesTimesScenes;
  if (!tooWide && !tooMany && !tooMuch) return;
  const number = (value: number): string => value.toLocaleString("en-US");
  const faults = [
    ...(tooWide ? [`${number(width)} × ${number(height)} pixels (at most ${number(caps.side)} a side)`] : []),
    ...(tooMany ? [`${number(values)} values (at most ${number(caps.values)})`] : []),
    ...(tooMuch
      ? [`${number(values)} values of ${scenes} scenes (values × scenes at most ${number(caps.valuesTimesScenes)})`]
      : []),
  ];
  throw new ProblemError("output-too-large", `The output would have ${faults.join(" and ")}.`, {
    limits: {
      ...(tooWide
        ? { maxOutputWidth: caps.side, maxOutputHeight: caps.side, requestedWidth: width, requestedHeight: height }
        : {}),
      ...(tooMany ? { maxOutputValues: caps.values, requestedOutputValues: values } : {}),
      ...(tooMuch ? { maxValuesTimesScenes: caps.valuesTimesScenes, requestedValuesTimesScenes: work } : {}),
    },
  });
}
