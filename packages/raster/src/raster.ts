import { GridError } from "./errors.ts";
import type { Grid } from "./grid.ts";
import { allocateSamples, type Samples, type SampleType } from "./samples.ts";

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
  if (valid.length < 8) return valid.indexOf(0) < 0;
  // four flags at a time: a quarter of what the engine's own search takes
  const start = -valid.byteOffset & 3;
  const words = new Int32Array(valid.buffer, valid.byteOffset + start, (valid.length - start) >> 2);
  let common = -1;
  for (let i = 0; i < words.length; i++) common &= words[i]!;
  if ((common & 0x01_01_01_01) !== 0x01_01_01_01) return valid.indexOf(0) < 0;
  const end = start + 4 * words.length;
  return valid.subarray(0, start).indexOf(0) < 0 && valid.subarray(end).indexOf(0) < 0;
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
