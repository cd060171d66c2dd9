import { type PolygonGeometry, polygonsOf } from "@swath/geometry";
import { ECCENTRICITY2, EQUATOR_RADIUS } from "@swath/raster";

const A_KM = EQUATOR_RADIUS / 1000;
const E = Math.sqrt(ECCENTRICITY2);

/** Twice the height of a latitude in the equal-area cylindrical projection, in semi-major axes (Snyder 1987, 3-12). */
function authalic(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  const inner = E * sine;
  return (1 - E * E) * (sine / (1 - inner * inner) - Math.log((1 - inner) / (1 + inner)) / (2 * E));
}

/**
 * Area on the WGS 84 ellipsoid, square kilometres. Edges are straight in degrees (RFC 7946, section 3.1.1), not geodesics: to
 * 1e-6 for edges of up to a degree.
 *
 * @param polygon degrees, not crossing the antimeridian but running beyond 180°
 */
export function groundAreaKm2(polygon: PolygonGeometry): number {
  const rings = polygonsOf(polygon).flatMap((polygonRings) =>
    polygonRings.map((ring, i) => (i === 0 ? 1 : -1) * Math.abs(ringArea(ring))),
  );
  return rings.reduce((sum, area) => sum + area, 0);
}

/** Kilometres along all rings, edges as lines in degrees of the sphere: to some hundredths where they are short. */
export function boundaryKm(polygon: PolygonGeometry): number {
  const rings = polygonsOf(polygon).flat();
  return rings.reduce((sum, ring) => sum + ringLength(ring), 0);
}

function ringLength(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, [x = 0, y = 0], i) => {
    const [x0 = x, y0 = y] = ring[i - 1] ?? [];
    const parallel = Math.cos((((y + y0) / 2) * Math.PI) / 180);
    return sum + (Math.hypot((x - x0) * parallel, y - y0) * Math.PI * A_KM) / 180;
  }, 0);
}

function ringArea(ring: readonly (readonly number[])[]): number {
  const [first = []] = ring;
  const [, originY = 0] = first;
  // differences first: coordinates of small areas share their leading digits
  const height = (y: number): number => authalic(y) - authalic(originY);
  const area = ring.reduce((sum, [x = 0, y = 0], i) => {
    const [nextX = 0, nextY = 0] = ring[i + 1] ?? first;
    // Simpson's rule: an edge that is straight in degrees bends in the equal-area projection
    const mean = (height(y) + 4 * height((y + nextY) / 2) + height(nextY)) / 6;
    return sum + (x - nextX) * mean;
  }, 0);
  return (area * Math.PI * A_KM ** 2) / 360;
}
