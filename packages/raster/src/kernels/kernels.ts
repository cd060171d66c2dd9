import { WASM } from "./wasm.ts";
import { type WasmExports, type WasmModule, wasmModule } from "./wasm-kernels.ts";

/** The exports of `assembly/index.ts`; sizes and addresses in bytes. */
export interface RasterKernels extends WasmExports {
  blend8(stencils: number, count: number, source: number, row: number, flip: number, out: number): void;
  blend16(stencils: number, count: number, source: number, row: number, flip: number, out: number): void;
  blendFloat(stencils: number, count: number, source: number, row: number, out: number): void;
  blendColors(stencils: number, count: number, source: number, row: number, out: number, plane: number): void;
  blendPatch(
    powers: number,
    width: number,
    height: number,
    pitch: number,
    limit: number,
    edge: number,
    windowWidth: number,
    first: number,
    work: number,
    bands: number,
    count: number,
    doubtful: number,
  ): number;
  blendMixed(
    kind: number,
    stencils: number,
    mixed: number,
    count: number,
    source: number,
    below: number,
    valid: number,
    out: number,
  ): void;
  extremes(cols: number, count: number, size: number, out: number): void;
  toStencils(sourcePixels: number, count: number, width: number, first: number, stencils: number): void;
  fit(
    powers: number,
    width: number,
    height: number,
    first: number,
    rows: number,
    pitch: number,
    limit: number,
    edge: number,
    cols: number,
    size: number,
    doubtful: number,
    sourceWidth: number,
    sourceHeight: number,
  ): number;
  toStencilsAny(
    sourcePixels: number,
    count: number,
    x: number,
    y: number,
    width: number,
    height: number,
    valid: number,
    stencils: number,
    covered: number,
    mixed: number,
  ): number;
  toIndices(cols: number, count: number, size: number, width: number, first: number): void;
  countZeros(from: number, count: number): number;
  hasPixelOf(source: number, count: number, value: number): number;
  splitColors(source: number, count: number, out: number, plane: number): void;
  packRgba(red: number, green: number, blue: number, valid: number, count: number, out: number): void;
  packRgb(red: number, green: number, blue: number, count: number, out: number): void;
}

/** The compiled kernels; each warp context has an instance with memory of its own. */
export const RASTER_MODULE: WasmModule = /* @__PURE__ */ wasmModule(WASM);

/** The next multiple of 16. */
export function aligned(size: number): number {
  return (size + 15) & ~15;
}
