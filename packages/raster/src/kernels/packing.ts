import type { RasterKernels } from "./kernels.ts";
import type { KernelMemory } from "./wasm-kernels.ts";

/** Pixels that are packed at a time: those of a map tile. */
const RUN = 65_536;

/** Interleaves three planes of bytes. */
export function packRgbByKernel(
  kernels: KernelMemory<RasterKernels>,
  planes: readonly Uint8Array[],
  data: Uint8Array,
): void {
  const { run, base, bytes } = kernels(RUN * 6 + 16);
  const out = base + 3 * RUN;
  for (let start = 0; start * 3 < data.length; start += RUN) {
    const count = Math.min(RUN, data.length / 3 - start);
    planes.forEach((plane, i) => {
      bytes.set(plane.subarray(start, start + count), base + i * RUN);
    });
    run.packRgb(base, base + RUN, base + 2 * RUN, count, out);
    data.set(bytes.subarray(out, out + count * 3), start * 3);
  }
}

/** As `packRgbByKernel`, with a fourth byte: 255, and all four 0 where `valid` is. */
export function packRgbaByKernel(
  kernels: KernelMemory<RasterKernels>,
  planes: readonly Uint8Array[],
  valid: Uint8Array,
  data: Uint8Array,
): void {
  const { run, base, bytes } = kernels(RUN * 8 + 64);
  const out = base + 4 * RUN;
  for (let start = 0; start * 4 < data.length; start += RUN) {
    const count = Math.min(RUN, data.length / 4 - start);
    [...planes, valid].forEach((plane, i) => {
      bytes.set(plane.subarray(start, start + count), base + i * RUN);
    });
    run.packRgba(base, base + RUN, base + 2 * RUN, base + 3 * RUN, count, out);
    data.set(bytes.subarray(out, out + count * 4), start * 4);
  }
}
