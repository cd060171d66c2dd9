import { type Kernels, type WasmExports, wasmKernels } from "./wasm-kernels.ts";
import { WASM } from "./wasm.ts";

/** What `assembly/index.ts` exports; sizes and addresses in bytes. */
export interface RasterKernels extends WasmExports {
  blend8(quads: number, count: number, source: number, row: number, flip: number, out: number): void;
  blend16(quads: number, count: number, source: number, row: number, flip: number, out: number): void;
  blendFloat(quads: number, count: number, source: number, row: number, out: number): void;
  blendColors(quads: number, count: number, source: number, row: number, out: number, plane: number): void;
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
    quads: number,
    mixed: number,
    count: number,
    source: number,
    below: number,
    valid: number,
    out: number,
  ): void;
  extremes(cols: number, count: number, size: number, out: number): void;
  findQuads(places: number, count: number, width: number, first: number, quads: number): void;
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
  findQuadsAcross(
    places: number,
    count: number,
    x: number,
    y: number,
    width: number,
    height: number,
    valid: number,
    quads: number,
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

/** The kernels, with at least so many bytes of memory; whoever asks next gets the same memory. */
export const kernels: (room: number) => Kernels<RasterKernels> = /* @__PURE__ */ wasmKernels<RasterKernels>(WASM);

/** The next multiple of 16. */
export function aligned(size: number): number {
  return (size + 15) & ~15;
}
