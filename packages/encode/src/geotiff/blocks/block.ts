import { allocateSamples, type Samples, type SampleType } from "@swath/raster";
import type { EncodeContext } from "../../context.ts";
import { aligned, predictAt } from "../../kernels/kernels.ts";
import { type BlockEncoding, predictWithoutKernels } from "../../kernels/predictors.ts";

/** Rows of an image, full width, top to bottom. Each array has `width × rows` values. */
export interface Rows {
  readonly bands: readonly Samples[];
  readonly valid: Uint8Array;
}

/** The pixels of a block within arrays of rows: sample `row * stride + column`. */
export interface BlockShape {
  /** Samples from the start of one row to that of the next. */
  readonly stride: number;
  /** Columns and rows that belong to the image, at most `blockWidth` and `blockHeight`. */
  readonly columns: number;
  readonly rows: number;
  readonly blockWidth: number;
  readonly blockHeight: number;
}

// Blocks only move bits (and subtract modulo 2^n), so samples are seen as unsigned words of their size:
// four kinds of array instead of eight keep the loops below monomorphic enough to stay fast.
type Words = Uint8Array | Uint16Array | Uint32Array | Float64Array;

function wordsOf({ buffer, byteOffset, byteLength }: ArrayBufferView, bytes: 1 | 2 | 4 | 8): Words {
  if (bytes === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (bytes === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  if (bytes === 4) return new Uint32Array(buffer, byteOffset, byteLength / 4);
  return new Float64Array(buffer, byteOffset, byteLength / 8);
}

/** The nodata value as a word of the sample's size, bit for bit. */
export function nodataWord(sampleType: SampleType, nodata: number): number {
  const one = allocateSamples(sampleType, 1);
  one[0] = nodata;
  return wordsOf(one, one.BYTES_PER_ELEMENT as 1 | 2 | 4 | 8)[0] as number;
}

/** 0 when no pixel of the block's part of the rows is valid, 2 when all are, else 1. */
export function coverage(valid: Uint8Array, { stride, columns, rows }: BlockShape): 0 | 1 | 2 {
  let some = false;
  let all = true;
  for (let row = 0; row < rows && (all || !some); row++) {
    const start = row * stride;
    const flags = valid.subarray(start, start + columns);
    const hasGaps = flags.includes(0);
    all &&= !hasGaps;
    some ||= !hasGaps || flags.some((flag) => flag !== 0);
  }
  return some ? (all ? 2 : 1) : 0;
}

/**
 * Copies one block into `out`, bands interleaved by pixel; a single band gives a plane. Invalid pixels become
 * `nodata` (a word of {@link nodataWord}) when it is given. What is outside the image repeats the
 * last column and row: it is never shown, and compresses to next to nothing.
 */
export function fillBlock(
  out: Uint8Array,
  bands: readonly Samples[],
  valid: Uint8Array,
  shape: BlockShape,
  nodata: number | undefined,
): void {
  const { columns, rows, blockWidth, blockHeight } = shape;
  const bytes = (bands[0] as Samples).BYTES_PER_ELEMENT as 1 | 2 | 4 | 8;
  const words = wordsOf(out, bytes);
  const stride = bands.length;
  for (let band = 0; band < stride; band++) {
    const source = wordsOf(bands[band] as Samples, bytes);
    for (let row = 0; row < rows; row++) {
      let from = row * shape.stride;
      let to = row * blockWidth * stride + band;
      const end = from + columns;
      if (nodata !== undefined) {
        for (; from < end; from++, to += stride) words[to] = valid[from] === 0 ? nodata : (source[from] as number);
      } else if (stride === 1) {
        words.set(source.subarray(from, end), to);
        to += columns;
      } else {
        for (; from < end; from++, to += stride) words[to] = source[from] as number;
      }
      if (columns < blockWidth) {
        const last = words[to - stride] as number;
        for (let column = columns; column < blockWidth; column++, to += stride) words[to] = last;
      }
    }
  }
  const rowLength = blockWidth * stride;
  for (let row = rows; row < blockHeight; row++) {
    words.copyWithin(row * rowLength, (rows - 1) * rowLength, rows * rowLength);
  }
}

/** Bytes of the mask of a block: a bit for each pixel. */
export function maskBytes(blockWidth: number, blockHeight: number): number {
  return (blockWidth / 8) * blockHeight;
}

/** Writes the mask of one block into `out`: 1 for valid pixels, the left one of eight first, 0 outside the image. */
export function fillMask(out: Uint8Array, valid: Uint8Array, shape: BlockShape): void {
  const { stride, columns, rows, blockWidth, blockHeight } = shape;
  const rowBytes = blockWidth / 8;
  out.fill(0, 0, maskBytes(blockWidth, blockHeight));
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      if (valid[row * stride + column] !== 0) out[row * rowBytes + (column >> 3)]! |= 0x80 >> (column & 7);
    }
  }
}

/** Applies a predictor in place. */
export function predict({ kernels }: EncodeContext, block: Uint8Array, encoding: BlockEncoding): void {
  if (encoding.predictor === 1) return;
  if (kernels === undefined) {
    predictWithoutKernels(block, encoding);
    return;
  }
  const spare = aligned(block.length);
  const { run, base, bytes } = kernels(spare + encoding.rowLength * encoding.bytesPerSample + 16);
  bytes.set(block, base);
  predictAt(run, base, block.length, encoding, base + spare);
  block.set(bytes.subarray(base, base + block.length));
}
