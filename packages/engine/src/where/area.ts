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
import { type Coordinates, parseBbox, parseIntersects } from "@swath/query";
import { type Bbox, type Bounds, type Crs, CrsError, resolveCrs } from "@swath/raster";
import { memberOf, readMember } from "../read-member.ts";
import { type Path, Refusal } from "../refusal.ts";
import type { AreaWhere } from "../request.ts";
import type { Clip } from "../run/scene/scene-read.ts";
import { boundsIn, outlineIn } from "./area-outline.ts";

/**
 * The farthest coordinate of an area in metres: ten times the way from the equator to a pole. What is beyond has no place on
 * the Earth in any CRS that requests can name.
 */
const FARTHEST = 1e8;

/** Options for bringing an area into another CRS. */
interface BoundsOptions {
  /** Named where the CRS cannot hold the area; default: the area's own. */
  readonly path?: Path;
  /** `false`: only the part of the area that the CRS can hold. */
  readonly whole?: boolean;
}

/** The area of a request: a box, or a polygon outside of which there is no data. It is read once, and taken by all that follows. */
export class Area<P extends PolygonGeometry | undefined = PolygonGeometry | undefined> {
  /** Path of the area in the request: refusals of the area name it. */
  readonly path: Path;
  /** CRS of `bounds` and `polygon`; in degrees, what crosses the antimeridian runs beyond 180°. */
  readonly crs: Crs;
  readonly bounds: Bounds;
  /** `undefined`: the whole box. */
  readonly polygon: P;
  /** Around the area, degrees; west > east where it crosses the antimeridian. Scenes are searched by it. */
  readonly bbox: Bbox;

  /** @throws {Refusal} `invalid` for coordinates outside the Earth. */
  constructor(path: Path, crs: Crs, bounds: Bounds, polygon: P) {
    this.path = path;
    this.crs = crs;
    this.bounds = bounds;
    this.polygon = polygon;
    const member = memberOf(path, polygon === undefined ? "bbox" : "geometry");
    if (!crs.geographic && bounds.some((coordinate) => Math.abs(coordinate) > FARTHEST)) {
      const detail = `Expected coordinates of ${crs.name}, metres between -1e8 and 1e8, got ${bounds.join(", ")}.`;
      throw new Refusal("invalid", member, detail);
    }
    const [west, south, east, north] = this.boundsIn(DEGREES, { path: member, whole: false });
    this.bbox = wrapBbox([west, Math.max(-90, south), east, Math.min(90, north)]);
  }

  /** The pixels of the area: those whose centres are in its polygon. */
  get clip(): Clip {
    const polygon = this.polygon ?? { type: "Polygon", coordinates: [boundsRing(this.bounds)] };
    return { polygon, crs: this.crs.name };
  }

  /**
   * The area in degrees, by which scenes are chosen: exact where its box in degrees covers more.
   *
   * @throws {Refusal} `invalid` where no part of the area has a place on the Earth.
   */
  get outline(): PolygonGeometry {
    const [minX, , maxX] = this.bounds;
    const { polygon } = this.clip;
    // along a parallel nothing bends, but an edge of more than 180° would be taken to go the other way
    if (this.crs.geographic && maxX - minX < 180) return { type: "MultiPolygon", coordinates: polygonsOf(polygon) };
    const moved = outlineIn(polygon, this.crs, DEGREES);
    const known = moved
      .map((rings) => rings.map((ring) => ring.filter((point) => point.every(Number.isFinite))))
      .filter(([outer = []]) => outer.length > 0);
    if (known.length > 0) return { type: "MultiPolygon", coordinates: known };
    const member = memberOf(this.path, this.polygon === undefined ? "bbox" : "geometry");
    throw new Refusal("invalid", member, `No point of the area has a place on the Earth in ${this.crs.name}.`);
  }

  /**
   * The smallest rectangle of a CRS that holds the area: of a polygon that around itself, not that around its box.
   *
   * @throws {Refusal} `invalid` where a point of the area has no coordinates in the CRS, or none has.
   */
  boundsIn(to: Crs, { path = this.path, whole = true }: BoundsOptions = {}): Bounds {
    try {
      return boundsIn(this, to, whole);
    } catch (error) {
      if (!(error instanceof CrsError)) throw error;
      const detail = `The area cannot be transformed to ${to.name}: ${error.message}`;
      throw new Refusal("invalid", path, detail, { cause: error });
    }
  }
}

/** An area that is no box. */
export type PolygonArea = Area<PolygonGeometry>;

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
  const coordinates = crs.geographic ? "degrees" : "planar";
  if ((bbox === undefined) === (geometry === undefined)) {
    throw new Refusal("invalid", path, `Expected bbox or geometry, got ${bbox === undefined ? "neither" : "both"}.`);
  }
  if (bbox === undefined) {
    return areaOfPolygon(polygonOf(geometry, coordinates, memberOf(path, "geometry")), path, crs);
  }
  const place = memberOf(path, "bbox");
  const box = readMember(place, (at) => parseBbox(bbox, at, coordinates));
  if (box[0] !== box[2] && box[1] !== box[3]) {
    return new Area(path, crs, crs.geographic ? unwrapBbox(box) : box, undefined);
  }
  throw new Refusal("invalid", place, "Expected a box with an area.");
}

/** @throws {Refusal} `invalid` for a polygon without an area. */
export function areaOfPolygon(geometry: PolygonGeometry, path: Path, crs = DEGREES): PolygonArea {
  const polygon = crs.geographic ? polygonGeometry(unwrapPolygons(geometry)) : geometry;
  const bounds = boundsOfPolygon(polygon);
  if (bounds[0] < bounds[2] && bounds[1] < bounds[3]) return new Area(path, crs, bounds, polygon);
  throw new Refusal("invalid", memberOf(path, "geometry"), "Expected a geometry with an area.");
}

function polygonOf(value: unknown, coordinates: Coordinates, path: Path): PolygonGeometry {
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
  if (!isPolygonal(geometry)) return new Area(path, DEGREES, withMargin(boundsOfGeometry(geometry)), undefined);
  const polygon = polygonGeometry(unwrapPolygons(geometry));
  return new Area(path, DEGREES, boundsOfPolygon(polygon), polygon);
}

/** The box around a geometry, degrees; beyond 180° where it crosses the antimeridian. Of one point it has no area. */
export function boundsOfGeometry(geometry: Geometry): Bounds {
  return unwrapBbox(shapeBbox(toShape(geometry, "across-antimeridian")) ?? [0, 0, 0, 0]);
}
