import type { Bounds } from "@swath/geometry";
import { EQUATOR_RADIUS, type Grid, gridFromBounds, resolveCrs, transformBounds } from "@swath/raster";
import { type Path, Refusal } from "../refusal.ts";
import { DEGREES } from "./area.ts";

/** Metres a pixel at zoom 0 of the Web Mercator tiles of 256 pixels. */
const ZOOM_0_METRES = (2 * Math.PI * EQUATOR_RADIUS) / 256;
/** Latitude at which Web Mercator ends. */
const MAX_LATITUDE = 85.051_128;
const BBOX: Path = ["where", "bbox"];
/** Pixels larger by less than a millionth have the size of a zoom. */
const SAME_SIZE = 1 + 1e-6;

/**
 * The grid of a box in Web Mercator whose long edge has `size` pixels, which are square except for rounding. Across the
 * antimeridian it runs on beyond the end of the projection.
 *
 * @param bounds degrees; east may be beyond 180
 * @throws {Refusal} `invalid` for a box that Web Mercator cannot hold.
 */
export function mercatorGrid([west, south, east, north]: Bounds, size: number): Grid {
  const fault = (detail: string): Refusal => new Refusal("invalid", BBOX, detail);
  if (!(west < east)) throw fault(`Expected a box with an area, got west ${west} and east ${east}.`);
  if (!(south < north)) throw fault(`Expected south < north, got ${south} and ${north}.`);
  if (south < -MAX_LATITUDE || north > MAX_LATITUDE) {
    throw fault(`Expected latitudes from -${MAX_LATITUDE} to ${MAX_LATITUDE}, got ${south} and ${north}.`);
  }
  const crs = resolveCrs("EPSG:3857");
  const bounds = transformBounds([west, south, east, north], DEGREES, crs);
  const [across, up] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
  if (!(across > 0 && up > 0)) throw fault("Expected a box with an area.");
  const pixels = (span: number): number => Math.max(1, Math.round((size * span) / Math.max(across, up)));
  return gridFromBounds(crs, bounds, pixels(across), pixels(up));
}

/**
 * Refuses pixels larger than those of the lowest zoom of a preset's tiles: they would read a whole country for one image.
 *
 * @throws {Refusal} `zoom-out-of-range`
 */
export function checkZoomOf(
  { transform: [metres] }: Grid,
  size: number,
  { name, minzoom, maxzoom }: { readonly name: string; readonly minzoom: number; readonly maxzoom: number },
): void {
  const coarsest = ZOOM_0_METRES / 2 ** minzoom;
  if (metres <= coarsest * SAME_SIZE) return;
  const zoom = Math.floor(Math.log2((ZOOM_0_METRES / metres) * SAME_SIZE));
  const degrees = ((coarsest * size * 180) / (Math.PI * EQUATOR_RADIUS)).toPrecision(3);
  const detail = `${name} is drawn from zoom ${minzoom}: at ${size} pixels the bbox may span ${degrees} degrees of longitude.`;
  throw new Refusal("zoom-out-of-range", BBOX, detail, { limits: { minzoom, maxzoom, requestedZoom: zoom } });
}
