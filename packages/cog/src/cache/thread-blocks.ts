import type { BlockMemory } from "./block-memory.ts";
import { type BlockStore, type CachedBlock, SEQUENTIAL, SPARE } from "./block-store.ts";

/** Blocks that one thread decodes and reads. */
export class ThreadBlocks implements BlockStore {
  readonly #maxBlocks: number;
  readonly #memory: BlockMemory;
  readonly #blocks = new Map<string, CachedBlock>();
  /** Bytes of the blocks that were loaded for extractions, by key. */
  readonly #sequential = new Map<string, number>();
  #sequentialBytes = 0;
  /** Loads and readers of a block in progress, and the memory that is freed after them. */
  readonly #users = new Map<string, { count: number; readonly freed: ArrayBufferView<ArrayBufferLike>[] }>();
  #bytes = 0;

  constructor(maxBytes: number, memory: BlockMemory) {
    this.#maxBlocks = maxBytes * (1 - SPARE);
    this.#memory = memory;
  }

  get use(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#blocks.size, bytes: this.#bytes };
  }

  find(key: string): CachedBlock | undefined {
    const block = this.#blocks.get(key);
    if (block === undefined) return undefined;
    this.#blocks.delete(key);
    this.#blocks.set(key, block);
    const sequential = this.#sequential.get(key);
    if (sequential !== undefined) {
      this.#sequential.delete(key);
      this.#sequential.set(key, sequential);
    }
    return block;
  }

  hold(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) this.#users.set(key, { count: 1, freed: [] });
    else users.count += 1;
  }

  release(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) return;
    users.count -= 1;
    if (users.count > 0) return;
    this.#users.delete(key);
    for (const memory of users.freed) this.#memory.free(memory);
  }

  isLoadingElsewhere(): boolean {
    return false;
  }

  claim(): true {
    return true;
  }

  unclaim(): void {}

  allocateFor(_: string, length: number): Uint8Array {
    return length > this.#maxBlocks ? new Uint8Array(length) : this.#memory.take(length);
  }

  keep(key: string, block: CachedBlock, sequential: boolean): void {
    const held = this.#blocks.get(key);
    if (held !== undefined && held.rows >= block.rows) return;
    if (held !== undefined) this.#drop(key, held);
    // it may use the memory of the one before
    const freed = this.#users.get(key)?.freed ?? [];
    const again = freed.findIndex(({ buffer }) => buffer === block.samples.buffer);
    if (again >= 0) freed.splice(again, 1);
    const size = sizeOf(block);
    if (size > this.#maxBlocks) return;
    this.#blocks.set(key, block);
    this.#bytes += size;
    if (sequential) {
      this.#sequential.set(key, size);
      this.#sequentialBytes += size;
    }
    for (const oldest of this.#sequential.keys()) {
      if (this.#sequentialBytes <= this.#maxBlocks * SEQUENTIAL) break;
      this.#drop(oldest, this.#blocks.get(oldest) as CachedBlock);
    }
    for (const [oldest, entry] of this.#blocks) {
      if (this.#bytes <= this.#maxBlocks) break;
      this.#drop(oldest, entry);
    }
  }

  clear(): void {
    for (const [key, block] of this.#blocks) this.#drop(key, block);
  }

  #drop(key: string, block: CachedBlock): void {
    this.#blocks.delete(key);
    this.#bytes -= sizeOf(block);
    this.#sequentialBytes -= this.#sequential.get(key) ?? 0;
    this.#sequential.delete(key);
    const users = this.#users.get(key);
    if (users !== undefined) users.freed.push(block.samples);
    else this.#memory.free(block.samples);
  }
}

/** Bytes of an entry, with a little for the entry itself. */
function sizeOf({ samples }: CachedBlock): number {
  return samples.buffer.byteLength + 256;
}
