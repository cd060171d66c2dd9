import { BlockFile, type BlockFileOptions } from "./block-file.ts";
import { type BlockFormat, type BlockOrder, type BlockPixels, blockPixelBytes, blockRoom } from "./block-order.ts";
import { giveBackMemory, takeMemory } from "./block-rooms.ts";
import { geoFields } from "./geo-fields.ts";
import type { Level } from "./level.ts";
import { type GeoTiffOptions, type GeoTiffShape, resolveSettings } from "./options.ts";
import type { Sink } from "./spool.ts";

/** How a file is written whose blocks are made elsewhere. They are deflated as `deflateRuns` does, bands by pixel. */
export interface BlockwiseOptions
  extends BlockFileOptions,
    Pick<GeoTiffOptions, "blockSize" | "predictor" | "nodata" | "overviewResampling" | "bigTiff"> {
  /** What the file says about itself; asked once all blocks are made, when it is known what they were made of. */
  readonly describe?: () => Pick<GeoTiffOptions, "bands" | "metadata">;
  /** Workers that make blocks, such as threads. Each gets columns of its own as long as it has such. Default 1. */
  readonly lanes?: number;
  /**
   * Columns of blocks that a worker goes down at a time, a multiple of 4: what it has read for a row should still be at hand for
   * the next one. Default: all of its columns.
   */
  readonly stripe?: number;
  /** Orders that a worker has at once: while one waits for its pixels others are compressed. Default 1. */
  readonly perLane?: number;
}

/**
 * Makes the block of an order, and resolves with what `makeBlock` returns of it.
 *
 * @param lane number of the worker, from 0
 * @param signal aborted when nobody wants the file any more
 */
export type BlockMaker = (order: BlockOrder, lane: number, signal: AbortSignal) => Promise<number>;

/** What was written. */
export interface BlockwiseSummary {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bigTiff: boolean;
}

/**
 * Writes a Cloud-Optimized GeoTIFF of any size from blocks that others make, in threads for instance, in any order: each
 * compresses its pixels and leaves them, at half the size, in memory that the order brings. Memory does not grow with the
 * size of the image: each worker goes down a few columns of blocks at a time.
 *
 * @throws {EncodeError} `invalid-option`, `invalid-raster` or `unsupported-crs`, before anything is written.
 * @throws what `make` rejects with, or the reason of `signal`; then nothing is left, and the sink is aborted.
 * @example
 * // here in the thread that asks; elsewhere, send the order there and answer with what `makeBlock` returns
 * await writeGeoTiffByBlocks(shape, sink, { nodata: 0 }, async (order) =>
 *   makeBlock(order, order.level === 0 ? await pixelsOf(order.x, order.y, order.width, order.height) : undefined),
 * );
 */
export async function writeGeoTiffByBlocks(
  shape: GeoTiffShape,
  sink: Sink,
  options: BlockwiseOptions,
  make: BlockMaker,
): Promise<BlockwiseSummary> {
  const settings = resolveSettings(shape, options);
  geoFields(settings.grid); // a CRS without GeoKeys is refused now, not after an hour
  options.signal?.throwIfAborted();
  const file = await BlockFile.open(settings, sink, options);
  try {
    await new Blockwise(file, settings, options, make).run();
    options.signal?.throwIfAborted();
    return await file.finish(resolveSettings(shape, { ...options, ...options.describe?.() }));
  } finally {
    await file.abort();
  }
}

/** A level on its way into the file. */
interface Queue {
  readonly level: Level;
  readonly index: number;
  /** Blocks whose pixels are on their way, by their number. */
  readonly growing: Map<number, Growing>;
}

/** Pixels of a block that still miss those of some blocks below. */
interface Growing {
  readonly pixels: BlockPixels;
  missing: number;
}

/** Made blocks that may wait for the spool before no more are ordered; fewer where fewer are made at a time. */
const MAX_WRITING = 4;

