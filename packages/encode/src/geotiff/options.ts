import { bytesPerSample, type Grid, type SampleType } from "@swath/raster";
import { type Deflate, portableDeflate } from "../deflate/deflate.ts";
import { EncodeError } from "../errors.ts";

/** The rule that makes the pixels of an overview from those below. */
export type OverviewResampling = "nearest" | "average" | "mode";

/** Metadata of one band; all of it is written to the `GDAL_METADATA` tag. */
export interface BandMetadata {
  readonly name?: string;
  /** Physical value = sample × scale + offset. */
  readonly scale?: number;
  readonly offset?: number;
  readonly unit?: string;
}

/** The layout of a GeoTIFF, and its metadata. */
export interface GeoTiffOptions {
  /** Edge of a block in pixels, a multiple of 16. Default 512. A smaller image gets smaller blocks. */
  readonly blockSize?: number;
  /** Edge of a block of the overviews. Default `blockSize`. */
  readonly overviewBlockSize?: number;
  readonly compression?: "deflate" | "none";
  /** Deflate effort 1 to 9. Default 1: see the measurements in the README. */
  readonly level?: number;
  /** `auto`: 2 (horizontal differences) for integers, 1 (none) for floats. 3 is for floats only, 2 for integers only. */
  readonly predictor?: "auto" | 1 | 2 | 3;
  /**
   * `pixel` (default): all bands of a pixel together, as GDAL's COG driver writes; one range request brings all bands
   * of a block. `band`: one plane per band, for files of which mostly one band is read.
   */
  readonly interleave?: "pixel" | "band";
  /** Written in place of every pixel whose `valid` is 0, and as the nodata tag. Without it samples are written as they are. */
  readonly nodata?: number;
  /** Writes which pixels are valid as an internal mask of one bit. Not beside `nodata`, which says the same. Default false. */
  readonly mask?: boolean;
  /** Leaves out blocks that hold only nodata (offset and size 0). Needs `nodata`. Default false: not every reader fills them. */
  readonly sparse?: boolean;
  /** One entry per band, in order. */
  readonly bands?: readonly BandMetadata[];
  /** Items of the file, as `gdalinfo` shows them. */
  readonly metadata?: Readonly<Record<string, string>>;
  /** `auto`: halved until both edges fit into one block. A list holds ascending powers of two from 2; `[]` is none. */
  readonly overviews?: "auto" | readonly number[];
  /** Default `nearest`. Every kind looks at valid pixels only; `average` and `mode` are valid where any source pixel is. */
  readonly overviewResampling?: OverviewResampling;
  /** `auto` (default): BigTIFF where the finished file passes 4 GiB. */
  readonly bigTiff?: "auto" | "always";
  /** Raw bytes to a zlib stream. Default: fflate, on the calling thread; `nodeDeflate` of `./node` uses the thread pool. */
  readonly deflate?: Deflate;
}

/** Size and kind of a file that is written strip by strip. */
export interface GeoTiffShape {
  readonly grid: Grid;
  readonly sampleType: SampleType;
  readonly bandCount: number;
}

/** All options with their defaults in place, checked against the shape. */
export interface Settings {
  readonly grid: Grid;
  readonly sampleType: SampleType;
  readonly bandCount: number;
  readonly blockSize: number;
  readonly overviewBlockSize: number;
  readonly compression: "deflate" | "none";
  readonly level: number;
  readonly predictor: 1 | 2 | 3;
  readonly interleave: "pixel" | "band";
  readonly nodata: number | undefined;
  readonly mask: boolean;
  readonly sparse: boolean;
  readonly bands: readonly BandMetadata[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly overviews: readonly number[];
  readonly overviewResampling: OverviewResampling;
  readonly bigTiff: "auto" | "always";
  readonly deflate: Deflate;
}

const RANGES: Record<SampleType, readonly [number, number] | undefined> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32768, 32767],
  uint16: [0, 65535],
  int32: [-2147483648, 2147483647],
  uint32: [0, 4294967295],
  float32: undefined,
  float64: undefined,
};

function invalid(message: string): EncodeError {
  return new EncodeError("invalid-option", message);
}

function checkBlockSize(name: string, size: number): number {
  if (!Number.isInteger(size) || size < 16 || size > 8192 || size % 16 !== 0) {
    throw invalid(`Expected ${name} to be a multiple of 16 from 16 to 8192, got ${size}.`);
  }
  return size;
}

