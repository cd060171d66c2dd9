import { bytesPerSample, type Samples, type SampleType, sampleTypeOf, viewSamples } from "@swath/raster";
import { BlockCache } from "./block-cache.ts";
import { BlockMemory } from "./block-memory.ts";
import { type BlockStore, type CachedBlock, SPARE } from "./block-store.ts";
import { BYTES, CLAIM, MAX_THREADS, ROWS, type SharedBlocks, Table, TURN, TYPE } from "./shared-table.ts";

const TYPES: readonly SampleType[] = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"];
/** A thread that waits for the block of another thread checks again after this time, milliseconds. */
const LOOK_AGAIN_MS = 1000;

/**
 * The cache of one thread over the memory that all threads share. `thread` is a number from 0 to 255 that no other thread has.
 * The program that started the thread calls `detachSharedBlocks` with this number when the thread has ended.
 *
 * @throws {RangeError} when `thread` is out of range
 */
export function attachSharedBlocks(shared: SharedBlocks, thread: number): BlockCache {
  if (!Number.isInteger(thread) || thread < 0 || thread >= MAX_THREADS) {
    throw new RangeError(`Expected a thread from 0 to ${MAX_THREADS - 1}, got ${thread}.`);
  }
  const memory = new BlockMemory((shared.maxBytes * SPARE) / shared.threads);
  return new BlockCache(shared, memory, new ThreadView(shared, thread));
}

/** Releases the claims and holds of a thread that has ended, in whatever way. Then another thread may have its number. */
export async function detachSharedBlocks(shared: SharedBlocks, thread: number): Promise<void> {
  await new Table(shared, thread).forget();
}

/** Blocks that the threads of a process decode for each other. */
class ThreadView implements BlockStore {
  readonly #table: Table;
  readonly #me: number;
  /** Entries that this thread holds, how often, and where they are; 0: the table was full. */
  readonly #held = new Map<string, { count: number; readonly at: number }>();

  constructor(shared: SharedBlocks, thread: number) {
    this.#table = new Table(shared, thread);
    this.#me = thread;
  }

  get use(): { readonly entries: number; readonly bytes: number } {
    return this.#table.locked(() => this.#table.use);
  }

  find(key: string): CachedBlock | undefined {
    const table = this.#table;
    const at = this.#at(key);
    if (at === 0) return undefined;
    return table.locked(() => {
      const rows = table.words[at + ROWS]!;
      if (rows === 0) return undefined;
      table.touch(at);
      const { buffer, byteOffset, byteLength } = table.view(at);
      const type = TYPES[table.words[at + TYPE]!]!;
      return { samples: viewSamples(type, buffer, byteLength / bytesPerSample(type), byteOffset), rows };
    });
  }

  hold(key: string): void {
    const held = this.#held.get(key);
    if (held !== undefined) {
      held.count += 1;
      return;
    }
    const table = this.#table;
    const at = table.locked(() => {
      const entry = table.find(key) || table.add(key);
      if (entry !== 0) table.hold(entry);
      return entry;
    });
    this.#held.set(key, { count: 1, at });
  }

  release(key: string): void {
    const held = this.#held.get(key);
    if (held === undefined) return;
    held.count -= 1;
    if (held.count > 0) return;
    this.#held.delete(key);
    if (held.at !== 0) this.#table.locked(() => this.#table.release(held.at));
  }

  isLoadingElsewhere(key: string): boolean {
    const table = this.#table;
    const claim = table.locked(() => {
      const at = this.#at(key) || table.find(key);
      return at === 0 ? 0 : table.words[at + CLAIM]!;
    });
    return claim !== 0 && claim !== this.#me + 1;
  }

  claim(key: string, sequential: boolean, signal: AbortSignal): true | Promise<void> {
    const table = this.#table;
    const { words } = table;
    const at = this.#at(key);
    if (at === 0) return true;
    const turn = table.locked(() => {
      if (words[at + CLAIM] !== 0) return words[at + TURN]!;
      words[at + CLAIM] = this.#me + 1;
      table.setSequential(at, sequential);
      return undefined;
    });
    if (turn === undefined) return true;
    const { value } = Atomics.waitAsync(words, at + TURN, turn, LOOK_AGAIN_MS);
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        resolve();
      };
      // keeps the process alive while it waits
      const timer = setTimeout(end, LOOK_AGAIN_MS);
      signal.addEventListener("abort", end, { once: true });
      void Promise.resolve(value).then(end);
    });
  }

  unclaim(key: string): void {
    const at = this.#at(key);
    if (at !== 0) this.#table.locked(() => this.#table.unclaim(at));
  }

  allocateFor(key: string, length: number): Uint8Array {
    const table = this.#table;
    const at = this.#at(key);
    const isThere = at !== 0 && table.locked(() => table.provide(at, length));
    return isThere ? table.view(at) : new Uint8Array(length);
  }

  keep(key: string, block: CachedBlock): void {
    const at = this.#at(key);
    if (at === 0) return;
    const table = this.#table;
    const { words } = table;
    const { samples, rows } = block;
    if (words[at + ROWS]! >= rows || !this.#store(at, samples)) return;
    table.locked(() => {
      words[at + TYPE] = TYPES.indexOf(sampleTypeOf(samples));
      words[at + ROWS] = rows;
      table.touch(at);
    });
  }

  clear(): void {
    this.#table.locked(() => this.#table.clear());
  }

  #at(key: string): number {
    return this.#held.get(key)?.at ?? 0;
  }

  /** Copies samples into the memory of an entry, unless they are there; false: no memory, or another thread reads it. */
  #store(at: number, { buffer, byteOffset, byteLength }: Samples): boolean {
    const table = this.#table;
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const isThere = (view: Uint8Array): boolean => view.buffer === buffer && view.byteOffset === byteOffset;
    if (table.words[at + BYTES]! > 0 && isThere(table.view(at))) return true;
    const isPlaced = table.locked(() => !table.isHeldByOthers(at) && table.provide(at, byteLength));
    if (isPlaced) table.view(at).set(bytes);
    return isPlaced;
  }
}