class Blockwise {
  readonly #file: BlockFile;
  readonly #format: BlockFormat;
  readonly #make: BlockMaker;
  readonly #queues: readonly Queue[];
  readonly #perLane: number;
  readonly #maxWaiting: number;
  readonly #running: number[];
  /** Blocks of the full size that nobody has got yet, of each lane in the order it makes them. */
  readonly #open: number[][];
  /** Blocks of overviews that have all their pixels. */
  readonly #ready: { readonly queue: Queue; readonly block: number; readonly pixels: BlockPixels }[] = [];
  readonly #outer: AbortSignal | undefined;
  readonly #stop = new AbortController();
  #writing: Promise<void> = Promise.resolve();
  #waiting = 0;
  #left: number;
  #done: (() => void) | undefined;
  #failure: { readonly error: unknown } | undefined;

  constructor(file: BlockFile, format: BlockFormat, options: BlockwiseOptions, make: BlockMaker) {
    const { sampleType, bandCount, predictor, nodata, overviewResampling } = format;
    const lanes = Math.max(1, options.lanes ?? 1);
    this.#file = file;
    this.#format = { sampleType, bandCount, predictor, nodata, overviewResampling };
    this.#make = make;
    this.#queues = file.levels.map((level, index) => ({ level, index, growing: new Map() }));
    this.#perLane = Math.max(1, options.perLane ?? 1);
    this.#maxWaiting = Math.min(MAX_WRITING, lanes * this.#perLane + 1);
    this.#running = new Array<number>(lanes).fill(0);
    const base = file.levels[0] as Level;
    this.#open = Array.from({ length: lanes }, (_, lane) => {
      // two columns make one of the first overview, four one of the second: cut between them, no pixels wait for the next stripe
      const unit = base.blocksAcross >= 8 * lanes ? 4 : 2;
      const units = Math.ceil(base.blocksAcross / unit);
      const edge = (n: number): number => Math.min(base.blocksAcross, unit * Math.floor((n * units) / lanes));
      return [...stripes(base, edge(lane), edge(lane + 1), options.stripe ?? base.blocksAcross)];
    });
    this.#left = file.levels.reduce((sum, { blocksAcross, blocksDown }) => sum + blocksAcross * blocksDown, 0);
    this.#outer = options.signal;
  }

  /** Resolves when all blocks are in the file; rejects when nothing is under way any more. */
  async run(): Promise<void> {
    const leave = (): void => this.#fail(this.#outer?.reason);
    this.#outer?.addEventListener("abort", leave, { once: true });
    try {
      await new Promise<void>((resolve) => {
        this.#done = resolve;
        this.#feed();
      });
      await this.#writing;
      if (this.#failure !== undefined) throw this.#failure.error;
    } finally {
      this.#outer?.removeEventListener("abort", leave);
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
    if (!busy && (this.#failure !== undefined || this.#left === 0)) this.#done?.();
  }

  /** Gives every lane what it may do. */
  #feed(): void {
    for (let gave = true; gave && this.#failure === undefined && this.#waiting < this.#maxWaiting; ) {
      gave = false;
      // in turns, so that the first lane does not take what the others could do
      for (let lane = 0; lane < this.#running.length; lane++) {
        if ((this.#running[lane] as number) >= this.#perLane) continue;
        const work = this.#next(lane);
        if (work === undefined) continue;
        gave = true;
        this.#running[lane]! += 1;
        void this.#work(lane, work.queue, work.block, work.pixels);
      }
    }
  }

  #next(lane: number): { queue: Queue; block: number; pixels?: BlockPixels } | undefined {
    const ready = this.#ready.shift();
    if (ready !== undefined) return ready;
    const queue = this.#queues[0] as Queue;
    const own = this.#open[lane]?.shift();
    if (own !== undefined) return { queue, block: own };
    // nothing of its own to do: it helps the one that has most, from the other end
    const busiest = this.#open.reduce((most, each) => (each.length > most.length ? each : most));
    const block = busiest.pop();
    return block === undefined ? undefined : { queue, block };
  }

  async #work(lane: number, queue: Queue, block: number, pixels: BlockPixels | undefined): Promise<void> {
    try {
      const order = this.#orderOf(queue, block, pixels);
      const length = await this.#make(order, lane, this.#stop.signal);
      this.#running[lane]! -= 1;
      if (this.#failure === undefined) this.#take(queue, block, order, length);
    } catch (error) {
      this.#running[lane]! -= 1;
      this.#fail(error);
    }
    this.#feed();
    this.#settle();
  }

  #orderOf({ level, index }: Queue, block: number, pixels: BlockPixels | undefined): BlockOrder {
    const { blockWidth, blockHeight, blocksAcross } = level;
    const x = (block % blocksAcross) * blockWidth;
    const y = Math.floor(block / blocksAcross) * blockHeight;
    const above = this.#above(index, x, y);
    return {
      format: this.#format,
      level: index,
      x,
      y,
      width: Math.min(blockWidth, level.width - x),
      height: Math.min(blockHeight, level.height - y),
      blockWidth,
      blockHeight,
      room: takeMemory(blockRoom(this.#format, blockWidth, blockHeight)),
      ...(pixels === undefined ? {} : { pixels }),
      ...(above === undefined ? {} : { half: above.place }),
    };
  }

  /** The block of the next level that holds these pixels at half the size, and where. */
  #above(index: number, x: number, y: number) {
    const queue = this.#queues[index + 1];
    if (queue === undefined) return undefined;
    const { width, height, blockWidth, blockHeight, blocksAcross } = queue.level;
    const column = Math.floor(x / 2 / blockWidth);
    const row = Math.floor(y / 2 / blockHeight);
    const block = row * blocksAcross + column;
    const left = column * blockWidth;
    const top = row * blockHeight;
    let growing = queue.growing.get(block);
    if (growing === undefined) {
      const columns = Math.min(blockWidth, width - left);
      const rows = Math.min(blockHeight, height - top);
      const below = (this.#queues[index] as Queue).level;
      growing = {
        pixels: this.#pixels(columns, rows),
        missing: Math.ceil((2 * columns) / below.blockWidth) * Math.ceil((2 * rows) / below.blockHeight),
      };
      queue.growing.set(block, growing);
    }
    return { queue, block, growing, place: { pixels: growing.pixels, x: x / 2 - left, y: y / 2 - top } };
  }

  #pixels(width: number, height: number): BlockPixels {
    return { memory: takeMemory(blockPixelBytes(this.#format, width, height)), width, height };
  }

  #take(queue: Queue, block: number, order: BlockOrder, length: number): void {
    if (order.pixels !== undefined) giveBackMemory(order.pixels.memory);
    const above = this.#above(queue.index, order.x, order.y);
    if (above !== undefined) {
      above.growing.missing -= 1;
      if (above.growing.missing === 0) {
        above.queue.growing.delete(above.block);
        this.#ready.push({ queue: above.queue, block: above.block, pixels: above.growing.pixels });
      }
    }
    this.#waiting += 1;
    const write = async (): Promise<void> => {
      if (this.#failure === undefined) {
        await this.#file.append(queue.level, 0, block, new Uint8Array(order.room, 0, length));
      }
      giveBackMemory(order.room);
      this.#waiting -= 1;
      this.#left -= 1;
      this.#feed();
      this.#settle();
    };
    this.#writing = this.#writing.then(write).catch((error: unknown) => this.#fail(error));
  }
}

/**
 * The blocks of some columns: stripe by stripe, one from top to bottom and the next one up again, their rows there and back
 * like a plough.
 */
function* stripes({ blocksAcross, blocksDown }: Level, from: number, to: number, width: number): Iterable<number> {
  for (let left = from, down = true; left < to; left += width, down = !down) {
    const right = Math.min(to, left + width);
    for (let n = 0; n < blocksDown; n++) {
      const row = down ? n : blocksDown - 1 - n;
      for (let step = left; step < right; step++) {
        yield row * blocksAcross + (n % 2 === 0 ? step : left + right - 1 - step);
      }
    }
  }
}
