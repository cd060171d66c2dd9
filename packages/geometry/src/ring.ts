import type { Bounds } from "./bbox.ts";
import type { Position } from "./geojson.ts";
import { crossesRay } from "./predicates.ts";

/** A ring as x, y, x, y, … without the closing point. */
export type FlatRing = Float64Array<ArrayBuffer>;

/** x, y, x, y, … of all finite positions; repeated ones in a row are dropped, and of a closed line the closing one. */
export function flattenPositions(positions: readonly Position[], isClosed: boolean): FlatRing {
  const flat = new Float64Array(positions.length * 2);
  let length = 0;
  for (const position of positions) {
    const [x, y] = [position[0] as number, position[1] as number];
    if (!Number.isFinite(x) || !Number.isFinite(y)) continue;
    if (length > 0 && flat[length - 2] === x && flat[length - 1] === y) continue;
    flat[length++] = x;
    flat[length++] = y;
  }
  if (isClosed && length > 2 && flat[length - 2] === flat[0] && flat[length - 1] === flat[1]) length -= 2;
  return length === flat.length ? flat : flat.slice(0, length);
}

/** Drops what is no finite point, repeated points and the closing point. `undefined` where fewer than three are left. */
export function flattenRing(positions: readonly Position[]): FlatRing | undefined {
  const ring = flattenPositions(positions, true);
  return ring.length < 6 ? undefined : ring;
}

/** The positions of a ring, the first one repeated at the end, as GeoJSON has them. */
export function ringPositions(ring: FlatRing): Position[] {
  const positions: Position[] = [];
  for (let i = 0; i < ring.length; i += 2) positions.push([ring[i]!, ring[i + 1]!]);
  return positions.length === 0 ? positions : [...positions, [ring[0]!, ring[1]!]];
}

/** The ring around a rectangle. */
export function flatBoundsRing([minX, minY, maxX, maxY]: Bounds): FlatRing {
  return Float64Array.of(minX, minY, maxX, minY, maxX, maxY, minX, maxY);
}

/** The smallest rectangle around a ring or line. */
export function ringBounds(ring: FlatRing): Bounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < ring.length; i += 2) {
    minX = Math.min(minX, ring[i]!);
    maxX = Math.max(maxX, ring[i]!);
    minY = Math.min(minY, ring[i + 1]!);
    maxY = Math.max(maxY, ring[i + 1]!);
  }
  return [minX, minY, maxX, maxY];
}

/** Twice the enclosed area; above 0 for a counter-clockwise ring where y goes up. */
export function doubleArea(ring: FlatRing): number {
  let sum = 0;
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    sum += ring[previous]! * ring[i + 1]! - ring[i]! * ring[previous + 1]!;
  }
  return sum;
}

/** Whether the box around any edge touches `bounds`: where none does, all of `bounds` is on one side of the ring. */
export function edgesMeet(ring: FlatRing, [minX, minY, maxX, maxY]: Bounds): boolean {
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!];
    const isApart =
      (x0 < minX && x1 < minX) || (y0 < minY && y1 < minY) || (x0 > maxX && x1 > maxX) || (y0 > maxY && y1 > maxY);
    if (!isApart) return true;
  }
  return false;
}

/** Whether a point is inside a ring (even-odd) or on it. */
export function ringCovers(ring: FlatRing, x: number, y: number): boolean {
  let inside = false;
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    const crossing = crossesRay(ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!, x, y);
    if (crossing < 0) return true;
    if (crossing > 0) inside = !inside;
  }
  return inside;
}

/** The ring moved along x. */
export function shiftRing(ring: FlatRing, dx: number): FlatRing {
  return dx === 0 ? ring : ring.map((value, i) => (i % 2 === 0 ? value + dx : value));
}

/**
 * The part of a ring inside a rectangle, by Sutherland and Hodgman (1974). Parts that fall apart stay joined along the
 * border of the rectangle, so the border has to be outside of what is rasterized. Fewer than three points: `undefined`.
 */
export function clipRing(ring: FlatRing, bounds: Bounds): FlatRing | undefined {
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
