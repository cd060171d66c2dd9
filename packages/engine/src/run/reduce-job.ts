import type { Window } from "@swath/raster";
import type { EqualBins } from "./bins.ts";
import type { Clip } from "./extract-job.ts";
import type { GridSpec, SceneRead } from "./scene-read.ts";

/**
 * What is computed of the valid values of an output.
 * - `moments`: count, sum, sum of squares about the mean.
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
  | { readonly kind: "extremes" }
  | { readonly kind: "percentiles"; readonly at: readonly number[] }
  | { readonly kind: "histogram"; readonly edges: readonly number[] }
  | { readonly kind: "histogram"; readonly equal: EqualBins }
  | { readonly kind: "first" };

/** Values to be reduced: an expression over the bands of the scenes, by name. */
export interface ReduceOutput {
  readonly name: string;
  /** Over `ReduceJob.bands`; the name of one band is an expression too. */
  readonly expression: string;
  readonly reducers: readonly Reducer[];
}

/** Scenes that are reduced together, as a mosaic: those of an interval, or of an overpass. */
export interface ReduceGroup {
  /** Names the group in its result. */
  readonly id: string;
  /** In mosaicking order, first on top; each with its conversion to float64 and its mask. */
  readonly scenes: readonly SceneRead[];
}

/** A grid, or what is read of it. */
export interface GridPart {
  readonly grid: GridSpec;
  /** Pixels whose centres are outside of it are not counted at all. */
  readonly clip?: Clip;
  /** Windows of the grid, apart from each other, that hold every pixel which counts; absent: the whole grid. */
  readonly windows?: readonly Window[];
}

/** Pixels, and the groups of scenes that are reduced over them. */
export interface GridGroups {
  /** One grid, or several where one cannot hold all pixels: their numbers are added up. */
  readonly parts: readonly GridPart[];
  readonly groups: readonly ReduceGroup[];
}

/** Groups of scenes, each to be reduced to numbers on its grid: plain data, so that it crosses threads. */
export interface ReduceJob {
  readonly kind: "reduce";
  /** Ids of groups differ within a grid and between grids. */
  readonly grids: readonly GridGroups[];
  /** Names of the bands of every scene, in the order of its files. */
  readonly bands: readonly string[];
  readonly outputs: readonly ReduceOutput[];
}

/** Numbers of one output; members are there where their reducer was asked for, `null` where no pixel is valid. */
export interface ReducedOutput {
  readonly name: string;
  /** Pixels of the grid, or of the clip. */
  readonly pixels: number;
  /** Those that hold a finite value. */
  readonly count: number;
  readonly sum?: number;
  readonly mean?: number | null;
  /** Of the population: divided by `count`. */
  readonly standardDeviation?: number | null;
  readonly min?: number | null;
  readonly max?: number | null;
  /** In the order of `at`. */
  readonly percentiles?: readonly (number | null)[];
  readonly histogram?: {
    /** Edges of the bins, one more than there are bins; none where no pixel is valid and the values were to say. */
    readonly edges: readonly number[];
    /** One a bin. */
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
  /** Its sensor or processing does not have a band: no fault of its archive. */
  readonly lacksBand?: true;
}

/** What came of a group. */
export interface ReducedGroup {
  readonly id: string;
  readonly outputs: readonly ReducedOutput[];
  /** Ids of the scenes that gave pixels, first on top. */
  readonly used: readonly string[];
  /** Scenes that were left out: without them the group may have gaps. */
  readonly skipped: readonly SkippedScene[];
}

export interface ReduceResult {
  /** One for each of the job's grids, of all its parts: their pixels, or those of their clips. */
  readonly pixels: readonly number[];
  /** In the order of the job, grid after grid. */
  readonly groups: readonly ReducedGroup[];
}
