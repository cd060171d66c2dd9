import {
  boundsRing,
  type Geometry,
  type PolygonGeometry,
  polygonGeometry,
  polygonsOf,
  shapeBbox,
  toShape,
  uniteBounds,
  unwrapBbox,
  unwrapPolygons,
  wrapBbox,
} from "@swath/geometry";
import { parseBbox, parseIntersects } from "@swath/query";
import { type Bbox, type Bounds, type Crs, resolveCrs } from "@swath/raster";
import { memberOf, readMember } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { AreaWhere } from "../request.ts";
import { areaBoundsIn, outlineIn } from "./area-outline.ts";

/** The area of a request: a box, or a polygon outside of which there is no data. */
export interface Area {
  /** Path of the area in the request: refusals of the area name it. */
  readonly path: Path;
  /** CRS of `bounds` and `polygon`; in degrees, what crosses the antimeridian runs beyond 180°. */
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly polygon?: PolygonGeometry;
}

/** An area that is no box. */
export type PolygonArea = Area & { readonly polygon: PolygonGeometry };

export const DEGREES = resolveCrs("EPSG:4326");
/** Path of an area in a request that is no process graph. */
const WHERE: Path = ["where"];
const CRS84 = ["http://www.opengis.net/def/crs/OGC/1.3/CRS84", "urn:ogc:def:crs:OGC:1.3:CRS84"];
const ACCEPTED =
  /^(?:EPSG:|http:\/\/www\.opengis\.net\/def\/crs\/EPSG\/0\/|urn:ogc:def:crs:EPSG::)(4326|3857|32[67](?:0[1-9]|[1-5]\d|60))$/i;

/**
 * A CRS by `EPSG:n`, OGC URI or URN, in any letter case: 4326, 3857, the UTM zones and CRS84. Coordinates are always x, y: longitude
 * first in 4326 too.
 *
 * @throws {Refusal} `invalid` at `path` for any other name.
 */
export function readCrs(name: string, path: Path): Crs {
  const code = ACCEPTED.exec(name)?.[1];
  if (code !== undefined) return resolveCrs(`EPSG:${code}`);
  if (CRS84.includes(name)) return DEGREES;
  const expected = "Expected EPSG:4326, EPSG:3857, EPSG:32601-32660, EPSG:32701-32760 or CRS84";
  throw new Refusal("invalid", path, `${expected}, got "${name}".`);
}

/**
 * Reads a box or polygon and its CRS.
 *
 * @param path where they stand in the request
 * @throws {Refusal} `invalid` with the path of the member that is wrong.
 */
export function areaOf(
  { bbox, geometry, crs: name }: Pick<AreaWhere, "bbox" | "geometry" | "crs">,
  path: Path = WHERE,
): Area {
  const crs = name === undefined ? DEGREES : readCrs(name, memberOf(path, "crs"));
  if ((bbox === undefined) === (geometry === undefined)) {
    throw new Refusal("invalid", path, `Expected bbox or geometry, got ${bbox === undefined ? "neither" : "both"}.`);
  }
  if (bbox !== undefined) return { path, crs, bounds: boxOf(bbox, crs, memberOf(path, "bbox")) };
  return areaOfPolygon(polygonOf(geometry, crs, memberOf(path, "geometry")), path, crs);
}

/** @throws {Refusal} `invalid` for a polygon without an area. */
export function areaOfPolygon(geometry: PolygonGeometry, path: Path, crs = DEGREES): PolygonArea {
  const polygon = crs.geographic ? polygonGeometry(unwrapPolygons(geometry)) : geometry;
  const bounds = boundsOfPolygon(polygon);
  if (bounds[0] < bounds[2] && bounds[1] < bounds[3]) return { path, crs, bounds, polygon };
  throw new Refusal("invalid", memberOf(path, "geometry"), "Expected a geometry with an area.");
}

