/** Sizes of buffers: eight between a power of two and the next, none smaller than this. */
const SMALLEST = 65_536;

/** The size of the buffer that holds `length` bytes: buffers of few sizes fit again more often. */
export function bufferSize(length: number): number {
  const step = Math.max(SMALLEST, 2 ** (Math.floor(Math.log2(Math.max(1, length - 1))) - 3));
  return Math.ceil(length / step) * step;
}

/** Unused buffers by size. */
export class BufferFreeList<B extends ArrayBufferLike> {
  readonly #buffers = new Map<number, B[]>();
  #bytes = 0;

  /** Bytes of all buffers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Takes out the smallest buffer of at least `size` bytes, unless half of it would be wasted. */
  take(size: number): B | undefined {
    let best = Number.POSITIVE_INFINITY;
    for (const length of this.#buffers.keys()) if (length >= size && length < best) best = length;
    if (best > 2 * size) return undefined;
    return this.#pop(best);
  }

  put(buffer: B): void {
    const alike = this.#buffers.get(buffer.byteLength);
    if (alike === undefined) this.#buffers.set(buffer.byteLength, [buffer]);
    else alike.push(buffer);
    this.#bytes += buffer.byteLength;
  }

  /**
   * Drops buffers until `bytes` are freed, or all; buffers of the least recently requested size first.
   * Returns how many bytes are freed.
   */
  drop(bytes: number): number {
    const before = this.#bytes;
    for (const length of this.#buffers.keys()) while (before - this.#bytes < bytes && this.#pop(length) !== undefined);
    return before - this.#bytes;
  }

  #pop(length: number): B | undefined {
    const alike = this.#buffers.get(length);
    const buffer = alike?.pop();
    if (alike === undefined || buffer === undefined) return undefined;
    this.#bytes -= length;
    this.#buffers.delete(length);
    // recently requested sizes go to the end
    if (alike.length > 0) this.#buffers.set(length, alike);
    return buffer;
  }
}
