import { type Window, windowGrid } from "@swath/raster";
import { CountedPixels } from "./counted-pixels.ts";
import { hashText } from "./hash-text.ts";
import { addNumbers, finishNumbers, type PartialNumbers } from "./partial-numbers.ts";
import type { CountedWindow, ReduceBlockJob, ReducedBlock } from "./reduce-block.ts";
import type { GridGroups, GridPart, ReducedGroup, ReduceGroup, ReduceJob, ReduceResult } from "./reduce-job.ts";
import { runTogether } from "./run-together.ts";
import { type GridSpec, gridFromSpec, gridSpec } from "./scene-read.ts";

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

/** A strip of whole rows, or some windows of a grid, that one thread reduces at once. */
interface Strip {
  /** Pixels of the largest of its windows. */
  readonly size: number;
  readonly windows: () => readonly CountedWindow[];
}

/** The pixels of a job's groups as they are reduced. */
interface GridStrips {
  readonly strips: readonly Strip[];
  /** Pixels that count. */
  readonly pixels: number;
  /** Strips that a worker has in progress at most. */
  readonly atOnce: number;
}

/** A group and what is known of it. */
interface GroupStrips {
  readonly group: ReduceGroup;
  readonly strips: GridStrips;
  /** One a strip; undefined: not reduced yet. */
  blocks: (ReducedBlock | undefined)[];
}

/** Strips of one group that one worker reduces, one after the other. */
interface Share {
  /** Index among the groups of all grids. */
  readonly index: number;
  readonly strips: readonly number[];
}

/**
 * Reduces groups of scenes to numbers, each on its grid, strip by strip; the strips' numbers are added up in row order, so that
 * the result does not depend on the number of threads. Where there are groups for all workers, each group is one worker's,
 * so that its files are opened once, and a worker without groups of its own takes others'; else the workers share the strips.
 * All grids are read side by side: files and values in progress are bounded for all of them together.
 *
 * @throws what reading throws, for the first strip that fails; the others are aborted.
 */
export async function reduce(
  job: ReduceJob,
  workers: ReduceWorkers,
  { signal, onGroup }: ReduceOptions,
): Promise<ReduceResult> {
  const grids = job.grids.map((each) => stripsOf(each, job, workers.count));
  const all = job.grids.flatMap(({ groups }, i) =>
    groups.map((group): GroupStrips => {
      const strips = grids[i]!;
      return { group, strips, blocks: strips.strips.map(() => undefined) };
    }),
  );
  const groups: ReducedGroup[] = [];
  const run = async ({ index, strips: own }: Share, worker: number, ending: AbortSignal): Promise<void> => {
    const { group, strips, blocks } = all[index]!;
    for (const strip of own) {
      const { bands, outputs } = job;
      const windows = strips.strips[strip]!.windows();
      const block = { kind: "reduce-block", windows, scenes: group.scenes, bands, outputs } as const;
      blocks[strip] = await workers.block(block, worker, { signal: ending });
    }
    if (groups[index] !== undefined || !blocks.every((block) => block !== undefined)) return;
    const done = finishGroup(job, group, blocks);
    groups[index] = done;
    all[index]!.blocks = [];
    onGroup?.(done);
  };
  const shares = sharesOf(all, workers.count);
  const loads = shares.map(() => new Load());
  const work = async (worker: number, ending: AbortSignal): Promise<void> => {
    const load = loads[worker]!;
    for (let queue = nextQueue(shares, worker); queue !== undefined; queue = nextQueue(shares, worker)) {
      ending.throwIfAborted();
      const [share] = queue as [Share];
      const own = 1 / all[share.index]!.strips.atOnce;
      if (!load.fits(own)) await load.less();
      else await load.during(own, run(queue.shift()!, worker, ending));
    }
  };
  const count = shares.reduce((sum, its) => sum + its.length, 0);
  // enough for the smallest strips; of larger ones fewer fit
  const atOnce = Math.min(workers.count * Math.max(1, ...grids.map((strips) => strips.atOnce)), count);
  // a strip that fails ends the others
  await runTogether(signal, (ending) => Array.from({ length: atOnce }, (_, i) => work(i % workers.count, ending)));
  return { pixels: grids.map(({ pixels }) => pixels), groups };
}

