import type { SampleType } from "@swath/raster";
import { CogError } from "../errors.ts";
import type { TagEntry } from "./directories.ts";
import type { Tags } from "./tags.ts";

/** The storage of the samples of one image directory. */
export interface TiffImage {
  /** Byte offset of its directory: names the image inside its file. */
  readonly id: number;
  readonly width: number;
  readonly height: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
  readonly blocksAcross: number;
  readonly blocksDown: number;
  /** Samples of a pixel that are interleaved in a block: all of them, or 1 where planes are separate. */
  readonly interleaved: number;
  readonly bandCount: number;
  readonly planar: boolean;
  readonly tiled: boolean;
  readonly bits: number;
  readonly float: boolean;
  readonly sampleType: SampleType;
  readonly compression: number;
  readonly predictor: number;
  readonly photometric: number;
  readonly reversedBits: boolean;
  readonly littleEndian: boolean;
  readonly jpegTables?: Uint8Array;
  readonly lercCompression: number;
  readonly offsets: TagEntry;
  readonly byteCounts?: TagEntry;
  /** A single uncompressed strip is read as many blocks of some rows: block i begins `i × virtualBytes` into it. */
  readonly virtualBytes?: number;
  readonly extraSamples: readonly number[];
  readonly overview: boolean;
  readonly mask: boolean;
}

export const COMPRESSION_NAMES: Readonly<Record<number, string>> = {
  1: "none",
  5: "LZW",
  7: "JPEG",
  8: "deflate",
  32773: "PackBits",
  32946: "deflate",
  34887: "LERC",
  50000: "ZSTD",
  50001: "WebP",
};

/** Compressions that are known and not read, for messages. */
const NOT_READ: Readonly<Record<number, string>> = {
  2: "CCITT RLE",
  3: "CCITT Group 3",
  4: "CCITT Group 4",
  6: "old-style JPEG",
  34661: "JBIG",
  34712: "JPEG 2000",
  34925: "LZMA",
  50002: "JPEG XL",
  52546: "JPEG XL",
};

/** Most decoded bytes of a block. A 1024 × 1024 block of 32 float32 bands is as large. */
export const MAX_BLOCK_BYTES = 128 * 1024 * 1024;
/** Blocks of one image: 10⁸ blocks of 256 × 256 are a square of 2.5 million pixels. */
const MAX_BLOCKS = 1e8;
const VIRTUAL_STRIP_BYTES = 128 * 1024;

/** Tags that describe an image, except the tables of its blocks. */
export const IMAGE_TAGS = [
  254, 255, 256, 257, 258, 259, 262, 266, 277, 278, 284, 317, 322, 323, 338, 339, 347, 530, 50674,
];

/** Values of {@link IMAGE_TAGS} of one directory. */
export interface ImageTags extends Omit<Tags, "text"> {
  /** Byte offset of the directory. */
  readonly id: number;
  readonly littleEndian: boolean;
}

