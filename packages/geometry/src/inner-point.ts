import { type PolygonGeometry, polygonsOf } from "./geojson.ts";
import { type FlatRing, flattenRing, ringBounds } from "./ring.ts";

/**
 * A point inside polygons, far from their edges where these leave room: the middle of the widest section that a line of
 * constant y through the middle of a polygon has inside it, the widest over all polygons (the rule of GEOS' interior
 * points and PostGIS' `ST_PointOnSurface`). `undefined` for polygons without an area.
 */
export function innerPoint(geometry: PolygonGeometry): [x: number, y: number] | undefined {
  let widest: { readonly width: number; readonly at: [number, number] } | undefined;
  for (const polygon of polygonsOf(geometry)) {
    const section = widestSection(polygon.flatMap((ring) => flattenRing(ring) ?? []));
    if (section !== undefined && section.width > (widest?.width ?? 0)) widest = section;
  }
  return widest?.at;
}

function widestSection(rings: readonly FlatRing[]): { width: number; at: [number, number] } | undefined {
  const [outer] = rings;
  if (outer === undefined) return undefined;
  const y = scanLine(outer, rings);
  const crossings = rings.flatMap((ring) => crossingsAt(ring, y)).sort((a, b) => a - b);
  let found: { width: number; at: [number, number] } | undefined;
  for (let i = 0; i + 1 < crossings.length; i += 2) {
    const [from, to] = [crossings[i]!, crossings[i + 1]!];
    if (to - from > (found?.width ?? 0)) found = { width: to - from, at: [(from + to) / 2, y] };
  }
  return found;
}

/** A y halfway up the polygon that is no vertex's: in the middle between the nearest ones above and below. */
function scanLine(outer: FlatRing, rings: readonly FlatRing[]): number {
  const [, bottom, , top] = ringBounds(outer);
  const middle = (bottom + top) / 2;
  let [low, high] = [bottom, top];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i += 2) {
      const y = ring[i]!;
      if (y <= middle && y > low) low = y;
      else if (y > middle && y < high) high = y;
    }
  }
  return (low + high) / 2;
}

function crossingsAt(ring: FlatRing, y: number): number[] {
  const found: number[] = [];
  for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
    const [x0, y0, x1, y1] = [ring[previous]!, ring[previous + 1]!, ring[i]!, ring[i + 1]!];
    if (y0 <= y !== y1 <= y) found.push(x0 + ((y - y0) * (x1 - x0)) / (y1 - y0));
  }
  return found;
}
