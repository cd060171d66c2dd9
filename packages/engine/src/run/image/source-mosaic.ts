import { CogError, levelFor, type RasterFile } from "@swath/cog";
import type { Mosaic } from "@swath/mosaic";
import { applyAffine, type Grid, invertAffine, sameCrs, windowGrid } from "@swath/raster";
import { planWarp, sourceWindow, warp } from "@swath/raster/warp";
import type { RenderResources } from "../resources.ts";
import type { SceneRead } from "../scene/scene-read.ts";

/** Most pixels of an area of source pixels that is composed before it is warped. */
const MAX_PIXELS = 1 << 22;
/** Share of a pixel that two files may be off their common rows and columns. */
const OFF_GRID = 1e-3;

/**
 * Composes scenes on the pixels of their own files and warps the result once, where all files have their pixels on common
 * rows and columns, as the tiles of an elevation model do. Warped one by one, each would end with half a pixel that lacks its
 * neighbour in the next file: a step, which a slope shows as a line.
 *
 * @param compose composes the scenes on a grid.
 * @returns `undefined` where the files have no common rows and columns, or would need too many pixels: the scenes are then
 *   composed on `grid`.
 * @throws as `compose`
 */
export async function composeOnSource(
  scenes: readonly SceneRead[],
  grid: Grid,
  compose: (grid: Grid) => Promise<Mosaic>,
  { open, pool }: Pick<RenderResources, "open" | "pool">,
  signal: AbortSignal,
): Promise<Mosaic | undefined> {
  if (scenes.length < 2) return undefined;
  const files = await Promise.all(scenes.map((scene) => fileOf(scene, grid, open, signal)));
  const whole = commonGrid(files);
  if (whole === undefined) return undefined;
  const plan = planWarp(whole, grid);
  const window = sourceWindow(plan, "bilinear");
  if (window === undefined || window.width * window.height > MAX_PIXELS) return undefined;
  const mosaic = await compose(windowGrid(whole, window));
  if (mosaic.raster === undefined) return mosaic;
  const raster = warp(plan, mosaic.raster, window, "bilinear");
  plan.release();
  pool.release([...mosaic.raster.bands, mosaic.raster.valid]);
  return { ...mosaic, raster };
}

interface OpenedFile {
  readonly opened: RasterFile;
  /** The level that the grid is read from. */
  readonly level: number;
}

/** The one file of a scene; `undefined` where there are several, or where it cannot be read, which its read says why. */
async function fileOf(
  { files: [file, ...others], overviews }: SceneRead,
  grid: Grid,
  open: RenderResources["open"],
  signal: AbortSignal,
): Promise<OpenedFile | undefined> {
  if (file === undefined || others.length > 0) return undefined;
  try {
    const opened = await open(file, signal);
    return { opened, level: levelFor(opened, grid, overviews) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CogError) return undefined;
    throw error;
  }
}

/** The smallest grid around all files, of the finest level that any is read from. */
function commonGrid(files: readonly (OpenedFile | undefined)[]): Grid | undefined {
  const level = Math.min(...files.map((file) => file?.level ?? 0));
  const grids = files.map((file) => file?.opened.levels[level]?.grid);
  const [first] = grids;
  if (first === undefined) return undefined;
  const inverse = invertAffine(first.transform);
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (const grid of grids) {
    if (grid === undefined || !sameCrs(grid.crs, first.crs)) return undefined;
    // the corners in pixels of the first file
    const { transform: t, width, height } = grid;
    const [start, end] = [applyAffine(t, 0, 0), applyAffine(t, width, height)].map((at) => applyAffine(inverse, ...at));
    const [column = 0, row = 0] = (start ?? []).map(Math.round);
    const expected = [column, row, column + width, row + height];
    const isOn = [...(start ?? []), ...(end ?? [])].every(
      (value, i) => Math.abs(value - (expected[i] ?? 0)) < OFF_GRID,
    );
    if (!isOn) return undefined;
    left = Math.min(left, column);
    top = Math.min(top, row);
    right = Math.max(right, column + width);
    bottom = Math.max(bottom, row + height);
  }
  return windowGrid(first, { x: left, y: top, width: right - left, height: bottom - top });
}
