/** What every module of kernels exports: its memory, and the address from which on that is free. */
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

/** Memory of WebAssembly never shrinks: what needs more than this gets an instance of its own. */
const MAX_KEPT = 64 << 20;
const PAGE = 65_536;

/**
 * Loads a module of inner loops (`base64`, without imports) when it is first asked for. The function that this gives returns
 * the kernels with at least `room` bytes of memory; whoever asks next gets the same memory.
 */
export function wasmKernels<Exports extends WasmExports>(base64: string): (room: number) => Kernels<Exports> {
  let compiled: WebAssembly.Module | undefined;
  let kept: Kernels<Exports> | undefined;
  const instantiate = (): Exports => {
    compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0)));
    return new WebAssembly.Instance(compiled, {}).exports as unknown as Exports;
  };
  return (room) => {
    if (kept !== undefined && kept.bytes.length - kept.base >= room) return kept;
    if (room > MAX_KEPT) return grown(instantiate(), room);
    kept = grown(kept?.run ?? instantiate(), room);
    return kept;
  };
}

const allowed = new WeakMap<(room: number) => unknown, boolean>();

/** May kernels be loaded here? Pages may forbid WebAssembly, and old browsers lack parts of it. */
export function canLoadKernels(kernels: (room: number) => unknown): boolean {
  let known = allowed.get(kernels);
  if (known === undefined) {
    try {
      kernels(0);
      known = true;
    } catch {
      known = false;
    }
    allowed.set(kernels, known);
  }
  return known;
}

function grown<Exports extends WasmExports>(run: Exports, room: number): Kernels<Exports> {
  const base = run.base();
  const missing = base + room - run.memory.buffer.byteLength;
  if (missing > 0) run.memory.grow(Math.ceil(missing / PAGE));
  return { run, base, bytes: new Uint8Array(run.memory.buffer) };
}
