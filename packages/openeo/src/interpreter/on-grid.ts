import type { Cube } from "../cube/cube.ts";
import type { AskedPixels, GridRequest } from "../cube/grid-request.ts";
import type { Expression, ResampleMethod } from "../expression/expression.ts";
import type { Compilation } from "./compilation.ts";

/**
 * The cells of a cube for other pixels. Where its pixels are those of the files, `near` reads the files on the new ones; else
 * the cells are computed on the pixels that the cube has, and resampled.
 *
 * @param pixels absent: those of the files
 */
export function onGrid(
  { cells, grid }: Cube,
  pixels: AskedPixels | undefined,
  method: ResampleMethod,
  compilation: Compilation,
): readonly Expression[] {
  if (grid === undefined || (method === "near" && isFree(grid.asked))) return cells;
  if (method === "near" && isSamePixels(grid.asked, pixels, compilation.extents)) return cells;
  const from = compilation.gridNumber(grid);
  return withinExtents(cells, grid, compilation).map((cell) => compilation.expressions.resampled(cell, from, method));
}

/** The cells with no data where the cube has no pixels: a result computed from no data may be a number there. */
export function withinExtents(
  cells: readonly Expression[],
  { extents: bounds }: Pick<GridRequest, "extents">,
  { expressions, extents }: Pick<Compilation, "expressions" | "extents">,
): readonly Expression[] {
  const inside = bounds.map((extent) => expressions.region(extents.region(extent)));
  return cells.map((cell) => {
    // an input has no data there already
    if (cell.kind === "input") return cell;
    return inside.reduce((value, region) => expressions.operation("if", region, value, expressions.nothing), cell);
  });
}

/** Whether pixels are those of the files, or follow the bounds that the cube will have. */
const isFree = (asked: AskedPixels | undefined): boolean => asked === undefined || asked.extent === undefined;

function isSamePixels(
  a: AskedPixels | undefined,
  b: AskedPixels | undefined,
  extents: Compilation["extents"],
): boolean {
  const [x, y] = a?.resolution ?? [];
  const [u, v] = b?.resolution ?? [];
  return (
    a !== undefined &&
    b !== undefined &&
    a.crs === b.crs &&
    a.align === b.align &&
    x === u &&
    y === v &&
    extents.isSame(a.extent, b.extent)
  );
}
