import type { PartMemory } from "./overview-blocks.ts";

/** Buffers of a file that is written on one thread; counts what is held. */
export class PeakMemory implements PartMemory {
  /** Used buffers by size, for blocks of the same size. */
  readonly #free = new Map<number, ArrayBufferLike[]>();
  #held = 0;
  #peak = 0;

  /** Most bytes held at once. */
  get peak(): number {
    return this.#peak;
  }

  hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.#peak) this.#peak = this.#held;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }

  /** A buffer of exactly `bytes`, with undefined content. */
  take(bytes: number): ArrayBufferLike {
    const used = this.#free.get(bytes)?.pop();
    if (used !== undefined) return used;
    this.hold(bytes);
    return new ArrayBuffer(bytes);
  }

  releaseBuffer(memory: ArrayBufferLike): void {
    const free = this.#free.get(memory.byteLength);
    if (free === undefined) this.#free.set(memory.byteLength, [memory]);
    else free.push(memory);
  }
}
