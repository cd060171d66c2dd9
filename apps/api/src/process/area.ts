import { ProblemError } from "@swath/problem";
import { type Geometry, parseBbox, parseIntersects, QueryError } from "@swath/query";
import {
  type Bbox,
  type Bounds,
  type Crs,
  CrsError,
  type Grid,
  gridFromBounds,
  resolveCrs,
  transformBounds,
} from "@swath/raster";
import type { ProcessRequest } from "./request.ts";

/** What a request covers: a box, or a polygon outside of which there is no data. */
export interface Area {
  /** CRS of `bounds` and `polygon`; geographic boxes that cross the antimeridian run beyond 180°. */
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly polygon?: Polygons;
}

export type Polygons = Extract<Geometry, { type: "Polygon" | "MultiPolygon" }>;

/** Points put on each side of a box before it is moved to another CRS (decisions F; as rasterio and Sentinel Hub do). */
const EDGE_POINTS = 21;
const CRS84 = "http://www.opengis.net/def/crs/OGC/1.3/CRS84";
const ACCEPTED =
  /^(?:EPSG:|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/|urn:ogc:def:crs:EPSG::)(4326|3857|326(?:0[1-9]|[1-5]\d|60)|327(?:0[1-9]|[1-5]\d|60))$/;

/** @throws {ProblemError} `invalid-body` at `pointer`. */
export function invalidBody(pointer: string, detail: string, cause?: unknown): ProblemError {
  return new ProblemError("invalid-body", `${pointer}: ${detail}`, { errors: [{ pointer, detail }], cause });
}

/**
 * A CRS by `EPSG:n`, OGC URI or URN: 4326, 3857, the UTM zones and CRS84. Coordinates are always x, y: longitude
 * first in 4326 too.
 */
export function processCrs(name: string, pointer: string): Crs {
  const code = ACCEPTED.exec(name)?.[1];
  if (code === undefined && name !== CRS84 && name !== "urn:ogc:def:crs:OGC:1.3:CRS84") {
    throw invalidBody(
      pointer,
      `Expected EPSG:4326, EPSG:3857, EPSG:32601-32660, EPSG:32701-32760 or CRS84, got "${name}".`,
    );
  }
  try {
    return resolveCrs(code === undefined ? CRS84 : `EPSG:${code}`);
  } catch (error) {
    if (error instanceof CrsError) throw invalidBody(pointer, error.message, error);
    throw error;
  }
}

const BOUNDS = "/input/bounds";

/** Reads `input.bounds`. */
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
  const corners = bbox.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3];
  const [minX, minY, maxX, maxY] = corners.map((i) => bbox[i]) as [number, number, number, number];
  if (crs.geographic) {
    const [west, south, east, north] = withPointer(pointer, () => parseBbox([...bbox], { in: "body", pointer }));
    if (west === east || south === north) throw invalidBody(pointer, "Expected a box with an area.");
    return [west, south, west > east ? east + 360 : east, north];
  }
  if (!(minX < maxX && minY < maxY)) {
    throw invalidBody(pointer, `Expected west < east and south < north, got ${minX}, ${minY}, ${maxX}, ${maxY}.`);
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
  const geometry = crs.geographic
    ? withPointer(pointer, () => parseIntersects(value, { in: "body", pointer }))
    : planarGeometry(value, pointer);
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon") {
    throw invalidBody(pointer, `Expected a Polygon or MultiPolygon, got ${geometry.type}.`);
  }
  return geometry;
}

const MAX_VERTICES = 10_000;

