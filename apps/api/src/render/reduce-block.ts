import { composeMosaic, rasterizePolygon } from "@swath/mosaic";
import { evaluateExpression, type Grid, resolveCrs, type Window, windowGrid } from "@swath/raster";
import { numbersOf, type PartialNumbers } from "./partial-numbers.ts";
import { type ReadScene, toScene } from "./read-scene.ts";
import type { ReduceJob } from "./reduce-job.ts";
import type { RenderResources } from "./resources.ts";
import { gridFromSpec } from "./scene-read.ts";

/** A window of the grid of a job, to be reduced by one thread. */
export interface ReduceBlockJob {
  readonly kind: "reduce-block";
  readonly reduce: ReduceJob;
  readonly window: Window;
}

export interface ReducedBlock {
  /** One an output. */
  readonly parts: readonly PartialNumbers[];
  readonly used: readonly string[];
  readonly skipped: readonly string[];
}

/**
 * Reduces one window: the scenes as a mosaic, each output's expression, and the numbers of its values.
 *
 * @throws what reading throws
 */
export async function reduceBlock(
  { reduce, window }: ReduceBlockJob,
  readScene: ReadScene,
  { pool, expressions }: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReducedBlock> {
  const whole = gridFromSpec(reduce.grid);
  const grid = windowGrid(whole, window);
  const mosaic = await composeMosaic(
    reduce.scenes.map((scene) => toScene(scene, readScene, whole)),
    grid,
    { signal },
  );
  const counted = clipOf(reduce, grid);
  const { raster } = mosaic;
  const count = grid.width * grid.height;
  const parts = reduce.outputs.map(({ expression }) => {
    if (raster === undefined) return numbersOf(new Float64Array(count).fill(Number.NaN), counted, reduce.reducers);
    const parsed = expressions.parse(expression, reduce.bands);
    const { values } = evaluateExpression(parsed, raster.bands, raster.valid, new Float64Array(count));
    return numbersOf(values, counted, reduce.reducers);
  });
  if (raster !== undefined) pool.release([...raster.bands, raster.valid]);
  return { parts, used: mosaic.used, skipped: mosaic.skipped.map(({ id }) => id) };
}

function clipOf({ clip }: ReduceJob, grid: Grid): Uint8Array | undefined {
  return clip === undefined ? undefined : rasterizePolygon(clip.polygon, grid, resolveCrs(clip.crs));
}
