import type { BlockFile } from "../file/block-file.ts";
import type { Level } from "../file/level.ts";
import type { PartSource } from "../file/part.ts";
import type { LeftPixels } from "../levels/left-pixels.ts";
import { type BlockFormat, type BlockPixelsTask, pixelsOf } from "./block-task.ts";
import { type GrowingBlock, OverviewBlocks, type PartMemory } from "./overview-blocks.ts";
import { packLeft, unpackLeft } from "./pack-pixels.ts";

/** A compressed block. */
export interface EncodedBlock {
  /**
   * Its bytes, one entry per plane, that of a mask first; `undefined` for a plane that is left out of the file. Empty for
   * a level that is not written.
   */
  readonly planes: readonly (Uint8Array | undefined)[];
  /** Called once the bytes are in the file. */
  release?(): void;
}

/** Makes a block. @param worker number of the worker, from 0 @param signal aborted when the file is no longer needed */
export type BlockEncoder = (task: BlockPixelsTask, worker: number, signal: AbortSignal) => Promise<EncodedBlock>;

/** Options for sharing work. */
export interface ScheduleOptions {
  readonly workers?: number | undefined;
  readonly tasksPerWorker?: number | undefined;
  readonly columnGroup?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface Work {
  readonly level: number;
  readonly block: number;
  readonly growing?: GrowingBlock;
}

/** Pixels that are to be read from a part. */
interface PartPixels extends LeftPixels {
  readonly part: PartSource;
}

/** A block of level 0, or pixels of another that a part has left. */
type Beginning = Work | PartPixels;

/** Made blocks that may wait for the spool before no more are given out; fewer where fewer are made at a time. */
const MAX_WAITING = 4;

/**
 * Gives blocks to workers and puts what they make into a file: blocks of level 0 column group by column group, blocks of overviews as
 * soon as they have all their pixels. What a part of a file makes of blocks that need pixels of other parts is left there; where parts are
 * joined, blocks of overviews begin with these pixels.
 */
export class BlockScheduler {
  readonly #file: BlockFile;
  readonly #format: BlockFormat;
  readonly #encode: BlockEncoder;
  readonly #overviews: OverviewBlocks;
  readonly #tasksPerWorker: number;
  readonly #maxWaiting: number;
  readonly #running: number[];
  /** Work without pixels of this file that is not assigned yet, for each worker in the order in which it does it. */
  readonly #open: Beginning[][];
  /** Blocks of overviews that have all their pixels. */
  readonly #ready: GrowingBlock[] = [];
  readonly #outer: AbortSignal | undefined;
  readonly #stop = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #remaining: number;
  #done: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(
    file: BlockFile,
    format: BlockFormat,
    memory: PartMemory,
    options: ScheduleOptions,
    encode: BlockEncoder,
  ) {
    const { sampleType, bandCount, predictor, nodata, mask, overviewResampling } = format;
    const workers = Math.max(1, options.workers ?? 1);
    this.#file = file;
    this.#format = { sampleType, bandCount, predictor, nodata, mask, overviewResampling };
    this.#encode = encode;
    this.#overviews = new OverviewBlocks(file.levels, this.#format, memory);
    this.#tasksPerWorker = Math.max(1, options.tasksPerWorker ?? 1);
    this.#maxWaiting = Math.min(MAX_WAITING, workers * this.#tasksPerWorker + 1);
    this.#running = new Array<number>(workers).fill(0);
    this.#open = file.parts.length > 0 ? leftShares(file, workers) : baseShares(file, workers, options.columnGroup);
    this.#remaining = file.levels.reduce((sum, { blocksAcross, rowsToMake }) => sum + blocksAcross * rowsToMake, 0);
    this.#outer = options.signal;
  }

