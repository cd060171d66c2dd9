import type { Samples } from "@swath/raster";

/** A decoded block, or its first rows. */
export interface CachedBlock {
  readonly samples: Samples;
  /** Fewer than the block has: only these were read of it, and nothing was compared with its checksum. */
  readonly rows: number;
}

/** The part of a cache's bytes that is memory for the next blocks, and for bytes that are being decoded. */
export const SPARE = 1 / 4;
/** The largest share of blocks of extractions, which read a file once: other blocks are more likely to be read again. */
export const SEQUENTIAL = 1 / 2;

/** Decoded blocks under one byte budget; the least recently used are evicted first. */
export interface BlockStore {
  /** Blocks held, and their bytes. */
  readonly use: { readonly entries: number; readonly bytes: number };
  /** The block if it is held, with however many rows. It is unchanged until its last `release`; without a hold it must be read at once. */
  find(key: string): CachedBlock | undefined;
  /** Until it is released as often, nothing else is written to the memory of this block. */
  hold(key: string): void;
  release(key: string): void;
  /** Does another thread work on this block? */
  isLoadingElsewhere(key: string): boolean;
  /**
   * The right to decode a block that is held. While another thread has it: a promise, after which to call again.
   * @param sequential the block is part of an extraction that reads the file once
   * @param signal ends the promise, which then may settle in either way
   */
  claim(key: string, sequential: boolean, signal: AbortSignal): true | Promise<void>;
  unclaim(key: string): void;
  /** Memory for a block that is claimed; it may hold anything. */
  allocateFor(key: string, length: number): Uint8Array;
  /** Keeps what was decoded of a block that is claimed, unless as many rows are held already; `sequential` as when it was claimed. */
  keep(key: string, block: CachedBlock, sequential: boolean): void;
  clear(): void;
}
