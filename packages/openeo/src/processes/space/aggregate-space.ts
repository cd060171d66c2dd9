import { type Cube, checkedCells, cubeOf, type Dimension } from "../../cube/cube.ts";
import { boundOf } from "../../cube/grid-request.ts";
import { OpenEoError } from "../../errors.ts";
import type { Expression } from "../../expression/expression.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import type { Compilation } from "../../interpreter/compilation.ts";
import { withinExtents } from "../../interpreter/on-grid.ts";
import type { PixelValues, Value } from "../../interpreter/values.ts";
import { countOf } from "../arrays.ts";
import { DEGREES, geometriesOf } from "./geometries.ts";

/** Labels of the dimension that `target_dimension` names. */
const COUNTED = ["value", "total_count", "valid_count"] as const;

/**
 * Computes one number for each geometry and combination of labels: over the pixels whose centres are in a polygon, that
 * a line passes through, or that points are in. With `target_dimension` it also counts the pixels, and the valid ones.
 */
export function aggregateSpatial(given: Arguments, compilation: Compilation): Value {
  const data = given.rasterCube("data");
  const geometries = geometriesOf(given, "geometries", compilation);
  const reducer = given.callback("reducer");
  const context = given.value("context");
  const target = targetOf(given, data);
  checkedCells(data.cells.length * geometries.length * (target === undefined ? 1 : COUNTED.length));
  const { grid } = data;
  if (boundOf(grid) === undefined) {
    compilation.loads.need(
      grid.loads,
      geometries.map((geometry) => ({ geometry, crs: DEGREES })),
    );
  }
  const first = compilation.areas.length;
  compilation.areas.push(...geometries.map((geometry) => ({ geometry, grid })));
  const [inside] = withinExtents([compilation.expressions.constant(1)], grid, compilation);
  const cells = withinExtents(data.cells, grid, compilation).flatMap((of) =>
    geometries.flatMap((_, i): Expression[] => {
      const values: PixelValues = { kind: "pixels", of, area: first + i, inside: inside! };
      const value = given.scalar("reducer", compilation.call(reducer, { data: values, context }));
      if (target === undefined) return [value];
      return [value, countOf(values, "all", compilation), countOf(values, "valid", compilation)];
    }),
  );
  const labels: Dimension = { name: "geometry", type: "geometry", labels: geometries.map((_, i) => i) };
  const dimensions = [...data.dimensions, labels, ...(target === undefined ? [] : [target])];
  return cubeOf(dimensions, cells, { bands: data.bands });
}

function targetOf(given: Arguments, { dimensions }: Cube): Dimension | undefined {
  const name = given.optionalText("target_dimension");
  if (name === undefined) return undefined;
  if (dimensions.every((dimension) => dimension.name !== name) && name !== "geometry") {
    return { name, type: "other", labels: COUNTED };
  }
  throw new OpenEoError("TargetDimensionExists", `There is a dimension "${name}" already.`);
}
