import { type Affine, type Crs, crsFromProj4, resolveCrs } from "@swath/raster";
import { epsgOf, type GeoKeys, proj4Of } from "./geo-keys.ts";

/** CRS and transform of a file, as far as it states them. */
export interface Georeference {
  readonly transform?: Affine;
  readonly crs?: Crs;
  /** Why it cannot be warped; undefined when it can. */
  readonly problem?: string;
}

/** A CRS for files that name none: grids stay usable for windows, and equal to no other CRS. */
export const NO_CRS: Crs = { name: "none", proj4: "", geographic: false };
export const PIXEL_TRANSFORM: Affine = [1, 0, 0, 0, 1, 0];

/** Reads transform and CRS from the values of the GeoTIFF tags, as GDAL does by default. */
export function toGeoreference(
  scale: readonly number[],
  tiepoints: readonly number[],
  matrix: readonly number[],
  keys: GeoKeys,
): Georeference {
  const transform = toTransform(scale, tiepoints, matrix, keys.get(1025) === 2);
  const { crs, problem } = toCrs(keys);
  const reason =
    transform === undefined
      ? tiepoints.length > 6
        ? "It has ground control points only; no affine transform."
        : "It has no geotransform."
      : transform[0] * transform[4] - transform[1] * transform[3] === 0
        ? "Its transform cannot be inverted."
        : problem;
  return {
    ...(transform === undefined ? {} : { transform }),
    ...(crs === undefined ? {} : { crs }),
    ...(reason === undefined ? {} : { problem: reason }),
  };
}

function toTransform(
  scale: readonly number[],
  tiepoints: readonly number[],
  matrix: readonly number[],
  isPoint: boolean,
): Affine | undefined {
  let transform: Affine | undefined;
  if (scale.length >= 2 && scale[0] !== 0 && scale[1] !== 0 && tiepoints.length >= 6) {
    const [column, row, , x, y] = tiepoints as [number, number, number, number, number];
    const a = scale[0]!;
    // GDAL takes the magnitude: a negative scale is a common mistake of writers
    const e = -Math.abs(scale[1]!);
    transform = [a, 0, x - column * a, 0, e, y - row * e];
  } else if (matrix.length >= 16) {
    transform = [matrix[0]!, matrix[1]!, matrix[3]!, matrix[4]!, matrix[5]!, matrix[7]!];
  }
  if (transform === undefined || !transform.every(Number.isFinite)) return undefined;
  if (!isPoint) return transform;
  const [a, b, c, d, e, f] = transform;
  return [a, b, c - 0.5 * a - 0.5 * b, d, e, f - 0.5 * d - 0.5 * e];
}

function toCrs(keys: GeoKeys): { crs?: Crs; problem?: string } {
  const epsg = epsgOf(keys);
  if (epsg !== undefined) {
    try {
      return { crs: resolveCrs(`EPSG:${epsg}`) };
    } catch {
      // not in the table: the keys may still spell the projection out
    }
  }
  const definition = proj4Of(keys);
  if (definition !== undefined) {
    try {
      return { crs: crsFromProj4(definition, epsg) };
    } catch {
      // proj4 does not know the method
    }
  }
  if (epsg !== undefined) return { problem: `EPSG:${epsg} is not known; register it first.` };
  return { problem: keys.size === 0 ? "It names no CRS." : "Its CRS is not known." };
}
