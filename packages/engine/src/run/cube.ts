import type { Program } from "@swath/openeo/program";
import type { Window } from "@swath/raster";
import type { CubeBlock, CubeBlockJob } from "./cube-block.ts";
import type { CubeStep } from "./cube-evaluate.ts";
import { type CubeJob, type CubeOptions, type CubeResult, type CubeTask, RESAMPLED } from "./cube-job.ts";
import { rasterizeRegion } from "./cube-region.ts";
import { addNumbers, type PartialNumbers } from "./partial-numbers.ts";
import type { SkippedScene } from "./reduce-job.ts";
import { runTogether } from "./run-together.ts";
import { gridFromSpec } from "./scene-read.ts";
import { WorkBreaks } from "./work-breaks.ts";

/** What runs the windows of a job: the render threads, or the caller's own. */
export interface CubeWorkers {
  readonly count: number;
  /** @param worker number of the one that is asked, from 0 */
  block(job: CubeBlockJob, worker: number, options: { readonly signal: AbortSignal }): Promise<CubeBlock>;
}

/** Values of all registers of the strips that each worker has in progress: what bounds memory, whatever the grid and the time. */
const VALUES_AT_ONCE = 1 << 22;
/** Pixels of a strip at most. */
const STRIP_PIXELS = 1 << 19;
/** Strips that each worker has in progress at most: while some wait for bytes, others are computed. */
const STRIPS_AT_ONCE = 8;

interface Unit {
  readonly task: number;
  readonly strip: number;
}

/**
 * Runs the programs of a job strip by strip. Numbers of strips are added up in row order and rows of a raster are handed
 * over from the top, so that the result does not depend on the number of threads.
 *
 * @throws what reading throws, for the first strip that fails; the others are aborted.
 */
export async function runCube(
  job: CubeJob,
  workers: CubeWorkers,
  { signal, onRows }: CubeOptions,
): Promise<CubeResult> {
  const { width } = job.grid;
  const regions = await regionsOf(job, signal);
  const strips = job.tasks.map(({ program }) => stripsOf(job, program));
  const units = strips.flatMap((windows, task) => windows.map((_, strip): Unit => ({ task, strip })));
  const numbers = job.tasks.map(({ outputs }): (PartialNumbers | undefined)[] => outputs.map(() => undefined));
  const waiting = job.tasks.map(() => new Map<number, CubeBlock>());
  const done = job.tasks.map(() => 0);
  const atOnce = Math.min(units.length, workers.count * stripsAtOnce(job, strips));
  const order = new Turns(2 * atOnce);
  const used = new Set<string>();
  const skipped = new Map<string, SkippedScene>();
  const steps = job.tasks.map(({ program }) => stepsOf(job, program));

  /** Takes the blocks that are next in row order. */
  const settle = async (task: number): Promise<void> => {
    for (;;) {
      const block = waiting[task]!.get(done[task]!);
      if (block === undefined) return;
      waiting[task]!.delete(done[task]!);
      const { height } = strips[task]![done[task]!]!;
      done[task]! += 1;
      addTo(numbers[task]!, block);
      const bands = block.parts.flatMap((part) => (part instanceof Float32Array ? [part] : []));
      if (bands.length > 0) await onRows?.({ bands, height });
      order.end();
    }
  };
  let next = 0;
  let settling: Promise<void> = Promise.resolve();
  const work = async (worker: number, ending: AbortSignal): Promise<void> => {
    for (let unit = units[next++]; unit !== undefined; unit = units[next++]) {
      // rows of a raster wait for those above them: not too many of them
      await order.begin(ending);
      const { task, strip } = unit;
      const window = strips[task]![strip]!;
      const { program, outputs } = job.tasks[task]!;
      const block = await workers.block(
        {
          kind: "cube-block",
          grid: job.grid,
          window,
          program,
          outputs,
          steps: steps[task]!,
          regions: regions.map((region) => region.subarray(window.y * width, (window.y + window.height) * width)),
        },
        worker,
        { signal: ending },
      );
      for (const id of block.used) used.add(id);
      for (const scene of block.skipped) skipped.set(scene.id, scene);
      waiting[task]!.set(strip, block);
      // one after the other: rows are written in order, and whoever computes the next ones waits for them
      settling = settling.then(() => settle(task));
      await settling;
    }
  };
  await runTogether(signal, (ending) => Array.from({ length: atOnce }, (_, i) => work(i % workers.count, ending)));
  return { numbers, used: [...used], skipped: [...skipped.values()] };
}

