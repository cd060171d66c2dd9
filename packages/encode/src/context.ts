import { BufferFreeList, canLoadKernels, type KernelMemory, wasmKernels } from "@swath/raster/kernels";
import { ENCODE_MODULE, type EncodeKernels } from "./kernels/kernels.ts";

/** Limits of the memory that a context keeps for later calls. */
export interface EncodeContextOptions {
  /** Bytes of block buffers kept for the next blocks and files. Default 64 MiB: engines are slow to free shared memory. */
  readonly poolBytes?: number;
}

/**
 * The reusable memory of encoding: WebAssembly memory of the kernels, and buffers of GeoTIFF blocks. All of it belongs to one
 * thread, which lends buffers to others. Results do not depend on the context, nor on what it was used for before.
 */
export interface EncodeContext {
  /** Frees the memory. Later uses of the context work without WebAssembly, and keep nothing. */
  close(): void;
}

/** The context as the functions of this package use it. */
export class OwnedEncodeContext implements EncodeContext {
  readonly #free = new BufferFreeList<ArrayBufferLike>();
  #poolBytes: number;
  readonly #codecs = new Map<string, Promise<unknown>>();
  #scratch: Uint8Array = new Uint8Array(0);
  #kernels: KernelMemory<EncodeKernels> | undefined = wasmKernels<EncodeKernels>(ENCODE_MODULE);

  constructor({ poolBytes = 64 << 20 }: EncodeContextOptions) {
    this.#poolBytes = poolBytes;
  }

  get isClosed(): boolean {
    return this.#kernels === undefined;
  }

  /** The kernels; undefined where WebAssembly is not allowed, and after the end. */
  get kernels(): KernelMemory<EncodeKernels> | undefined {
    return this.#kernels !== undefined && canLoadKernels(this.#kernels) ? this.#kernels : undefined;
  }

  /** A buffer of at least `size` bytes that threads can share, where the platform has such; its content is undefined. */
  takeBuffer(size: number): ArrayBufferLike {
    const used = this.#free.take(size);
    if (used !== undefined) return used;
    return typeof SharedArrayBuffer === "function" ? new SharedArrayBuffer(size) : new ArrayBuffer(size);
  }

  /** Returns a buffer to the free list; the caller must not use it afterwards. */
  releaseBuffer(buffer: ArrayBufferLike): void {
    if (buffer.byteLength > this.#poolBytes) return;
    this.#free.put(buffer);
    this.#free.drop(Math.max(0, this.#free.bytes - this.#poolBytes));
  }

  /** At least `size` bytes for one synchronous use; the next call gives the same. */
  scratch(size: number): Uint8Array {
    if (this.#scratch.length >= size) return this.#scratch;
    const bytes = new Uint8Array(size);
    if (!this.isClosed) this.#scratch = bytes;
    return bytes;
  }

  /** A codec with its own memory, loaded on first use; again after a failure. */
  async codec<T>(name: string, load: () => Promise<T>): Promise<T> {
    if (this.isClosed) return load();
    let loading = this.#codecs.get(name) as Promise<T> | undefined;
    if (loading === undefined) {
      loading = load();
      this.#codecs.set(name, loading);
      loading.catch(() => this.#codecs.delete(name));
    }
    return loading;
  }

  close(): void {
    this.#kernels = undefined;
    this.#codecs.clear();
    this.#scratch = new Uint8Array(0);
    this.#poolBytes = 0;
    this.#free.drop(this.#free.bytes);
  }
}

/** Creates a context whose memory the caller frees by `close()`. */
export function createEncodeContext(options: EncodeContextOptions = {}): EncodeContext {
  return new OwnedEncodeContext(options);
}

let ofThread: OwnedEncodeContext | undefined;

/** The context of this thread, used where none is given. After `close()` the next call creates a new one. */
export function defaultEncodeContext(): EncodeContext {
  return ownedContext(undefined);
}

/** The context to use. */
export function ownedContext(context: EncodeContext | undefined): OwnedEncodeContext {
  if (context !== undefined) return context as OwnedEncodeContext;
  if (ofThread === undefined || ofThread.isClosed) ofThread = new OwnedEncodeContext({});
  return ofThread;
}
