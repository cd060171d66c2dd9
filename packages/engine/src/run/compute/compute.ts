import { hashText } from "../hash-text.ts";
import { runTogether } from "../run-together.ts";
import { WorkBreaks } from "../work-breaks.ts";
import { added, type ComputeBlockJob, type ComputedBlock } from "./compute-block.ts";
import type {
  ComputedRows,
  ComputeJob,
  ComputeOptions,
  ComputeResult,
  Group,
  GroupRead,
  ReducedGroup,
  SkippedScene,
} from "./compute-job.ts";
import { finishNumbers, type PartialNumbers } from "./partial-numbers.ts";
import { type Strip, StripsOfGrid } from "./strips.ts";
import { Workload } from "./workload.ts";

/** The workers that compute the windows of a job: the render threads, or the caller's own. */
export interface ComputeWorkers {
  readonly count: number;
  /** @param worker number of the one that is asked, from 0 */
  block(job: ComputeBlockJob, worker: number, options: { readonly signal: AbortSignal }): Promise<ComputedBlock>;
}

/** Strips of one group that one worker computes, one after the other. */
interface Share {
  readonly group: GroupRun;
  readonly strips: readonly number[];
}

/**
 * Computes groups of scenes, each on its grid, strip by strip. Numbers of strips are added up in row order and rows of a raster
 * are handed over from the top, so that the result does not depend on the number of threads. Where there are groups for all
 * workers, each group is one worker's, so that its files are opened once, and a worker without groups of its own takes
 * others'; else the workers share the strips. All grids are read side by side: files and values in progress are bounded for
 * all of them together.
 *
 * @throws what reading throws, for the first strip that fails; the others are aborted.
 */
export async function compute(
  job: ComputeJob,
  workers: ComputeWorkers,
  { signal, onGroup, onRows }: ComputeOptions,
): Promise<ComputeResult> {
  const grids: StripsOfGrid[] = [];
  for (const grid of job.grids) grids.push(await StripsOfGrid.of(grid, signal));
  const groups: GroupRun[] = [];
  const breaks = new WorkBreaks(signal);
  for (const [i, grid] of job.grids.entries()) {
    for (const group of grid.groups) {
      await breaks.take();
      groups.push(new GroupRun(group, grids[i]!.of(group), grids[i]!.atOnce(group, workers.count)));
    }
  }
  const shares = sharesOf(bySceneOf(groups), workers.count);
  const count = shares.reduce((sum, its) => sum + its.length, 0);
  // enough for the smallest strips; of larger ones fewer fit
  const most = groups.reduce((larger, group) => Math.max(larger, group.atOnce), 1);
  const atOnce = Math.min(workers.count * most, count);
  const loads = shares.map(() => new Workload());
  // rows of a raster wait for those above them: not too many of them
  const rows = new Workload();
  const rowLoad = 1 / (2 * atOnce);
  const run = async ({ group, strips }: Share, worker: number, ending: AbortSignal): Promise<void> => {
    for (const strip of strips) {
      const block = await workers.block(group.block(strip), worker, { signal: ending });
      const done = await group.settle(strip, block, async (computed) => {
        await onRows?.(computed);
        rows.end(rowLoad);
      });
      if (done !== undefined) onGroup?.(done);
    }
  };
  const work = async (worker: number, ending: AbortSignal): Promise<void> => {
    const load = loads[worker]!;
    for (let queue = nextQueue(shares, worker); queue !== undefined; queue = nextQueue(shares, worker)) {
      ending.throwIfAborted();
      const [share] = queue as [Share];
      const own = 1 / share.group.atOnce;
      const waits = share.group.givesRows ? rowLoad : 0;
      if (!load.fits(own)) await load.less(ending);
      else if (!rows.fits(waits)) await rows.less(ending);
      else {
        queue.shift();
        rows.begin(waits);
        await load.during(own, run(share, worker, ending));
      }
    }
  };
  // a job of few strips begins where its files are open
  const first = ownerOf(groups[0], workers.count);
  // a strip that fails ends the others
  await runTogether(signal, (ending) =>
    Array.from({ length: atOnce }, (_, i) => work((first + i) % workers.count, ending)),
  );
  return { pixels: grids.map(({ pixels }) => pixels), groups: groups.map(({ result }) => result!) };
}

/** A group and what is known of it. */
class GroupRun {
  /** Once all of its strips are computed. */
  result: ReducedGroup | undefined;
  readonly atOnce: number;
  readonly strips: readonly Strip[];
  readonly givesRows: boolean;
  readonly #group: Group;
  /** Blocks that come after one which is not there yet, by strip. */
  readonly #waiting = new Map<number, ComputedBlock>();
  /** Strips that were taken. */
  #taken = 0;
  #parts: (PartialNumbers | undefined)[];
  readonly #used = new Set<string>();
  readonly #skipped = new Map<string, SkippedScene>();
  #settling: Promise<void> = Promise.resolve();

