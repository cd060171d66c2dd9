import type { Item } from "@swath/catalog";
import { type Area, cornerGrid, coveringPixels, readFrame } from "@swath/engine/node/jobs";
import {
  type Bounds,
  type Crs,
  type Grid,
  gridBounds,
  gridFromBounds,
  METRES_PER_DEGREE,
  utmEpsg,
  utmZone,
} from "@swath/raster";
import type { BandSchema } from "@swath/schema";
import { type ValidationFault, validationError } from "../errors.ts";
import type { DownloadRequest } from "./request.ts";

const DEGREES = "EPSG:4326";

/** The box of an output and its pixels. */
export interface DownloadFrame {
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly width: number;
  readonly height: number;
}

/**
 * CRS, bounds and size of the output. Without `crs` it is the CRS of the first scene, or degrees where the resolution is in degrees;
 * without a size the pixels are as fine as the finest requested band.
 *
 * @throws {Refusal} `invalid` for an unknown CRS; {LegacyError} 422 for a resolution in the wrong unit.
 */
export function downloadFrame(
  area: Area,
  request: DownloadRequest,
  bands: readonly BandSchema[],
  first: Item | undefined,
): DownloadFrame | undefined {
  const { resolution, resolution_deg: degrees, size } = request;
  const crs = request.crs ?? (degrees == null ? nativeCrs(first, area) : DEGREES);
  if (crs === undefined) return undefined;
  const frame = readFrame(area, { crs });
  const [minX, minY, maxX, maxY] = frame.bounds;
  const unit = frame.crs.geographic ? "degrees" : "metres";
  if (resolution != null && frame.crs.geographic) throw wrongUnit("resolution", resolution, unit);
  if (degrees != null && !frame.crs.geographic) throw wrongUnit("resolution_deg", degrees, unit);
  const [spanX, spanY] = [maxX - minX, maxY - minY];
  if (size != null) return { crs: frame.crs, bounds: frame.bounds, ...sizeOf(size, spanX, spanY) };
  const finest = Math.min(...bands.map(({ gsd }) => gsd));
  const step = resolution ?? degrees ?? (frame.crs.geographic ? finest / METRES_PER_DEGREE : finest);
  // pixels have exactly the requested size: from the upper left corner on, until they cover the box
  const grid = cornerGrid(frame.crs, frame.bounds, [step, step], "upper-left", coveringPixels);
  return { crs: frame.crs, bounds: gridBounds(grid), width: grid.width, height: grid.height };
}

function wrongUnit(name: string, input: number, unit: string): Error {
  const other = name === "resolution" ? "resolution_deg" : "resolution";
  const msg = `Value error, the output is in ${unit}: expected ${other}`;
  const fault: ValidationFault = { type: "value_error", loc: ["body", name], msg, input };
  return validationError([fault]);
}

function sizeOf(
  size: NonNullable<DownloadRequest["size"]>,
  spanX: number,
  spanY: number,
): { width: number; height: number } {
  const other = (pixels: number, ratio: number): number => Math.max(1, Math.round(pixels * ratio));
  if (typeof size === "number") {
    return spanX >= spanY
      ? { width: size, height: other(size, spanY / spanX) }
      : { width: other(size, spanX / spanY), height: size };
  }
  const [width, height] = Array.isArray(size) ? size : [size.width ?? undefined, size.height ?? undefined];
  if (width === undefined) return { width: other(height ?? 1, spanX / spanY), height: height ?? 1 };
  return { width, height: height ?? other(width, spanY / spanX) };
}

/** The scene's own CRS; where it has no code, the UTM zone of the box. Undefined before the scene is known. */
function nativeCrs(item: Item | undefined, { bounds: [west, south, east, north] }: Area): string | undefined {
  if (item === undefined) return undefined;
  const { "proj:code": code, "proj:epsg": epsg } = item.properties;
  const name = typeof code === "string" ? code : typeof epsg === "number" ? `EPSG:${epsg}` : "";
  if (utmZone(Number(/^EPSG:(\d+)$/.exec(name)?.[1])) !== undefined) return name;
  return `EPSG:${utmEpsg((west + east) / 2, (south + north) / 2)}`;
}

/** Returns the grid of the same box with `width` columns, rows in proportion. */
export function previewGrid({ crs, bounds }: Pick<DownloadFrame, "crs" | "bounds">, width: number): Grid {
  const [minX, minY, maxX, maxY] = bounds;
  const height = Math.max(1, Math.round((width * (maxY - minY)) / (maxX - minX)));
  return gridFromBounds(crs, bounds, width, height);
}