function resolvePredictor(requested: "auto" | 1 | 2 | 3, isFloat: boolean, compressed: boolean): 1 | 2 | 3 {
  if (requested === "auto") return isFloat || !compressed ? 1 : 2;
  if (requested !== 1 && requested !== (isFloat ? 3 : 2)) {
    throw invalid(`Predictor ${requested} does not go with ${isFloat ? "floating-point" : "integer"} samples.`);
  }
  if (requested !== 1 && !compressed) throw invalid("A predictor needs compression.");
  return requested;
}

/** Factors of the overviews of a `width` × `height` image, as GDAL's COG driver chooses them. */
export function planOverviews(width: number, height: number, blockSize: number): number[] {
  const factors: number[] = [];
  for (let factor = 1; Math.max(Math.ceil(width / factor), Math.ceil(height / factor)) > blockSize; ) {
    factor *= 2;
    factors.push(factor);
  }
  return factors;
}

function checkOverviews(factors: readonly number[], largest: number): readonly number[] {
  let previous = 1;
  for (const factor of factors) {
    if (!Number.isInteger(factor) || factor <= previous || factor > 2 ** 20 || !Number.isInteger(Math.log2(factor))) {
      throw invalid(`Expected overviews to be ascending powers of two from 2, got [${factors.join(", ")}].`);
    }
    if (factor / 2 >= largest) throw invalid(`An overview of factor ${factor} is finer than one pixel of the image.`);
    previous = factor;
  }
  return factors;
}

/** @throws {EncodeError} `invalid-option` or `invalid-raster`, with the value and what was expected. */
export function resolveSettings(shape: GeoTiffShape, options: GeoTiffOptions): Settings {
  const { grid, sampleType, bandCount } = shape;
  if (!Number.isInteger(grid.width) || !Number.isInteger(grid.height) || grid.width < 1 || grid.height < 1) {
    throw new EncodeError("invalid-raster", `Expected at least one pixel, got ${grid.width} × ${grid.height}.`);
  }
  if (!Number.isInteger(bandCount) || bandCount < 1 || bandCount > 65535) {
    throw new EncodeError("invalid-raster", `Expected 1 to 65535 bands, got ${bandCount}.`);
  }
  const blockSize = checkBlockSize("blockSize", options.blockSize ?? 512);
  const overviewBlockSize = checkBlockSize("overviewBlockSize", options.overviewBlockSize ?? blockSize);
  const blockBytes = Math.max(blockSize, overviewBlockSize) ** 2 * bandCount * bytesPerSample(sampleType);
  if (blockBytes > 2 ** 30) throw invalid(`Expected blocks of at most 1 GiB, got ${blockBytes} bytes.`);
  const compression = options.compression ?? "deflate";
  const level = options.level ?? 1;
  if (!Number.isInteger(level) || level < 1 || level > 9) throw invalid(`Expected a level from 1 to 9, got ${level}.`);
  const range = RANGES[sampleType];
  const { nodata } = options;
  if (nodata !== undefined && range && !(Number.isInteger(nodata) && nodata >= range[0] && nodata <= range[1])) {
    throw invalid(`Nodata ${nodata} cannot be held by ${sampleType}.`);
  }
  if (options.mask === true && nodata !== undefined) throw invalid("Expected a mask or a nodata value, got both.");
  if (options.sparse === true && nodata === undefined) throw invalid("Sparse blocks need a nodata value.");
  const bands = options.bands ?? [];
  if (options.bands !== undefined && bands.length !== bandCount) {
    throw invalid(`Expected ${bandCount} ${bandCount === 1 ? "entry" : "entries"} in bands, got ${bands.length}.`);
  }
  const overviews = options.overviews ?? "auto";
  return {
    grid,
    sampleType,
    bandCount,
    blockSize,
    overviewBlockSize,
    compression,
    level,
    predictor: resolvePredictor(options.predictor ?? "auto", range === undefined, compression === "deflate"),
    interleave: options.interleave ?? "pixel",
    nodata: nodata !== undefined && sampleType === "float32" ? Math.fround(nodata) : nodata,
    mask: options.mask ?? false,
    sparse: options.sparse ?? false,
    bands,
    metadata: options.metadata ?? {},
    overviews:
      overviews === "auto"
        ? planOverviews(grid.width, grid.height, overviewBlockSize)
        : checkOverviews(overviews, Math.max(grid.width, grid.height)),
    overviewResampling: options.overviewResampling ?? "nearest",
    bigTiff: options.bigTiff ?? "auto",
    deflate: options.deflate ?? portableDeflate,
  };
}
