import { type WasmExports, type WasmModule, wasmModule } from "@swath/raster/kernels";
import type { BlockEncoding } from "./predictors.ts";
import { WASM } from "./wasm.ts";

/** The exports of `assembly/index.ts`; sizes and addresses in bytes. */
export interface EncodeKernels extends WasmExports {
  compress(from: number, size: number, to: number, words: boolean): number;
  adler32(from: number, size: number): number;
  codeLengths(counts: number, symbols: number, limit: number, lengths: number): void;
  canonicalCodes(lengths: number, symbols: number, codes: number): void;
  plainRows(from: number, rowBytes: number, rows: number, to: number): void;
  averageRows(from: number, rowBytes: number, rows: number, pixelBytes: number, to: number): void;
  differences8(at: number, rowLength: number, rows: number, stride: number): void;
  differences16(at: number, rowLength: number, rows: number, stride: number): void;
  differences32(at: number, rowLength: number, rows: number, stride: number): void;
  flatten(from: number, count: number, to: number): void;
  differenceFloats(at: number, rowLength: number, size: number, rows: number, stride: number, row: number): void;
}

/** The compiled kernels; each context has an instance with memory of its own. */
export const ENCODE_MODULE: WasmModule = /* @__PURE__ */ wasmModule(WASM);

/** Bytes that a zlib stream of `length` bytes may take: what would grow is stored. */
export function maxStreamBytes(length: number): number {
  return length + 16 * Math.ceil((length + 1) / 65_532) + 32;
}

/**
 * Returns the number of bytes by which a stream must begin before its input, so that it can be written over that input.
 */
export function streamLead(length: number): number {
  return aligned(maxStreamBytes(length) - length + 65_536 + 64);
}

/** The next address that is a multiple of 16. */
export function aligned(address: number): number {
  return (address + 15) & ~15;
}

/** Applies a predictor in place to rows at `at`; `spare` is the address of memory for one row and 16 bytes. */
export function predictAt(
  run: EncodeKernels,
  at: number,
  length: number,
  encoding: BlockEncoding,
  spare: number,
): void {
  const { predictor, bytesPerSample, rowLength, stride } = encoding;
  const rows = length / (rowLength * bytesPerSample);
  if (predictor === 3) run.differenceFloats(at, rowLength, bytesPerSample, rows, stride, spare);
  else if (predictor === 2 && bytesPerSample === 1) run.differences8(at, rowLength, rows, stride);
  else if (predictor === 2 && bytesPerSample === 2) run.differences16(at, rowLength, rows, stride);
  else if (predictor === 2) run.differences32(at, rowLength, rows, stride);
}
