import type { Frame } from "@swath/engine";
import { type GridSpec, readCrs } from "@swath/engine/node/jobs";
import { METRES_PER_DEGREE } from "@swath/raster";
import type { BandSchema } from "@swath/schema";
import { type ValidationFault, validationError } from "../errors.ts";
import type { DownloadRequest } from "./request.ts";

const DEGREES = "EPSG:4326";

/**
 * The pixels of the output. Without `crs` they are those of the first scene, or in degrees where the resolution is; without a size
 * as fine as the finest requested band.
 *
 * @throws {Refusal} `invalid` for an unknown CRS; {LegacyError} 422 for a resolution in the wrong unit.
 */
export function downloadFrame(request: DownloadRequest, bands: readonly BandSchema[]): Frame {
  const { resolution, resolution_deg: degrees, size } = request;
  const crs = request.crs ?? (degrees == null ? undefined : DEGREES);
  const isGeographic = crs !== undefined && readCrs(crs, ["where", "frame", "crs"]).geographic;
  if (resolution != null && isGeographic) throw wrongUnit("resolution", resolution, "degrees");
  if (degrees != null && !isGeographic) throw wrongUnit("resolution_deg", degrees, "metres");
  const place = crs === undefined ? { nativeCrs: true } : { crs };
  if (size != null) return { ...place, ...sidesOf(size) };
  const finest = Math.min(...bands.map(({ gsd }) => gsd));
  const pixel = resolution ?? degrees ?? (isGeographic ? finest / METRES_PER_DEGREE : finest);
  return { ...place, resx: pixel, resy: pixel, exact: true };
}

function wrongUnit(name: string, input: number, unit: string): Error {
  const other = name === "resolution" ? "resolution_deg" : "resolution";
  const msg = `Value error, the output is in ${unit}: expected ${other}`;
  const fault: ValidationFault = { type: "value_error", loc: ["body", name], msg, input };
  return validationError([fault]);
}

function sidesOf(size: NonNullable<DownloadRequest["size"]>): Pick<Frame, "size" | "width" | "height"> {
  if (typeof size === "number") return { size };
  const [width, height] = Array.isArray(size) ? size : [size.width, size.height];
  return { width: width ?? "auto", height: height ?? "auto" };
}

/** Returns the grid of the same box with `width` columns, rows in proportion. */
export function previewGrid(grid: GridSpec, width: number): GridSpec {
  const [a, , c, , e, f] = grid.transform;
  const [spanX, spanY] = [grid.width * a, grid.height * -e];
  const height = Math.max(1, Math.round((width * spanY) / spanX));
  return { crs: grid.crs, transform: [spanX / width, 0, c, 0, -spanY / height, f], width, height };
}
