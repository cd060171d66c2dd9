import { canLoadKernels, type Kernels, type WasmExports, wasmKernels } from "@swath/raster/kernels";
import { CogError } from "../errors.ts";
import { endsWithChecksum } from "./adler.ts";
import { WASM } from "./wasm.ts";

/** The exports of `assembly/index.ts`; sizes and addresses in bytes. */
interface Module extends WasmExports {
  adler32(before: number, from: number, length: number): number;
  inflate(from: number, size: number, to: number, length: number, resumed: boolean): number;
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
/** The longest distance back to a match (RFC 1951, section 2). */
const WINDOW = 32_768;
/** The part of a stream beyond its block is inflated for its checksum alone, this many bytes at a time. */
const PART = 65_536;

/** Layout of the samples of a block, for its predictor. */
export interface Differences {
  /** Bytes of a sample, stored as little-endian words. */
  readonly size: 1 | 2 | 4;
  /** Samples of a row. */
  readonly perRow: number;
  /** Interleaved samples of a pixel. */
  readonly stride: number;
}

/** Bytes that may come out of the stream of a block of `length` bytes: a strip may have more rows than the image. */
export function longestStream(length: number): number {
  return 2 * length + PART;
}

/**
 * Inflates a whole zlib stream (RFC 1950) and compares it with its checksum; it returns the first `length` bytes of a
 * stream that holds more. With `differences`, predictor 2 is undone in the whole rows.
 *
 * @returns a view of memory that the next call uses again; fewer than `length` bytes where the stream ends before
 * @throws {CogError} `corrupt` where the stream is damaged, is cut off, or its checksum does not match
 */
export function inflate(stream: Uint8Array, length: number, differences?: Differences): Uint8Array {
  const placed = place(stream, length);
  const { run, base, to, bytes } = placed;
  const count = started(run.inflate(base, stream.length, to, length, false));
  const read = Math.min(run.consumed(), stream.length);
  const sum = run.adler32(1, to, count) >>> 0;
  if (!endsWithChecksum(stream, read, sum) && !(count === length && endsLater(placed, stream, count, sum))) {
    throw new CogError("corrupt", "The checksum of a deflate block does not match its bytes.");
  }
  undo(run, to, count, differences);
  return bytes.subarray(to, to + count);
}

/**
 * Inflates the first `length` bytes of a zlib stream; the first bytes of the stream are enough. Nothing is compared: a
 * checksum is that of all bytes.
 *
 * @returns a view of memory that the next call uses again; fewer than `length` bytes where the stream ends before
 * @throws {CogError} `corrupt` where the stream is damaged
 */
export function inflateFirst(stream: Uint8Array, length: number, differences?: Differences): Uint8Array {
  const { run, base, to, bytes } = place(stream, length);
  const count = started(run.inflate(base, stream.length, to, length, false));
  undo(run, to, count, differences);
  return bytes.subarray(to, to + count);
}

/** A stream in the kernel's memory, and where `length` bytes that come out of it have room. */
interface Placed {
  readonly run: Module;
  readonly bytes: Uint8Array;
  readonly base: number;
  readonly to: number;
}

function place(stream: Uint8Array, length: number): Placed {
  const offset = (stream.length + AFTER_INPUT + WINDOW + 15) & ~15;
  const { run, base, bytes } = kernels(offset + length + WINDOW + PART + AFTER_OUTPUT);
  bytes.set(stream, base);
  bytes.fill(0, base + stream.length, base + stream.length + AFTER_INPUT);
  return { run, bytes, base, to: base + offset };
}

function started(count: number): number {
  if (count < 0) throw new CogError("corrupt", "The deflate stream of a block is damaged.");
  return count;
}

/**
 * Does a stream of which `length` bytes are out, whose Adler-32 is `sum`, hold more, and end with the checksum of all? The rest
 * comes out behind the block's bytes, part by part in the same memory.
 */
function endsLater({ run, bytes, base, to }: Placed, stream: Uint8Array, length: number, sum: number): boolean {
  const next = to + length + WINDOW;
  let read = Math.min(run.consumed(), stream.length);
  let end = to + length;
  for (let out = length; out < longestStream(length); out += PART) {
    const ahead = run.ahead();
    bytes.copyWithin(next + ahead - WINDOW, end + ahead - WINDOW, end + ahead);
    const count = run.inflate(base + read, stream.length - read, next, PART, true);
    if (count < 0) return false;
    read += Math.min(run.consumed(), stream.length - read);
    sum = run.adler32(sum, next, count) >>> 0;
    if (endsWithChecksum(stream, read, sum)) return true;
    if (count < PART) return false;
    end = next + PART;
  }
  return false;
}

function undo(run: Module, to: number, count: number, differences: Differences | undefined): void {
  if (differences === undefined) return;
  const { size, perRow, stride } = differences;
  const rows = Math.floor(count / (perRow * size));
  if (size === 1) run.undo8(to, perRow, rows, stride);
  else if (size === 2) run.undo16(to, perRow, rows, stride);
  else run.undo32(to, perRow, rows, stride);
}