function boxOf(bbox: readonly number[], crs: Crs, path: Path): Bounds {
  if (bbox.length === 5) throw new Refusal("invalid", path, "Expected 4 or 6 numbers, got 5.");
  if (crs.geographic) {
    const [west, south, east, north] = readMember(path, (at) => parseBbox([...bbox], at));
    if (west === east || south === north) throw new Refusal("invalid", path, "Expected a box with an area.");
    return unwrapBbox([west, south, east, north]);
  }
  const corners = bbox.length === 6 ? [0, 1, 3, 4] : [0, 1, 2, 3];
  const [minX, minY, maxX, maxY] = corners.map((i) => bbox[i]) as [number, number, number, number];
  if (minX < maxX && minY < maxY) return [minX, minY, maxX, maxY];
  throw new Refusal(
    "invalid",
    path,
    minX > maxX
      ? `West ${minX} is greater than east ${maxX}: only boxes in CRS84 or EPSG:4326 may cross the antimeridian.`
      : `Expected west < east and south < north, got ${[minX, minY, maxX, maxY].join(", ")}.`,
  );
}

function polygonOf(value: unknown, crs: Crs, path: Path): PolygonGeometry {
  const coordinates = crs.geographic ? "degrees" : "planar";
  const geometry = readMember(path, (at) => parseIntersects(value, at, coordinates));
  if (isPolygonal(geometry)) return geometry;
  const detail = `Expected a Polygon or MultiPolygon, got ${geometry.type}.`;
  throw new Refusal("invalid", memberOf(path, "type"), detail);
}

export const isPolygonal = (geometry: Geometry): geometry is PolygonGeometry =>
  geometry.type === "Polygon" || geometry.type === "MultiPolygon";

const boundsOfPolygon = (polygon: PolygonGeometry): Bounds =>
  uniteBounds(
    polygonsOf(polygon).flatMap(([outer = []]) => outer.map(([x = Number.NaN, y = Number.NaN]) => [x, y, x, y])),
  );

/** Degrees, a tenth of a metre, by which the box around points and lines is larger than they are: it has an area. */
const AROUND = 1e-6;

/** A box that is larger on each side by a tenth of a metre. */
export const withMargin = ([west, south, east, north]: Bounds): Bounds => [
  west - AROUND,
  Math.max(-90, south - AROUND),
  east + AROUND,
  Math.min(90, north + AROUND),
];

/** A geometry in degrees as an area; without its polygon where it is not of polygons alone. */
export function areaOfGeometry(geometry: Geometry, path: Path): Area {
  if (!isPolygonal(geometry)) return { path, crs: DEGREES, bounds: withMargin(boundsOfGeometry(geometry)) };
  const polygon = polygonGeometry(unwrapPolygons(geometry));
  return { path, crs: DEGREES, bounds: boundsOfPolygon(polygon), polygon };
}

/** The box around a geometry, degrees; beyond 180° where it crosses the antimeridian. Of one point it has no area. */
export function boundsOfGeometry(geometry: Geometry): Bounds {
  return unwrapBbox(shapeBbox(toShape(geometry, "across-antimeridian")) ?? [0, 0, 0, 0]);
}

/**
 * The bounding box of the area in degrees, for the search; west > east where it crosses the antimeridian.
 *
 * @throws {Refusal} `invalid` for coordinates outside the Earth.
 */
export function areaBbox(area: Area): Bbox {
  const path = memberOf(area.path, area.polygon === undefined ? "bbox" : "geometry");
  const [west, south, east, north] = areaBoundsIn(area, DEGREES, { path, whole: false });
  return wrapBbox([west, Math.max(-90, south), east, Math.min(90, north)]);
}

/** The area as a polygon of its own CRS. */
export const shapeOf = ({ bounds, polygon }: Pick<Area, "bounds" | "polygon">): PolygonGeometry =>
  polygon ?? { type: "Polygon", coordinates: [boundsRing(bounds)] };

/** The area in degrees as a polygon, by which scenes are chosen: exact where its box in degrees covers more. */
export function areaPolygon(area: Area): PolygonGeometry {
  const [minX, , maxX] = area.bounds;
  const shape = shapeOf(area);
  // along a parallel nothing bends, but an edge of more than 180° would be taken to go the other way
  if (area.crs.geographic && maxX - minX < 180) return { type: "MultiPolygon", coordinates: polygonsOf(shape) };
  const moved = outlineIn(shape, area.crs, DEGREES);
  const known = moved.map((rings) => rings.map((ring) => ring.filter(([x]) => !Number.isNaN(x))));
  return { type: "MultiPolygon", coordinates: known };
}
