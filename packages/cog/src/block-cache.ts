import type { Samples } from "@swath/raster";
import { InFlight } from "./in-flight.ts";

/** A decoded block, or its first rows. */
export interface CachedBlock {
  readonly samples: Samples;
  readonly rows: number;
  /** The compressed bytes, kept while rows are missing so that more can be decoded without a read. */
  readonly bytes?: Uint8Array | undefined;
}

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

  constructor(options: BlockCacheOptions) {
    this.maxBytes = options.maxBytes;
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
    this.#blocks.clear();
    this.#bytes = 0;
  }

  #keep(key: string, block: CachedBlock): void {
    const held = this.#blocks.get(key);
    if (held !== undefined) {
      if (held.rows >= block.rows) return;
      this.#blocks.delete(key);
      this.#bytes -= sizeOf(held);
    }
    const size = sizeOf(block);
    if (size > this.maxBytes) return;
    this.#blocks.set(key, block);
    this.#bytes += size;
    for (const [oldest, entry] of this.#blocks) {
      if (this.#bytes <= this.maxBytes) break;
      this.#blocks.delete(oldest);
      this.#bytes -= sizeOf(entry);
    }
  }
}

/** Bytes of an entry, with a little for the entry itself. */
function sizeOf(block: CachedBlock): number {
  return block.samples.byteLength + (block.bytes?.byteLength ?? 0) + 256;
}
