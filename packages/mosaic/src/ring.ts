import type { Bbox } from "@swath/raster";

/** A closed line of longitude/latitude pairs in degrees; the last point may repeat the first. */
export type Ring = readonly (readonly [number, number])[];

/** GeoJSON Polygon or MultiPolygon; heights are ignored. The coordinates may be in any CRS that goes with it. */
export type PolygonGeometry =
  | { readonly type: "Polygon"; readonly coordinates: readonly PositionRing[] }
  | { readonly type: "MultiPolygon"; readonly coordinates: readonly (readonly PositionRing[])[] };

type PositionRing = readonly (readonly number[])[];

/** A ring as x, y, x, y, … without the closing point. */
export type FlatRing = Float64Array<ArrayBuffer>;

/** The polygons of a geometry, each a list of rings: the outer one, then holes. */
export function polygonsOf(geometry: PolygonGeometry): readonly (readonly PositionRing[])[] {
  return geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
}

/** Drops what is no finite point, repeated points and the closing point. `undefined` where fewer than three are left. */
export function flattenRing(ring: PositionRing): FlatRing | undefined {
  const flat: number[] = [];
  for (const [x, y] of ring) {
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (flat.at(-2) !== x || flat.at(-1) !== y) flat.push(x!, y!);
  }
  if (flat.length > 2 && flat.at(-2) === flat[0] && flat.at(-1) === flat[1]) flat.length -= 2;
  return flat.length < 6 ? undefined : Float64Array.from(flat);
}

/**
 * Longitudes made continuous: an edge of more than 180° runs the short way, across the antimeridian (RFC 7946 section
 * 3.1.9 wants such edges cut; real footprints often are not). An edge of exactly 360° is the edge of a world map and
 * stays. A ring that winds around a pole is led over it.
 */
export function unwrapRing(ring: FlatRing): FlatRing {
  const out = ring.slice();
  let turns = 0;
  let latitudes = 0;
  for (let i = 2; i < ring.length; i += 2) {
    turns += turnOf(ring[i]! - ring[i - 2]!);
    out[i] = ring[i]! + turns;
    latitudes += ring[i + 1]!;
  }
  turns += turnOf(ring[0]! - ring.at(-2)!);
  if (turns === 0) return out;
  const pole = latitudes < 0 ? -90 : 90;
  const end = ring[0]! + turns;
  return Float64Array.from([...out, end, ring[1]!, end, pole, ring[0]!, pole]);
}

function turnOf(step: number): number {
  if (Math.abs(step) <= 180 || Math.abs(step) >= 360) return 0;
  return step > 0 ? -360 : 360;
}

/** The box with east ≥ west, running past 180° where it crosses the antimeridian. */
export function unwrapBbox([west, south, east, north]: Bbox): [number, number, number, number] {
  return [west, south, west > east ? east + 360 : east, north];
}

export function bboxRing(bbox: Bbox): FlatRing {
  const [west, south, east, north] = unwrapBbox(bbox);
  return Float64Array.of(west, south, east, south, east, north, west, north);
}

export function ringBounds(ring: FlatRing): [minX: number, minY: number, maxX: number, maxY: number] {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    minX = Math.min(minX, ring[i]!);
    maxX = Math.max(maxX, ring[i]!);
    minY = Math.min(minY, ring[i + 1]!);
    maxY = Math.max(maxY, ring[i + 1]!);
  }
  return [minX, minY, maxX, maxY];
}

/** Whether the box around any edge touches `bounds`: where none does, all of `bounds` lies on one side of the ring. */
export function edgesMeet(ring: FlatRing, [minX, minY, maxX, maxY]: Box): boolean {
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!];
    const isApart =
      (x0 < minX && x1 < minX) || (y0 < minY && y1 < minY) || (x0 > maxX && x1 > maxX) || (y0 > maxY && y1 > maxY);
    if (!isApart) return true;
  }
  return false;
}

/** Even-odd. */
export function isInside(ring: FlatRing, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!];
    if (y0 > y !== y1 > y && x < ((y - y0) * (x1 - x0)) / (y1 - y0) + x0) inside = !inside;
  }
  return inside;
}

type Box = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** The ring moved along x. */
export function shiftRing(ring: FlatRing, dx: number): FlatRing {
  return dx === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + dx : value));
}

/** The whole turns (−360, 0, 360, …) by which a ring has to move to touch longitudes `west`..`east`. */
export function turnsInto(ring: FlatRing, west: number, east: number): number[] {
  const [minX, , maxX] = ringBounds(ring);
  const first = Math.ceil((west - maxX) / 360);
  const last = Math.floor((east - minX) / 360);
  return first > last || last - first > 4 ? [] : Array.from({ length: last - first + 1 }, (_, i) => (first + i) * 360);
}

/**
 * The part of a ring inside a box, by Sutherland and Hodgman (1974). Parts that fall apart stay joined along the
 * border of the box, so the border has to lie outside of what is drawn. Fewer than three points: `undefined`.
 */
export function clipRing(ring: FlatRing, bounds: Box): FlatRing | undefined {
  let points: ArrayLike<number> = ring;
  for (let side = 0; side < 4; side++) {
    const axis = side % 2;
    const limit = bounds[side]!;
    const sign = side < 2 ? 1 : -1;
    const out: number[] = [];
    for (let i = 0, previous = points.length - 2; i < points.length; previous = i, i += 2) {
      const from = sign * (points[previous + axis]! - limit);
      const to = sign * (points[i + axis]! - limit);
      if (from < 0 !== to < 0) {
        const t = from / (from - to);
        const crossing = points[previous + 1 - axis]! + t * (points[i + 1 - axis]! - points[previous + 1 - axis]!);
        out.push(...(axis === 0 ? [limit, crossing] : [crossing, limit]));
      }
      if (to >= 0) out.push(points[i]!, points[i + 1]!);
    }
    points = out;
  }
  return points.length < 6 ? undefined : Float64Array.from(points);
}
