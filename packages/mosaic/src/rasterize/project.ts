import {
  clipRing,
  edgesMeet,
  type FlatRing,
  ringBounds,
  ringCovers,
  ringTurns,
  shiftRing,
  unwrapBbox,
  unwrapRing,
} from "@swath/geometry";
import {
  applyAffine,
  type Crs,
  EQUATOR_RADIUS,
  type Grid,
  gridBbox,
  gridBounds,
  invertAffine,
  resolveCrs,
  sameCrs,
  transformer,
} from "@swath/raster";

/** An edge is cut into at most 2^12 pieces. */
const MAX_DEPTH = 12;
/** Width of the world in spherical Mercator, metres. */
const MERCATOR_PERIOD = 2 * Math.PI * EQUATOR_RADIUS;

/** Rings to columns and rows of a grid; empty for a ring that does not come near it, several where the world repeats. */
export type RingProjector = (ring: FlatRing) => FlatRing[];

/**
 * For rings whose coordinates are in `crs`. Made once for a grid and used for all its rings.
 *
 * @param tolerance how far, in pixels, a straight piece of a projected edge may be from the true curve at its middle
 */
export function ringProjector(grid: Grid, crs: Crs, tolerance: number): RingProjector {
  if (crs.geographic) return sameCrs(crs, grid.crs) ? sameGeographic(grid) : fromGeographic(grid, crs, tolerance);
  return fromProjected(grid, crs, tolerance);
}

/** For rings in longitude and latitude, to a tenth of a pixel. */
export function lonLatProjector(grid: Grid): RingProjector {
  return ringProjector(grid, resolveCrs("EPSG:4326"), 0.1);
}

function sameGeographic(grid: Grid): RingProjector {
  const toPixel = pixelsOf(grid);
  const [west, , east] = gridBounds(grid);
  return (ring) => ringTurns(unwrapRing(ring), west, east).map((moved) => mapRing(moved, toPixel));
}

function fromGeographic(grid: Grid, crs: Crs, tolerance: number): RingProjector {
  const [west, south, east, north] = unwrapBbox(gridBbox(grid));
  const toCrs = transformer(crs, grid.crs);
  const toPixel = pixelsOf(grid);
  const period = periodOf(grid.crs);
  const centre = (west + east) / 2;
  // Beyond a margin there is no pixel; projections outside their zone give meaningless numbers, so nothing else is projected.
  // Where the world does not repeat, more than one turn would map the same ground twice.
  const half = (east - west) * 0.6 + 1e-6;
  const reach = period === 0 ? Math.min(half, 180) : half;
  const marginY = (north - south) * 0.1 + 1e-6;
  const pole = period === 0 || grid.crs.geographic ? 90 : 89.99;
  const box = [
    centre - reach,
    Math.max(-pole, south - marginY),
    centre + reach,
    Math.min(pole, north + marginY),
  ] as const;
  const [minX, , maxX] = gridBounds(grid);
  const home = period === 0 ? 0 : Math.round((minX + maxX - 2 * (centre / 360) * period) / 2 / period) * period;
  const project = (lon: number, lat: number): Point => {
    const turns = lon > 180 ? Math.ceil((lon - 180) / 360) : lon < -180 ? Math.floor((lon + 180) / 360) : 0;
    const [x, y] = toCrs(lon - turns * 360, lat);
    return toPixel(x + turns * period + home, y);
  };
  return (ring) =>
    ringTurns(unwrapRing(ring), box[0], box[2]).flatMap((moved) => {
      // most tiles of a scene: no edge needs to be bent to see on which side of it they are
      if (!edgesMeet(moved, box)) return ringCovers(moved, box[0], box[1]) ? [aroundPixels(grid)] : [];
      const near = clipRing(moved, box);
      return near === undefined ? [] : projectRing(near, project, tolerance);
    });
}

/** A ring well outside all pixels. */
function aroundPixels({ width, height }: Grid): FlatRing {
  return Float64Array.of(-width, -height, 2 * width, -height, 2 * width, 2 * height, -width, 2 * height);
}