/** @throws {CogError} `corrupt`, `unsupported` or `too-large`, before anything is allocated. */
export function toImage(tags: ImageTags, key: string): TiffImage {
  const width = whole(tags, 256, "ImageWidth", key);
  const height = whole(tags, 257, "ImageLength", key);
  const bandCount = tags.entry(277) === undefined ? 1 : whole(tags, 277, "SamplesPerPixel", key);
  checkCounts(tags, bandCount, key);
  const compression = tags.number(259) ?? 1;
  if (COMPRESSION_NAMES[compression] === undefined) {
    throw new CogError(
      "unsupported",
      `${key}: compression ${NOT_READ[compression] ?? "of an unknown kind"} (${compression}) is not read.`,
    );
  }
  const bits = same(tags.numbers(258), 1, bandCount, "BitsPerSample", key);
  const format = same(tags.numbers(339), 1, bandCount, "SampleFormat", key);
  const sampleType = toSampleType(bits, format, key);
  const photometric = tags.number(262) ?? 1;
  const planar = isPlanar(tags, key) && bandCount > 1;
  const interleaved = planar ? 1 : bandCount;
  const predictor =
    compression === 5 || compression === 8 || compression === 32946 || compression === 50000
      ? (tags.number(317) ?? 1)
      : 1;
  checkPredictor(predictor, bits, format, key);
  if (compression === 7 && bits !== 8) throw new CogError("unsupported", `${key}: JPEG of ${bits} bits is not read.`);
  if (photometric === 6 && compression !== 7 && bandCount === 3 && tags.entry(530) !== undefined) {
    const [across, down] = tags.numbers(530);
    if (across !== 1 || down !== 1)
      throw new CogError("unsupported", `${key}: subsampled YCbCr without JPEG is not read.`);
  }
  const tiled = tags.entry(322) !== undefined && tags.entry(324) !== undefined;
  const blockWidth = tiled ? whole(tags, 322, "TileWidth", key) : width;
  let blockHeight = tiled ? whole(tags, 323, "TileLength", key) : Math.min(rowsPerStrip(tags, height, key), height);
  const rowBytes = Math.ceil((blockWidth * interleaved * bits) / 8);
  const offsets = tags.entry(tiled ? 324 : 273);
  if (offsets === undefined) throw new CogError("corrupt", `${key}: no ${tiled ? "TileOffsets" : "StripOffsets"}.`);
  const byteCounts = tags.entry(tiled ? 325 : 279);
  let virtualBytes: number | undefined;
  if (compression === 1 && !tiled && blockHeight >= height && rowBytes * height > 2 * VIRTUAL_STRIP_BYTES) {
    blockHeight = Math.max(1, Math.floor(VIRTUAL_STRIP_BYTES / rowBytes));
    virtualBytes = blockHeight * rowBytes;
  }
  const blockBytes = rowBytes * blockHeight;
  if (blockBytes > MAX_BLOCK_BYTES) {
    throw new CogError("too-large", `${key}: blocks of ${blockBytes} bytes, at most ${MAX_BLOCK_BYTES} are read.`);
  }
  const blocksAcross = Math.ceil(width / blockWidth);
  const blocksDown = Math.ceil(height / blockHeight);
  if (blocksAcross * blocksDown * (planar ? bandCount : 1) > MAX_BLOCKS) {
    throw new CogError("too-large", `${key}: ${blocksAcross * blocksDown} blocks, at most ${MAX_BLOCKS} are read.`);
  }
  // the only strip ends with the file at the latest; where one of several ends, nothing says
  const isOneStrip = !tiled && blocksDown === 1 && !planar;
  if (byteCounts === undefined && compression !== 1 && !isOneStrip) {
    throw new CogError("corrupt", `${key}: no byte counts of blocks.`);
  }
  const subfile = tags.number(254) ?? 0;
  const jpegTables = tags.bytes(347);
  return {
    id: tags.id,
    width,
    height,
    blockWidth,
    blockHeight,
    blocksAcross,
    blocksDown,
    interleaved,
    bandCount,
    planar,
    tiled,
    bits,
    float: format === 3,
    sampleType,
    compression,
    predictor,
    photometric,
    reversedBits: tags.number(266) === 2 && compression !== 7,
    littleEndian: tags.littleEndian,
    ...(jpegTables === undefined ? {} : { jpegTables }),
    lercCompression: tags.numbers(50674)[1] ?? 0,
    offsets,
    ...(byteCounts === undefined ? {} : { byteCounts }),
    ...(virtualBytes === undefined ? {} : { virtualBytes }),
    extraSamples: tags.numbers(338).map((kind) => (kind === COREL_ALPHA ? 2 : kind)),
    overview: (subfile & 1) === 1 || tags.number(255) === 2,
    mask: (subfile & 4) === 4 || photometric === 4,
  };
}

/** Bytes of one decoded row of a block. */
export function blockRowBytes(image: TiffImage): number {
  return Math.ceil((image.blockWidth * image.interleaved * image.bits) / 8);
}

/** Rows of a block that belong to the image: tiles and strips reach below its last row. */
export function blockRows(image: TiffImage, blockRow: number): number {
  return Math.min(image.blockHeight, image.height - blockRow * image.blockHeight);
}

function rowsPerStrip(tags: ImageTags, height: number, key: string): number {
  const rows = tags.number(278) ?? height;
  if (rows >= 1) return rows;
  throw new CogError("corrupt", `${key}: expected RowsPerStrip of at least 1, got ${rows}.`);
}

