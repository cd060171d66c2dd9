import type { PolygonGeometry } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import { type Geometry, parseBbox, parseIntersects, QueryError } from "@swath/query";
import { type Bbox, type Bounds, type Crs, CrsError, resolveCrs, transformBounds, transformer } from "@swath/raster";
import { planarPolygon } from "./planar-polygon.ts";
import type { ProcessRequest } from "./process-request.ts";

export type Polygons = Extract<Geometry, { type: "Polygon" | "MultiPolygon" }>;

/** What a request covers: a box, or a polygon outside of which there is no data. */
export interface Area {
  /** CRS of `bounds` and `polygon`; in degrees, what crosses the antimeridian runs beyond 180°. */
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly polygon?: Polygons;
}

/** Points put on each side of a box before it is moved to another CRS (as rasterio and Sentinel Hub do). */
export const EDGE_POINTS = 21;
/** A polygon of more vertices than this is moved to another CRS by its vertices alone. */
const SPARSE_VERTICES = 500;
export const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const DEGREES = "EPSG:4326";
const ACCEPTED =
  /^(?:EPSG:|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/|urn:ogc:def:crs:EPSG::)(4326|3857|32[67](?:0[1-9]|[1-5]\d|60))$/i;
const BOUNDS = "/input/bounds";

/** A fault of the body at `pointer`. */
export function invalidBody(pointer: string, detail: string, cause?: unknown): ProblemError {
  return new ProblemError("invalid-body", `${pointer}: ${detail}`, { errors: [{ pointer, detail }], cause });
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
 * Reads `input.bounds`.
 *
 * @throws {ProblemError} `invalid-body` with the pointer of what is wrong.
 */
export function areaOf(bounds: ProcessRequest["input"]["bounds"]): Area {
  const crs = processCrs(bounds.properties?.crs ?? CRS84, `${BOUNDS}/properties/crs`);
  const { bbox, geometry } = bounds;
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
    return [west, south, west > east ? east + 360 : east, north];
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
  if (!crs.geographic) return planarPolygon(value, pointer);
  const geometry = withPointer(pointer, () => parseIntersects(value, { in: "body", pointer }));
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    throw invalidBody(`${pointer}/type`, `Expected a Polygon or MultiPolygon, got ${geometry.type}.`);
  }
  return acrossAntimeridian(geometry);
}

const listOf = (polygon: Polygons): readonly (readonly (readonly (readonly number[])[])[])[] =>
  polygon.type === "Polygon" ? [polygon.coordinates] : polygon.coordinates;

/**
 * A polygon in degrees whose parts hang together: edges of more than 180° go the short way, and parts cut at the
 * antimeridian (RFC 7946, 3.1.9) are put side by side, beyond 180°.
 */
function acrossAntimeridian(polygon: Polygons): Polygons {
  const parts = listOf(polygon).map((rings) => rings.map(unwrapped));
  const span = (rings: readonly (readonly (readonly number[])[])[]): [number, number] => {
    const xs = (rings[0] ?? []).map(([x = 0]) => x);
    return [xs.reduce((a, b) => Math.min(a, b), Infinity), xs.reduce((a, b) => Math.max(a, b), -Infinity)];
  };
  const spans = parts.map(span);
  const isCut = spans.some(([, east]) => east >= 180) && spans.some(([west]) => west === -180);
  const placed = parts.map((rings, i) => {
    const shift = isCut && (spans[i]?.[1] ?? 0) <= 0 ? 360 : 0;
    return shift === 0 ? rings : rings.map((ring) => ring.map(([x = 0, y = 0]) => [x + shift, y]));
  });
  return placed.length === 1
    ? { type: "Polygon", coordinates: placed[0] ?? [] }
    : { type: "MultiPolygon", coordinates: placed };
}

function unwrapped(ring: readonly (readonly number[])[]): (readonly number[])[] {
  let turns = 0;
  let last: number | undefined;
  return ring.map(([x = 0, y = 0]) => {
    if (last !== undefined && Math.abs(x - last) > 180) turns += x > last ? -360 : 360;
    last = x;
    return [x + turns, y];
  });
}

function polygonBounds(polygon: Polygons): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [outer] of listOf(polygon)) {
    for (const [x = 0, y = 0] of outer ?? []) {
      minX = Math.min(minX, x);
      minY = Math.min(minY, y);
      maxX = Math.max(maxX, x);
      maxY = Math.max(maxY, y);
    }
  }
  if (!(minX < maxX && minY < maxY)) throw invalidBody(`${BOUNDS}/geometry`, "Expected a geometry with an area.");
  return [minX, minY, maxX, maxY];
}

/**
 * The box around the area in degrees, for the search; west > east where it crosses the antimeridian.
 *
 * @throws {ProblemError} `invalid-body` for coordinates that lie nowhere on Earth.
 */
export function areaBbox({ crs, bounds, polygon }: Area): Bbox {
  const [west, south, east, north] = crs.geographic ? bounds : toDegrees(crs, bounds, polygon !== undefined);
  if (east - west >= 360) return [-180, south, 180, north];
  const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon);
  return [wrap(west), Math.max(-90, south), wrap(east), Math.min(90, north)];
}

function toDegrees(crs: Crs, bounds: Bounds, isPolygon: boolean): Bounds {
  try {
    return transformBounds(bounds, crs, resolveCrs(DEGREES), EDGE_POINTS);
  } catch (error) {
    if (!(error instanceof CrsError)) throw error;
    throw invalidBody(`${BOUNDS}/${isPolygon ? "geometry" : "bbox"}`, error.message, error);
  }
}

/** The area in degrees as a polygon, by which scenes are chosen: exact where its box in degrees covers more. */
export function areaPolygon(area: Area): PolygonGeometry {
  const { crs, bounds, polygon } = area;
  const [minX, minY, maxX, maxY] = bounds;
  const shape: Polygons = polygon ?? {
    type: "Polygon",
    coordinates: [
      [
        [minX, minY],
        [maxX, minY],
        [maxX, maxY],
        [minX, maxY],
        [minX, minY],
      ],
    ],
  };
  // along a parallel nothing bends, but an edge of more than 180° would be taken to go the other way
  const polygons = listOf(shape);
  const vertices = polygons.flat().reduce((sum, ring) => sum + ring.length, 0);
  const parts = crs.geographic && maxX - minX < 180 ? 1 : vertices > SPARSE_VERTICES ? 1 : EDGE_POINTS - 1;
  const project = crs.geographic ? undefined : transformer(crs, resolveCrs(DEGREES));
  const moved = polygons.map((rings) => rings.map((ring) => edgePoints(ring, parts).flatMap(placeOf(project))));
  return { type: "MultiPolygon", coordinates: moved };
}

function placeOf(
  project: ((x: number, y: number) => [number, number]) | undefined,
): (point: readonly [number, number]) => [number, number][] {
  return ([x, y]) => {
    const place: [number, number] = project === undefined ? [x, y] : project(x, y);
    return Number.isNaN(place[0]) ? [] : [place];
  };
}

function edgePoints(ring: readonly (readonly number[])[], parts: number): [number, number][] {
  const points: [number, number][] = [];
  ring.forEach(([x = 0, y = 0], i) => {
    const [nextX, nextY] = ring[i + 1] ?? [];
    points.push([x, y]);
    if (nextX === undefined || nextY === undefined) return;
    for (let k = 1; k < parts; k++) points.push([x + ((nextX - x) * k) / parts, y + ((nextY - y) * k) / parts]);
  });
  return points;
}
