import type { LevelRule } from "@swath/cog";
import type { PolygonGeometry } from "@swath/geometry";
import type { BandConversion, BitRule } from "@swath/mosaic";
import type { FactorGrid } from "@swath/mosaic/nbar";
import type { Affine, Grid } from "@swath/raster";
import { resolveCrs } from "@swath/raster";
import type { Resampling } from "@swath/raster/warp";
import type { ClassNumbers } from "./class-numbers.ts";

/** A grid as plain data: it crosses threads and goes into plan keys. */
export interface GridSpec {
  readonly crs: string;
  /** Column and row to coordinates: a, b, c, d, e, f. */
  readonly transform: Affine;
  readonly width: number;
  readonly height: number;
}

/** A grid as plain data, which can be sent to a thread. */
export function gridSpec(grid: Grid): GridSpec {
  return { crs: grid.crs.name, transform: grid.transform, width: grid.width, height: grid.height };
}

/** @throws {CrsError} for a CRS that is not known. */
export function gridFromSpec(spec: GridSpec): Grid {
  return { crs: resolveCrs(spec.crs), transform: spec.transform, width: spec.width, height: spec.height };
}

/** A polygon outside of which there is no data, and its CRS. */
export interface Clip {
  readonly polygon: PolygonGeometry;
  readonly crs: string;
}

/** Linear adjustment of physical values to a reference sensor: `slope × value + intercept`. */
export interface BandAdjustment {
  readonly slope: number;
  readonly intercept: number;
}

/** The factors that bring physical values to another sensor and geometry. */
export interface Adjustments {
  readonly adjust?: BandAdjustment;
  /** One factor per pixel, interpolated among these; pixels without one are nodata. */
  readonly factors?: FactorGrid;
}

/** The conversion of the stored samples of a file. */
export type SampleConversion =
  /** `shift` is added to each stored sample that holds data; 16-bit samples stop at their largest value. */
  | { readonly kind: "shift"; readonly shift: number }
  /** The same numbers in the output type; `nodata` is the stored sample that means "no data" in a band that keeps it. */
  | { readonly kind: "stored"; readonly nodata?: number }
  | Extract<BandConversion, { kind: "offset-removed" }>
  /** Numbers derived from a mask's classes; no sample of the output means "no data". */
  | ({ readonly kind: "classes" } & ClassNumbers)
  /** As in `@swath/mosaic`, then adjusted where `adjust` is given, then multiplied where `factors` are. */
  | (Extract<BandConversion, { kind: "physical" }> &
      Adjustments & {
        /** Linear power becomes decibels: 10 × log10. Power of 0 and below has none: NaN. */
        readonly decibels?: boolean;
        /** Radiance becomes brightness temperature: k2 / ln(k1 / radiance + 1) + `offset`. Radiance of 0 and below: NaN. */
        readonly brightness?: { readonly k1: number; readonly k2: number; readonly offset: number };
      });

/** Address of a file, and options for its reader. */
export interface FileAddress {
  readonly href: string;
  /** The file is JPEG 2000; `placement` says where its pixels are, should it not say so itself. Absent: it is a GeoTIFF. */
  readonly jp2?: { readonly placement?: Pick<GridSpec, "crs" | "transform"> };
}

/** One file of a scene, and the parts of it that are read. */
export interface FileRead extends FileAddress {
  /** Band numbers, counted from 0, in the order they are wanted; absent: every band of the file. */
  readonly bands?: readonly number[];
  /**
   * Stored sample that means "no data", in place of what the file says (its nodata tag, mask and alpha band); `null`:
   * every sample is data; absent: what the file says.
   */
  readonly nodata?: number | null;
  /** Stored sample that holds data but leaves the pixel to the next scene of a mosaic, such as the fill of quality bits. */
  readonly yields?: number;
  /**
   * `false`: samples that hold data do not take the pixel of a mosaic, unless no file's do. For bands whose every sample
   * is data, beside others that say where the scene has data. Absent: they do.
   */
  readonly claims?: false;
  /** Absent: samples stay as they are stored. */
  readonly conversion?: SampleConversion;
}

/** Stored samples of a mask that are matched: by value, or by bit fields. */
export type MaskRule =
  | { readonly kind: "values"; readonly values: readonly number[] }
  | { readonly kind: "bits"; readonly fields: readonly Omit<BitRule, "classCode">[] };

/** The mask of a scene: a file of classes or quality bits, and those whose pixels are dropped. */
export interface MaskRead extends FileAddress {
  /** Number of the mask's band in the file, from 0; absent: 0. */
  readonly band?: number;
  /** Samples whose pixels are dropped. */
  readonly drop: MaskRule;
  /** Pixels within `meters` (a disc, pixel centre to pixel centre) of samples that `around` matches are dropped too. */
  readonly dilate?: { readonly meters: number; readonly around: MaskRule };
}

/** Longitude and latitude of a ring's positions; the last equals the first. */
export type FootprintRing = readonly (readonly [number, number])[];

/** Everything that decides which samples of a scene are read on a grid, as plain data. */
export interface SceneRead {
  readonly id: string;
  /** Outer rings in degrees, by which scenes that miss a grid are left out; empty: every grid may be touched. */
  readonly footprint: readonly FootprintRing[];
  /** Files in the order of the bands wanted. */
  readonly files: readonly FileRead[];
  /** `nearest` for classes and for data that is computed with, `bilinear` for what is looked at. */
  readonly resampling: Resampling;
  /** Rule for the overview that a grid is read from. */
  readonly overviews: LevelRule;
  /** Rule for the pixels that hold data: those where every file does, or those where any does. */
  readonly validWhere: "every-file" | "any-file";
  /** Sample type of converted bands, and the value that stands where a band holds no data; absent: as stored. */
  readonly output?: { readonly sampleType: OutputType; readonly nodata: number };
  readonly mask?: MaskRead;
}

/** Sample types that bands are converted to. */
export type OutputType = "uint8" | "uint16" | "int16" | "float32" | "float64";

export interface ReadSceneOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The whole grid, for a caller that reads it part by part: overviews are chosen for the whole, and blocks are kept
   * for the next part. Default: `grid` is the whole.
   */
  readonly area?: Grid | undefined;
  /** For few pixels of many scenes: of a block only the bytes are read that should hold the rows needed. */
  readonly partialBlocks?: boolean | undefined;
}
