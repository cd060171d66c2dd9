import type { EncodeContext } from "../../context.ts";
import type { PartMemory } from "./overview-blocks.ts";

/** Buffers of a file that is written on one thread; counts what is held. */
export class PeakMemory implements PartMemory {
  /** Used buffers by size, for blocks of the same size. */
  readonly #free = new Map<number, ArrayBuffer[]>();
  readonly #context: EncodeContext;
  #held = 0;
  #peak = 0;

  constructor(context: EncodeContext) {
    this.#context = context;
  }

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
  take(bytes: number): ArrayBuffer {
    const used = this.#free.get(bytes)?.pop();
    if (used !== undefined) return used;
    this.hold(bytes);
    return this.#context.takeOwnBuffer(bytes);
  }

  releaseBuffer(memory: ArrayBuffer): void {
    const free = this.#free.get(memory.byteLength);
    if (free === undefined) this.#free.set(memory.byteLength, [memory]);
    else free.push(memory);
  }

  /** Returns the buffers that are not in use to the thread, for its next files. */
  close(): void {
    for (const buffers of this.#free.values()) for (const buffer of buffers) this.#context.releaseOwnBuffer(buffer);
    this.#free.clear();
  }
}
