/*
 * The inner loops of reading blocks, in AssemblyScript: inflate (RFC 1950, 1951) with its checksum, and undoing predictor 2 of TIFF.
 * Addresses are in the module's memory, where callers put what is to be read. `node scripts/assembly.mjs` compiles it to
 * `src/kernels/wasm.ts`.
 */

export { adler32 } from "./adler";
export { ahead, consumed, inflate } from "./inflate";
export { undo8, undo16, undo32 } from "./predictor";

/** Returns the address from which on memory is free. */
export function base(): usize {
  return (__heap_base + 15) & ~15;
}
