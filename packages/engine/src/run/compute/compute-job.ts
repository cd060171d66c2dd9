import type { Program } from "@swath/openeo/program";
import type { Window } from "@swath/raster";
import type { ResamplingMethod } from "@swath/raster/warp";
import type { Clip, GridSpec, SceneRead } from "../scene/scene-read.ts";
import type { EqualBins } from "./bins.ts";
import type { CubeRegion } from "./cube-region.ts";

/**
 * Programs over groups of scenes, each run on its grid, pixel by pixel: they give numbers, or bands of a raster. Plain data,
 * so that it crosses threads.
 */
export interface ComputeJob {
  readonly kind: "compute";
  /** Ids of groups differ within a grid and between grids. */
  readonly grids: readonly GridGroups[];
}

/** Pixels, and the groups of scenes that are computed on them. */
export interface GridGroups {
  /** One grid, or several where one cannot hold all pixels: their numbers are added up. */
  readonly parts: readonly GridPart[];
  /** By the region's number in programs, of a grid of one whole part. */
  readonly regions?: readonly CubeRegion[];
  readonly groups: readonly Group[];
}

/** A grid, or what is read of it. */
export interface GridPart {
  readonly grid: GridSpec;
  /** Pixels whose centres are outside of it are not counted at all. */
  readonly clip?: Clip;
  /** Windows of the grid, apart from each other, that hold every pixel which counts; absent: the whole grid. */
  readonly windows?: readonly Window[];
  /** Other grids have pixels of the same blocks: also for few pixels whole blocks are read, which the others find decoded. */
  readonly wholeBlocks?: true;
}

/** Scenes that are computed together: those of an interval or of an overpass, or the time steps of a cube. */
export interface Group {
  /** Names the group in its result. */
  readonly id: string;
  readonly program: Program;
  /** The loads of the program, in their order; equal loads that follow each other share one. */
  readonly reads: readonly GroupRead[];
  /** By the output's number in the program; bands alone, or numbers alone. */
  readonly outputs: readonly GroupOutput[];
}

/** One load of a program: scenes, or values of another grid. */
export type GroupRead = ScenesRead | ResampledRead;

/** Scenes as a mosaic. */
export interface ScenesRead {
  readonly kind: "scenes";
  /** In mosaicking order, first on top; each has the files of the bands alone. */
  readonly scenes: readonly SceneRead[];
  /** Numbers of the regions outside of which there is no data. */
  readonly clips?: readonly number[];
  /** Expressions over the bands, whose values the program loads in place of the bands. */
  readonly math?: BandMath;
}

export interface BandMath {
  /** Names of the bands of every scene, in the order of its files. */
  readonly bands: readonly string[];
  /** By the number of the band that a program loads; the name of one band is an expression too. */
  readonly expressions: readonly string[];
}

/** Values that are computed on another grid and resampled. */
export interface ResampledRead {
  readonly kind: "resampled";
  /** The other grid, whole. */
  readonly source: GridSpec;
  readonly method: ResamplingMethod;
  /** Computes the values; its outputs are the bands that are loaded. */
  readonly program: Program;
  readonly outputs: number;
  readonly reads: readonly GroupRead[];
  /** By their number; a program of another grid has them there. */
  readonly regions: readonly CubeRegion[];
}

export type GroupOutput =
  /** A band of the raster. */
  | { readonly kind: "band" }
  /** Numbers of the pixels that count, or of those whose centres are in a region. */
  | {
      readonly kind: "numbers";
      readonly name: string;
      readonly region?: number;
      readonly reducers: readonly Reducer[];
    };

/**
 * A calculation over the valid values of an output.
 * - `moments`: count, sum, mean and standard deviation.
 * - `squares`: sum of squares about the mean.
 * - `extremes`: smallest and largest value.
 * - `percentiles`: at each of `at`, 0 to 100, linear between the nearest values (numpy's default method).
 * - `histogram`: how many values fall into each bin; `edges` ascend, a bin holds its lower edge, the last one both
 *   (numpy.histogram). Without edges, `equal` bins between the smallest and the largest value.
 * - `first`: the value of the first valid pixel, row by row from the upper left corner.
 *
 * Percentiles and `equal` bins are exact up to 4,000,000 values.
 */
export type Reducer =
  | { readonly kind: "moments" }
  | { readonly kind: "squares" }
  | { readonly kind: "extremes" }
  | { readonly kind: "percentiles"; readonly at: readonly number[] }
  | { readonly kind: "histogram"; readonly edges: readonly number[] }
  | { readonly kind: "histogram"; readonly equal: EqualBins }
  | { readonly kind: "first" };

