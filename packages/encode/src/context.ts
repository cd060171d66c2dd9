import { BufferFreeList, canLoadKernels, type KernelMemory, wasmKernels } from "@swath/raster/kernels";
import { ENCODE_MODULE, type EncodeKernels } from "./kernels/kernels.ts";

/** Bytes of block buffers kept for the next blocks and files: engines are slow to free shared memory. */
const POOL_BYTES = 64 << 20;

/**
 * The reusable memory of encoding: WebAssembly memory of the kernels, and buffers of GeoTIFF blocks. All of it belongs to one
 * thread, which lends buffers to others. Results do not depend on what it was used for before.
 */
export class EncodeContext {
  readonly #free = new BufferFreeList<ArrayBufferLike>();
  readonly #codecs = new Map<string, Promise<unknown>>();
  #scratch: Uint8Array = new Uint8Array(0);
  readonly #kernels: KernelMemory<EncodeKernels> = wasmKernels<EncodeKernels>(ENCODE_MODULE);

  /** The kernels; undefined where WebAssembly is not allowed. */
  get kernels(): KernelMemory<EncodeKernels> | undefined {
    return canLoadKernels(this.#kernels) ? this.#kernels : undefined;
  }

  /** A buffer of at least `size` bytes that threads can share, where the platform has such; its content is undefined. */
  takeBuffer(size: number): ArrayBufferLike {
    const used = this.#free.take(size);
    if (used !== undefined) return used;
    return typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
  }

  /** Returns a buffer to the free list; the caller must not use it afterwards. */
  releaseBuffer(buffer: ArrayBufferLike): void {
    if (buffer.byteLength > POOL_BYTES) return;
    this.#free.put(buffer);
    this.#free.drop(Math.max(0, this.#free.bytes - POOL_BYTES));
  }

  /** At least `size` bytes for one synchronous use; the next call gives the same. */
  scratch(size: number): Uint8Array {
    if (this.#scratch.length >= size) return this.#scratch;
    this.#scratch = new Uint8Array(size);
    return this.#scratch;
  }

  /** A codec with its own memory, loaded on first use; again after a failure. */
  async codec<T>(name: string, load: () => Promise<T>): Promise<T> {
    let loading = this.#codecs.get(name) as Promise<T> | undefined;
    if (loading === undefined) {
      loading = load();
      this.#codecs.set(name, loading);
      loading.catch(() => this.#codecs.delete(name));
    }
    return loading;
  }
}

let ofThread: EncodeContext | undefined;

/** Returns the context of this thread. */
export function threadContext(): EncodeContext {
  ofThread ??= new EncodeContext();
  return ofThread;
}
