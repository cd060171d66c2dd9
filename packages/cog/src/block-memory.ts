/** Sizes of buffers: eight between a power of two and the next, none smaller than this. */
const SMALLEST = 65_536;

function bufferSize(length: number): number {
  const step = Math.max(SMALLEST, 2 ** (Math.floor(Math.log2(Math.max(1, length - 1))) - 3));
  return Math.ceil(length / step) * step;
}

/**
 * Memory that blocks leave behind, for the next ones. It is shared memory where there is such: the engine takes other memory
 * outside its heap for a reason to collect its garbage, of which decoded blocks make none.
 */
export class BlockMemory {
  readonly #maxBytes: number;
  readonly #kept = new Map<number, ArrayBufferLike[]>();
  readonly #lent = new WeakSet<ArrayBufferLike>();
  #keptBytes = 0;

  /** @param maxBytes kept for the next taker */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Memory that may hold anything. */
  take(length: number): Uint8Array {
    const size = bufferSize(length);
    let buffer = this.#fitting(size);
    if (buffer !== undefined) this.#keptBytes -= buffer.byteLength;
    else buffer = typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
    this.#lent.add(buffer);
    return new Uint8Array(buffer, 0, length);
  }

  /** The smallest kept buffer of at least `size`, unless half of it would be wasted. */
  #fitting(size: number): ArrayBufferLike | undefined {
    let best = Number.POSITIVE_INFINITY;
    for (const [length, alike] of this.#kept) if (length >= size && length < best && alike.length > 0) best = length;
    return best <= 2 * size ? this.#kept.get(best)?.pop() : undefined;
  }

  /** Takes back what nobody reads any more. What `take` has not given, or what is back already, is left alone. */
  giveBack({ buffer }: ArrayBufferView<ArrayBufferLike>): void {
    if (!this.#lent.delete(buffer) || this.#keptBytes + buffer.byteLength > this.#maxBytes) return;
    const alike = this.#kept.get(buffer.byteLength);
    if (alike === undefined) this.#kept.set(buffer.byteLength, [buffer]);
    else alike.push(buffer);
    this.#keptBytes += buffer.byteLength;
  }
}
