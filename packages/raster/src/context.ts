import { RASTER_MODULE, type RasterKernels } from "./kernels/kernels.ts";
import { canLoadKernels, type KernelMemory, wasmKernels } from "./kernels/wasm-kernels.ts";
import { SamplePool } from "./memory/sample-pool.ts";

/** Limits of the memory that a context keeps for later calls. */
export interface WarpContextOptions {
  /** Bytes kept of source coordinates of released plans. Default 8 MiB; a map tile of 256 × 256 pixels needs 1 MiB. */
  readonly poolBytes?: number;
}

/**
 * The reusable memory of warping and styling: WebAssembly memory of the kernels, a pool for the source coordinates of plans, and
 * lookup tables of rescaled 16-bit samples. All of it belongs to one thread. Results do not depend on the context, nor on what it was
 * used for before.
 */
export interface WarpContext {
  /** Frees the memory. Later uses of the context give the same results by plain JavaScript, and keep nothing. */
  close(): void;
}

/** Tables kept: a handful of presets is in use at a time. */
const MAX_TABLES = 32;

/** The context as the functions of this package use it. */
export class OwnedWarpContext implements WarpContext {
  readonly #pool: SamplePool;
  readonly #tables = new Map<string, Uint8Array>();
  #kernels: KernelMemory<RasterKernels> | undefined = wasmKernels<RasterKernels>(RASTER_MODULE);

  constructor({ poolBytes = 8 << 20 }: WarpContextOptions) {
    this.#pool = new SamplePool(poolBytes, Math.min(poolBytes, 4 << 20));
  }

  get isClosed(): boolean {
    return this.#kernels === undefined;
  }

  /** Memory of the source coordinates that plans keep. */
  get pool(): SamplePool {
    return this.#pool;
  }

  /** The kernels; undefined where WebAssembly is not allowed, and after the end. */
  get kernels(): KernelMemory<RasterKernels> | undefined {
    return this.#kernels !== undefined && canLoadKernels(this.#kernels) ? this.#kernels : undefined;
  }

  /** The table of a key, made where it is not kept; the least recently made is dropped for it. */
  table(key: string, make: () => Uint8Array): Uint8Array {
    const kept = this.#tables.get(key);
    if (kept !== undefined) return kept;
    const table = make();
    if (this.isClosed) return table;
    if (this.#tables.size >= MAX_TABLES) this.#tables.delete(this.#tables.keys().next().value ?? key);
    this.#tables.set(key, table);
    return table;
  }

  close(): void {
    this.#kernels = undefined;
    this.#tables.clear();
    this.#pool.close();
  }
}

/** Creates a context whose memory the caller frees by `close()`. */
export function createWarpContext(options: WarpContextOptions = {}): WarpContext {
  return new OwnedWarpContext(options);
}

let ofThread: OwnedWarpContext | undefined;

/** The context of this thread, used where none is given. After `close()` the next call creates a new one. */
export function defaultWarpContext(): WarpContext {
  return ownedContext(undefined);
}

/** The context to use. */
export function ownedContext(context: WarpContext | undefined): OwnedWarpContext {
  if (context !== undefined) return context as OwnedWarpContext;
  if (ofThread === undefined || ofThread.isClosed) ofThread = new OwnedWarpContext({});
  return ofThread;
}
