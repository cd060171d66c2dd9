import { type Geometry, MAX_VERTICES, parseIntersects, QueryError } from "@swath/query";
import type { SpatialExtent } from "../../cube/grid-request.ts";
import { OpenEoError } from "../../errors.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import type { Compilation } from "../../interpreter/compilation.ts";
import { isObject, member, shown } from "../../json.ts";
import { WORK } from "../../work.ts";

export const DEGREES = "EPSG:4326";
/** Geometries of one node. */
const MAX_GEOMETRIES = 1000;

/**
 * The geometries of a GeoJSON argument, in degrees: one for each feature.
 *
 * @throws {OpenEoError} `ProcessParameterInvalid`.
 */
export function geometriesOf(given: Arguments, name: string, compilation: Compilation): readonly Geometry[] {
  const json = given.json(name);
  return compilation.geometries(json, () => readGeometries(json, given, name, compilation));
}

function readGeometries(json: unknown, given: Arguments, name: string, compilation: Compilation): readonly Geometry[] {
  if (!isObject(json)) throw given.invalid(name, "GeoJSON");
  const type = member(json, "type");
  const parts = type === "FeatureCollection" ? member(json, "features") : [json];
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_GEOMETRIES) {
    throw given.invalid(name, `GeoJSON with 1 to ${MAX_GEOMETRIES} features`);
  }
  return parts.map((part: unknown) => {
    const geometry = isObject(part) && member(part, "type") === "Feature" ? member(part, "geometry") : part;
    compilation.spend(WORK.vertex * Math.min(MAX_VERTICES, positionsIn(geometry)));
    if (isObject(geometry) && member(geometry, "type") === "GeometryCollection") {
      throw invalidGeometry(
        given,
        name,
        "Expected no GeometryCollection: features of a collection have one geometry each.",
      );
    }
    try {
      return parseIntersects(withoutCrs(geometry), { in: "body", pointer: "" });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      throw invalidGeometry(given, name, error.message, error);
    }
  });
}

/** Positions of a geometry at least: pairs of numbers. */
function positionsIn(value: unknown): number {
  if (isObject(value)) return positionsIn(member(value, "coordinates"));
  if (!Array.isArray(value)) return 0;
  return Array.isArray(value[0]) ? value.reduce<number>((sum, each) => sum + positionsIn(each), 0) : 1;
}

/** A polygon or more, as one geometry. */
export function areaOf(given: Arguments, name: string, compilation: Compilation): SpatialExtent {
  const geometries = geometriesOf(given, name, compilation);
  const coordinates = geometries.flatMap((geometry) => {
    if (geometry.type === "Polygon") return [geometry.coordinates];
    if (geometry.type === "MultiPolygon") return geometry.coordinates;
    throw invalidGeometry(given, name, `Expected Polygons and MultiPolygons, got a ${geometry.type}.`);
  });
  const [only, ...others] = coordinates;
  const geometry =
    only !== undefined && others.length === 0
      ? { type: "Polygon" as const, coordinates: only }
      : { type: "MultiPolygon" as const, coordinates };
  return { geometry: geometry as Geometry, crs: DEGREES };
}

/** All geometries of a GeoJSON argument together, as one region. */
export function regionOf(given: Arguments, name: string, compilation: Compilation): SpatialExtent {
  const geometries = geometriesOf(given, name, compilation);
  const [only, ...others] = geometries;
  const geometry =
    only !== undefined && others.length === 0 ? only : { type: "GeometryCollection" as const, geometries };
  return { geometry, crs: DEGREES };
}

function invalidGeometry(given: Arguments, name: string, message: string, cause?: unknown): OpenEoError {
  const { code, path } = given.invalid(name, "GeoJSON");
  return new OpenEoError(code, `${name}: ${message}`, { path, cause });
}

/** Clients of openEO add a `crs` member, as GeoJSON of 2008 had it: degrees alone are taken. */
function withoutCrs(geometry: unknown): unknown {
  if (!isObject(geometry)) return geometry;
  const { crs: _, ...rest } = geometry;
  return rest;
}

/** A box with west, south, east, north and crs, or a GeoJSON area; `undefined`: null or not given. */
export function extentOf(given: Arguments, name: string, compilation: Compilation): SpatialExtent | undefined {
  if (!given.has(name)) return undefined;
  const json = given.json(name);
  if (!isObject(json)) throw given.invalid(name, "a bounding box or GeoJSON");
  if (typeof member(json, "type") === "string") return areaOf(given, name, compilation);
  return boxOf(given, name, json);
}

/** A bounding box. */
export function boxOf(given: Arguments, name: string, json: unknown = given.json(name)): SpatialExtent {
  if (!isObject(json)) throw given.invalid(name, "a bounding box");
  const bbox = ["west", "south", "east", "north"].map((side) => {
    const value = member(json, side);
    if (typeof value === "number" && Number.isFinite(value)) return value;
    throw boxFault(given, name, `${side} as a number, got ${shown(value)}`);
  }) as [number, number, number, number];
  for (const side of ["base", "height"]) {
    if ((member(json, side) ?? null) !== null) throw boxFault(given, name, `no ${side}: cubes have no heights`);
  }
  const unknown = Object.keys(json).find((key) => !BOX_MEMBERS.includes(key));
  if (unknown !== undefined) throw boxFault(given, name, `${BOX_MEMBERS.join(", ")}, not "${unknown}"`);
  const crs = crsOf(member(json, "crs") ?? 4326, given, name);
  const [west, south, east, north] = bbox;
  const crosses = crs === DEGREES && west > east;
  if (!(south < north) || !(west < east || crosses)) throw boxFault(given, name, "west < east and south < north");
  if (crs === DEGREES && (Math.abs(west) > 180 || Math.abs(east) > 180 || south < -90 || north > 90)) {
    throw boxFault(given, name, "degrees within ±180 and ±90");
  }
  return { bbox, crs };
}

const BOX_MEMBERS = ["west", "south", "east", "north", "base", "height", "crs"];

function boxFault(given: Arguments, name: string, expected: string): OpenEoError {
  const { code, path } = given.invalid(name, "a bounding box");
  return new OpenEoError(code, `${name}: expected ${expected}.`, { path });
}

/** CRSs that grids and boxes may have. */
const ACCEPTED = /^(?:EPSG:)?(4326|3857|32[67](?:0[1-9]|[1-5]\d|60))$/i;

/** @throws {OpenEoError} for any CRS except 4326, 3857 and the UTM zones, by number or as `EPSG:n`. */
export function crsOf(value: unknown, given: Arguments, name: string): string {
  const code = ACCEPTED.exec(String(value))?.[1];
  if (code !== undefined && (typeof value === "number" || typeof value === "string")) return `EPSG:${code}`;
  throw boxFault(given, name, `an EPSG code (4326, 3857, 32601-32660, 32701-32760), got ${shown(value)}`);
}
