import { allocateSamples, bytesPerSample, type Samples, type SampleType } from "@swath/raster";
import { threadContext } from "../../context.ts";
import { compressFilled } from "../../deflate/runs.ts";
import { maxStreamBytes } from "../../kernels/kernels.ts";
import type { OverviewResampling } from "../options.ts";
import { coverage, fillBlock, fillMask, maskBytes, nodataWord, type Rows } from "./block.ts";
import { copyPart, type LevelPart, type SharedPart, viewPart } from "./level-part.ts";
import { type Halving, halvePart } from "./overview.ts";

/** Properties that all blocks of a file have in common. */
export interface BlockFormat {
  readonly sampleType: SampleType;
  readonly bandCount: number;
  readonly predictor: 1 | 2 | 3;
  readonly nodata: number | undefined;
  /** Whether blocks have a mask. */
  readonly mask: boolean;
  readonly overviewResampling: OverviewResampling;
}

/** Pixels of a block, and what becomes of them in the overviews. Plain data, except for memory that threads share. */
export interface BlockPixelsTask {
  readonly format: BlockFormat;
  /** 0 is the full size, 1 half of it, and so on. */
  readonly level: number;
  /** First column and row of the block in pixels of its level, and how many belong to the image. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Edges of the block as it is written. */
  readonly blockWidth: number;
  readonly blockHeight: number;
  /** Size of the level, and of the one that it is made of. */
  readonly levelWidth: number;
  readonly levelHeight: number;
  readonly finerWidth: number;
  readonly finerHeight: number;
  /** Its pixels, where finer blocks have made them: always except at level 0. */
  readonly pixels?: SharedPart;
  /** Pixels of the finer level around edges of its blocks: the source of pixels of this block that cover parts of two finer blocks. */
  readonly seams?: readonly SharedPart[];
  /** Blocks of the next level that its pixels go to at half the size. */
  readonly coarser: readonly SharedPart[];
  /** Seams of these blocks: its pixels go there as they are. */
  readonly coarserSeams: readonly SharedPart[];
}

/**
 * A block that is to be made. Plain data, except for its memory, which threads share: it may be made in any of them.
 */
export interface BlockTask extends BlockPixelsTask {
  /** Output buffer of the compressed block. */
  readonly output: ArrayBufferLike;
}

/** Bytes of the length of a mask, which ends the output of a block with one. */
const LENGTH_BYTES = 4;

/** Bytes that a compressed block and its mask may take. */
export function maxBlockBytes(
  { sampleType, bandCount, mask }: BlockFormat,
  blockWidth: number,
  blockHeight: number,
): number {
  const bytes = maxStreamBytes(blockWidth * blockHeight * bandCount * bytesPerSample(sampleType));
  return mask ? bytes + maxStreamBytes(maskBytes(blockWidth, blockHeight)) + LENGTH_BYTES : bytes;
}

/** The planes of what {@link makeBlock} has written: the mask first, where there is one, then the bands. */
export function planesOf(output: Uint8Array, { mask }: BlockFormat): readonly Uint8Array[] {
  if (!mask) return [output];
  const end = output.length - LENGTH_BYTES;
  const start = end - new DataView(output.buffer, output.byteOffset).getUint32(end, true);
  return [output.subarray(start, end), output.subarray(0, start)];
}

/**
 * Makes a block: compresses its pixels, and its mask, into the output buffer of the task, and writes its share of the overviews.
 *
 * @param rows the pixels, `width × height` of the task, for a block of level 0; `undefined` where it holds no data. Ignored for others.
 * @returns the number of bytes in the output buffer that hold the block
 */
export function makeBlock(task: BlockTask, rows: Rows | undefined): number {
  const context = threadContext();
  const { format, width, height, blockWidth, blockHeight } = task;
  const { sampleType, bandCount, nodata, predictor } = format;
  const part = pixelsOf(task) ?? partOf(task, rows ?? emptyRows(task), width);
  writeCoarser(task, part);
  const shape = { stride: part.stride, columns: width, rows: height, blockWidth, blockHeight };
  const hasGaps = nodata !== undefined && coverage(part.valid, shape) !== 2;
  const word = hasGaps ? nodataWord(sampleType, nodata) : undefined;
  const size = bytesPerSample(sampleType);
  const stream = compressFilled(
    context,
    blockWidth * blockHeight * bandCount * size,
    (buffer) => fillBlock(buffer, part.bands, part.valid, shape, word),
    { predictor, bytesPerSample: size, rowLength: blockWidth * bandCount, stride: bandCount },
  );
  const output = new Uint8Array(task.output);
  output.set(stream);
  if (!format.mask) return stream.length;
  const at = stream.length;
  const mask = compressFilled(context, maskBytes(blockWidth, blockHeight), (buffer) =>
    fillMask(buffer, part.valid, shape),
  );
  output.set(mask, at);
  new DataView(task.output).setUint32(at + mask.length, mask.length, true);
  return at + mask.length + LENGTH_BYTES;
}

/** The pixels that finer blocks have made, those of its seams computed; `undefined` at level 0. */
export function pixelsOf(task: BlockPixelsTask): LevelPart | undefined {
  const { format, pixels, seams } = task;
  if (pixels === undefined) return undefined;
  const { sampleType, bandCount } = format;
  const part = viewPart(sampleType, bandCount, pixels);
  const halving = halvingOf(format, task.finerWidth, task.finerHeight);
  for (const seam of seams ?? []) halvePart(viewPart(sampleType, bandCount, seam), part, halving);
  return part;
}

/** Rows, or a part of wider ones, as the pixels of a task. */
export function partOf({ x, y, width, height }: BlockPixelsTask, { bands, valid }: Rows, stride: number): LevelPart {
  return { x, y, width, height, stride, bands, valid };
}

/** Writes a block's share of the next level. */
export function writeCoarser({ format, levelWidth, levelHeight, ...task }: BlockPixelsTask, part: LevelPart): void {
  const { sampleType, bandCount } = format;
  const halving = halvingOf(format, levelWidth, levelHeight);
  for (const coarser of task.coarser) halvePart(part, viewPart(sampleType, bandCount, coarser), halving);
  for (const seam of task.coarserSeams) copyPart(part, viewPart(sampleType, bandCount, seam));
}

function halvingOf(format: BlockFormat, width: number, height: number): Halving {
  const { overviewResampling: resampling, nodata, sampleType } = format;
  return { width, height, resampling, nodata, sampleType };
}

function emptyRows({ format, width, height }: BlockPixelsTask): Rows {
  const { sampleType, bandCount, nodata } = format;
  const samples = allocateSamples(sampleType, width * height).fill(nodata ?? 0);
  return { bands: new Array<Samples>(bandCount).fill(samples), valid: new Uint8Array(width * height) };
}
