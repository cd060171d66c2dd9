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
  // the engine's own search takes a small part of a loop's time
  return valid.indexOf(0) < 0;
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
