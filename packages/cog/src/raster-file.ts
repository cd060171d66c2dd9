import type { Grid, Raster, Samples, SampleType, Window } from "@swath/raster";
import { CogError } from "./errors.ts";
import type { ReadOptions } from "./window/read-options.ts";

/** One resolution of a raster file. */
export interface RasterLevel {
  /** 0 is the finest. */
  readonly index: number;
  readonly grid: Grid;
  readonly width: number;
  readonly height: number;
}

/** Memory for `length` samples; it may hold anything. */
export type Allocate = (type: SampleType, length: number) => Samples;

/** Bands of a window that were read together. */
export interface WindowRaster extends Raster {
  /** Each band by itself holds no data where it is this; undefined: `valid` says it of every band by itself too. */
  readonly nodata: number | undefined;
}

/** Pixel-interleaved RGB, three bytes per pixel, as stored. */
export interface InterleavedRgb {
  readonly grid: Grid;
  readonly rgb: Uint8Array;
  /** All bytes of a pixel without data; each band by itself holds none where it is this. */
  readonly nodata: number | undefined;
}

/** Options for reading the pixels of a window, and the memory that they are read into. */
export interface WindowOptions extends ReadOptions {
  /** Default: new memory. */
  readonly allocate?: Allocate | undefined;
  /** Three bands of bytes may come pixel-interleaved, where neither a mask nor an alpha band decides which pixels are valid. */
  readonly keepInterleaved?: boolean | undefined;
}

/**
 * An open raster file of any format, as far as windows and grids need it: `readWindow`, `readGrid`, `readGrids`,
 * `levelFor` and `FileCache` take files of any format. `Cog` is one; packages for other formats have others.
 */
export interface RasterFile {
  readonly key: string;
  /** Grid of level 0. Its CRS is named `none` where the file names none; only warping needs one. */
  readonly grid: Grid;
  /** Finest first. */
  readonly levels: readonly RasterLevel[];
  readonly bandCount: number;
  /** The reason why the file cannot be warped; undefined: it has an affine transform and a CRS. */
  readonly georeferenceProblem?: string | undefined;
  /** Bytes of memory that the open file takes, without pixels. */
  readonly headerBytes: number;
  /** Was a part of the file damaged twice? Its header may be, too: a cache opens the file again. Default false. */
  readonly suspect?: boolean | undefined;
  /**
   * Reads pixels of one level, as `readWindow` does.
   *
   * @throws {RangeError} when level, window or bands do not exist.
   * @throws {CogError} `corrupt`, `unsupported`, `too-large`, `changed`, or what the source throws.
   */
  readPixels(level: number, window: Window, options?: WindowOptions): Promise<WindowRaster | InterleavedRgb>;
}

/** @throws {CogError} `no-georeference` where the file cannot be warped. */
export function checkGeoreference({ key, georeferenceProblem }: RasterFile): void {
  if (georeferenceProblem === undefined) return;
  throw new CogError("no-georeference", `${key} has no usable georeference. ${georeferenceProblem}`);
}
