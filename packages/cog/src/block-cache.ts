import { BlockMemory } from "./block-memory.ts";
import type { DecodedRows } from "./decode.ts";
import { InFlight } from "./in-flight.ts";

/** A decoded block, or its first rows, with what more can be decoded from without a read. */
export type CachedBlock = DecodedRows;

/** How much a cache of decoded blocks may hold. */
export interface BlockCacheOptions {
  /** Bytes that blocks may hold, decoded and compressed, and what they leave for the next ones. */
  readonly maxBytes: number;
}

/** How a cache was used since it was made. */
export interface CacheUse {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/** The part of the bytes that is memory for the next blocks, and for bytes that are being decoded. */
const SPARE = 1 / 4;
/** The part of the blocks that may be of areas that are read once from end to end: the others will be asked for again. */
const PASSING = 1 / 2;

/**
 * Decoded blocks under one byte budget, the least recently used leave first. Loads in flight are shared between
 * callers; failures are forgotten. One cache serves any number of files.
 */
export class BlockCache {
  readonly maxBytes: number;
  readonly #maxBlocks: number;
  readonly #memory: BlockMemory;
  readonly #blocks = new Map<string, CachedBlock>();
  /** Bytes of those that were loaded for areas, by their keys. */
  readonly #passing = new Map<string, number>();
  #passingBytes = 0;
  readonly #loads = new InFlight<CachedBlock>();
  /** Loads and readers of a block under way, and the memory that waits for their end. */
  readonly #users = new Map<string, { count: number; readonly left: ArrayBufferView<ArrayBufferLike>[] }>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;

  constructor({ maxBytes }: BlockCacheOptions) {
    this.maxBytes = maxBytes;
    this.#maxBlocks = maxBytes * (1 - SPARE);
    this.#memory = new BlockMemory(maxBytes);
  }

  /** @internal Memory for a block that is going to be kept, or for bytes that are given back soon; it may hold anything. */
  allocate(length: number): Uint8Array {
    return length > this.#maxBlocks ? new Uint8Array(length) : this.#memory.take(length);
  }

  /** @internal Takes back memory of `allocate` that nobody reads any more. */
  giveBack(bytes: Uint8Array): void {
    this.#memory.giveBack(bytes);
  }

  get use(): CacheUse {
    return { entries: this.#blocks.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /** The block if it is held, with however many rows. It is to be read at once: later its memory may be another's. */
  get(key: string): CachedBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    const passing = this.#passing.get(key);
    if (passing !== undefined) {
      this.#passing.delete(key);
      this.#passing.set(key, passing);
    }
    return block;
  }

  /** Is a load of this block running? */
  loading(key: string): boolean {
    return this.#loads.has(key);
  }

  /**
   * Joins or starts a load; what it gives is kept unless more rows are held already. Until the promise settles nothing else
   * is written to the memory of the block that `read` gets.
   *
   * @param passing the block is of an area that is read from end to end: such ones take half of the room at most
   */
  async load<T>(
    key: string,
    load: (signal: AbortSignal) => Promise<CachedBlock>,
    read: (block: CachedBlock) => T | Promise<T>,
    { signal, passing = false }: { readonly signal?: AbortSignal; readonly passing?: boolean } = {},
  ): Promise<T> {
    this.#hold(key);
    try {
      const loaded = this.#loads.share(
        key,
        async (shared) => {
          this.#hold(key);
          try {
            const block = await load(shared);
            this.#keep(key, block, passing);
            return block;
          } finally {
            this.#release(key);
          }
        },
        signal,
      );
      return await read(await loaded);
    } finally {
      this.#release(key);
    }
  }

  clear(): void {
    for (const [key, block] of this.#blocks) this.#drop(key, block);
  }

  #hold(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) this.#users.set(key, { count: 1, left: [] });
    else users.count += 1;
  }

  #release(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) return;
    users.count -= 1;
    if (users.count > 0) return;
    this.#users.delete(key);
    for (const memory of users.left) this.#memory.giveBack(memory);
  }

  #keep(key: string, block: CachedBlock, passing: boolean): void {
    const held = this.#blocks.get(key);
    if (held !== undefined && held.rows >= block.rows) return;
    if (held !== undefined) this.#drop(key, held);
    // it may go on in memory of the one before
    const left = this.#users.get(key)?.left ?? [];
    const again = left.findIndex(({ buffer }) => buffer === block.samples.buffer);
    if (again >= 0) left.splice(again, 1);
    const size = sizeOf(block);
    if (size > this.#maxBlocks) return;
    this.#blocks.set(key, block);
    this.#bytes += size;
    if (passing) {
      this.#passing.set(key, size);
      this.#passingBytes += size;
    }
    for (const oldest of this.#passing.keys()) {
      if (this.#passingBytes <= this.#maxBlocks * PASSING) break;
      this.#drop(oldest, this.#blocks.get(oldest) as CachedBlock);
    }
    for (const [oldest, entry] of this.#blocks) {
      if (this.#bytes <= this.#maxBlocks) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, block: CachedBlock): void {
    this.#blocks.delete(key);
    this.#bytes -= sizeOf(block);
    this.#passingBytes -= this.#passing.get(key) ?? 0;
    this.#passing.delete(key);
    const { samples, rest } = block;
    const memory = [samples, ...(rest === undefined ? [] : [rest instanceof Uint8Array ? rest : rest.rest])];
    const users = this.#users.get(key);
    if (users !== undefined) users.left.push(...memory);
    else for (const each of memory) this.#memory.giveBack(each);
  }
}

/** Bytes of an entry, with a little for the entry itself. */
function sizeOf({ samples, rest }: CachedBlock): number {
  const kept =
    rest === undefined
      ? 0
      : rest instanceof Uint8Array
        ? rest.buffer.byteLength
        : rest.rest.buffer.byteLength + rest.window.length + rest.state.length;
  return samples.buffer.byteLength + kept + 256;
}