function toSampleType(bits: number, format: number, key: string): SampleType {
  if (!Number.isInteger(bits)) throw new CogError("corrupt", `${key}: samples of ${bits} bits.`);
  if (format === 1 || format === 4) {
    if (bits >= 1 && bits <= 8) return "uint8";
    if (bits <= 16) return "uint16";
    if (bits === 32) return "uint32";
  } else if (format === 2) {
    if (bits === 8) return "int8";
    if (bits === 16) return "int16";
    if (bits === 32) return "int32";
  } else if (format === 3) {
    if (bits === 16 || bits === 32) return "float32";
    if (bits === 64) return "float64";
  }
  throw new CogError("unsupported", `${key}: samples of ${bits} bits in format ${format} are not read.`);
}

function checkPredictor(predictor: number, bits: number, format: number, key: string): void {
  const whole = bits === 8 || bits === 16 || bits === 32 || bits === 64;
  if (predictor === 1 || (predictor === 2 && whole) || (predictor === 3 && format === 3 && bits >= 16)) return;
  throw new CogError("unsupported", `${key}: predictor ${predictor} on samples of ${bits} bits is not read.`);
}

function whole(tags: ImageTags, tag: number, name: string, key: string): number {
  const value = tags.number(tag);
  const count = tags.entry(tag)?.count ?? 1;
  if (count !== 1) throw new CogError("corrupt", `${key}: expected one ${name}, got ${count}.`);
  if (value === undefined || !Number.isInteger(value) || value < 1 || value > 0x7fffffff) {
    throw new CogError("corrupt", `${key}: expected ${name} to be a positive whole number, got ${value}.`);
  }
  return value;
}

/** Samples of a pixel by its photometric interpretation (TIFF 6.0): 3 of RGB, YCbCr and Lab, 4 of CMYK, else 1. */
const COLOR_SAMPLES: Readonly<Record<number, number>> = { 2: 3, 5: 4, 6: 3, 8: 3 };

/** Samples of a pixel that are its colour; the others are extra samples. */
export function colorSamples({ photometric }: Pick<TiffImage, "photometric">): number {
  return COLOR_SAMPLES[photometric] ?? 1;
}

/**
 * Compares SamplesPerPixel with the tags that have a value for each sample. As libtiff takes them, BitsPerSample and SampleFormat may have one
 * for all, and ExtraSamples fewer than there are. More bits than samples are not taken: one of the two numbers is damaged.
 */
function checkCounts(tags: ImageTags, bandCount: number, key: string): void {
  const bits = tags.entry(258)?.count ?? 1;
  const formats = tags.entry(339)?.count ?? 1;
  const extra = tags.entry(338)?.count ?? 0;
  if (bits !== 1 && bits !== bandCount) {
    throw new CogError("corrupt", `${key}: ${bandCount} samples a pixel, but bits of ${bits}.`);
  }
  if (formats !== 1 && formats < bandCount) {
    throw new CogError("corrupt", `${key}: ${bandCount} samples a pixel, but formats of ${formats}.`);
  }
  if (extra > bandCount) {
    throw new CogError("corrupt", `${key}: ${bandCount} samples a pixel, ${extra} of them extra.`);
  }
}

/** Is each sample stored with its pixel (1), or each band for itself (2)? */
function isPlanar(tags: ImageTags, key: string): boolean {
  const value = tags.number(284) ?? 1;
  if (value === 1 || value === 2) return value === 2;
  throw new CogError("corrupt", `${key}: expected PlanarConfiguration 1 or 2, got ${value}.`);
}

/** Corel Draw writes this for alpha that is not multiplied (libtiff, EXTRASAMPLE_COREL_UNASSALPHA). */
const COREL_ALPHA = 999;

function same(values: readonly number[], fallback: number, bandCount: number, name: string, key: string): number {
  const first = values[0] ?? fallback;
  for (let i = 1; i < Math.min(values.length, bandCount); i++) {
    if (values[i] !== first) throw new CogError("unsupported", `${key}: ${name} differs between bands.`);
  }
  return first;
}