function fromProjected(grid: Grid, crs: Crs, tolerance: number): RingProjector {
  const toPixel = pixelsOf(grid);
  if (sameCrs(crs, grid.crs)) return (ring) => [mapRing(ring, toPixel)];
  const toCrs = transformer(crs, grid.crs);
  const period = periodOf(grid.crs);
  if (period === 0) return (ring) => projectRing(ring, (x, y) => toPixel(...toCrs(x, y)), tolerance);
  const [minX, , maxX] = gridBounds(grid);
  const [a, b, , d, e] = grid.transform;
  // these rings are bent before they are brought to pixels
  const units = tolerance * Math.min(Math.hypot(a, d), Math.hypot(b, e));
  return (ring) => {
    const start = toCrs(ring[0]!, ring[1]!)[0];
    // a ring of a projected CRS is small against the world: every point is within half a world of the first
    const near = (x: number): number => x - Math.round((x - start) / period) * period;
    const project = (x: number, y: number): Point => {
      const [px, py] = toCrs(x, y);
      return [near(px), py];
    };
    const rings = projectRing(ring, project, units);
    return rings.flatMap((world) => {
      const [west, , east] = ringBounds(world);
      const first = Math.ceil((minX - east) / period);
      const last = Math.min(first + 4, Math.floor((maxX - west) / period));
      const copies: FlatRing[] = [];
      for (let k = first; k <= last; k++) copies.push(mapRing(shiftRing(world, k * period), toPixel));
      return copies;
    });
  };
}

function pixelsOf(grid: Grid): (x: number, y: number) => [number, number] {
  const [a, b, c, d, e, f] = grid.transform;
  if (b === 0 && d === 0) {
    // the very operations of GDAL, so that an edge through pixel centres falls to the same side
    const [scaleX, scaleY, originX, originY] = [1 / a, 1 / e, -c / a, -f / e];
    return (x, y) => [x * scaleX + originX, y * scaleY + originY];
  }
  const inverse = invertAffine(grid.transform);
  return (x, y) => applyAffine(inverse, x, y);
}

/** Width of the world in CRS units where x repeats, 0 where it does not. */
export function periodOf(crs: Crs): number {
  if (crs.geographic) return 360;
  return crs.epsg === 3857 ? MERCATOR_PERIOD : 0;
}

function mapRing(ring: FlatRing, map: (x: number, y: number) => [number, number]): FlatRing {
  const out = new Float64Array(ring.length);
  for (let i = 0; i < ring.length; i += 2) [out[i], out[i + 1]] = map(ring[i]!, ring[i + 1]!) as [number, number];
  return out;
}

/** Edges bent as the projection bends them, to within `tolerance` in units of `project`. Points without an image are left out; no ring where fewer than three remain. */
function projectRing(ring: FlatRing, project: (x: number, y: number) => Point, tolerance: number): FlatRing[] {
  const out: number[] = [];
  const bend = (x0: number, y0: number, p0: Point, x1: number, y1: number, p1: Point, depth: number): void => {
    if (depth > 0) {
      const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
      const middle = project(x, y);
      const away = Math.hypot(middle[0] - (p0[0] + p1[0]) / 2, middle[1] - (p0[1] + p1[1]) / 2);
      const nowhere = Number.isNaN(p0[0]) && Number.isNaN(p1[0]) && Number.isNaN(middle[0]);
      // the first two halvings are always made: a curve may cross its chord in the middle
      if (!nowhere && (!(away <= tolerance) || depth > MAX_DEPTH - 2)) {
        bend(x0, y0, p0, x, y, middle, depth - 1);
        bend(x, y, middle, x1, y1, p1, depth - 1);
        return;
      }
    }
    if (Number.isFinite(p1[0]) && Number.isFinite(p1[1])) out.push(p1[0], p1[1]);
  };
  let [x, y] = [ring.at(-2)!, ring.at(-1)!];
  let point = project(x, y);
  for (let i = 0; i < ring.length; i += 2) {
    const next = project(ring[i]!, ring[i + 1]!);
    bend(x, y, point, ring[i]!, ring[i + 1]!, next, MAX_DEPTH);
    [x, y, point] = [ring[i]!, ring[i + 1]!, next];
  }
  return out.length < 6 ? [] : [Float64Array.from(out)];
}

type Point = readonly [number, number];
