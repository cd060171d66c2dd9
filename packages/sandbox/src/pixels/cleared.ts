import type { Samples, SampleType } from "@swath/raster";
import type { SamplePool } from "@swath/raster/kernels";

/** Samples of a pool, all 0. */
export function cleared<T extends Samples>(pool: SamplePool, type: SampleType, length: number): T {
  return pool.take(type, length).fill(0) as T;
}
