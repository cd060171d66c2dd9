/*
 * The inner loops of warping, and of packing colors, in AssemblyScript. Addresses are in the module's memory, where callers put what is to be read.
 * `node scripts/assembly.mjs` compiles it to `src/kernels/wasm.ts`.
 */

export { blend8, blend16, blendFloat, blendMixed, toStencils, toStencilsAny } from "./blend";
export { blendColors, hasPixelOf, splitColors } from "./colors";
export { fit, toIndices } from "./fit";
export { blendPatch, extremes } from "./inner";
export { countZeros, packRgb, packRgba } from "./pack";

/** Returns the address from which on memory is free. */
export function base(): usize {
  return (__heap_base + 15) & ~15;
}
