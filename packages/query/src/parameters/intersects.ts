import { findSelfIntersection, type Geometry, type Position } from "@swath/geometry";
import { below, counted, faultAt, type InputLocation, insideJson, isObject, jsonOf, shown } from "../input-location.ts";

/** The most vertices a geometry of a request may have. */
export const MAX_VERTICES = 10_000;
/** The kind of a geometry's coordinates: degrees within ±180 and ±90, or any finite numbers of a plane. */
export type Coordinates = "degrees" | "planar";

/** The deepest nesting of geometry collections. */
const MAX_DEPTH = 8;

/**
 * Reads the `intersects` parameter: a GeoJSON geometry (RFC 7946) as JSON text in a query, as an object in a body.
 * Heights are read and ignored. Repeated vertices are let through, since real footprints have them.
 *
 * @param coordinates `"planar"` for a geometry in metres: the same checks without the ranges of degrees
 * @throws {QueryError} for a Feature or any other type, longitudes beyond ±180 or latitudes beyond ±90, lines of one
 *   position, rings that are open or shorter than four positions, polygons whose rings cross or touch themselves or
 *   cross one another, empty geometries, more than 10,000 vertices.
 */
export function parseIntersects(
  input: unknown,
  location: InputLocation = { in: "query", pointer: "intersects" },
  coordinates: Coordinates = "degrees",
): Geometry {
  if (location.in === "query" && typeof input !== "string")
    throw faultAt(location, `Expected text, got ${shown(input)}.`);
  const value = location.in === "query" ? jsonOf(String(input), location) : input;
  return new Reader(coordinates).geometry(value, insideJson(location), 0);
}

/**
 * Reads a GeoJSON geometry that is a value already, as `parseIntersects` does.
 *
 * @param rings `"any"` to let polygons through whose rings cross or touch themselves
 */
export function readGeometry(value: unknown, location: InputLocation, rings: "simple" | "any"): Geometry {
  return new Reader("degrees", rings).geometry(value, location, 0);
}

/** Reads one geometry and counts its vertices on the way, so that a huge one is refused early. */
class Reader {
  readonly #coordinates: Coordinates;
  readonly #rings: "simple" | "any";
  #vertices = 0;

  constructor(coordinates: Coordinates, rings: "simple" | "any" = "simple") {
    this.#coordinates = coordinates;
    this.#rings = rings;
  }

  geometry(value: unknown, location: InputLocation, depth: number): Geometry {
    if (!isObject(value)) throw faultAt(location, `Expected a GeoJSON geometry, got ${shown(value)}.`);
    const at = below(location, "coordinates");
    switch (value.type) {
      case "Point":
        return { type: "Point", coordinates: this.#position(value.coordinates, at) };
      case "MultiPoint":
        return { type: "MultiPoint", coordinates: this.#positions(value.coordinates, at, 1) };
      case "LineString":
        return { type: "LineString", coordinates: this.#positions(value.coordinates, at, 2) };
      case "MultiLineString": {
        const lines = listOf(value.coordinates, at, 1).map((line, i) => this.#positions(line, below(at, i), 2));
        return { type: "MultiLineString", coordinates: lines };
      }
      case "Polygon":
        return { type: "Polygon", coordinates: this.#polygon(value.coordinates, at) };
      case "MultiPolygon": {
        const polygons = listOf(value.coordinates, at, 1).map((polygon, i) => this.#polygon(polygon, below(at, i)));
        return { type: "MultiPolygon", coordinates: polygons };
      }
      case "GeometryCollection":
        return { type: "GeometryCollection", geometries: this.#members(value.geometries, location, depth) };
      case "Feature":
      case "FeatureCollection":
        throw faultAt(below(location, "type"), `Expected a geometry, got a ${value.type}: send its geometry member.`);
      default:
        throw faultAt(below(location, "type"), `Expected the type of a GeoJSON geometry, got ${shown(value.type)}.`);
    }
  }

  #members(value: unknown, location: InputLocation, depth: number): Geometry[] {
    const at = below(location, "geometries");
    if (depth >= MAX_DEPTH) throw faultAt(location, `Geometry collections may be nested ${MAX_DEPTH} deep at most.`);
    return listOf(value, at, 1).map((member, i) => this.geometry(member, below(at, i), depth + 1));
  }

  #polygon(value: unknown, location: InputLocation): Position[][] {
    const rings = listOf(value, location, 1).map((ring, i) => {
      const positions = this.#positions(ring, below(location, i), 4);
      const [first, last] = [positions[0], positions.at(-1)];
      if (first?.[0] !== last?.[0] || first?.[1] !== last?.[1]) {
        throw faultAt(
          below(location, i),
          `The ring is open: it ends at ${last?.join(", ")}, not at ${first?.join(", ")}.`,
        );
      }
      return positions;
    });
    const fault = this.#rings === "simple" ? findSelfIntersection(rings) : undefined;
    if (fault === undefined) return rings;
    const where = fault.position.map((number) => Number(number.toFixed(6))).join(", ");
    const axes = this.#coordinates === "degrees" ? "longitude, latitude" : "x, y";
    throw faultAt(below(location, fault.ring), `The polygon intersects itself near ${where} (${axes}).`);
  }

  #positions(value: unknown, location: InputLocation, least: number): Position[] {
    return listOf(value, location, least).map((position, i) => this.#position(position, below(location, i)));
  }

  #position(value: unknown, location: InputLocation): Position {
    this.#vertices += 1;
    if (this.#vertices > MAX_VERTICES) throw faultAt(location, `A geometry may have ${MAX_VERTICES} vertices at most.`);
    const isPosition = Array.isArray(value) && (value.length === 2 || value.length === 3);
    if (!isPosition || !value.every((number) => typeof number === "number" && Number.isFinite(number))) {
      throw faultAt(location, `Expected a position of two or three numbers, got ${shown(value)}.`);
    }
    const [longitude, latitude] = value as [number, number];
    const isOutside = Math.abs(longitude) > 180 || Math.abs(latitude) > 90;
    if (isOutside && this.#coordinates === "degrees") {
      throw faultAt(location, `Expected longitude within ±180 and latitude within ±90, got ${longitude}, ${latitude}.`);
    }
    return value;
  }
}

function listOf(value: unknown, location: InputLocation, least: number): unknown[] {
  if (!Array.isArray(value)) throw faultAt(location, `Expected an array, got ${shown(value)}.`);
  if (value.length < least) {
    throw faultAt(location, `Expected at least ${counted(least, "entry", "entries")}, got ${value.length}.`);
  }
  return value;
}
