import { allocateSamples, type Samples } from "@swath/raster";
import type { Rows } from "./blocks/block.ts";
import type { PeakMemory } from "./blocks/peak-memory.ts";
import type { Level } from "./file/level.ts";
import { partBytes } from "./levels/rectangle.ts";
import type { Settings } from "./options.ts";

/** A promise that others settle. */
interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

function deferred<T>(): Deferred<T> {
  let settle: Omit<Deferred<T>, "promise"> | undefined;
  const promise = new Promise<T>((resolve, reject) => {
    settle = { resolve, reject };
  });
  return { promise, ...(settle as Omit<Deferred<T>, "promise">) };
}

/** One row of blocks that blocks are cut out of. */
interface BlockRow {
  readonly number: number;
  readonly rows: Rows;
  /** Blocks that have not been cut out yet. */
  missing: number;
  readonly done: Deferred<void>;
}

/** Collects rows to rows of blocks, and lends one of these at a time to the code that cuts blocks out of it. */
export class RowBuffer {
  readonly #level: Level;
  readonly #settings: Settings;
  readonly #memory: PeakMemory;
  /** Rows that do not fill a row of blocks yet, and their number. */
  #partial: Rows | undefined;
  #partialRows = 0;
  #received = 0;
  #next = 0;
  #current: BlockRow | undefined;
  readonly #waiting = new Map<number, Deferred<Rows>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(level: Level, settings: Settings, memory: PeakMemory) {
    this.#level = level;
    this.#settings = settings;
    this.#memory = memory;
  }

  /** Rows taken so far. */
  get received(): number {
    return this.#received;
  }

  /** Takes the next rows; resolves when their arrays are needed no more. */
  async add(rows: Rows, count: number): Promise<void> {
    const { width, height, blockHeight } = this.#level;
    for (let row = 0; row < count; ) {
      const wanted = Math.min(blockHeight, height - this.#next * blockHeight);
      if (this.#partialRows === 0 && count - row >= wanted) {
        this.#received += wanted;
        await this.#lend(sliceRows(rows, width, row, row + wanted));
        row += wanted;
        continue;
      }
      this.#partial ??= this.#allocate(Math.min(blockHeight, height));
      const taken = Math.min(wanted - this.#partialRows, count - row);
      copyRows(rows, row, this.#partial, this.#partialRows, taken, width);
      this.#partialRows += taken;
      this.#received += taken;
      row += taken;
      if (this.#partialRows === wanted) {
        this.#partialRows = 0;
        await this.#lend(sliceRows(this.#partial, width, 0, wanted));
      }
    }
  }

  /** The rows of a row of blocks, once they are there. @throws what `fail` is called with */
  async blockRow(number: number): Promise<Rows> {
    if (this.#failure !== undefined) throw this.#failure.error;
    if (this.#current?.number === number) return this.#current.rows;
    let waiting = this.#waiting.get(number);
    if (waiting === undefined) {
      waiting = deferred<Rows>();
      waiting.promise.catch(() => {}); // reported by those who wait
      this.#waiting.set(number, waiting);
    }
    return waiting.promise;
  }

  /** Counts a block that has been cut out of a row of blocks. */
  used(number: number): void {
    const current = this.#current;
    if (current?.number !== number) return;
    current.missing -= 1;
    if (current.missing === 0) current.done.resolve();
  }

  /** Ends all waiting. */
  fail(error: unknown): void {
    this.#failure ??= { error };
    this.#current?.done.reject(error);
    for (const { reject } of this.#waiting.values()) reject(error);
  }

  async #lend(rows: Rows): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    const number = this.#next++;
    const done = deferred<void>();
    this.#current = { number, rows, missing: this.#level.blocksAcross, done };
    this.#waiting.get(number)?.resolve(rows);
    this.#waiting.delete(number);
    await done.promise;
    this.#current = undefined;
  }

  #allocate(rows: number): Rows {
    const { sampleType, bandCount } = this.#settings;
    const length = this.#level.width * rows;
    this.#memory.hold(partBytes(sampleType, bandCount, this.#level.width, rows));
    return {
      bands: Array.from({ length: bandCount }, () => allocateSamples(sampleType, length)),
      valid: new Uint8Array(length),
    };
  }
}

function sliceRows(rows: Rows, width: number, from: number, to: number): Rows {
  return {
    bands: rows.bands.map((band) => band.subarray(from * width, to * width)),
    valid: rows.valid.subarray(from * width, to * width),
  };
}

function copyRows(from: Rows, fromRow: number, to: Rows, toRow: number, count: number, width: number): void {
  const start = fromRow * width;
  const end = (fromRow + count) * width;
  for (const [i, band] of from.bands.entries()) (to.bands[i] as Samples).set(band.subarray(start, end), toRow * width);
  to.valid.set(from.valid.subarray(start, end), toRow * width);
}
