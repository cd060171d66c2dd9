import { GridError } from "./errors.ts";
import type { Grid } from "./grid.ts";
import { kernels } from "./kernels/kernels.ts";
import { allocateSamples, type Samples, type SampleType } from "./samples.ts";
import { canLoadKernels } from "./wasm-kernels.ts";

/**
 * Band-separate pixels on a grid. Every `bands[i]` and `valid` has `width × height` values, row-major;
 * `valid` is 1 where a pixel holds data, 0 where it does not.
 */
export interface Raster<T extends Samples = Samples> {
  readonly grid: Grid;
  readonly bands: readonly T[];
  readonly valid: Uint8Array;
}

/** Whether every pixel holds data. */
export function isComplete({ valid }: Pick<Raster, "valid">): boolean {
  // the engine's own search takes a small part of a loop's time
  return valid.indexOf(0) < 0;
}

/** Bytes that are counted at a time. */
const RUN = 65_536;

/** How many pixels hold data. */
export function countValid({ valid }: Pick<Raster, "valid">): number {
  const first = valid.indexOf(0);
  if (first < 0) return valid.length;
  let count = valid.length;
  if (!canLoadKernels(kernels)) {
    for (let i = first; i < valid.length; i++) if (valid[i] === 0) count--;
    return count;
  }
  const { run, base, bytes } = kernels(RUN + 16);
  for (let start = first; start < valid.length; start += RUN) {
    const end = Math.min(start + RUN, valid.length);
    bytes.set(valid.subarray(start, end), base);
    count -= run.countZeros(base, end - start);
  }
  return count;
}

/** A raster of zeros in which no pixel is valid. */
export function emptyRaster(grid: Grid, bandCount: number, type: SampleType): Raster {
  const length = grid.width * grid.height;
  return {
    grid,
    bands: Array.from({ length: bandCount }, () => allocateSamples(type, length)),
    valid: new Uint8Array(length),
  };
}

/** @throws {GridError} `invalid-size` unless every band and `valid` have `width × height` values. */
export function checkRaster(raster: Raster, width = raster.grid.width, height = raster.grid.height): void {
  const length = width * height;
  for (const array of [...raster.bands, raster.valid]) {
    if (array.length !== length) {
      throw new GridError("invalid-size", `Expected ${width} × ${height} = ${length} values, got ${array.length}.`);
    }
  }
}
