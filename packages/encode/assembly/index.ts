/*
 * The inner loops of the encoders, in AssemblyScript: deflate by Huffman codes and runs, the PNG filters and TIFF predictors
 * before it, and images composited on white. Addresses are in the module's memory, where callers put what is to be read.
 * `node scripts/assembly.mjs` compiles it to `src/kernels/wasm.ts`.
 */

export { flatten } from "./composite";
export { adler32, canonicalCodes, codeLengths, compress } from "./deflate";
export { averageRows, plainRows } from "./png";
export { differenceFloats, differences8, differences16, differences32 } from "./predictors";

/** Returns the address from which on memory is free. */
export function base(): usize {
  return (__heap_base + 15) & ~15;
}
