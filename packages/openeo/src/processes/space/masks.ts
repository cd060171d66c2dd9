import { cubeOf, type Dimension } from "../../cube/cube.ts";
import { boundOf } from "../../cube/grid-request.ts";
import { OpenEoError } from "../../errors.ts";
import type { Expression } from "../../expression/expression.ts";
import type { Arguments } from "../../interpreter/arguments.ts";
import type { Compilation } from "../../interpreter/compilation.ts";
import { onGrid } from "../../interpreter/on-grid.ts";
import { toExpression, type Value } from "../../interpreter/values.ts";
import { areaOf } from "./geometries.ts";

function replacementOf(given: Arguments, { expressions }: Compilation): Expression {
  const found = toExpression(given.value("replacement"), expressions);
  if (found?.kind === "constant") return found;
  throw given.invalid("replacement", "a number, boolean or null");
}

/** The mask is taken on the pixels of `data` by nearest neighbour, as `resample_cube_spatial` does by default. */
export function mask(given: Arguments, compilation: Compilation): Value {
  const data = given.rasterCube("data");
  const other = given.rasterCube("mask");
  const { expressions } = compilation;
  const replacement = replacementOf(given, compilation);
  const masks = onGrid(other, data.grid.asked, "near", compilation);
  const positions = other.dimensions.map((dimension) => matchingDimension(dimension, data.dimensions));
  const cells = data.cells.map((cell, i) => {
    const labels = labelsAt(data.dimensions, i);
    // row-major in the mask's own dimensions; an open dimension has one label
    const at = other.dimensions.reduce(
      (sum, dimension, k) =>
        sum * dimension.labels.length + Math.min(labels[positions[k]!]!, dimension.labels.length - 1),
      0,
    );
    const value = masks[at]!;
    const isMasked = value.type === "boolean" ? value : expressions.operation("neq", value, expressions.constant(0));
    return expressions.operation("if", isMasked, replacement, cell);
  });
  const loads = new Set([...data.grid.loads, ...other.grid.loads]);
  const extent = boundOf(data.grid);
  if (extent !== undefined && boundOf(other.grid) === undefined) compilation.loads.need(other.grid.loads, [extent]);
  return cubeOf(data.dimensions, cells, { bands: data.bands, grid: { ...data.grid, loads } });
}

/** The position of the dimension of the data that a dimension of a mask is. */
function matchingDimension(dimension: Dimension, dimensions: readonly Dimension[]): number {
  const index = dimensions.findIndex(({ name }) => name === dimension.name);
  const own = dimensions[index];
  if (own === undefined) {
    const message = `The mask has a dimension "${dimension.name}" that the data lack: reduce or drop it first.`;
    throw new OpenEoError("IncompatibleDataCubes", message);
  }
  const isSame =
    own.labels.length === dimension.labels.length && own.labels.every((label, i) => label === dimension.labels[i]);
  if (isSame || own.isOpen || dimension.isOpen) return index;
  const message = `The mask and the data have different labels in the dimension "${dimension.name}".`;
  throw new OpenEoError("IncompatibleDataCubes", message);
}

/** Positions of the labels of a cell in each dimension. */
export function labelsAt(dimensions: readonly Dimension[], cell: number): readonly number[] {
  const positions = new Array<number>(dimensions.length);
  let rest = cell;
  for (let i = dimensions.length - 1; i >= 0; i--) {
    const count = dimensions[i]!.labels.length;
    positions[i] = rest % count;
    rest = Math.floor(rest / count);
  }
  return positions;
}

export function maskPolygon(given: Arguments, compilation: Compilation): Value {
  const data = given.rasterCube("data");
  const { expressions } = compilation;
  const replacement = replacementOf(given, compilation);
  const region = expressions.region(compilation.extents.region(areaOf(given, "mask", compilation)));
  const inside = given.boolean("inside", false);
  const cells = data.cells.map((cell) => {
    // no data stays no data
    const replaced =
      replacement === expressions.nothing
        ? replacement
        : expressions.operation("if", expressions.operation("is_nodata", cell), cell, replacement);
    return inside
      ? expressions.operation("if", region, replaced, cell)
      : expressions.operation("if", region, cell, replaced);
  });
  return cubeOf(data.dimensions, cells, data);
}
