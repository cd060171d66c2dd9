import type { Crs } from "../crs/crs.ts";
import { projectionOf } from "../crs/projection.ts";
import { transformer } from "../crs/transform.ts";
import { CrsError } from "../errors.ts";

/** A rectangle in CRS units, minX ≤ maxX, minY ≤ maxY. */
export type Bounds = readonly [minX: number, minY: number, maxX: number, maxY: number];

/** West, south, east, north in degrees (CRS84). West > east: the box crosses the antimeridian. */
export type Bbox = readonly [west: number, south: number, east: number, north: number];

/**
 * The smallest rectangle of `to` that holds `bounds` of `from`, by `densify` points on each edge (at least 2).
 * Where x wraps (degrees, Mercator) the edge is followed across the antimeridian, so that maxX may exceed 180;
 * a pole inside gives the whole width and the pole's y.
 *
 * @param whole `true`: every point of the edge has to have coordinates in `to`, so that the rectangle holds all of `bounds`
 * @throws {CrsError} `outside-crs` where no point of the edge has coordinates in `to`, or not all of those that have to.
 */
export function transformBounds(bounds: Bounds, from: Crs, to: Crs, densify = 21, whole = false): Bounds {
  const { period } = projectionOf(to.proj4);
  const transform = transformer(from, to);
  const ring: [number, number][] = [];
  const points = isRectangle(bounds, from, to) ? 2 : Math.max(2, Math.floor(densify));
  for (const [x, y] of edgePoints(bounds, points)) {
    const point = transform(x, y);
    if (Number.isNaN(point[0])) {
      if (whole) throw outside(bounds, to);
      continue;
    }
    const last = ring.at(-1);
    if (period > 0 && last !== undefined) point[0] -= period * Math.round((point[0] - last[0]) / period);
    ring.push(point);
  }
  const first = ring[0];
  const last = ring.at(-1);
  if (first === undefined || last === undefined) throw outside(bounds, to);
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of ring) {
    minX = Math.min(minX, x);
    maxX = Math.max(maxX, x);
    minY = Math.min(minY, y);
    maxY = Math.max(maxY, y);
  }
  if (period > 0) {
    const poles = poleRows(bounds, from, to);
    if (poles.length > 0) {
      minX = -period / 2;
      maxX = period / 2;
      for (const y of poles) {
        minY = Math.min(minY, y);
        maxY = Math.max(maxY, y);
      }
    } else {
      // start in the first world, so that only the end may be beyond the antimeridian
      const shift = period * Math.floor((minX + period / 2) / period);
      minX -= shift;
      maxX -= shift;
    }
  }
  return [minX, minY, maxX, maxY];
}

const outside = (bounds: Bounds, to: Crs): CrsError =>
  new CrsError("outside-crs", `Expected bounds with coordinates in ${to.name}, got [${bounds.join(", ")}].`);

/** Whether `bounds`, less than half the world wide, are a rectangle of `to` too: its corners say all. */
function isRectangle([minX, , maxX]: Bounds, from: Crs, to: Crs): boolean {
  const [source, target] = [projectionOf(from.proj4), projectionOf(to.proj4)];
  return source.cylindrical && target.cylindrical && source.datum === target.datum && maxX - minX < source.period / 2;
}

/** Points along the four edges in order, `count` on each, corners shared. */
function edgePoints([minX, minY, maxX, maxY]: Bounds, count: number): [number, number][] {
  const points: [number, number][] = [];
  const n = count - 1;
  for (let i = 0; i < n; i++) points.push([minX + ((maxX - minX) * i) / n, minY]);
  for (let i = 0; i < n; i++) points.push([maxX, minY + ((maxY - minY) * i) / n]);
  for (let i = 0; i < n; i++) points.push([maxX - ((maxX - minX) * i) / n, maxY]);
  for (let i = 0; i <= n; i++) points.push([minX, maxY - ((maxY - minY) * i) / n]);
  return points;
}

/** y in `to`, which wraps, of the poles inside `bounds`; Mercator has none and ends near ±89.99°. */
function poleRows([minX, minY, maxX, maxY]: Bounds, from: Crs, to: Crs): number[] {
  if (projectionOf(from.proj4).cylindrical) return [];
  const fromDegrees = transformer(DEGREES, from);
  const toTarget = transformer(DEGREES, to);
  return [-90, 90].flatMap((lat) => {
    const [x, y] = fromDegrees(0, lat);
    if (!(x >= minX && x <= maxX && y >= minY && y <= maxY)) return [];
    const row = toTarget(0, lat)[1];
    return [Number.isNaN(row) ? toTarget(0, Math.sign(lat) * 89.99)[1] : row];
  });
}

const DEGREES: Crs = { name: "EPSG:4326", proj4: "+proj=longlat +datum=WGS84 +no_defs", epsg: 4326, geographic: true };
