import { ownedContext, type WarpContext } from "../context.ts";
import { GridError } from "../errors.ts";
import type { Grid } from "../grid/grid.ts";
import type { Samples } from "./samples.ts";

/**
 * Band-separate pixels on a grid. Every `bands[i]` and `valid` has `width × height` values, row-major;
 * `valid` is 1 where a pixel holds data, 0 where it does not.
 */
export interface Raster<T extends Samples = Samples> {
  readonly grid: Grid;
  readonly bands: readonly T[];
  readonly valid: Uint8Array;
}

/** Options of counting. */
export interface CountOptions {
  /** Gives the kernels that count. Default: the context of this thread. */
  readonly context?: WarpContext | undefined;
}

/** Whether every pixel holds data. */
export function isComplete({ valid }: Pick<Raster, "valid">, { context }: CountOptions = {}): boolean {
  return zerosOf(valid, true, context) === 0;
}

/** Counts the pixels that hold data. */
export function countValid({ valid }: Pick<Raster, "valid">, { context }: CountOptions = {}): number {
  return valid.length - zerosOf(valid, false, context);
}

/** Bytes that are counted at a time. */
const RUN = 16_384;

/** Counts the bytes that are 0; with `any`, only those of the first run that has such. */
function zerosOf(flags: Uint8Array, any: boolean, context: WarpContext | undefined): number {
  let zeros = 0;
  const { kernels } = ownedContext(context);
  if (kernels === undefined) {
    for (let i = flags.indexOf(0); i >= 0; i = any ? -1 : flags.indexOf(0, i + 1)) zeros++;
    return zeros;
  }
  const { run, base, bytes } = kernels(RUN + 16);
  for (let start = 0; start < flags.length && !(any && zeros > 0); start += RUN) {
    const end = Math.min(start + RUN, flags.length);
    bytes.set(flags.subarray(start, end), base);
    zeros += run.countZeros(base, end - start);
  }
  return zeros;
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
