import { canLoadKernels, type Kernels, type WasmExports, wasmKernels } from "@swath/raster";
import { adler32, endsWithChecksum } from "../codecs/adler.ts";
import { CogError } from "../errors.ts";
import { WASM } from "./wasm.ts";

/** What `assembly/index.ts` exports; sizes and addresses in bytes. */
interface Module extends WasmExports {
  adler32(before: number, from: number, length: number): number;
  inflate(from: number, size: number, to: number, length: number, resumed: boolean): number;
  state(): number;
  stateSize(): number;
  consumed(): number;
  ahead(): number;
  undo8(at: number, perRow: number, rows: number, stride: number): void;
  undo16(at: number, perRow: number, rows: number, stride: number): void;
  undo32(at: number, perRow: number, rows: number, stride: number): void;
}

const kernels: (bytes: number) => Kernels<Module> = /* @__PURE__ */ wasmKernels<Module>(WASM);

/** Is WebAssembly allowed here? */
export function canInflate(): boolean {
  return canLoadKernels(kernels);
}

/** Zeros that inflate may read after the stream, and bytes that it may overwrite after those requested. */
const AFTER_INPUT = 64;
const AFTER_OUTPUT = 512;

/** Layout of the samples of a block, for its predictor. */
export interface Differences {
  /** Bytes of a sample, stored as little-endian words. */
  readonly size: 1 | 2 | 4;
  /** Samples of a row. */
  readonly perRow: number;
  /** Interleaved samples of a pixel. */
  readonly stride: number;
}

/** A stream that was inflated to some byte, with the state to resume it. */
export interface PausedStream {
  /** The kernel's state, the last 32 kB that came out, and what has not been read of the stream. */
  readonly memory: Uint8Array;
  /** Bytes that came out beyond the byte at which the stream was paused. */
  readonly ahead: number;
}

/** What came out of a stream. */
interface InflatedPart {
  /** A view of memory that the next call uses again. */
  readonly bytes: Uint8Array;
  readonly paused?: PausedStream;
}

/** How far back a match may reach (RFC 1951, section 2). */
const WINDOW = 32_768;

/**
 * The first `length` bytes that come out of a zlib stream (RFC 1950), fewer where it ends before; the rest is not decoded.
 *
 * @param isWhole `length` is all that the stream holds: its checksum is compared
 * @returns a view of memory that the next call uses again
 * @throws {CogError} `corrupt`
 */
export function inflate(stream: Uint8Array, length: number, isWhole = false): Uint8Array {
  return inflatePart(stream, length, undefined, undefined, isWhole).bytes;
}

/**
 * The next `length` bytes of a stream, from its start or from where it was paused; fewer where it ends before. With
 * `differences`, predictor 2 is undone in the whole rows. With `pause`, which allocates memory, it can be resumed later.
 *
 * @param isWhole `length` is all that the stream holds: its checksum is compared where it is inflated from its start, which costs
 * 0.10 ms for 2 MB, under 2 % of a map tile of which no block is held
 * @returns `bytes`, a view of memory that the next call uses again
 * @throws {CogError} `corrupt`
 */
export function inflatePart(
  from: Uint8Array | PausedStream,
  length: number,
  differences: Differences | undefined,
  pause: ((length: number) => Uint8Array) | undefined,
  isWhole = false,
): InflatedPart {
  const paused = from instanceof Uint8Array ? undefined : from;
  const memory = from instanceof Uint8Array ? from : from.memory;
  const { stateSize } = kernels(0).run;
  const start = paused === undefined ? 0 : stateSize() + WINDOW;
  const size = memory.length - start;
  const offset = (size + AFTER_INPUT + WINDOW + 15) & ~15;
  const { run, base, bytes } = kernels(offset + length + AFTER_OUTPUT);
  bytes.set(memory.subarray(start), base);
  bytes.fill(0, base + size, base + size + AFTER_INPUT);
  const to = base + offset;
  if (paused !== undefined) {
    bytes.set(memory.subarray(0, stateSize()), run.state());
    bytes.set(memory.subarray(stateSize(), start), to + paused.ahead - WINDOW);
  }
  const count = run.inflate(base, size, to, length, paused !== undefined);
  if (count < 0) throw new CogError("corrupt", "The deflate stream of a block is damaged.");
  if (isWhole && count === length && from instanceof Uint8Array) {
    const sum = run.adler32(1, to, length) >>> 0;
    if (!endsWithChecksum(from, Math.min(run.consumed(), size), sum)) {
      checkLonger(from, length);
      // the memory of what came out was used again
      return inflatePart(from, length, differences, pause);
    }
  }
  const next =
    pause !== undefined && count === length ? pauseAt(run, bytes, { base, size, end: to + length }, pause) : undefined;
  if (differences !== undefined) {
    const { size, perRow, stride } = differences;
    const rows = Math.floor(count / (perRow * size));
    if (size === 1) run.undo8(to, perRow, rows, stride);
    else if (size === 2) run.undo16(to, perRow, rows, stride);
    else run.undo32(to, perRow, rows, stride);
  }
  return { bytes: bytes.subarray(to, to + count), ...(next === undefined ? {} : { paused: next }) };
}

/**
 * Checks a stream whose checksum is not that of its first `length` bytes: it may hold more, as where a strip has more rows
 * than the image. It is inflated again, up to about twice as far, in parts: a damaged block takes little more memory than another.
 *
 * @throws {CogError} `corrupt` where all of it has another checksum than it states.
 */
function checkLonger(stream: Uint8Array, length: number): void {
  const most = 2 * length + 65_536;
  const part = Math.max(65_536, length >> 2);
  const pause = (bytes: number): Uint8Array => new Uint8Array(bytes);
  let sum = 1;
  let from: Uint8Array | PausedStream | undefined = stream;
  for (let at = 0; from !== undefined && at < most; ) {
    const { bytes, paused }: InflatedPart = inflatePart(from, part, undefined, pause);
    sum = adler32(bytes, sum);
    at += bytes.length;
    if (paused === undefined && at > length && endsWithChecksum(stream, stream.length, sum)) return;
    from = paused;
  }
  throw new CogError("corrupt", "The checksum of a deflate block does not match its bytes.");
}

/** The state to resume the stream of `size` bytes at `base`, whose output so far ends at `end`. */
function pauseAt(
  run: Module,
  bytes: Uint8Array,
  { base, size, end }: { readonly base: number; readonly size: number; readonly end: number },
  allocate: (length: number) => Uint8Array,
): PausedStream {
  const state = run.state();
  const stateSize = run.stateSize();
  const ahead = run.ahead();
  // its own copy, because the kernel's memory of the stream is used again
  const unread = Math.min(run.consumed(), size);
  const memory = allocate(stateSize + WINDOW + size - unread);
  memory.set(bytes.subarray(state, state + stateSize));
  memory.set(bytes.subarray(end + ahead - WINDOW, end + ahead), stateSize);
  memory.set(bytes.subarray(base + unread, base + size), stateSize + WINDOW);
  return { memory, ahead };
}
