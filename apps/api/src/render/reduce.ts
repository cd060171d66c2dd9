import { ProblemError } from "@swath/problem";
import type { Window } from "@swath/raster";
import { addNumbers, finishNumbers, MAX_PERCENTILE_VALUES, type PartialNumbers } from "./partial-numbers.ts";
import type { ReduceBlockJob, ReducedBlock } from "./reduce-block.ts";
import type { ReduceJob, ReduceResult } from "./reduce-job.ts";

/** What reduces the windows of a job: the render threads, or the caller's own. */
export interface ReduceWorkers {
  readonly count: number;
  /** @param worker number of the one that is asked, from 0 */
  block(job: ReduceBlockJob, worker: number, options: { readonly signal: AbortSignal }): Promise<ReducedBlock>;
}

/** Pixels of the strips that a grid is reduced by: memory is bounded by them, not by the grid. */
const STRIP_PIXELS = 1 << 20;

/**
 * Reduces scenes on a grid to numbers, strip by strip; the strips' numbers are added up in row order, so that the
 * result does not depend on the number of threads.
 *
 * @throws {ProblemError} `output-too-large` for percentiles of more than 4,000,000 pixels; what reading throws.
 */
export async function reduce(
  job: ReduceJob,
  workers: ReduceWorkers,
  { signal }: { readonly signal: AbortSignal },
): Promise<ReduceResult> {
  const { width, height } = job.grid;
  checkPercentiles(job);
  const windows = windowsOf(width, height);
  const blocks: ReducedBlock[] = [];
  // a strip that fails ends the others
  const stop = new AbortController();
  const ending = AbortSignal.any([signal, stop.signal]);
  let next = 0;
  const work = async (worker: number): Promise<void> => {
    while (next < windows.length) {
      const i = next++;
      const window = windows[i] as Window;
      blocks[i] = await workers.block({ kind: "reduce-block", reduce: job, window }, worker, { signal: ending });
    }
  };
  const all = Array.from({ length: Math.min(workers.count, windows.length) }, (_, worker) => work(worker));
  try {
    await Promise.all(all);
  } catch (error) {
    stop.abort(error);
    await Promise.allSettled(all);
    signal.throwIfAborted();
    throw error;
  }
  const ids = (of: (block: ReducedBlock) => readonly string[]): string[] => {
    const found = new Set(blocks.flatMap(of));
    return job.scenes.map(({ id }) => id).filter((id) => found.has(id));
  };
  return {
    outputs: job.outputs.map(({ name }, i) =>
      finishNumbers(name, blocks.map(({ parts }) => parts[i] as PartialNumbers).reduce(addNumbers), job.reducers),
    ),
    used: ids(({ used }) => used),
    skipped: ids(({ skipped }) => skipped),
  };
}

function checkPercentiles({ grid, reducers }: ReduceJob): void {
  const pixels = grid.width * grid.height;
  if (pixels <= MAX_PERCENTILE_VALUES || reducers.every(({ kind }) => kind !== "percentiles")) return;
  throw new ProblemError("output-too-large", `Percentiles are computed of at most ${MAX_PERCENTILE_VALUES} pixels.`, {
    limits: { maxPixels: MAX_PERCENTILE_VALUES, requestedPixels: pixels },
  });
}

/** Whole rows, so that the strips' pixels follow each other in row order. */
function windowsOf(width: number, height: number): Window[] {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const count = Math.ceil(height / rows);
  return Array.from({ length: count }, (_, i) => ({
    x: 0,
    y: i * rows,
    width,
    height: Math.min(rows, height - i * rows),
  }));
}
