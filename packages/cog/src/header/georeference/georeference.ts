import {
  type Affine,
  type Crs,
  CrsError,
  crsFromProj4,
  invertAffine,
  loadCrs,
  metresPerUnit,
  resolveCrs,
} from "@swath/raster";
import { CogError } from "../../errors.ts";
import { definitionOfEsriString } from "./esri-string.ts";
import { type Definition, epsgOf, type GeoKeys } from "./geo-keys.ts";
import { definitionOfKeys, metresOfUnit } from "./geo-projection.ts";

/** CRS and transform of a file, as far as it states them. */
export interface Georeference {
  readonly transform?: Affine;
  readonly crs?: Crs;
  /** The reason why it cannot be warped; undefined when it can. */
  readonly problem?: string;
}

/** A CRS for files that name none: grids stay usable for windows, and equal to no other CRS. */
export const NO_CRS: Crs = { name: "none", proj4: "", geographic: false };
export const PIXEL_TRANSFORM: Affine = [1, 0, 0, 0, 1, 0];

/**
 * Reads transform and CRS from the values of the GeoTIFF tags, as GDAL does by default. Definitions of EPSG codes that are not
 * built in are loaded.
 *
 * @throws {CogError} `unavailable` where that fails: the file is not at fault.
 */
export async function toGeoreference(
  scale: readonly number[],
  tiepoints: readonly number[],
  matrix: readonly number[],
  keys: GeoKeys,
): Promise<Georeference> {
  const transform = toTransform(scale, tiepoints, matrix, keys.get(1025) === 2);
  const { crs, problem } = await toCrs(keys);
  const reason =
    transform === undefined
      ? tiepoints.length > 6
        ? "It has ground control points only; no affine transform."
        : "It has no geotransform."
      : isInvertible(transform)
        ? problem
        : "Its transform cannot be inverted.";
  return {
    ...(transform === undefined ? {} : { transform }),
    ...(crs === undefined ? {} : { crs }),
    ...(reason === undefined ? {} : { problem: reason }),
  };
}

/** The rule of the warp, which goes from target to source pixels. */
function isInvertible(transform: Affine): boolean {
  try {
    return invertAffine(transform).every(Number.isFinite);
  } catch {
    return false;
  }
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

/**
 * The CRS of the keys: by EPSG code, else as an ESRI PE String or as keys spell it out. What cannot be read exactly is a
 * problem, never a guess.
 */
async function toCrs(keys: GeoKeys): Promise<{ crs?: Crs; problem?: string }> {
  if (keys.size === 0) return { problem: "It names no CRS." };
  const projected = keys.get(3072);
  if (keys.get(1024) === 2 && !keys.has(2048) && typeof projected === "number") {
    return {
      problem: `It says that its coordinates are degrees, and names the projected CRS EPSG:${projected} alone.`,
    };
  }
  const epsg = epsgOf(keys);
  let refusal = "";
  if (epsg !== undefined) {
    try {
      return inUnitOfKeys(await loadCrs(`EPSG:${epsg}`), keys);
    } catch (error) {
      if (!(error instanceof CrsError)) {
        throw new CogError("unavailable", "The definitions of EPSG codes could not be loaded.", { cause: error });
      }
      // the keys may still spell the projection out
      refusal = error.message;
    }
  }
  const found = definitionOf(keys);
  if ("proj4" in found) {
    try {
      return { crs: crsOf(found.proj4, epsg) };
    } catch {
      return { problem: "proj4 cannot use its CRS." };
    }
  }
  const { problem } = found;
  return { problem: refusal === "" ? problem : `${refusal} ${problem} Its code can be registered (registerCrs).` };
}

/** A CRS of a code in the unit that a key names beside it, as libgeotiff and GDAL read it. False eastings stay where they are. */
function inUnitOfKeys(crs: Crs, keys: GeoKeys): { crs?: Crs; problem?: string } {
  if (crs.geographic || !keys.has(3076)) return { crs };
  const metres = metresOfUnit(keys);
  if (metres === undefined) return { problem: `Its linear unit (${keys.get(3076)} of EPSG) is not known.` };
  if (Math.abs(metres / metresPerUnit(crs) - 1) < 1e-9) return { crs };
  const plain = crs.proj4.replace(/ ?\+(?:units|to_meter)=\S+/g, "").replace(/ ?\+no_defs/, "");
  return { crs: crsFromProj4(`${plain} +to_meter=${metres} +no_defs`) };
}

/**
 * An ESRI PE String is preferred to the keys, which cannot express as much. Where it cannot be read, keys that state
 * the projection are read instead, except those of Mercator on an auxiliary sphere, which they call ellipsoidal.
 */
function definitionOf(keys: GeoKeys): Definition {
  const stated = definitionOfEsriString(keys);
  if (stated === undefined) return definitionOfKeys(keys);
  const isFinal = "proj4" in stated || keys.get(1024) !== 1 || stated.problem.includes("Mercator_Auxiliary_Sphere");
  return isFinal ? stated : definitionOfKeys(keys);
}

const WEB_MERCATOR = /^\+proj=merc \+lon_0=0 \+lat_ts=0 \+x_0=0 \+y_0=0 \+a=6378137 \+b=6378137 \+units=m \+no_defs$/;

function crsOf(proj4: string, epsg: number | undefined): Crs {
  return WEB_MERCATOR.test(proj4) ? resolveCrs("EPSG:3857") : crsFromProj4(proj4, epsg);
}
