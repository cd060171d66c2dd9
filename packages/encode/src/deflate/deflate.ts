import { zlibSync } from "fflate";
import { compressRuns } from "./runs.ts";

/** Compresses to a zlib stream (RFC 1950). `level` is 1 (fast) to 9 (small). */
export type Deflate = (bytes: Uint8Array, level: number) => Promise<Uint8Array>;

/** Deflate in plain JavaScript, on the calling thread. */
export async function portableDeflate(bytes: Uint8Array, level: number): Promise<Uint8Array> {
  return zlibSync(bytes, { level: level as 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 });
}

/**
 * Huffman codes and runs of one byte, in WebAssembly on the calling thread; `level` says nothing. For imagery after a
 * predictor several times as fast as zlib's level 1, and the result as large (floats) or 2 % larger (integers). It
 * hardly compresses classes, and floats without a predictor, which repeat in other ways.
 */
export async function deflateRuns(bytes: Uint8Array, _level: number): Promise<Uint8Array> {
  return compressRuns(bytes).slice();
}
