import { InFlight } from "@swath/http";
import { BlockMemory } from "./block-memory.ts";
import type { BlockStore, CachedBlock } from "./block-store.ts";
import { ThreadBlocks } from "./thread-blocks.ts";

/** Limits of a cache of decoded blocks. */
export interface BlockCacheOptions {
  /** Bytes that decoded blocks may hold, and free memory for the next ones and for bytes that are being decoded. */
  readonly maxBytes: number;
}

/** The use of a cache since it was made. */
export interface CacheUse {
  readonly entries: number;
  readonly bytes: number;
  readonly hits: number;
  readonly misses: number;
}

/**
 * Decoded blocks under one byte budget, the least recently used are evicted first. Loads in flight are shared between
 * callers; failures are forgotten. One cache serves any number of files; for several threads see `attachSharedBlocks`.
 */
export class BlockCache {
  readonly maxBytes: number;
  readonly #memory: BlockMemory;
  readonly #store: BlockStore;
  readonly #loads = new InFlight<CachedBlock>();
  #hits = 0;
  #misses = 0;

  /** @internal Where blocks and compressed bytes are stored is not for callers to decide. */
  constructor(
    { maxBytes }: BlockCacheOptions,
    memory = new BlockMemory(maxBytes),
    store: BlockStore = new ThreadBlocks(maxBytes, memory),
  ) {
    this.maxBytes = maxBytes;
    this.#memory = memory;
    this.#store = store;
  }

  get use(): CacheUse {
    return { ...this.#store.use, hits: this.#hits, misses: this.#misses };
  }

  /** @internal Memory for bytes that are freed soon; it may hold anything. */
  allocate(length: number): Uint8Array {
    return this.#memory.take(length);
  }

  /** @internal Frees memory of `allocate` that is not read any more. */
  free(bytes: Uint8Array): void {
    this.#memory.free(bytes);
  }

  /** @internal Memory for a block that is being loaded; it may hold anything. */
  allocateFor(key: string, length: number): Uint8Array {
    return this.#store.allocateFor(key, length);
  }

  /** Gives the block to `use` if it is held, with however many rows; its samples are its own until `use` returns. */
  read<T>(key: string, use: (block: CachedBlock) => T): T | undefined {
    this.#store.hold(key);
    try {
      const block = this.#store.find(key);
      if (block === undefined) {
        this.#misses++;
        return undefined;
      }
      this.#hits++;
      return use(block);
    } finally {
      this.#store.release(key);
    }
  }

  /** Is a load of this block running? */
  isLoading(key: string): boolean {
    return this.#loads.has(key) || this.#store.isLoadingElsewhere(key);
  }

  /**
   * Joins or starts a load; what it gives is kept unless more rows are held already. Until the promise settles nothing else
   * is written to the memory of the block that `read` gets.
   *
   * @param load gets what is held of the block, which another thread may have loaded meanwhile
   * @param sequential the block is part of an extraction that reads the file once: such blocks take half of the cache at most
   */
  async load<T>(
    key: string,
    load: (signal: AbortSignal, held: CachedBlock | undefined) => Promise<CachedBlock>,
    read: (block: CachedBlock) => T | Promise<T>,
    { signal, sequential = false }: { readonly signal?: AbortSignal; readonly sequential?: boolean } = {},
  ): Promise<T> {
    const store = this.#store;
    store.hold(key);
    try {
      const loaded = this.#loads.share(
        key,
        async (shared) => {
          store.hold(key);
          try {
            for (;;) {
              const claimed = store.claim(key, sequential, shared);
              if (claimed === true) break;
              await claimed;
              shared.throwIfAborted();
            }
            try {
              const block = await load(shared, store.find(key));
              store.keep(key, block, sequential);
              return block;
            } finally {
              store.unclaim(key);
            }
          } finally {
            store.release(key);
          }
        },
        signal,
      );
      return await read(await loaded);
    } finally {
      store.release(key);
    }
  }

  clear(): void {
    this.#store.clear();
  }
}
