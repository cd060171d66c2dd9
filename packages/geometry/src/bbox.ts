import type { Geometry, Position } from "./geojson.ts";

/** West, south, east, north in degrees (CRS84). East < west: the box crosses the antimeridian. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/** A rectangle of any plane, minX ≤ maxX and minY ≤ maxY; that of nothing is infinite the wrong way round. */
export type Bounds = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** The box as one or two boxes with west ≤ east: two where it crosses the antimeridian. */
export function splitBbox(bbox: Bbox): readonly Bbox[] {
  const [west, south, east, north] = bbox;
  if (west <= east) return [bbox];
  return [
    [west, south, 180, north],
    [-180, south, east, north],
  ];
}

/** The box with west ≤ east: east runs past 180 where the box crosses the antimeridian. */
export function unwrapBbox([west, south, east, north]: Bbox): Bounds {
  return [west, south, west > east ? east + 360 : east, north];
}

/**
 * The box of continuous longitudes within ±180, west > east where it crosses the antimeridian. 360° or more become
 * the whole circle.
 *
 * @param bounds west ≤ east or west > east, longitudes within ±540
 */
export function wrapBbox([west, south, east, north]: Bounds): Bbox {
  if (east - west >= 360) return [-180, south, 180, north];
  return [wrapped(west), south, wrapped(east), north];
}

function wrapped(longitude: number): number {
  if (longitude > 180) return longitude - 360;
  return longitude < -180 ? longitude + 360 : longitude;
}

/** The box as a polygon, or two where it crosses the antimeridian: cut there, as RFC 7946, 3.1.9 asks. */
export function bboxGeometry(bbox: Bbox): Geometry {
  const [first, second] = splitBbox(bbox).map(boundsRing);
  if (second === undefined) return { type: "Polygon", coordinates: [first ?? []] };
  return { type: "MultiPolygon", coordinates: [[first ?? []], [second]] };
}

/** The corners of a rectangle as a closed ring, counter-clockwise. */
export function boundsRing([minX, minY, maxX, maxY]: Bounds): Position[] {
  return [
    [minX, minY],
    [maxX, minY],
    [maxX, maxY],
    [minX, maxY],
    [minX, minY],
  ];
}

/** Whether two boxes share a point; edges count, and so does 180 meeting −180. */
export function bboxesIntersect(a: Bbox, b: Bbox): boolean {
  const [aWest, aSouth, aEast, aNorth] = unwrapBbox(a);
  const [bWest, bSouth, bEast, bNorth] = unwrapBbox(b);
  if (aSouth > bNorth || bSouth > aNorth) return false;
  return [-360, 0, 360].some((turn) => aWest <= bEast + turn && bWest + turn <= aEast);
}

/** The smallest rectangle around all. */
export function uniteBounds(all: readonly Bounds[]): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const bounds of all) {
    minX = Math.min(minX, bounds[0]);
    minY = Math.min(minY, bounds[1]);
    maxX = Math.max(maxX, bounds[2]);
    maxY = Math.max(maxY, bounds[3]);
  }
  return [minX, minY, maxX, maxY];
}