/** Lets so many strips be in progress or wait for those above them. */
class Turns {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async begin(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free === 0) {
      await new Promise<void>((resolve, reject) => {
        this.#waiting.push(resolve);
        signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      });
      return;
    }
    this.#free -= 1;
  }

  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}

function addTo(numbers: (PartialNumbers | undefined)[], { parts }: CubeBlock): void {
  parts.forEach((part, output) => {
    if (part instanceof Float32Array) return;
    const known = numbers[output];
    numbers[output] = known === undefined ? part : addNumbers(known, part);
  });
}

/** What each load of a program reads: scenes with the files of the bands that it takes, or values of another grid. */
function stepsOf(job: CubeJob, { steps }: Program): readonly CubeStep[] {
  return steps.flatMap((step): CubeStep[] => {
    if (step.kind !== "load") return [];
    if (step.load === RESAMPLED) {
      const { grid: source, method, program, outputs } = job.resamplings[step.time]!;
      const own = stepsOf(job, program);
      return [{ kind: "resampled", source, method, program, outputs, steps: own, regions: job.regions }];
    }
    const { times, clips } = job.loads[step.load]!;
    const scenes = times[step.time]!.map((scene) => ({
      ...scene,
      files: step.bands.map(({ band }) => scene.files[band]!),
    }));
    return [{ kind: "scenes", scenes, clips }];
  });
}

/** Registers of a program, and one for each band that is read ahead; of another grid as many as it has pixels for one of this. */
function valuesAPixel({ grid, resamplings }: CubeJob, { registers, steps }: Program): number {
  const taken = steps.map((step): number => {
    if (step.kind !== "load") return 0;
    if (step.load !== RESAMPLED) return step.bands.length;
    const { grid: source, outputs } = resamplings[step.time]!;
    const ratio = (source.width * source.height) / (grid.width * grid.height);
    return outputs * (1 + Math.max(1, ratio));
  });
  return Math.ceil(registers + taken.reduce((most, values) => Math.max(most, values), 0));
}

/** Whole rows, so that the strips' pixels follow each other in row order. */
function stripsOf(job: CubeJob, program: Program): readonly Window[] {
  const { width, height } = job.grid;
  const pixels = Math.min(STRIP_PIXELS, Math.floor(VALUES_AT_ONCE / valuesAPixel(job, program)));
  const rows = Math.max(1, Math.min(height, Math.floor(pixels / width)));
  return Array.from({ length: Math.ceil(height / rows) }, (_, i) => ({
    x: 0,
    y: i * rows,
    width,
    height: Math.min(rows, height - i * rows),
  }));
}

function stripsAtOnce(job: CubeJob, strips: readonly (readonly Window[])[]): number {
  const most = Math.max(
    1,
    ...job.tasks.map(({ program }: CubeTask, i) => {
      const [first] = strips[i]!;
      return first === undefined ? 0 : valuesAPixel(job, program) * first.width * first.height;
    }),
  );
  return Math.max(1, Math.min(STRIPS_AT_ONCE, Math.floor(VALUES_AT_ONCE / most)));
}

/** Numbers of the regions that tasks of a job name, their loads and outputs; those of other grids are rasterized there. */
export function usedRegions({ tasks, loads }: Pick<CubeJob, "tasks" | "loads">): ReadonlySet<number> {
  return new Set(
    tasks.flatMap(({ program, outputs }) => [
      ...program.steps.flatMap((step) =>
        step.kind === "region" ? [step.region] : step.kind === "load" ? (loads[step.load]?.clips ?? []) : [],
      ),
      ...outputs.flatMap((output) => (output.kind === "band" ? [] : (output.region ?? []))),
    ]),
  );
}

/**
 * 1 where a pixel's centre is in a region, in memory that threads share; nothing of regions that are not used. Between
 * regions other requests get their turn.
 */
async function regionsOf(job: CubeJob, signal: AbortSignal): Promise<readonly Uint8Array[]> {
  const grid = gridFromSpec(job.grid);
  const used = usedRegions(job);
  const breaks = new WorkBreaks(signal);
  const found: Uint8Array[] = [];
  for (const [i, region] of job.regions.entries()) {
    if (!used.has(i)) {
      found.push(new Uint8Array(0));
      continue;
    }
    await breaks.take();
    const inside = new Uint8Array(new SharedArrayBuffer(grid.width * grid.height));
    inside.set(rasterizeRegion(region, grid));
    found.push(inside);
  }
  return found;
}
