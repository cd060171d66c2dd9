import { METRES_PER_DEGREE } from "@swath/raster";
import { cubeOf } from "../../cube/cube.ts";
import { type Align, type AskedPixels, boundOf } from "../../cube/grid-request.ts";
import { OpenEoError } from "../../errors.ts";
import { RESAMPLE_METHODS } from "../../expression/expression.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import type { Compilation } from "../../interpreter/compilation.ts";
import { onGrid } from "../../interpreter/on-grid.ts";
import type { Value } from "../../interpreter/values.ts";
import { crsOf, DEGREES } from "./geometries.ts";

const ALIGNS: readonly Align[] = ["upper-left", "lower-left", "lower-right", "upper-right"];
/** Methods of the definition that are not served: GDAL's results for them cannot be given to the last digit. */
const UNSERVED = ["cubicspline", "lanczos"] as const;

/**
 * The cube on other pixels. By nearest neighbour pixels that were not asked for before are read on the new ones at once;
 * all else is computed on the cube's own pixels, and resampled from there.
 */
export function resampleSpatial(given: Arguments, compilation: Compilation): Value {
  const data = given.rasterCube("data");
  const method = methodOf(given);
  const align = given.oneOf("align", ALIGNS, "upper-left");
  const { asked } = data.grid;
  const crs = given.has("projection") ? crsOf(given.value("projection"), given, "projection") : asked?.crs;
  const resolution = resolutionOf(given) ?? keptResolution(asked, crs);
  // without a CRS pixels are those of the UTM zone that the extent is in
  if (method === "sum" && crs !== asked?.crs && (asked?.crs !== undefined || !crs?.startsWith("EPSG:32"))) {
    throw new OpenEoError("FeatureUnsupported", 'The method "sum" is served for pixels of one CRS alone.', {
      path: given.invalid("method", "").path,
    });
  }
  const extent = boundOf(data.grid);
  if (method !== "near" && extent === undefined) {
    throw given.invalid("data", `a cube with bounds for the method ${method}`, "one without");
  }
  const pixels: AskedPixels = {
    align,
    ...(resolution === undefined ? {} : { resolution }),
    ...(crs === undefined ? {} : { crs }),
    ...(extent === undefined ? {} : { extent }),
  };
  const cells = onGrid(data, pixels, method, compilation);
  // a resampled cube has the pixels that were asked for, and no other bounds
  const extents = cells === data.cells ? data.grid.extents : [];
  return cubeOf(data.dimensions, cells, { bands: data.bands, grid: { ...data.grid, extents, asked: pixels } });
}

function methodOf(given: Arguments) {
  const asked = given.value("method");
  const unserved = UNSERVED.find((name) => name === asked);
  if (unserved === undefined) return given.oneOf("method", RESAMPLE_METHODS, "near");
  throw new OpenEoError(
    "FeatureUnsupported",
    `The method "${unserved}" is not served; there are ${RESAMPLE_METHODS.join(", ")}.`,
    { path: given.invalid("method", "").path },
  );
}

/** A resolution that was asked for before, in units of another CRS. */
function keptResolution(asked: AskedPixels | undefined, crs: string | undefined): AskedPixels["resolution"] {
  if (asked?.resolution === undefined || isGeographic(asked.crs) === isGeographic(crs)) return asked?.resolution;
  const [x, y] = asked.resolution;
  return isGeographic(crs)
    ? [x / METRES_PER_DEGREE, y / METRES_PER_DEGREE]
    : [x * METRES_PER_DEGREE, y * METRES_PER_DEGREE];
}

/** Without a CRS pixels are those of a UTM zone. */
const isGeographic = (crs: string | undefined): boolean => crs === DEGREES;

/** Pixel width and height; `undefined` for 0: it stays. */
function resolutionOf(given: Arguments): readonly [number, number] | undefined {
  const value = given.value("resolution");
  const pair = typeof value === "number" ? [value, value] : value === null ? [0, 0] : given.array("resolution").items;
  const [x, y] = pair;
  const isPair = pair.length === 2 && typeof x === "number" && typeof y === "number";
  if (!isPair || !(x >= 0 && y >= 0) || !Number.isFinite(x + y)) {
    throw given.invalid("resolution", "a number from 0, or an array of two");
  }
  if (x === 0 && y === 0) return undefined;
  if (x === 0 || y === 0) throw given.invalid("resolution", "two numbers above 0, or 0 for both");
  return [x, y];
}