  /** Resolves when all blocks are in the file; rejects when no work is in progress any more. */
  async run(): Promise<void> {
    const abort = (): void => this.#fail(this.#outer?.reason);
    this.#outer?.addEventListener("abort", abort, { once: true });
    try {
      await new Promise<void>((resolve) => {
        this.#done = resolve;
        this.#feed();
        this.#settle();
      });
      await this.#writing;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      this.#outer?.removeEventListener("abort", abort);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    this.#stop.abort(error);
    this.#settle();
  }

  #settle(): void {
    const busy = this.#running.some((count) => count > 0);
    if (!busy && (this.#failure !== undefined || this.#remaining === 0)) this.#done?.();
  }

  /** Gives every worker what it may do. */
  #feed(): void {
    for (let gave = true; gave && this.#failure === undefined && this.#waiting < this.#maxWaiting; ) {
      gave = false;
      // in turns, so that the first worker does not take what the others could do
      for (let worker = 0; worker < this.#running.length; worker++) {
        if ((this.#running[worker] as number) >= this.#tasksPerWorker) continue;
        const work = this.#next(worker);
        if (work === undefined) continue;
        gave = true;
        this.#running[worker]! += 1;
        void this.#work(worker, work);
      }
    }
  }

  #next(worker: number): Beginning | undefined {
    const ready = this.#ready.shift();
    if (ready !== undefined) return { level: ready.level, block: ready.block, growing: ready };
    const own = this.#open[worker]?.shift();
    if (own !== undefined) return own;
    // no own blocks remain: it takes blocks of the worker that has most, from the other end
    const busiest = this.#open.reduce((most, each) => (each.length > most.length ? each : most));
    return busiest.pop();
  }

  async #work(worker: number, work: Beginning): Promise<void> {
    try {
      if ("part" in work) await this.#read(work);
      else {
        const coarser = this.#overviews.coarser(work.level, work.block);
        const encoded = await this.#encode(this.#taskOf(work, coarser), worker, this.#stop.signal);
        if (this.#failure === undefined) this.#take(work, coarser, encoded);
      }
    } catch (error) {
      this.#fail(error);
    }
    this.#running[worker]! -= 1;
    this.#feed();
    this.#settle();
  }

  async #read({ part, level, block, position, bytes, written }: PartPixels): Promise<void> {
    const growing = this.#overviews.grow(level, block);
    const pixels = new Uint8Array(bytes);
    await part.read(position, pixels);
    unpackLeft(this.#file.levels, this.#format, part.rows, growing, pixels);
    this.#ready.push(...this.#overviews.written([growing], written));
  }

  #taskOf({ level, block, growing }: Work, coarser: readonly GrowingBlock[]): BlockPixelsTask {
    const { width, height, blockWidth, blockHeight, blocksAcross } = this.#file.levels[level] as Level;
    const finer = this.#file.levels[level - 1];
    const x = (block % blocksAcross) * blockWidth;
    const y = Math.floor(block / blocksAcross) * blockHeight;
    return {
      format: this.#format,
      level,
      x,
      y,
      width: Math.min(blockWidth, width - x),
      height: Math.min(blockHeight, height - y),
      blockWidth,
      blockHeight,
      levelWidth: width,
      levelHeight: height,
      finerWidth: finer?.width ?? 0,
      finerHeight: finer?.height ?? 0,
      ...(growing === undefined ? {} : { pixels: growing.pixels, seams: growing.seams }),
      coarser: coarser.map(({ pixels }) => pixels),
      coarserSeams: coarser.flatMap(({ seams }) => seams),
    };
  }

  #take(work: Work, coarser: readonly GrowingBlock[], encoded: EncodedBlock): void {
    if (work.growing !== undefined) this.#overviews.release(work.growing);
    for (const grown of this.#overviews.written(coarser)) {
      const { blocksAcross, rows } = this.#file.levels[grown.level] as Level;
      const row = Math.floor(grown.block / blocksAcross);
      if (row >= rows.from && row < rows.to) this.#ready.push(grown);
      else this.#leave(grown);
    }
    this.#write(async () => {
      if (this.#failure === undefined) await this.#append(work, encoded);
      encoded.release?.();
      this.#remaining -= 1;
    });
  }

  /** Keeps what is there of a block that needs pixels of other parts. */
  #leave(grown: GrowingBlock): void {
    const { levels } = this.#file;
    const rows = levels.map((level) => level.rows);
    // pixels across edges of blocks are computed, so that a part has the same bytes each time it is made
    pixelsOf(this.#taskOf({ ...grown, growing: grown }, []));
    this.#write(async () => {
      const pixels = packLeft(levels, this.#format, rows, grown);
      if (this.#failure === undefined) await this.#file.leave(grown.level, grown.block, pixels);
      this.#overviews.release(grown);
    });
  }

  /** Writes to the file, after all else that waits to be written. */
  #write(job: () => Promise<void>): void {
    this.#waiting += 1;
    const write = async (): Promise<void> => {
      await job();
      this.#waiting -= 1;
      this.#feed();
      this.#settle();
    };
    this.#writing = this.#writing.then(write).catch((error: unknown) => this.#fail(error));
  }

  async #append(work: Work, { planes }: EncodedBlock): Promise<void> {
    const level = this.#file.levels[work.level] as Level;
    const { blocksAcross, blocksDown } = level;
    for (const [plane, bytes] of planes.entries()) {
      const number = plane * blocksAcross * blocksDown + work.block;
      if (bytes === undefined) this.#file.skip(level, number);
      else await this.#file.append(level, plane, number, bytes);
    }
  }
}

