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
 * Area on the WGS 84 ellipsoid, square kilometres. Edges are straight in the equal-area cylindrical projection: for areas
 * of some kilometres that is 1e-6 of geodesics.
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
  const [originX = 0, originY = 0] = ring[0] ?? [];
  // differences first: coordinates of small areas share their leading digits
  const points = ring.map(([x = 0, y = 0]) => [
    ((x - originX) * Math.PI * A_KM) / 180,
    ((authalic(y) - authalic(originY)) * A_KM) / 2,
  ]);
  let twice = 0;
  for (let i = 0; i < points.length; i++) {
    const [x0 = 0, y0 = 0] = points[i] ?? [];
    const [x1 = 0, y1 = 0] = points[(i + 1) % points.length] ?? [];
    twice += x0 * y1 - x1 * y0;
  }
  return twice / 2;
}
