import type { Program } from "@swath/openeo/program";
import type { ResamplingMethod } from "@swath/raster";
import type { CubeRegion } from "./cube-region.ts";
import type { PartialNumbers } from "./partial-numbers.ts";
import type { Reducer, SkippedScene } from "./reduce-job.ts";
import type { FileRead, GridSpec, SceneRead } from "./scene-read.ts";

/**
 * Values that are computed of many time steps on one grid, pixel by pixel: numbers of them, or bands of a raster. Plain
 * data, so that it crosses threads.
 */
export interface CubeJob {
  readonly kind: "cube";
  readonly grid: GridSpec;
  /** By the load's number in the programs. */
  readonly loads: readonly CubeLoad[];
  /** What programs load as the load `RESAMPLED`, by the number of the time step. */
  readonly resamplings: readonly CubeResampling[];
  /** By the region's number in the programs. */
  readonly regions: readonly CubeRegion[];
  /** Programs that share no time step; one alone where it gives bands of a raster. */
  readonly tasks: readonly CubeTask[];
}

/** Number of the load of programs whose time steps are values of other grids. */
export const RESAMPLED = -1;

/** Values that are computed on another grid and resampled. */
export interface CubeResampling {
  /** The other grid, whole. */
  readonly grid: GridSpec;
  readonly method: ResamplingMethod;
  /** Computes the values; its outputs are the bands of the time step. */
  readonly program: Program;
  readonly outputs: number;
}

/** Time steps that a program may load. */
export interface CubeLoad {
  /** Numbers of the regions outside of which the load has no data. */
  readonly clips: readonly number[];
  /** Of each time step the scenes, first on top. */
  readonly times: readonly (readonly CubeScene[])[];
}

/** What is read of a scene: a file for each band of the load, nothing for one that no program takes. */
export interface CubeScene extends Omit<SceneRead, "files"> {
  readonly files: readonly (FileRead | undefined)[];
}

export interface CubeTask {
  readonly program: Program;
  /** By the output's number in the program. */
  readonly outputs: readonly CubeOutput[];
}

export type CubeOutput =
  /** A band of the raster. */
  | { readonly kind: "band" }
  /** Numbers of the pixels, or of those whose centres are in a region. */
  | { readonly kind: "numbers"; readonly region?: number; readonly reducers: readonly Reducer[] };

/** Rows of the raster, from the top to the bottom: NaN where there is no data. */
export interface CubeRows {
  readonly bands: readonly Float32Array<ArrayBuffer>[];
  readonly height: number;
}

export interface CubeResult {
  /** Of each task, of each output that is numbers. */
  readonly numbers: readonly (readonly (PartialNumbers | undefined)[])[];
  /** Ids of the scenes that gave pixels. */
  readonly used: readonly string[];
  /** Scenes that can never be read, left out. */
  readonly skipped: readonly SkippedScene[];
}

export interface CubeOptions {
  readonly signal: AbortSignal;
  /** Takes the rows of a raster, in order; the next ones wait for it. */
  readonly onRows?: ((rows: CubeRows) => Promise<void>) | undefined;
}