/** Scenes of one mosaic. */
export interface SceneGroup {
  readonly id: string;
  /** In mosaicking order, first on top; each with its conversion to float64 and its mask. */
  readonly scenes: readonly SceneRead[];
}

/** Values to be reduced: an expression over bands of scenes, by name. */
export interface ReducedExpression {
  readonly name: string;
  readonly expression: string;
  readonly reducers: readonly Reducer[];
}

/**
 * Scenes whose mosaic is reduced: the program takes one expression after the other, so that the memory of one is enough.
 *
 * @param bands names of the bands of every scene, in the order of its files
 */
export function mosaicGroup(
  { id, scenes }: SceneGroup,
  bands: readonly string[],
  outputs: readonly ReducedExpression[],
): Group {
  return {
    id,
    program: {
      registers: 1,
      steps: outputs.flatMap((_, band) => [
        { kind: "load" as const, load: 0, time: 0, bands: [{ band, register: 0 }] },
        { kind: "emit" as const, output: band, from: 0 },
      ]),
    },
    reads: [{ kind: "scenes", scenes, math: { bands, expressions: outputs.map(({ expression }) => expression) } }],
    outputs: outputs.map(({ name, reducers }) => ({ kind: "numbers", name, reducers })),
  };
}

/** Numbers of one output; members are there where their reducer was asked for, `null` where no pixel is valid. */
export interface ReducedOutput {
  readonly name: string;
  /** Pixels of the grid, or of the clip or region. */
  readonly pixels: number;
  /** Those that hold a value. */
  readonly count: number;
  readonly sum?: number;
  readonly mean?: number | null;
  /** Standard deviation of the population: divided by `count`. */
  readonly standardDeviation?: number | null;
  readonly squares?: number;
  readonly min?: number | null;
  readonly max?: number | null;
  /** In the order of `at`. */
  readonly percentiles?: readonly (number | null)[];
  readonly histogram?: {
    /** Edges of the bins, one more than there are bins; none where no pixel is valid and the values were to say. */
    readonly edges: readonly number[];
    /** One per bin. */
    readonly counts: readonly number[];
    readonly below: number;
    readonly above: number;
  };
  /** Percentiles and bins are those of 4,096 values in place of each million: ranks are right to 0.02 %. */
  readonly approximate?: true;
  readonly first?: number | null;
}

/** A scene that can never be read (missing or broken files, or bands), and why, in words for clients. */
export interface SkippedScene {
  readonly id: string;
  readonly reason: string;
  /** The error's own words, which may name the address that was tried: for logs, and for whoever has the files. */
  readonly error?: string;
  /** Its sensor or processing does not have a band: no fault of its archive. */
  readonly lacksBand?: true;
}

/** The result of a group. */
export interface ReducedGroup {
  readonly id: string;
  /** The outputs that are numbers. */
  readonly outputs: readonly ReducedOutput[];
  /** Ids of the scenes that gave pixels, in the order in which they are read, first on top. */
  readonly used: readonly string[];
  /** Scenes that were left out: without them the group may have gaps. */
  readonly skipped: readonly SkippedScene[];
}

export interface ComputeResult {
  /** One for each of the job's grids, of all its parts: their pixels, or those of their clips. */
  readonly pixels: readonly number[];
  /** In the order of the job, grid after grid. */
  readonly groups: readonly ReducedGroup[];
}

/** Rows of a raster, from the top to the bottom: NaN where there is no data. */
export interface ComputedRows {
  readonly bands: readonly Float32Array<ArrayBuffer>[];
  readonly height: number;
}

export interface ComputeOptions {
  readonly signal: AbortSignal;
  /** Called with each group that is done, in the order in which they end. */
  readonly onGroup?: ((group: ReducedGroup) => void) | undefined;
  /** Takes the rows of the raster of the one group that gives bands, in order; the next ones wait for it. */
  readonly onRows?: ((rows: ComputedRows) => Promise<void>) | undefined;
}

/** Numbers of the regions that programs on a grid use: their own steps, what they load and their outputs. */
export function usedRegions(groups: readonly Group[]): ReadonlySet<number> {
  return new Set(
    groups.flatMap(({ program, reads, outputs }) => [
      ...program.steps.flatMap((step) => (step.kind === "region" ? [step.region] : [])),
      ...reads.flatMap((read) => (read.kind === "scenes" ? (read.clips ?? []) : [])),
      ...outputs.flatMap((output) => (output.kind === "band" ? [] : (output.region ?? []))),
    ]),
  );
}
