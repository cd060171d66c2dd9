import { allocateSamples, type Samples, type SampleType, viewSamples } from "@swath/raster";
import { compressFilled } from "../deflate/runs.ts";
import { streamRoom } from "../kernels/kernels.ts";
import { coverage, fillBlock, nodataWord, type Rows } from "./block.ts";
import type { OverviewResampling } from "./options.ts";
import { type Halving, halveBand, halveValid } from "./overview.ts";

/** Pixels of one block of an overview, which come from the blocks below it. Plain data: threads share its memory. */
export interface BlockPixels {
  /** Band after band, then `valid`, all of `width × height` samples. */
  readonly memory: ArrayBufferLike;
  /** Columns and rows that belong to the image. */
  readonly width: number;
  readonly height: number;
}

/** What all blocks of a file have in common. */
export interface BlockFormat {
  readonly sampleType: SampleType;
  readonly bandCount: number;
  readonly predictor: 1 | 2 | 3;
  readonly nodata: number | undefined;
  readonly overviewResampling: OverviewResampling;
}

/** A block that is to be made. Plain data, but for its memory, which threads share: it may be made in any of them. */
export interface BlockOrder {
  readonly format: BlockFormat;
  /** 0 is the full size, 1 half of it, and so on. */
  readonly level: number;
  /** First column and row, in pixels of the level, and how many of them belong to the image. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Edges of the block as it is written. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Where the compressed block goes. */
  readonly room: ArrayBufferLike;
  /** Its pixels, where blocks below it have made them: always but at level 0. */
  readonly pixels?: BlockPixels;
  /** Where its pixels go at half the size. */
  readonly half?: { readonly pixels: BlockPixels; readonly x: number; readonly y: number };
}

/** Bytes of memory that the pixels of a block take. */
export function blockPixelBytes({ sampleType, bandCount }: BlockFormat, width: number, height: number): number {
  return width * height * (bandCount * allocateSamples(sampleType, 0).BYTES_PER_ELEMENT + 1);
}

/** Bytes that a compressed block may take. */
export function blockRoom(format: BlockFormat, blockWidth: number, blockHeight: number): number {
  return streamRoom(blockPixelBytes(format, blockWidth, blockHeight) - blockWidth * blockHeight);
}

/**
 * Makes a block: compresses its pixels into the room of the order, and leaves them at half the size where the order says.
 *
 * @param rows the pixels, `width × height` of the order, for a block of the full size; `undefined` where it holds no data.
 * @returns the bytes of the room that hold the block
 */
export function makeBlock(order: BlockOrder, rows: Rows | undefined): number {
  const { format, width, height, blockWidth, blockHeight, pixels, half } = order;
  const { sampleType, bandCount, nodata } = format;
  const given = pixels === undefined ? (rows ?? emptyRows(order)) : rowsOf(pixels, format);
  const shape = { width, rows: height, x: 0, blockWidth, blockHeight };
  const hasHoles = nodata !== undefined && coverage(given.valid, shape) !== 2;
  const word = hasHoles ? nodataWord(sampleType, nodata) : undefined;
  if (half !== undefined) halve(order, given, half);
  const bytesPerSample = (given.bands[0] as Samples).BYTES_PER_ELEMENT;
  const stream = compressFilled(
    blockWidth * blockHeight * bandCount * bytesPerSample,
    (room) => fillBlock(room, given.bands, given.valid, shape, word),
    { predictor: format.predictor, bytesPerSample, rowLength: blockWidth * bandCount, stride: bandCount },
  );
  new Uint8Array(order.room).set(stream);
  return stream.length;
}

function halve({ format, width, height }: BlockOrder, rows: Rows, half: NonNullable<BlockOrder["half"]>): void {
  const target = rowsOf(half.pixels, format);
  const start = half.y * half.pixels.width + half.x;
  const halving: Halving = {
    width,
    rows: height,
    stride: half.pixels.width,
    resampling: format.overviewResampling,
    nodata: format.nodata,
    sampleType: format.sampleType,
  };
  halveValid(rows.valid, target.valid.subarray(start), halving);
  for (const [i, band] of rows.bands.entries()) {
    halveBand(band, rows.valid, (target.bands[i] as Samples).subarray(start), halving);
  }
}

function rowsOf({ memory, width, height }: BlockPixels, { sampleType, bandCount }: BlockFormat): Rows {
  const count = width * height;
  const bands: Samples[] = [];
  let offset = 0;
  for (let band = 0; band < bandCount; band++) {
    const samples = viewSamples(sampleType, memory, count, offset);
    bands.push(samples);
    offset += samples.byteLength;
  }
  return { bands, valid: new Uint8Array(memory, offset, count) };
}

function emptyRows({ format, width, height }: BlockOrder): Rows {
  const { sampleType, bandCount, nodata } = format;
  const samples = allocateSamples(sampleType, width * height).fill(nodata ?? 0);
  return { bands: new Array<Samples>(bandCount).fill(samples), valid: new Uint8Array(width * height) };
}
