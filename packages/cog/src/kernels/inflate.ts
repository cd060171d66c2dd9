import { type Kernels, type WasmExports, wasmKernels } from "@swath/raster";
import { CogError } from "../errors.ts";
import { WASM } from "./wasm.ts";

/** What `assembly/index.ts` exports; sizes and addresses in bytes. */
interface Module extends WasmExports {
  inflate(from: number, size: number, to: number, length: number): number;
  undo8(at: number, perRow: number, rows: number, stride: number): void;
  undo16(at: number, perRow: number, rows: number, stride: number): void;
  undo32(at: number, perRow: number, rows: number, stride: number): void;
}

const kernels: (room: number) => Kernels<Module> = /* @__PURE__ */ wasmKernels<Module>(WASM);

/** Zeros that inflate may read after the stream, and room that it may write to after what is asked for. */
const AFTER_INPUT = 64;
const AFTER_OUTPUT = 512;

/** How the samples of a block lie, for its predictor. */
export interface Differences {
  /** Bytes of a sample, stored as little-endian words. */
  readonly size: 1 | 2 | 4;
  /** Samples of a row. */
  readonly perRow: number;
  /** Interleaved samples of a pixel. */
  readonly stride: number;
}

/**
 * The first `length` bytes that come out of a zlib stream (RFC 1950), fewer where it ends before; the rest is not decoded.
 * With `differences`, predictor 2 is undone in the whole rows.
 *
 * @returns a view of memory that the next call uses again
 * @throws {CogError} `corrupt`
 */
export function inflate(stream: Uint8Array, length: number, differences?: Differences): Uint8Array {
  const offset = (stream.length + AFTER_INPUT + 15) & ~15;
  const { run, base, bytes } = kernels(offset + length + AFTER_OUTPUT);
  bytes.set(stream, base);
  bytes.fill(0, base + stream.length, base + offset);
  const to = base + offset;
  const count = run.inflate(base, stream.length, to, length);
  if (count < 0) throw new CogError("corrupt", "The deflate stream of a block is damaged.");
  if (differences !== undefined) {
    const { size, perRow, stride } = differences;
    const rows = Math.floor(count / (perRow * size));
    if (size === 1) run.undo8(to, perRow, rows, stride);
    else if (size === 2) run.undo16(to, perRow, rows, stride);
    else run.undo32(to, perRow, rows, stride);
  }
  return bytes.subarray(to, to + count);
}
