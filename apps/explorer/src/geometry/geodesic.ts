import geodesic from "geographiclib-geodesic";
import type { Point } from "./area.ts";

const { WGS84 } = geodesic.Geodesic;
const SQUARE_METRES_PER_KM2 = 1e6;

/** Length of a line on the ellipsoid WGS 84, metres, by geodesics between its points (Karney 2013). */
export function lengthOf(points: readonly Point[]): number {
  const line = WGS84.Polygon(true);
  for (const [lon, lat] of points) line.AddPoint(lat, lon);
  return line.Compute(false, true).perimeter;
}

/**
 * Area of a polygon's rings on the ellipsoid WGS 84, km²; holes are left out. Which way a ring turns does not matter.
 *
 * @param rings the outer one first; closed, as GeoJSON has them, or open.
 */
export function areaOf([outer = [], ...holes]: readonly (readonly Point[])[]): number {
  return ringArea(outer) - holes.reduce((sum, hole) => sum + ringArea(hole), 0);
}

function ringArea(points: readonly Point[]): number {
  const ring = WGS84.Polygon(false);
  for (const [lon, lat] of points) ring.AddPoint(lat, lon);
  return Math.abs(ring.Compute(false, true).area ?? 0) / SQUARE_METRES_PER_KM2;
}

/** A length in the unit that reads best: `840 m`, `12.4 km`. */
export function lengthText(metres: number): string {
  if (metres < 1000) return `${metres.toLocaleString("en", { maximumFractionDigits: metres < 100 ? 1 : 0 })} m`;
  return `${(metres / 1000).toLocaleString("en", { maximumSignificantDigits: 4 })} km`;
}

/** An area in the unit that reads best: `0.4 ha`, `12.4 ha`, `5.21 km²`. */
export function areaText(km2: number): string {
  if (km2 < 1) return `${(km2 * 100).toLocaleString("en", { maximumSignificantDigits: 3 })} ha`;
  return `${km2.toLocaleString("en", { maximumSignificantDigits: 4 })} km²`;
}
