import { cubeOf } from "../cube/cube.ts";
import type { GridRequest } from "../cube/grid-request.ts";
import type { Arguments } from "../interpreter/arguments.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import type { Value } from "../interpreter/values.ts";
import { crsOf } from "./geometries.ts";

/** Everything up to here is computed pixel by pixel, so it is computed on the new grid: nothing is read twice. */
export function resampleSpatial(given: Arguments, _: Compilation): Value {
  const data = given.rasterCube("data");
  given.oneOf("method", ["near"], "near");
  given.oneOf("align", ["upper-left"], "upper-left");
  const resolution = resolutionOf(given);
  const crs = given.has("projection") ? crsOf(given.value("projection"), given, "projection") : undefined;
  const grid: GridRequest = {
    ...data.grid,
    ...(resolution === undefined ? {} : { resolution }),
    ...(crs === undefined ? {} : { crs }),
  };
  return cubeOf(data.dimensions, data.cells, { bands: data.bands, grid });
}

/** Pixel width and height; `undefined` for 0: it stays. */
function resolutionOf(given: Arguments): readonly [number, number] | undefined {
  const value = given.value("resolution");
  const pair = typeof value === "number" ? [value, value] : value === null ? [0, 0] : given.array("resolution").items;
  const [x, y] = pair;
  if (pair.length !== 2 || typeof x !== "number" || typeof y !== "number" || !(x >= 0 && y >= 0)) {
    throw given.invalid("resolution", "a number from 0, or an array of two");
  }
  if (x === 0 && y === 0) return undefined;
  if (x === 0 || y === 0) throw given.invalid("resolution", "two numbers above 0, or 0 for both");
  return [x, y];
}