/** The blocks of level 0, shared among workers. */
function baseShares(file: BlockFile, workers: number, columnGroup: number | undefined): Work[][] {
  const base = file.levels[0] as Level;
  return Array.from({ length: workers }, (_, worker) => {
    // two columns make one of the first overview, four one of the second: cut between them, no pixels wait for the next group
    const unit = base.blocksAcross >= 8 * workers ? 4 : 2;
    const units = Math.ceil(base.blocksAcross / unit);
    const edge = (n: number): number => Math.min(base.blocksAcross, unit * Math.floor((n * units) / workers));
    const groups = columnGroups(base, edge(worker), edge(worker + 1), columnGroup ?? base.blocksAcross);
    return Array.from(groups, (block) => ({ level: 0, block }));
  });
}

/** The pixels that parts have left, shared among workers so that few blocks are made at a time: each before the coarser ones around it. */
function leftShares({ levels, parts }: BlockFile, workers: number): PartPixels[][] {
  const places = parts.flatMap((part) =>
    part.left.map((left) => {
      const { blocksAcross } = levels[left.level] as Level;
      // the last block of the full size that it covers
      const x = (((left.block % blocksAcross) + 1) << left.level) - 1;
      const y = ((Math.floor(left.block / blocksAcross) + 1) << left.level) - 1;
      return { x, y, work: { ...left, part } };
    }),
  );
  places.sort((a, b) => inQuadtree(a, b) || a.work.level - b.work.level);
  const each = Math.ceil(places.length / workers);
  return Array.from({ length: workers }, (_, n) => places.slice(n * each, (n + 1) * each).map(({ work }) => work));
}

/** Order of two places in a quadtree: that of the coordinate in which the higher bit differs. */
function inQuadtree(a: { x: number; y: number }, b: { x: number; y: number }): number {
  const x = a.x ^ b.x;
  const y = a.y ^ b.y;
  return x < y && x < (x ^ y) ? a.y - b.y : a.x - b.x;
}

/**
 * The blocks of some columns, group by group: one from top to bottom and the next one up again, every other row from right to left, so
 * that each block is beside the one before.
 */
function* columnGroups({ blocksAcross, rows }: Level, from: number, to: number, width: number): Iterable<number> {
  for (let left = from, down = true; left < to; left += width, down = !down) {
    const right = Math.min(to, left + width);
    for (let n = 0; n < rows.to - rows.from; n++) {
      const row = down ? rows.from + n : rows.to - 1 - n;
      for (let step = left; step < right; step++) {
        yield row * blocksAcross + (n % 2 === 0 ? step : left + right - 1 - step);
      }
    }
  }
}
