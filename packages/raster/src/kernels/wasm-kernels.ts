/** The exports of every module of kernels: its memory, and the address from which on that is free. */
export interface WasmExports {
  readonly memory: WebAssembly.Memory;
  base(): number;
}

/** Functions of a WebAssembly module and the memory they work in, free to use from `base` on. */
export interface Kernels<Exports extends WasmExports> {
  readonly run: Exports;
  readonly base: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/**
 * Gives kernels with at least `bytes` bytes of free memory. The next call gives the same memory: what a caller puts there is gone
 * once anybody else has called.
 *
 * @throws where WebAssembly is forbidden or lacks an instruction.
 */
export type KernelMemory<Exports extends WasmExports> = (bytes: number) => Kernels<Exports>;

/** Compiles a module once, on first use. A module has no memory: all instances share it. */
export type WasmModule = () => WebAssembly.Module;

/** Memory of WebAssembly never shrinks: what needs more than this gets an instance of its own. */
const MAX_KEPT = 64 << 20;
const PAGE = 65_536;

/** @param base64 a module without imports */
export function wasmModule(base64: string): WasmModule {
  let compiled: WebAssembly.Module | undefined;
  let failure: { readonly error: unknown } | undefined;
  return () => {
    if (failure !== undefined) throw failure.error;
    try {
      compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
      return compiled;
    } catch (error) {
      failure = { error };
      throw error;
    }
  };
}

/**
 * An instance of a module of inner loops, made on first use. The holder of the function owns the memory: it is freed with it.
 *
 * @param source a module of `wasmModule`, or its base64
 */
export function wasmKernels<Exports extends WasmExports>(source: string | WasmModule): KernelMemory<Exports> {
  const compiled = typeof source === "string" ? wasmModule(source) : source;
  let kept: Kernels<Exports> | undefined;
  const instantiate = (): Exports => new WebAssembly.Instance(compiled(), {}).exports as unknown as Exports;
  return (bytes) => {
    if (kept !== undefined && kept.bytes.length - kept.base >= bytes) return kept;
    if (bytes > MAX_KEPT) return grown(instantiate(), bytes);
    kept = grown(kept?.run ?? instantiate(), bytes);
    return kept;
  };
}

/** Can kernels be loaded here? Pages may forbid WebAssembly, and old browsers lack parts of it. */
export function canLoadKernels(kernels: (bytes: number) => unknown): boolean {
  try {
    kernels(0);
    return true;
  } catch {
    return false;
  }
}

function grown<Exports extends WasmExports>(run: Exports, bytes: number): Kernels<Exports> {
  const base = run.base();
  const missing = base + bytes - run.memory.buffer.byteLength;
  if (missing > 0) run.memory.grow(Math.ceil(missing / PAGE));
  return { run, base, bytes: new Uint8Array(run.memory.buffer) };
}
