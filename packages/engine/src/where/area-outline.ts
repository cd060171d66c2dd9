import { type PolygonGeometry, polygonsOf, uniteBounds } from "@swath/geometry";
import { type Bounds, type Crs, CrsError, resolveCrs, sameCrs, transformBounds, transformer } from "@swath/raster";

/** Points put on each side of a box before it is transformed to another CRS (as rasterio and Sentinel Hub do). */
export const EDGE_POINTS = 21;
/** Points that are put on the edges of a polygon in all, those of long edges first: it bounds the work. */
const MOST_POINTS = 10_000;

type Point = [x: number, y: number];

/**
 * The rings of polygons in another CRS: their vertices, and between them up to 20 points an edge, more on long edges, since
 * what is straight in one CRS bends in the other. Points that have no coordinates there are NaN.
 */
export function outlineIn(polygon: PolygonGeometry, from: Crs, to: Crs): Point[][][] {
  const polygons = polygonsOf(polygon);
  const total = polygons.flat().reduce((sum, ring) => sum + lengthOf(ring), 0);
  // the transform would bring longitudes beyond 180° back
  const project = sameCrs(from, to) ? (x: number, y: number): Point => [x, y] : transformer(from, to);
  return polygons.map((rings) => rings.map((ring) => edgePoints(ring, total).map(([x, y]) => project(x, y))));
}

function lengthOf(ring: readonly (readonly number[])[]): number {
  return ring.reduce((sum, point, i) => sum + (i === 0 ? 0 : distance(ring[i - 1]!, point)), 0);
}

const distance = ([x0 = 0, y0 = 0]: readonly number[], [x1 = 0, y1 = 0]: readonly number[]): number =>
  Math.hypot(x1 - x0, y1 - y0);

/** The vertices of a ring, and points on its edges. @param total length of all rings */
function edgePoints(ring: readonly (readonly number[])[], total: number): Point[] {
  return ring.flatMap(([x = 0, y = 0], i): Point[] => {
    const next = ring[i + 1];
    if (next === undefined) return [[x, y]];
    const [nextX = 0, nextY = 0] = next;
    const share = Math.ceil((MOST_POINTS * distance([x, y], next)) / total);
    const parts = Math.max(1, Math.min(EDGE_POINTS - 1, share));
    return Array.from({ length: parts }, (_, k) => [x + ((nextX - x) * k) / parts, y + ((nextY - y) * k) / parts]);
  });
}

/** A box, or a polygon with the box around it, and its CRS. */
interface AreaOutline {
  readonly crs: Crs;
  readonly bounds: Bounds;
  readonly polygon: PolygonGeometry | undefined;
}

/**
 * The smallest rectangle of a CRS that holds an area.
 *
 * @param whole `false`: only the part of the area that the CRS can hold
 * @throws {CrsError} where a point of the area has no coordinates in the CRS, or none has.
 */
export function boundsIn({ crs, bounds, polygon }: AreaOutline, to: Crs, whole: boolean): Bounds {
  if (sameCrs(crs, to)) return bounds;
  // between longitudes and latitudes and Mercator, the box around a polygon stays one
  const isBox = polygon === undefined || (isCylindrical(crs) && isCylindrical(to));
  if (isBox) return transformBounds(bounds, crs, to, EDGE_POINTS, whole);
  const all = outlineIn(polygon, crs, to).flat(2);
  const points = all.filter(([x]) => !Number.isNaN(x));
  if (points.length === 0 || (whole && points.length < all.length)) {
    throw new CrsError("outside-crs", `Expected a polygon with coordinates in ${to.name}.`);
  }
  if (!isCylindrical(to)) return boundsOf(points);
  const box = transformBounds(bounds, crs, to, EDGE_POINTS);
  const period = widthOfWorld(to);
  // around a pole is the whole width
  if (box[2] - box[0] >= period) return box;
  const centre = (box[0] + box[2]) / 2;
  return boundsOf(points.map(([x, y]) => [x - period * Math.round((x - centre) / period), y]));
}

const isCylindrical = ({ geographic, epsg }: Crs): boolean => geographic || epsg === 3857;

/** In a CRS in which x repeats. */
const widthOfWorld = (crs: Crs): number =>
  crs.geographic ? 360 : 2 * transformer(resolveCrs("EPSG:4326"), crs)(180, 0)[0];

const boundsOf = (points: readonly Point[]): Bounds => uniteBounds(points.map(([x, y]) => [x, y, x, y]));