/** A polygon in metres: the checks of `parseIntersects` that do not speak of degrees. */
function planarGeometry(value: unknown, pointer: string): Geometry {
  const geometry = value as { type?: unknown; coordinates?: unknown } | null;
  const fail = (detail: string): never => {
    throw invalidBody(pointer, detail);
  };
  if (typeof geometry !== "object" || geometry === null) return fail("Expected a GeoJSON Polygon or MultiPolygon.");
  if (geometry.type !== "Polygon" && geometry.type !== "MultiPolygon")
    return fail(`Expected a Polygon or MultiPolygon, got ${String(geometry.type)}.`);
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  let vertices = 0;
  if (!Array.isArray(polygons) || polygons.length === 0) return fail("Expected coordinates.");
  for (const rings of polygons as unknown[]) {
    if (!Array.isArray(rings) || rings.length === 0) return fail("Expected a polygon to be a list of rings.");
    for (const ring of rings as unknown[]) {
      if (!Array.isArray(ring) || ring.length < 4) return fail("Expected a ring of four positions or more.");
      vertices += ring.length;
      if (vertices > MAX_VERTICES) return fail(`Expected at most ${MAX_VERTICES} positions.`);
      const positions = ring as unknown[];
      if (!positions.every((p) => Array.isArray(p) && Number.isFinite(p[0]) && Number.isFinite(p[1])))
        return fail("Expected positions of two finite numbers.");
      const [first, last] = [positions[0], positions.at(-1)] as [number[], number[]];
      if (first[0] !== last[0] || first[1] !== last[1])
        return fail("Expected a closed ring: its last position equals its first.");
    }
  }
  return geometry as Geometry;
}

function polygonBounds(polygon: Polygons): Bounds {
  const rings = polygon.type === "Polygon" ? [polygon.coordinates[0]] : polygon.coordinates.map((rings) => rings[0]);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (const [x = 0, y = 0] of ring ?? []) {
      minX = Math.min(minX, x);
      minY = Math.min(minY, y);
      maxX = Math.max(maxX, x);
      maxY = Math.max(maxY, y);
    }
  }
  if (!(minX < maxX && minY < maxY)) throw invalidBody(`${BOUNDS}/geometry`, "Expected a geometry with an area.");
  return [minX, minY, maxX, maxY];
}

/** The area in degrees, for the search. */
export function areaBbox({ crs, bounds }: Area): Bbox {
  const [west, south, east, north] = crs.geographic
    ? bounds
    : transformBounds(bounds, crs, resolveCrs("EPSG:4326"), EDGE_POINTS);
  const wrap = (lon: number): number => (lon > 180 ? lon - 360 : lon);
  return east - west >= 360 ? [-180, south, 180, north] : [wrap(west), south, wrap(east), north];
}

/**
 * The output grid: the box, moved to the output CRS with 21 points a side, is its exact outer edge.
 *
 * @throws {ProblemError} `invalid-body` for sizes that contradict each other, `output-too-large` beyond any cap.
 */
export function outputGrid(area: Area, output: ProcessRequest["output"]): Grid {
  const crs = processCrs(output.crs ?? "EPSG:3857", "/output/crs");
  const bounds = sameAxes(area.crs, crs) ? area.bounds : transformBounds(area.bounds, area.crs, crs, EDGE_POINTS);
  const [minX, minY, maxX, maxY] = bounds;
  if (![minX, minY, maxX, maxY].every(Number.isFinite) || !(minX < maxX && minY < maxY)) {
    throw invalidBody("/output/crs", `The area cannot be drawn in ${output.crs ?? "EPSG:3857"}.`);
  }
  const { width, height } = sizeOf(output, maxX - minX, maxY - minY);
  return gridFromBounds(crs, bounds, width, height);
}

function sameAxes(a: Crs, b: Crs): boolean {
  return a.proj4 === b.proj4 || (a.geographic && b.geographic);
}

function sizeOf(output: ProcessRequest["output"], spanX: number, spanY: number): { width: number; height: number } {
  const { width, height, resx, resy } = output;
  const bySize = width !== undefined || height !== undefined;
  const byResolution = resx !== undefined || resy !== undefined;
  if (bySize && byResolution) throw invalidBody("/output", "Expected width and height, or resx and resy, got both.");
  if (bySize) {
    if (width === undefined) throw invalidBody("/output/width", "Expected width beside height.");
    if (height === undefined) throw invalidBody("/output/height", "Expected height beside width.");
    return { width, height };
  }
  if (!byResolution) return { width: 256, height: 256 };
  if (resx === undefined) throw invalidBody("/output/resx", "Expected resx beside resy.");
  if (resy === undefined) throw invalidBody("/output/resy", "Expected resy beside resx.");
  const pixels = (span: number, resolution: number): number => Math.max(1, Math.round(span / resolution));
  return { width: pixels(spanX, resx), height: pixels(spanY, resy) };
}
