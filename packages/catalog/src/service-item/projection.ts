import { METRES_PER_DEGREE, utmZone } from "@swath/raster";
import type { CollectionSchema } from "@swath/schema";
import { findPattern } from "@swath/schema/files";
import { type Json, numberOf, numbersOf, textOf } from "../json.ts";

/** West, south, east, north in degrees; west > east across the antimeridian. */
type Bbox = readonly [west: number, south: number, east: number, north: number];

const RADIANS = Math.PI / 180;
/** The middle of a scene is nearer than this to the middle meridian of its UTM zone, metres; zones are at most 670 km wide. */
const FARTHEST_FROM_ZONE = 1_000_000;
/**
 * Pixels of a file are as wide as its ground sample distance; synthetic and reduced archives have some that are ten to
 * fifteen times as wide. More than twenty times says that they are another image's.
 */
const MOST_TIMES_GSD = 20;

/**
 * The EPSG code of `proj:epsg` or `proj:code`; `undefined` for a CRS without one, and for a code that files of the
 * collection cannot have: one of another kind, or a UTM zone far from the footprint.
 */
export function epsgOf({ upstream }: CollectionSchema, object: Json, bbox: Bbox | undefined): number | undefined {
  const code = /^EPSG:(\d+)$/i.exec(textOf(object["proj:code"]) ?? "");
  const epsg = code === null ? numberOf(object["proj:epsg"]) : Number(code[1]);
  if (epsg === undefined) return undefined;
  const { epsgCodes: pattern } = upstream;
  if (pattern !== undefined && findPattern(String(epsg), pattern, "$&") === undefined) return undefined;
  return isFarFromZone(epsg, bbox) ? undefined : epsg;
}

/** Whether a code is that of a UTM zone in which the box does not lie. */
function isFarFromZone(epsg: number, bbox: Bbox | undefined): boolean {
  const zone = utmZone(epsg);
  if (zone === undefined || bbox === undefined) return false;
  const [west, south, east, north] = bbox;
  const longitude = (west + (west > east ? east + 360 : east)) / 2;
  const meridian = 6 * zone - 183;
  const turned = (((longitude - meridian + 180) % 360) + 360) % 360;
  const distance = Math.abs(turned - 180) * Math.cos(((south + north) / 2) * RADIANS) * METRES_PER_DEGREE;
  return distance > FARTHEST_FROM_ZONE;
}

/**
 * Row and column count and the six numbers of the affine transform, where both are well formed; nothing where the pixels
 * are far wider or narrower than the file's: then both are those of another image.
 *
 * @param gsd metres; absent: not known.
 */
export function gridOf(object: Json, gsd?: number): Json {
  const shape = numbersOf(object["proj:shape"]);
  const transform = numbersOf(object["proj:transform"]);
  const isWhole = transform?.length === 6 || transform?.length === 9;
  if (isWhole && gsd !== undefined && !isOfSize(transform, gsd)) return {};
  return {
    ...(shape?.length === 2 && shape.every(Number.isInteger) ? { "proj:shape": shape } : {}),
    ...(isWhole ? { "proj:transform": transform.slice(0, 6) } : {}),
  };
}

/** Whether pixels are about as wide as they should be, in metres or in degrees. */
function isOfSize([a = 0, , , , e = 0]: readonly number[], gsd: number): boolean {
  const [width, height] = [Math.abs(a), Math.abs(e)];
  // rotated grids have no sides along the axes
  if (width === 0 || height === 0) return true;
  const metres = Math.max(width, height) < 0.1 ? height * METRES_PER_DEGREE : height;
  return metres <= gsd * MOST_TIMES_GSD && metres * MOST_TIMES_GSD >= gsd;
}
