import { orient2d } from "robust-predicates";
import { extentOf, type Geometry, type Parts, type Position, partsOf } from "./geometry.ts";

type Ring = readonly Position[];
type Extent = readonly [west: number, south: number, east: number, north: number];

/**
 * Whether two geometries have a point in common, boundaries included, on the plane of longitude and latitude.
 * A geometry that crosses the antimeridian has to be cut there, as RFC 7946, 3.1.9 asks.
 */
export function geometriesIntersect(a: Geometry, b: Geometry): boolean {
  const [extentA, extentB] = [extentOf(a), extentOf(b)];
  if (!overlap(extentA, extentB)) return false;
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  if (meetsVertex(partsA, partsB) || meetsVertex(partsB, partsA)) return true;
  return chainsCross(chainsOf(partsA, extentB), chainsOf(partsB, extentA));
}

/** Whether a point of `a`, or one vertex of each of its lines and rings, lies on or in `b`. */
function meetsVertex(a: Parts, b: Parts): boolean {
  for (const point of a.points) {
    if (b.points.some((other) => other[0] === point[0] && other[1] === point[1])) return true;
    if (b.lines.some((line) => sideOf(line, point) === 0)) return true;
    if (b.polygons.some((polygon) => covers(polygon, point))) return true;
  }
  const starts = [...a.lines.map((line) => line[0]), ...a.polygons.map((polygon) => polygon[0]?.[0])];
  return starts.some((start) => start !== undefined && b.polygons.some((polygon) => covers(polygon, start)));
}

function covers(polygon: readonly Ring[], point: Position): boolean {
  const [outer, ...holes] = polygon;
  if (outer === undefined || sideOf(outer, point) < 0) return false;
  return holes.every((hole) => sideOf(hole, point) <= 0);
}

/** Positive inside the ring, zero on one of its edges, negative outside; of an open line only zero has a meaning. */
function sideOf(ring: Ring, point: Position): number {
  const [x = Number.NaN, y = Number.NaN] = point;
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax = 0, ay = 0] = ring[i - 1] ?? [];
    const [bx = 0, by = 0] = ring[i] ?? [];
    if (Math.min(ay, by) > y || Math.max(ay, by) < y || Math.max(ax, bx) < x) continue;
    const turn = orient2d(ax, ay, bx, by, x, y);
    if (turn === 0 && Math.min(ax, bx) <= x) return 0;
    // an eastward ray from the point meets the edge; the upper end does not count, so that a vertex counts once
    if (ay <= y !== by <= y && turn > 0 === ay > by) inside = !inside;
  }
  return inside ? 1 : -1;
}

/** Edges as x1, y1, x2, y2 in a row, those outside of `extent` left out. */
function chainsOf(parts: Parts, extent: Extent): Float64Array {
  const numbers: number[] = [];
  for (const chain of [...parts.lines, ...parts.polygons.flat()]) {
    for (let i = 1; i < chain.length; i++) {
      const [ax = 0, ay = 0] = chain[i - 1] ?? [];
      const [bx = 0, by = 0] = chain[i] ?? [];
      const edge: Extent = [Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)];
      if (overlap(edge, extent)) numbers.push(ax, ay, bx, by);
    }
  }
  return Float64Array.from(numbers);
}

function chainsCross(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i += 4) {
    const [ax, ay, bx, by] = [a[i]!, a[i + 1]!, a[i + 2]!, a[i + 3]!];
    const [west, east] = [Math.min(ax, bx), Math.max(ax, bx)];
    const [south, north] = [Math.min(ay, by), Math.max(ay, by)];
    for (let j = 0; j < b.length; j += 4) {
      const [cx, cy, dx, dy] = [b[j]!, b[j + 1]!, b[j + 2]!, b[j + 3]!];
      if ((cx < west && dx < west) || (cx > east && dx > east)) continue;
      if ((cy < south && dy < south) || (cy > north && dy > north)) continue;
      const [c, d] = [orient2d(ax, ay, bx, by, cx, cy), orient2d(ax, ay, bx, by, dx, dy)];
      if ((c > 0 && d > 0) || (c < 0 && d < 0)) continue;
      const [p, q] = [orient2d(cx, cy, dx, dy, ax, ay), orient2d(cx, cy, dx, dy, bx, by)];
      if ((p > 0 && q > 0) || (p < 0 && q < 0)) continue;
      return true; // edges along one line reach here only where their boxes overlap, so they overlap too
    }
  }
  return false;
}

function overlap(a: Extent, b: Extent): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}
