import { BufferFreeList, bufferSize } from "@swath/raster/kernels";

/**
 * A free list of the memory of evicted blocks. It is shared memory where there is such: other memory outside the
 * engine's heap makes it collect garbage, although decoded blocks make none. For the same reason the engine does not
 * free shared memory soon, so the list never takes more than `maxBytes` of it; whatever is needed beyond is ordinary
 * memory.
 */
export class BlockMemory {
  readonly #maxBytes: number;
  readonly #idle = new BufferFreeList<SharedArrayBuffer>();
  readonly #lent = new WeakSet<ArrayBufferLike>();
  /** All shared memory, lent and idle. */
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = typeof SharedArrayBuffer === "function" ? maxBytes : 0;
  }

  /** Memory that may hold anything. */
  take(length: number): Uint8Array {
    const size = bufferSize(length);
    let buffer = this.#idle.take(size);
    if (buffer === undefined) {
      // idle buffers of other sizes are dropped
      this.#bytes -= this.#idle.drop(this.#bytes + size - this.#maxBytes);
      if (this.#bytes + size > this.#maxBytes) return new Uint8Array(length);
      buffer = new SharedArrayBuffer(size);
      this.#bytes += size;
    }
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, length);
  }

  /** Frees memory that is not read any more. Memory that `take` has not given, or that is free already, is ignored. */
  free({ buffer }: ArrayBufferView<ArrayBufferLike>): void {
    if (this.#lent.delete(buffer)) this.#idle.put(buffer as SharedArrayBuffer);
  }
}
