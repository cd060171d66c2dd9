import {
  boundsRing,
  type PolygonGeometry,
  type Position,
  polygonGeometry,
  polygonsOf,
  uniteBounds,
  unwrapBbox,
  unwrapPolygons,
  wrapBbox,
} from "@swath/geometry";
import { ProblemError } from "@swath/problem";
import { parseBbox, parseIntersects, QueryError } from "@swath/query";
import { type Bbox, type Bounds, type Crs, CrsError, resolveCrs } from "@swath/raster";
import type { AreaWhere } from "../request.ts";
import { areaBoundsIn, outlineIn } from "./area-outline.ts";

export type Polygons = PolygonGeometry;

/** What a request covers: a box, or a polygon outside of which there is no data. */
export interface Area {
  /** CRS of `bounds` and `polygon`; in degrees, what crosses the antimeridian runs beyond 180°. */
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly polygon?: Polygons;
}

export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const DEGREES = "EPSG:4326";
const ACCEPTED =
  /^(?:EPSG:|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/|urn:ogc:def:crs:EPSG::)(4326|3857|32[67](?:0[1-9]|[1-5]\d|60))$/i;
const BOUNDS = "/input/bounds";

/** A fault of the body at `pointer`. */
export function invalidBody(pointer: string, detail: string, cause?: unknown): ProblemError {
  return new ProblemError("invalid-body", pointer === "" ? detail : `${pointer}: ${detail}`, {
    errors: [{ pointer, detail }],
    cause,
  });
}

/**
 * A CRS by `EPSG:n`, OGC URI or URN, in any letter case: 4326, 3857, the UTM zones and CRS84. Coordinates are always x, y: longitude
 * first in 4326 too.
 *
 * @throws {ProblemError} `invalid-body` at `pointer` for any other name.
 */
export function processCrs(name: string, pointer: string): Crs {
  const code = ACCEPTED.exec(name)?.[1];
  if (code !== undefined) return resolveCrs(`EPSG:${code}`);
  if (name === CRS84 || name === "urn:ogc:def:crs:OGC:1.3:CRS84") return resolveCrs(DEGREES);
  throw invalidBody(
    pointer,
    `Expected EPSG:4326, EPSG:3857, EPSG:32601-32660, EPSG:32701-32760 or CRS84, got "${name}".`,
  );
}

/**
 * Reads a box or polygon and its CRS.
 *
 * @throws {ProblemError} `invalid-body` with the pointer of what is wrong.
 */
export function areaOf({ bbox, geometry, crs: name = CRS84 }: Omit<AreaWhere, "kind" | "frame">): Area {
  const crs = processCrs(name, `${BOUNDS}/properties/crs`);
  if ((bbox === undefined) === (geometry === undefined)) {
    throw invalidBody(BOUNDS, `Expected bbox or geometry, got ${bbox === undefined ? "neither" : "both"}.`);
  }
  if (bbox !== undefined) return { crs, bounds: boxOf(bbox, crs) };
  const polygon = polygonOf(geometry, crs);
  return { crs, bounds: polygonBounds(polygon), polygon };
}

function boxOf(bbox: readonly number[], crs: Crs): Bounds {
  const pointer = `${BOUNDS}/bbox`;
  if (bbox.length === 5) throw invalidBody(pointer, "Expected 4 or 6 numbers, got 5.");
  if (crs.geographic) {
    const [west, south, east, north] = withPointer(pointer, () => parseBbox([...bbox], { in: "body", pointer }));
    if (west === east || south === north) throw invalidBody(pointer, "Expected a box with an area.");
    return unwrapBbox([west, south, east, north]);
  }
  const corners = bbox.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3];
  const [minX, minY, maxX, maxY] = corners.map((i) => bbox[i]) as [number, number, number, number];
  if (minX > maxX) {
    throw invalidBody(
      pointer,
      `West ${minX} is greater than east ${maxX}: only boxes in CRS84 or EPSG:4326 may cross the antimeridian.`,
    );
  }
  if (!(minX < maxX && minY < maxY)) {
    const got = [minX, minY, maxX, maxY].join(", ");
    throw invalidBody(pointer, `Expected west < east and south < north, got ${got}.`);
  }
  return [minX, minY, maxX, maxY];
}

function withPointer<T>(pointer: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof QueryError) throw invalidBody(error.pointer || pointer, error.message, error);
    throw error;
  }
}

function polygonOf(value: unknown, crs: Crs): Polygons {
  const pointer = `${BOUNDS}/geometry`;
  const coordinates = crs.geographic ? "degrees" : "planar";
  const geometry = withPointer(pointer, () => parseIntersects(value, { in: "body", pointer }, coordinates));
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    throw invalidBody(`${pointer}/type`, `Expected a Polygon or MultiPolygon, got ${geometry.type}.`);
  }
  return crs.geographic ? polygonGeometry(unwrapPolygons(geometry)) : geometry;
}

function polygonBounds(polygon: Polygons): Bounds {
  const bounds = uniteBounds(polygonsOf(polygon).map(([outer = []]) => positionBounds(outer)));
  if (bounds[0] < bounds[2] && bounds[1] < bounds[3]) return bounds;
  throw invalidBody(`${BOUNDS}/geometry`, "Expected a geometry with an area.");
}

function positionBounds(ring: readonly Position[]): Bounds {
  return uniteBounds(ring.map(([x = Number.NaN, y = Number.NaN]) => [x, y, x, y]));
}

/**
 * The bounding box of the area in degrees, for the search; west > east where it crosses the antimeridian.
 *
 * @throws {ProblemError} `invalid-body` for coordinates outside the Earth.
 */
export function areaBbox(area: Area): Bbox {
  const [west, south, east, north] = toDegrees(area);
  return wrapBbox([west, Math.max(-90, south), east, Math.min(90, north)]);
}

function toDegrees(area: Area): Bounds {
  try {
    return areaBoundsIn(area, resolveCrs(DEGREES), false);
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    throw invalidBody(`${BOUNDS}/${area.polygon === undefined ? "bbox" : "geometry"}`, error.message, error);
  }
}

/** The area in degrees as a polygon, by which scenes are chosen: exact where its box in degrees covers more. */
export function areaPolygon({ crs, bounds, polygon }: Area): PolygonGeometry {
  const [minX, , maxX] = bounds;
  const shape: Polygons = polygon ?? { type: "Polygon", coordinates: [boundsRing(bounds)] };
  // along a parallel nothing bends, but an edge of more than 180° would be taken to go the other way
  if (crs.geographic && maxX - minX < 180) return { type: "MultiPolygon", coordinates: polygonsOf(shape) };
  const moved = outlineIn(shape, crs, resolveCrs(DEGREES));
  const known = moved.map((rings) => rings.map((ring) => ring.filter(([x]) => !Number.isNaN(x))));
  return { type: "MultiPolygon", coordinates: known };
}
