import type { Bbox } from "./bbox.ts";

/** Longitude, latitude in degrees (CRS84); a third number is a height and is kept but never used. */
export type Position = readonly number[];
/** The types of GeoJSON (RFC 7946, 3.1). */
export type Geometry =
  | { readonly type: "Point"; readonly coordinates: Position }
  | { readonly type: "MultiPoint"; readonly coordinates: readonly Position[] }
  | { readonly type: "LineString"; readonly coordinates: readonly Position[] }
  | { readonly type: "MultiLineString"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "Polygon"; readonly coordinates: readonly (readonly Position[])[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly (readonly Position[])[])[] }
  | { readonly type: "GeometryCollection"; readonly geometries: readonly Geometry[] };

/** A geometry taken apart: what touches what is asked of points, lines and polygons (outer ring first). */
export interface Parts {
  readonly points: readonly Position[];
  readonly lines: readonly (readonly Position[])[];
  readonly polygons: readonly (readonly (readonly Position[])[])[];
}

export function partsOf(geometry: Geometry): Parts {
  const parts: Growing = { points: [], lines: [], polygons: [] };
  collect(geometry, parts);
  return parts;
}

type Growing = {
  points: Position[];
  lines: (readonly Position[])[];
  polygons: (readonly (readonly Position[])[])[];
};

function collect(geometry: Geometry, into: Growing): void {
  switch (geometry.type) {
    case "Point":
      into.points.push(geometry.coordinates);
      break;
    case "MultiPoint":
      for (const point of geometry.coordinates) into.points.push(point);
      break;
    case "LineString":
      into.lines.push(geometry.coordinates);
      break;
    case "MultiLineString":
      for (const line of geometry.coordinates) into.lines.push(line);
      break;
    case "Polygon":
      into.polygons.push(geometry.coordinates);
      break;
    case "MultiPolygon":
      for (const polygon of geometry.coordinates) into.polygons.push(polygon);
      break;
    case "GeometryCollection":
      for (const member of geometry.geometries) collect(member, into);
  }
}

/** The box as a polygon, or two where it crosses the antimeridian. */
export function bboxGeometry(bbox: Bbox): Geometry {
  const [west, south, east, north] = bbox;
  const box = (left: number, right: number): Position[][] => [
    [
      [left, south],
      [right, south],
      [right, north],
      [left, north],
      [left, south],
    ],
  ];
  if (west <= east) return { type: "Polygon", coordinates: box(west, east) };
  return { type: "MultiPolygon", coordinates: [box(west, 180), box(-180, east)] };
}

/** West, south, east, north of every vertex, west ≤ east; the box of nothing is infinite the wrong way round. */
export function extentOf(geometry: Geometry): Bbox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  const parts = partsOf(geometry);
  for (const positions of [parts.points, ...parts.lines, ...parts.polygons.flat()]) {
    for (const [x = Number.NaN, y = Number.NaN] of positions) {
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return [west, south, east, north];
}
