import { rasterizePolygon } from "@swath/mosaic";
import { resolveCrs, type Window } from "@swath/raster";
import { hashText } from "./hash-text.ts";
import { addNumbers, finishNumbers, type PartialNumbers } from "./partial-numbers.ts";
import type { ReduceBlockJob, ReducedBlock } from "./reduce-block.ts";
import type { ReducedGroup, ReduceJob, ReduceResult } from "./reduce-job.ts";
import { runTogether } from "./run-together.ts";
import { gridFromSpec } from "./scene-read.ts";

/** What reduces the windows of a job: the render threads, or the caller's own. */
export interface ReduceWorkers {
  readonly count: number;
  /** @param worker number of the one that is asked, from 0 */
  block(job: ReduceBlockJob, worker: number, options: { readonly signal: AbortSignal }): Promise<ReducedBlock>;
}

export interface ReduceOptions {
  readonly signal: AbortSignal;
  /** Called with each group that is done, in the order in which they end. */
  readonly onGroup?: ((group: ReducedGroup) => void) | undefined;
}

/** Pixels of the strips that a grid is reduced by: memory is bounded by them, not by the grid. */
const STRIP_PIXELS = 1 << 19;
/** Values of strips that each worker has in progress. */
const VALUES_AT_ONCE = 1 << 21;
/**
 * Files that all workers read at once at most: while some wait for bytes, others are computed. With blocks of 1024 × 1024
 * samples of 16 bits, 100 MB of compressed bytes.
 */
const FILES_AT_ONCE = 96;

/** Strips of one group that one worker reduces, one after the other. */
interface Share {
  readonly group: number;
  readonly strips: readonly number[];
}

/**
 * Reduces groups of scenes on one grid to numbers, strip by strip; the strips' numbers are added up in row order, so that
 * the result does not depend on the number of threads. Where there are groups for all workers, each group is one worker's,
 * so that its files are opened once, and a worker without groups of its own takes others'; else the workers share the strips.
 *
 * @throws what reading throws, for the first strip that fails; the others are aborted.
 */
export async function reduce(
  job: ReduceJob,
  workers: ReduceWorkers,
  { signal, onGroup }: ReduceOptions,
): Promise<ReduceResult> {
  const { width, height } = job.grid;
  const counted = countedPixels(job);
  const pixels = counted === undefined ? width * height : counted.reduce((sum, flag) => sum + flag, 0);
  const windows = windowsOf(width, height);
  const blocks = job.groups.map((): (ReducedBlock | undefined)[] => windows.map(() => undefined));
  const groups: ReducedGroup[] = [];
  const blockJob = (group: number, strip: number): ReduceBlockJob => {
    const window = windows[strip] as Window;
    return {
      kind: "reduce-block",
      grid: job.grid,
      window,
      scenes: job.groups[group]?.scenes ?? [],
      bands: job.bands,
      outputs: job.outputs,
      ...(counted === undefined
        ? {}
        : { counted: counted.subarray(window.y * width, (window.y + window.height) * width) }),
    };
  };
  const shares = sharesOf(job, windows.length, workers.count);
  // its own first, then those of others that have not begun
  const next = (worker: number): Share | undefined => {
    for (let i = 0; i < shares.length; i++) {
      const share = shares[(worker + i) % shares.length]!.shift();
      if (share !== undefined) return share;
    }
    return undefined;
  };
  const work = async (worker: number, ending: AbortSignal): Promise<void> => {
    for (let share = next(worker); share !== undefined; share = next(worker)) {
      const { group, strips } = share;
      const own = blocks[group] ?? [];
      for (const strip of strips) own[strip] = await workers.block(blockJob(group, strip), worker, { signal: ending });
      if (groups[group] !== undefined || !own.every((block) => block !== undefined)) continue;
      const done = finishGroup(job, group, own);
      groups[group] = done;
      blocks[group] = [];
      onGroup?.(done);
    }
  };
  const count = shares.reduce((sum, its) => sum + its.length, 0);
  const atOnce = Math.min(workers.count * stripsAtOnce(job, windows, workers.count), count);
  // a strip that fails ends the others
  await runTogether(signal, (ending) => Array.from({ length: atOnce }, (_, i) => work(i % workers.count, ending)));
  return { pixels, groups };
}

/** The shares of each worker, in the order of the job. A group goes to the same worker every time, which has opened its files. */
function sharesOf({ groups }: ReduceJob, strips: number, workers: number): Share[][] {
  const all = Array.from({ length: strips }, (_, strip) => strip);
  const shares = Array.from({ length: workers }, (): Share[] => []);
  groups.forEach(({ scenes }, group) => {
    const own = hashText(scenes[0]?.id ?? "") % workers;
    if (groups.length >= workers) shares[own]!.push({ group, strips: all });
    else for (const strip of all) shares[(own + strip) % workers]!.push({ group, strips: [strip] });
  });
  return shares;
}

function stripsAtOnce({ bands, outputs }: ReduceJob, windows: readonly Window[], workers: number): number {
  const [first] = windows;
  const values = (first === undefined ? 1 : first.width * first.height) * (bands.length + outputs.length);
  const files = Math.max(1, bands.length) * workers;
  return Math.max(1, Math.min(Math.floor(FILES_AT_ONCE / files), Math.floor(VALUES_AT_ONCE / values)));
}

function finishGroup(job: ReduceJob, group: number, blocks: readonly ReducedBlock[]): ReducedGroup {
  const { id = "", scenes = [] } = job.groups[group] ?? {};
  const used = new Set(blocks.flatMap((block) => block.used));
  const skipped = new Map(blocks.flatMap((block) => block.skipped.map((scene) => [scene.id, scene] as const)));
  return {
    id,
    outputs: job.outputs.map(({ name, reducers }, i) =>
      finishNumbers(name, blocks.map(({ parts }) => parts[i] as PartialNumbers).reduce(addNumbers), reducers),
    ),
    used: scenes.map((scene) => scene.id).filter((sceneId) => used.has(sceneId)),
    skipped: scenes.flatMap((scene) => skipped.get(scene.id) ?? []),
  };
}

/** 1 where a pixel's centre is in the job's clip, in memory that threads share; `undefined` without a clip. */
function countedPixels({ clip, grid }: ReduceJob): Uint8Array | undefined {
  if (clip === undefined) return undefined;
  const counted = new Uint8Array(new SharedArrayBuffer(grid.width * grid.height));
  counted.set(rasterizePolygon(clip.polygon, gridFromSpec(grid), resolveCrs(clip.crs)));
  return counted;
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
