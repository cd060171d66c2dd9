import { resolveCrs, sameCrs } from "../../crs/crs.ts";
import { type Point, projectionOf } from "../../crs/projection.ts";
import { type InPlaceTransform, inPlaceTransformer, transformer } from "../../crs/transform.ts";
import { applyAffine, invertAffine } from "../../grid/affine.ts";
import type { Grid } from "../../grid/grid.ts";
import type { Window } from "../../grid/window.ts";

/**
 * The number that GDAL's nearest neighbour adds before it takes the floor of a source coordinate (GWKNearest, `floor(x
 * + 1e-10)`), so that a centre on an edge, give or take rounding, belongs to the right or lower pixel.
 */
export const EDGE = 1e-10;

/** Target pixel coordinates to source pixel coordinates, in place, point by point and exact; NaN where undefined. */
export type PixelMap = InPlaceTransform;

/**
 * The exact map. Where the source's x wraps (degrees, Mercator) coordinates are those of the copy of the world that
 * is centred on the source, so that both sides of the antimeridian find it.
 *
 * @throws {GridError} `degenerate-transform` where the source's pixels have no area.
 */
export function pixelMap(source: Grid, target: Grid): PixelMap {
  const [a, b, c, d, e, f] = target.transform;
  const [ia, ib, ic, id, ie, jf] = invertAffine(source.transform);
  const transform = sameCrs(source.crs, target.crs) ? undefined : inPlaceTransformer(target.crs, source.crs);
  const { period } = projectionOf(source.crs.proj4);
  const centre = centreX(source);
  return (point: Point) => {
    const col = point.x;
    const row = point.y;
    point.x = a * col + b * row + c;
    point.y = d * col + e * row + f;
    transform?.(point);
    let x = point.x;
    const y = point.y;
    if (period > 0 && Math.abs(x - centre) > period / 2) x -= period * Math.round((x - centre) / period);
    point.x = ia * x + ib * y + ic;
    point.y = id * x + ie * y + jf;
  };
}

function centreX({ transform, width, height }: Grid): number {
  return transform[0] * (width / 2) + transform[1] * (height / 2) + transform[2];
}

/** Whether source columns depend on target columns alone, and rows on rows. */
export function isSeparable(source: Grid, target: Grid): boolean {
  const upright = [source, target].every(({ transform }) => transform[1] === 0 && transform[3] === 0);
  if (!upright) return false;
  if (sameCrs(source.crs, target.crs)) return true;
  const from = projectionOf(source.crs.proj4);
  const to = projectionOf(target.crs.proj4);
  return from.cylindrical && to.cylindrical && from.datum === to.datum;
}

const EDGE_POINTS = 20;

/**
 * The part of the target outside of which no pixel is in the source: without pixels where there is none. Found by
 * following the source's edge, with a margin of a tenth for what is between its points.
 */
