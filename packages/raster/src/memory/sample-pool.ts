import { allocateSamples, bytesPerSample, type Samples, type SampleType, viewSamples } from "../raster/samples.ts";
import { BufferFreeList, bufferSize } from "./buffer-free-list.ts";

/**
 * A pool of memory for arrays that live for one image. Memory outside the engine's heap causes full garbage collections,
 * and the system clears each new page: rendering a map tile takes megabytes, which are therefore used again.
 */
export class SamplePool {
  #maxBytes: number;
  readonly #maxBuffer: number;
  readonly #kept = new BufferFreeList<ArrayBuffer>();
  readonly #lent = new WeakSet<ArrayBuffer>();

  /**
   * @param maxBytes bytes kept for later calls of `take`. Default 32 MiB.
   * @param maxBuffer largest buffer that is kept. Default 4 MiB.
   */
  constructor(maxBytes = 32 * 1024 * 1024, maxBuffer = 4 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
    this.#maxBuffer = maxBuffer;
  }

  /** `length` samples with undefined content. */
  take(type: SampleType, length: number): Samples {
    const size = bufferSize(length * bytesPerSample(type));
    if (size > this.#maxBuffer) return allocateSamples(type, length);
    const buffer = this.#kept.take(size) ?? new ArrayBuffer(size);
    this.#lent.add(buffer);
    return viewSamples(type, buffer, length);
  }

  /** Returns arrays to the pool; the caller must not use them afterwards. Arrays not from `take`, or already released, are ignored. */
  release(arrays: Iterable<Samples>): void {
    for (const { buffer } of arrays) {
      if (!(buffer instanceof ArrayBuffer) || !this.#lent.delete(buffer)) continue;
      const size = buffer.byteLength;
      if (size === 0 || size > this.#maxBytes) continue;
      if (this.#kept.bytes + size > this.#maxBytes) this.#kept.drop(this.#kept.bytes + size - this.#maxBytes);
      this.#kept.put(buffer);
    }
  }

  /** Frees the kept memory, and keeps none from now on. */
  close(): void {
    this.#maxBytes = 0;
    this.#kept.drop(this.#kept.bytes);
  }
}
