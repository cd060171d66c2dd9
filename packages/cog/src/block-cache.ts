import type { Samples } from "@swath/raster";
import type { DecodedRows } from "./decode.ts";
import { InFlight } from "./in-flight.ts";

/** A decoded block, or its first rows, with what more can be decoded from without a read. */
export type CachedBlock = DecodedRows;

/** How much a cache of decoded blocks may hold. */
export interface BlockCacheOptions {
  /** Bytes that blocks may hold, decoded and compressed. */
  readonly maxBytes: number;
}

/** How a cache was used since it was made. */
export interface CacheUse {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/**
 * Decoded blocks under one byte budget, the least recently used leave first. Loads in flight are shared between
 * callers; failures are forgotten. One cache serves any number of files.
 */
export class BlockCache {
  readonly maxBytes: number;
  readonly #blocks = new Map<string, CachedBlock>();
  readonly #loads = new InFlight<CachedBlock>();
  #bytes = 0;
  #hits = 0;
  #misses = 0;
  readonly #memory: BlockMemory;

  constructor(options: BlockCacheOptions) {
    this.maxBytes = options.maxBytes;
    this.#memory = new BlockMemory(options.maxBytes / 4);
  }

  /** Memory for a block that is going to be kept, which may hold anything. */
  allocate(length: number): Uint8Array {
    return length > this.maxBytes ? new Uint8Array(length) : this.#memory.take(length);
  }

  get use(): CacheUse {
    return { entries: this.#blocks.size, bytes: this.#bytes, hits: this.#hits, misses: this.#misses };
  }

  /** The block if it is held, with however many rows. */
  get(key: string): CachedBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) {
      this.#misses++;
      return undefined;
    }
    this.#hits++;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    return block;
  }

  /** Is a load of this block running? */
  loading(key: string): boolean {
    return this.#loads.has(key);
  }

  /** Joins or starts a load; what it gives is kept unless more rows are held already. */
  load(key: string, load: (signal: AbortSignal) => Promise<CachedBlock>, signal?: AbortSignal): Promise<CachedBlock> {
    return this.#loads.share(
      key,
      async (shared) => {
        const block = await load(shared);
        this.#keep(key, block);
        return block;
      },
      signal,
    );
  }

  clear(): void {
    for (const [key, block] of this.#blocks) this.#drop(key, block);
  }

  #keep(key: string, block: CachedBlock): void {
    const held = this.#blocks.get(key);
    if (held !== undefined) {
      if (held.rows >= block.rows) return;
      this.#drop(key, held);
    }
    // it may go on in memory of the one before
    this.#memory.keep(block.samples);
    const size = sizeOf(block);
    if (size > this.maxBytes) return;
    this.#blocks.set(key, block);
    this.#bytes += size;
    for (const [oldest, entry] of this.#blocks) {
      if (this.#bytes <= this.maxBytes) break;
      this.#drop(oldest, entry);
    }
  }

  #drop(key: string, block: CachedBlock): void {
    this.#blocks.delete(key);
    this.#bytes -= sizeOf(block);
    this.#memory.giveBack(block.samples);
  }
}

/** Buffers come in multiples of this. */
const STEP = 65_536;

/**
 * Memory that blocks leave behind, for the next ones. It is shared memory where there is such: the engine takes other memory
 * outside its heap for a reason to collect its garbage, of which decoded blocks make none.
 */
class BlockMemory {
  readonly #maxBytes: number;
  readonly #kept = new Map<number, ArrayBufferLike[]>();
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #keptBytes = 0;
  /** Left by blocks that those who have just got them may still be copying from. */
  #leaving: ArrayBufferLike[] = [];

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  take(length: number): Uint8Array {
    const size = Math.ceil(length / STEP) * STEP;
    let buffer = this.#kept.get(size)?.pop();
    if (buffer !== undefined) this.#keptBytes -= size;
    else buffer = typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, length);
  }

  giveBack({ buffer }: Samples): void {
    if (!this.#lent.delete(buffer)) return;
    if (this.#leaving.length === 0) setTimeout(() => this.#take(), 0);
    this.#leaving.push(buffer);
  }

  /** Memory that is on its way back is needed on. */
  keep({ buffer }: Samples): void {
    const at = this.#leaving.indexOf(buffer);
    if (at < 0) return;
    this.#leaving.splice(at, 1);
    this.#lent.add(buffer);
  }

  #take(): void {
    for (const buffer of this.#leaving) {
      if (this.#keptBytes + buffer.byteLength > this.#maxBytes) continue;
      const alike = this.#kept.get(buffer.byteLength);
      if (alike === undefined) this.#kept.set(buffer.byteLength, [buffer]);
      else alike.push(buffer);
      this.#keptBytes += buffer.byteLength;
    }
    this.#leaving = [];
  }
}

/** Bytes of an entry, with a little for the entry itself. */
function sizeOf({ samples, rest }: CachedBlock): number {
  const kept =
    rest === undefined
      ? 0
      : rest instanceof Uint8Array
        ? rest.length
        : rest.rest.length + rest.window.length + rest.state.length;
  return samples.buffer.byteLength + kept + 256;
}