export function overlapRegion(source: Grid, target: Grid): Window {
  const whole: Window = { x: 0, y: 0, width: target.width, height: target.height };
  const ring = sourceRing(source, target);
  if (ring === undefined) return whole;
  const inverse = invertAffine(target.transform);
  const { period } = projectionOf(target.crs.proj4);
  const [left, right] = range(ring.map((p) => p[0]));
  const [top, bottom] = range(ring.map((p) => p[1]));
  const middle = transformer(
    source.crs,
    target.crs,
  )(...applyAffine(source.transform, source.width / 2, source.height / 2));
  const turn = period > 0 ? period * Math.round((middle[0] - (left + right) / 2) / period) : 0;
  // a projection can turn a source inside out around the point opposite its centre
  const around = middle[0] - turn >= left && middle[0] - turn <= right && middle[1] >= top && middle[1] <= bottom;
  if (!around) return whole;
  const corners = [0, target.width].flatMap((col) =>
    [0, target.height].map((row) => target.transform[0] * col + target.transform[1] * row + target.transform[2]),
  );
  const [minX, maxX] = range(corners);
  const first = period > 0 ? Math.floor((minX - right) / period) : 0;
  const last = period > 0 ? Math.ceil((maxX - left) / period) : 0;
  if (!(last - first < 100)) return whole;
  let [x0, y0, x1, y1] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let k = first; k <= last; k++) {
    const cols = range(ring.map(([x, y]) => inverse[0] * (x + k * period) + inverse[1] * y + inverse[2]));
    const rows = range(ring.map(([x, y]) => inverse[3] * (x + k * period) + inverse[4] * y + inverse[5]));
    const marginX = 2 + 0.1 * (cols[1] - cols[0]);
    const marginY = 2 + 0.1 * (rows[1] - rows[0]);
    const left = Math.max(0, Math.floor(cols[0] - marginX));
    const right = Math.min(target.width, Math.ceil(cols[1] + marginX));
    const top = Math.max(0, Math.floor(rows[0] - marginY));
    const bottom = Math.min(target.height, Math.ceil(rows[1] + marginY));
    if (!(right > left && bottom > top)) continue;
    x0 = Math.min(x0, left);
    y0 = Math.min(y0, top);
    x1 = Math.max(x1, right);
    y1 = Math.max(y1, bottom);
  }
  return x1 > x0 ? { x: x0, y: y0, width: x1 - x0, height: y1 - y0 } : { x: 0, y: 0, width: 0, height: 0 };
}

/** The source's edge in target CRS coordinates, unbroken; undefined where it says nothing about what is inside. */
function sourceRing(source: Grid, target: Grid): [number, number][] | undefined {
  const { transform: t, width, height } = source;
  const toTarget = transformer(source.crs, target.crs);
  const { period } = projectionOf(target.crs.proj4);
  const ring: [number, number][] = [];
  for (let i = 0; i <= 4 * EDGE_POINTS; i++) {
    const side = Math.floor(i / EDGE_POINTS) % 4;
    const part = (i % EDGE_POINTS) / EDGE_POINTS;
    const u = side === 0 ? part : side === 1 ? 1 : side === 2 ? 1 - part : 0;
    const v = side === 0 ? 0 : side === 1 ? part : side === 2 ? 1 : 1 - part;
    const [col, row] = [u * width, v * height];
    const point = toTarget(t[0] * col + t[1] * row + t[2], t[3] * col + t[4] * row + t[5]);
    if (Number.isNaN(point[0])) return undefined;
    const last = ring.at(-1);
    if (period > 0 && last !== undefined) {
      const step = point[0] - last[0];
      point[0] -= period * Math.round(step / period);
      if (Math.abs(point[0] - last[0]) > period / 4) return undefined; // too coarse to follow
    }
    ring.push(point);
  }
  if (!isCompact(source)) return undefined;
  // an edge that does not close went around a pole
  const [first, last] = [ring[0], ring.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return period > 0 && Math.abs(first[0] - last[0]) > period / 2 ? undefined : ring;
}

/**
 * Whether all of a grid's edge is within 60° of arc of its centre. The edge of a larger one, the whole world at the
 * worst, need not go around what is inside.
 */
function isCompact({ crs, transform: t, width, height }: Grid): boolean {
  const toDegrees = transformer(crs, resolveCrs("EPSG:4326"));
  const direction = (u: number, v: number): [number, number, number] => {
    const [col, row] = [u * width, v * height];
    const [lon, lat] = toDegrees(t[0] * col + t[1] * row + t[2], t[3] * col + t[4] * row + t[5]);
    const [l, p] = [(lon * Math.PI) / 180, (lat * Math.PI) / 180];
    return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)];
  };
  const [x, y, z] = direction(0.5, 0.5);
  const steps = [0, 0.25, 0.5, 0.75, 1];
  return steps.every((u) =>
    steps.every((v) => {
      const [a, b, c] = direction(u, v);
      return a * x + b * y + c * z > 0.5; // false for NaN
    }),
  );
}

function range(values: readonly number[]): [min: number, max: number] {
  return [Math.min(...values), Math.max(...values)];
}
