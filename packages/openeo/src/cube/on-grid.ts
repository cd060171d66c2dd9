import type { Expression, ResampleMethod } from "../expression/expression.ts";
import type { Compilation } from "../interpreter/compilation.ts";
import type { Cube } from "./cube.ts";
import type { AskedPixels } from "./grid-request.ts";

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
  return cells.map((cell) => compilation.expressions.resampled(cell, from, method));
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
