import { cubeOf } from "../cube/cube.ts";
import { type GridRequest, METRES_PER_DEGREE } from "../cube/grid-request.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import type { Value } from "../interpreter/values.ts";
import { crsOf, DEGREES } from "./geometries.ts";

/** Everything up to here is computed pixel by pixel, so it is computed on the new grid: nothing is read twice. */
export function resampleSpatial(given: Arguments, _: Compilation): Value {
  const data = given.rasterCube("data");
  given.oneOf("method", ["near"], "near");
  given.oneOf("align", ["upper-left"], "upper-left");
  const crs = given.has("projection") ? crsOf(given.value("projection"), given, "projection") : data.grid.crs;
  const resolution = resolutionOf(given) ?? keptResolution(data.grid, crs);
  const { resolution: _old, ...grid } = data.grid;
  const changed: GridRequest = {
    ...grid,
    ...(resolution === undefined ? {} : { resolution }),
    ...(crs === undefined ? {} : { crs }),
  };
  return cubeOf(data.dimensions, data.cells, { bands: data.bands, grid: changed });
}

/** A resolution that was asked for before, in units of another CRS. */
function keptResolution({ resolution, crs: old }: GridRequest, crs: string | undefined): GridRequest["resolution"] {
  if (resolution === undefined || isGeographic(old) === isGeographic(crs)) return resolution;
  const [x, y] = resolution;
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