  constructor(group: Group, strips: readonly Strip[], atOnce: number) {
    this.#group = group;
    this.strips = strips;
    this.atOnce = atOnce;
    this.givesRows = group.outputs.some(({ kind }) => kind === "band");
    this.#parts = group.outputs.map(() => undefined);
  }

  get firstScene(): string {
    return scenesOf(this.#group.reads).next().value ?? "";
  }

  block(strip: number): ComputeBlockJob {
    const { program, reads, outputs } = this.#group;
    return { kind: "compute-block", windows: this.strips[strip]!.windows(), program, reads, outputs };
  }

  /** Takes the block of a strip, and what waited for it; gives the group's result with its last block. */
  async settle(
    strip: number,
    block: ComputedBlock,
    onRows: (rows: ComputedRows) => Promise<void>,
  ): Promise<ReducedGroup | undefined> {
    this.#waiting.set(strip, block);
    // one after the other: rows are written in order, and whoever computes the next ones waits for them
    const settling = this.#settling.then(async () => {
      for (let next = this.#next(); next !== undefined; next = this.#next()) {
        const bands = next.block.parts.filter((part) => part instanceof Float32Array);
        if (bands.length > 0) await onRows({ bands, height: next.height });
      }
    });
    this.#settling = settling;
    await settling;
    if (this.result !== undefined || this.#taken < this.strips.length) return undefined;
    this.result = this.#finish();
    this.#parts = [];
    return this.result;
  }

  /** Adds the numbers of the block that is next in row order, where it is there. */
  #next(): { readonly block: ComputedBlock; readonly height: number } | undefined {
    const block = this.#waiting.get(this.#taken);
    if (block === undefined) return undefined;
    this.#waiting.delete(this.#taken);
    const { height } = this.strips[this.#taken]!;
    this.#taken += 1;
    for (const [i, part] of block.parts.entries()) {
      if (!(part instanceof Float32Array)) this.#parts[i] = added(this.#parts[i], part);
    }
    for (const id of block.used) this.#used.add(id);
    for (const scene of block.skipped) this.#skipped.set(scene.id, scene);
    return { block, height };
  }

  #finish(): ReducedGroup {
    const { id, reads, outputs } = this.#group;
    const scenes = [...new Set(scenesOf(reads))];
    return {
      id,
      outputs: outputs.flatMap((output, i) =>
        output.kind === "band" ? [] : [finishNumbers(output.name, this.#parts[i]!, output.reducers)],
      ),
      used: scenes.filter((scene) => this.#used.has(scene)),
      skipped: scenes.flatMap((scene) => this.#skipped.get(scene) ?? []),
    };
  }
}

/** Ids of scenes in the order in which they are read. */
function* scenesOf(reads: readonly GroupRead[]): Generator<string, undefined> {
  for (const read of reads) {
    if (read.kind === "resampled") yield* scenesOf(read.reads);
    else for (const { id } of read.scenes) yield id;
  }
  return undefined;
}

/** The worker that has opened a group's files before. */
const ownerOf = (group: GroupRun | undefined, workers: number): number => hashText(group?.firstScene ?? "") % workers;

/**
 * Groups of one scene after each other, whatever their grids, else in the order of the job: what one decodes of its files the next
 * one finds.
 */
function bySceneOf(groups: readonly GroupRun[]): readonly GroupRun[] {
  const byScene = new Map<string, GroupRun[]>();
  for (const group of groups) {
    const own = byScene.get(group.firstScene);
    if (own === undefined) byScene.set(group.firstScene, [group]);
    else own.push(group);
  }
  return [...byScene.values()].flat();
}

/** The shares of each worker, in the order of the groups. */
function sharesOf(groups: readonly GroupRun[], workers: number): Share[][] {
  const shares = Array.from({ length: workers }, (): Share[] => []);
  for (const group of groups) {
    const own = shares[ownerOf(group, workers)]!;
    const strips = [...group.strips.keys()];
    if (groups.length >= workers && !group.givesRows) own.push({ group, strips });
    else own.push(...strips.map((strip) => ({ group, strips: [strip] })));
  }
  return shares;
}

/** A worker's own shares first, then those of others that have not begun; `undefined` where none is left. */
function nextQueue(shares: readonly Share[][], worker: number): Share[] | undefined {
  return shares.map((_, i) => shares[(worker + i) % shares.length]!).find((queue) => queue.length > 0);
}
