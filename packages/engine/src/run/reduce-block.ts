import { composeMosaic, type Scene } from "@swath/mosaic";
import { evaluateExpression, type Window, windowGrid } from "@swath/raster";
import { readFault } from "./errors.ts";
import { addNumbers, numbersOf, type PartialNumbers } from "./partial-numbers.ts";
import { type ReadScene, toScene } from "./read-scene.ts";
import type { ReduceJob, SkippedScene } from "./reduce-job.ts";
import type { RenderResources } from "./resources.ts";
import { type GridSpec, gridFromSpec, type SceneRead } from "./scene-read.ts";

/** A window of a grid, and which of its pixels count. */
export interface CountedWindow {
  /** The whole grid, for which overviews are chosen. */
  readonly grid: GridSpec;
  readonly window: Window;
  /** 1 where a pixel of the window belongs to the job; absent: all do. Threads share its memory. */
  readonly counted?: Uint8Array;
}

/** Windows of a job and the scenes of one of its groups, to be reduced by one thread. */
export interface ReduceBlockJob extends Pick<ReduceJob, "bands" | "outputs"> {
  readonly kind: "reduce-block";
  /** Reduced one after the other, and added up in this order. */
  readonly windows: readonly CountedWindow[];
  readonly scenes: readonly SceneRead[];
}

export interface ReducedBlock {
  /** One an output. */
  readonly parts: readonly PartialNumbers[];
  readonly used: readonly string[];
  readonly skipped: readonly SkippedScene[];
}

/**
 * Reduces windows: of each the scenes as a mosaic, each output's expression, and the numbers of its values.
 *
 * @throws what reading throws
 */
export async function reduceBlock(
  job: ReduceBlockJob,
  readScene: ReadScene,
  resources: RenderResources,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReducedBlock> {
  const [first, ...others] = job.windows;
  let sum = await reduceWindow(job, first!, readScene, resources, signal);
  for (const window of others) {
    const next = await reduceWindow(job, window, readScene, resources, signal);
    const used = new Set([...sum.used, ...next.used]);
    const skipped = new Map([...sum.skipped, ...next.skipped].map((scene) => [scene.id, scene] as const));
    sum = {
      parts: sum.parts.map((part, i) => addNumbers(part, next.parts[i]!)),
      used: [...used],
      skipped: [...skipped.values()],
    };
  }
  return sum;
}

async function reduceWindow(
  { scenes, bands, outputs }: ReduceBlockJob,
  { grid: spec, window, counted }: CountedWindow,
  readScene: ReadScene,
  { pool, expressions }: RenderResources,
  signal: AbortSignal,
): Promise<ReducedBlock> {
  const whole = gridFromSpec(spec);
  const grid = windowGrid(whole, window);
  const partialBlocks = spec.width * spec.height <= FEW_PIXELS;
  const mosaic = await composeMosaic(
    [
      ...notCounted(counted, bands.length),
      ...scenes.map((scene) => toScene(scene, readScene, { area: whole, partialBlocks })),
    ],
    grid,
    { signal },
  );
  const used = mosaic.used.filter((id) => id !== NOT_COUNTED);
  const raster = used.length === 0 ? undefined : mosaic.raster;
  const count = grid.width * grid.height;
  // one array for all outputs: what is kept of it is copied
  const values = new Float64Array(count);
  const parts = outputs.map(({ expression, reducers }) => {
    if (raster === undefined) return numbersOf(values.fill(Number.NaN), counted, reducers);
    const parsed = expressions.parse(expression, bands);
    evaluateExpression(parsed, raster.bands, raster.valid, values);
    return numbersOf(values, counted, reducers);
  });
  if (raster !== undefined) pool.release([...raster.bands, raster.valid]);
  return {
    parts,
    used,
    skipped: mosaic.skipped.map(({ id, error }) => ({ id, reason: readFault(error) })),
  };
}

/** Pixels of a grid of which blocks are read in part: a point, but no field, whose neighbours are likely to be asked for. */
const FEW_PIXELS = 16;
/** Id of no item. */
const NOT_COUNTED = "";

/**
 * A scene on top of all others that has the pixels which do not count, so that none is read for them and those that give
 * only such pixels are not among the used ones; nothing where every pixel counts.
 */
function notCounted(counted: Uint8Array | undefined, bands: number): readonly Scene[] {
  if (counted === undefined || !counted.includes(0)) return [];
  const zeros = new Float64Array(counted.length);
  // a loop: `Uint8Array.from` with a function goes through an iterator, which takes a hundred times as long
  const valid = new Uint8Array(counted.length);
  for (let i = 0; i < valid.length; i++) valid[i] = 1 - counted[i]!;
  return [{ id: NOT_COUNTED, read: async (grid) => ({ grid, bands: Array(bands).fill(zeros), valid }) }];
}

/** Memory of a result that another thread can take over. */
export function transferable({ parts }: ReducedBlock): ArrayBuffer[] {
  return parts.flatMap(({ sorted = [], histogram }) =>
    [...sorted.flatMap(({ values, cumulative }) => [values, cumulative]), histogram].flatMap((array) =>
      array === undefined || array.byteLength === 0 ? [] : [array.buffer as ArrayBuffer],
    ),
  );
}