function stripsOf({ parts }: GridGroups, { bands, outputs }: ReduceJob, workers: number): GridStrips {
  const counted = parts.map(({ grid, clip, windows }) => new CountedPixels(grid, clip, windows ?? rowsOf(grid)));
  const strips = parts.flatMap((part, i) => batchesOf(part, counted[i]!));
  const values = Math.max(1, ...strips.map(({ size }) => size)) * (bands.length + outputs.length);
  const files = Math.max(1, bands.length) * workers;
  const atOnce = Math.min(Math.floor(FILES_AT_ONCE / files), Math.floor(VALUES_AT_ONCE / values));
  return { strips, pixels: counted.reduce((sum, { pixels }) => sum + pixels, 0), atOnce: Math.max(1, atOnce) };
}

/** Strips one by one; small windows together, as many as have the pixels of a strip. */
function batchesOf({ grid, windows: asked }: GridPart, counted: CountedPixels): Strip[] {
  const { windows } = counted;
  const batches: { pixels: number; readonly numbers: number[] }[] = [];
  for (const [i, { width, height }] of windows.entries()) {
    const last = batches.at(-1);
    const pixels = width * height;
    if (asked === undefined || last === undefined || last.pixels + pixels > STRIP_PIXELS) {
      batches.push({ pixels, numbers: [i] });
    } else {
      last.pixels += pixels;
      last.numbers.push(i);
    }
  }
  const one = (i: number): CountedWindow => {
    const mask = counted.of(i);
    const own = asked === undefined ? { grid, window: windows[i]! } : ownGrid(grid, windows[i]!);
    return { ...own, ...(mask === undefined ? {} : { counted: mask }) };
  };
  return batches.map(({ numbers }) => ({
    size: Math.max(...numbers.map((i) => windows[i]!.width * windows[i]!.height)),
    windows: () => numbers.map(one),
  }));
}

/** A window as a grid of its own: far from it the whole grid may mean nothing to a file. */
function ownGrid(grid: GridSpec, window: Window): Pick<CountedWindow, "grid" | "window"> {
  return { grid: gridSpec(windowGrid(gridFromSpec(grid), window)), window: { ...window, x: 0, y: 0 } };
}

/** The shares of each worker, in the order of the job. A group goes to the same worker every time, which has opened its files. */
function sharesOf(all: readonly GroupStrips[], workers: number): Share[][] {
  const shares = Array.from({ length: workers }, (): Share[] => []);
  all.forEach(({ group, blocks }, index) => {
    const strips = [...blocks.keys()];
    const own = hashText(group.scenes[0]?.id ?? "") % workers;
    if (all.length >= workers) shares[own]!.push({ index, strips });
    else for (const strip of strips) shares[(own + strip) % workers]!.push({ index, strips: [strip] });
  });
  return shares;
}

/** A worker's own shares first, then those of others that have not begun; `undefined` where none is left. */
function nextQueue(shares: readonly Share[][], worker: number): Share[] | undefined {
  return shares.map((_, i) => shares[(worker + i) % shares.length]!).find((queue) => queue.length > 0);
}

/** Sums of loads are as exact as this. */
const ROUNDING = 1e-9;

/** What a worker has in progress: loads that make up 1 at most, or a single one. */
class Load {
  #sum = 0;
  #waiting: (() => void)[] = [];

  fits(load: number): boolean {
    return this.#sum < ROUNDING || this.#sum + load < 1 + ROUNDING;
  }

  /** Counts `load` until `work` has ended. */
  async during(load: number, work: Promise<void>): Promise<void> {
    this.#sum += load;
    try {
      await work;
    } finally {
      this.#sum -= load;
      for (const wake of this.#waiting.splice(0)) wake();
    }
  }

  /** Resolves when something in progress has ended. */
  less(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

function finishGroup(job: ReduceJob, { id, scenes }: ReduceGroup, blocks: readonly ReducedBlock[]): ReducedGroup {
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

/** Strips of whole rows, so that their pixels follow each other in row order. */
function rowsOf({ width, height }: GridSpec): Window[] {
  const rows = Math.max(1, Math.floor(STRIP_PIXELS / width));
  const count = Math.ceil(height / rows);
  return Array.from({ length: count }, (_, i) => ({
    x: 0,
    y: i * rows,
    width,
    height: Math.min(rows, height - i * rows),
  }));
}
