import type { BlockMemory } from "./block-memory.ts";
import { type BlockStore, type CachedBlock, PASSING, SPARE } from "./block-store.ts";

/** Blocks that one thread decodes and reads. */
export class OwnBlocks implements BlockStore {
  readonly #maxBlocks: number;
  readonly #memory: BlockMemory;
  readonly #blocks = new Map<string, CachedBlock>();
  /** Bytes of those that were loaded for areas, by their keys. */
  readonly #passing = new Map<string, number>();
  #passingBytes = 0;
  /** Loads and readers of a block under way, and the memory that waits for their end. */
  readonly #users = new Map<string, { count: number; readonly left: ArrayBufferView<ArrayBufferLike>[] }>();
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
    const passing = this.#passing.get(key);
    if (passing !== undefined) {
      this.#passing.delete(key);
      this.#passing.set(key, passing);
    }
    return block;
  }

  hold(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) this.#users.set(key, { count: 1, left: [] });
    else users.count += 1;
  }

  release(key: string): void {
    const users = this.#users.get(key);
    if (users === undefined) return;
    users.count -= 1;
    if (users.count > 0) return;
    this.#users.delete(key);
    for (const memory of users.left) this.#memory.giveBack(memory);
  }

  isElsewhere(): boolean {
    return false;
  }

  claim(): true {
    return true;
  }

  unclaim(): void {}

  room(_: string, length: number): Uint8Array {
    return length > this.#maxBlocks ? new Uint8Array(length) : this.#memory.take(length);
  }

  keep(key: string, block: CachedBlock, passing: boolean): void {
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

  clear(): void {
    for (const [key, block] of this.#blocks) this.#drop(key, block);
  }

  #drop(key: string, block: CachedBlock): void {
    this.#blocks.delete(key);
    this.#bytes -= sizeOf(block);
    this.#passingBytes -= this.#passing.get(key) ?? 0;
    this.#passing.delete(key);
    const memory = [block.samples, ...(block.rest === undefined ? [] : [memoryOf(block.rest)])];
    const users = this.#users.get(key);
    if (users !== undefined) users.left.push(...memory);
    else for (const each of memory) this.#memory.giveBack(each);
  }
}

const memoryOf = (rest: NonNullable<CachedBlock["rest"]>): Uint8Array =>
  rest instanceof Uint8Array ? rest : rest.memory;

/** Bytes of an entry, with a little for the entry itself. */
function sizeOf({ samples, rest }: CachedBlock): number {
  return samples.buffer.byteLength + (rest === undefined ? 0 : memoryOf(rest).buffer.byteLength) + 256;
}
