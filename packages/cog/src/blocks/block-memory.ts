import { BufferShelf, bufferSize } from "@swath/raster";

/**
 * Memory that blocks leave behind, for the next ones. It is shared memory where there is such: the engine takes other memory
 * outside its heap for a reason to collect its garbage, of which decoded blocks make none. For the same reason it does not
 * hurry to free shared memory, so that there is never more than `maxBytes` of it; what is needed beyond is left to the engine.
 */
export class BlockMemory {
  readonly #maxBytes: number;
  readonly #idle = new BufferShelf<SharedArrayBuffer>();
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
      // idle ones that fit nobody make room
      this.#bytes -= this.#idle.drop(this.#bytes + size - this.#maxBytes);
      if (this.#bytes + size > this.#maxBytes) return new Uint8Array(length);
      buffer = new SharedArrayBuffer(size);
      this.#bytes += size;
    }
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, length);
  }

  /** Takes back what nobody reads any more. What `take` has not given, or what is back already, is left alone. */
  giveBack({ buffer }: ArrayBufferView<ArrayBufferLike>): void {
    if (this.#lent.delete(buffer)) this.#idle.put(buffer as SharedArrayBuffer);
  }
}
