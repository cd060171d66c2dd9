import proj4 from "proj4";
import type { Crs } from "./crs.ts";
import { type Point, type Projection, projectionOf } from "./projection.ts";

/** Coordinates of one CRS in another. Both are NaN where the point has none. Never throws. */
export type PointTransform = (x: number, y: number) => [x: number, y: number];

/** As `PointTransform`, in place. */
export type InPlaceTransform = (point: Point) => void;

/**
 * The transform from one CRS to another: proj4's, behind checks. NaN where proj4 gives NaN, throws (input that is
 * not finite) or gives garbage (outside the area where a projection can be undone); longitudes wrap into −180 to 180;
 * latitudes beyond ±90 are nowhere.
 */
export function transformer(from: Crs, to: Crs): PointTransform {
  const transform = inPlaceTransformer(from, to);
  const point = { x: 0, y: 0 };
  return (x, y) => {
    point.x = x;
    point.y = y;
    transform(point);
    return [point.x, point.y];
  };
}

/** As `transformer`, without allocation; x and y are both NaN where either is. */
export function inPlaceTransformer(from: Crs, to: Crs): InPlaceTransform {
  const source = projectionOf(from.proj4);
  const target = projectionOf(to.proj4);
  const shift = datumShift(source, target);
  return (point) => {
    source.toGeodetic(point);
    shift?.(point);
    target.fromGeodetic(point);
    if (!(Number.isFinite(point.x) && Number.isFinite(point.y))) point.x = point.y = Number.NaN;
  };
}

/** Geodetic to geodetic in radians, by proj4's Helmert transformation; undefined where nothing changes. */
function datumShift(source: Projection, target: Projection): InPlaceTransform | undefined {
  if (source.datum === target.datum) return undefined;
  const geographic = (datum: string) => new proj4.Proj(`+proj=longlat ${datum || "+datum=WGS84"} +no_defs`);
  const from = geographic(source.datum);
  const to = geographic(target.datum);
  return (point) => {
    if (!(Number.isFinite(point.x) && Number.isFinite(point.y))) return;
    try {
      const out = proj4.transform(from, to, { x: (point.x * 180) / Math.PI, y: (point.y * 180) / Math.PI });
      point.x = out ? (out.x * Math.PI) / 180 : Number.NaN;
      point.y = out ? (out.y * Math.PI) / 180 : Number.NaN;
    } catch {
      point.x = point.y = Number.NaN;
    }
  };
}
