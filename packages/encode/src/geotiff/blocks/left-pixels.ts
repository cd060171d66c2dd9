import type { LevelShape } from "../file/level.ts";
import type { BlockFormat } from "./block-task.ts";
import { copyPart, type PartRectangle, partBytes, viewPart } from "./level-part.ts";
import { pixelsWithin } from "./overview.ts";
import type { GrowingBlock } from "./overview-blocks.ts";
import { type BlockRows, rowsTouched, sourcesOf } from "./sources.ts";

/**
 * Pixels that a part of a file leaves: the part has made them, and they belong to a block of an overview that needs pixels of other parts
 * too.
 */
export interface LeftPixels {
  readonly level: number;
  readonly block: number;
  /** Where the part holds them, and how many bytes. */
  readonly position: number;
  readonly bytes: number;
  /** Finer blocks of the part that have written them. */
  readonly written: number;
}

/** The pixels that a part leaves, in the order in which it holds them, from `start` on. @param rows for each level, rows of the part */
export function* leftPixels(
  levels: readonly LevelShape[],
  format: BlockFormat,
  rows: readonly BlockRows[],
  start: number,
): Iterable<LeftPixels> {
  let position = start;
  for (let level = 1; level < levels.length; level++) {
    const { blocksAcross } = levels[level] as LevelShape;
    const finer = rows[level - 1] as BlockRows;
    const own = rows[level] as BlockRows;
    const touched = rowsTouched(levels, level, finer);
    for (let block = touched.from * blocksAcross; block < touched.to * blocksAcross; block++) {
      const row = Math.floor(block / blocksAcross);
      if (row >= own.from && row < own.to) continue;
      const sources = sourcesOf(levels, level, block);
      const written = sources.columns * (Math.min(sources.rows.to, finer.to) - Math.max(sources.rows.from, finer.from));
      const bytes = rectanglesOf(levels, rows, level, block).reduce((sum, each) => sum + bytesOf(format, each), 0);
      yield { level, block, position, bytes, written };
      position += bytes;
    }
  }
}

/** Returns copies of the pixels that a part leaves of a block. */
export function packLeft(
  levels: readonly LevelShape[],
  format: BlockFormat,
  rows: readonly BlockRows[],
  { level, block, pixels, seams }: GrowingBlock,
): readonly Uint8Array[] {
  const { sampleType, bandCount } = format;
  const growing = [pixels, ...seams].map((part) => viewPart(sampleType, bandCount, part));
  return rectanglesOf(levels, rows, level, block).map((rectangle, i) => {
    const memory = new ArrayBuffer(bytesOf(format, rectangle));
    copyPart(growing[i]!, viewPart(sampleType, bandCount, { memory, ...rectangle }));
    return new Uint8Array(memory);
  });
}

/** Copies the pixels that a part has left of a block into it. */
export function unpackLeft(
  levels: readonly LevelShape[],
  format: BlockFormat,
  rows: readonly BlockRows[],
  { level, block, pixels, seams }: GrowingBlock,
  bytes: Uint8Array<ArrayBuffer>,
): void {
  const { sampleType, bandCount } = format;
  const growing = [pixels, ...seams].map((part) => viewPart(sampleType, bandCount, part));
  let at = 0;
  for (const [i, rectangle] of rectanglesOf(levels, rows, level, block).entries()) {
    const end = at + bytesOf(format, rectangle);
    copyPart(viewPart(sampleType, bandCount, { memory: bytes.slice(at, end).buffer, ...rectangle }), growing[i]!);
    at = end;
  }
}

function bytesOf({ sampleType, bandCount }: BlockFormat, { width, height }: PartRectangle): number {
  return partBytes(sampleType, bandCount, width, height);
}

/** The rows that a part has written of the pixels of a block, and of each of its seams. */
function rectanglesOf(
  levels: readonly LevelShape[],
  rows: readonly BlockRows[],
  level: number,
  block: number,
): readonly PartRectangle[] {
  const fine = levels[level - 1] as LevelShape;
  const { from, to } = rows[level - 1] as BlockRows;
  const start = from * fine.blockHeight;
  const end = Math.min(fine.height, to * fine.blockHeight);
  const { pixels, seams } = sourcesOf(levels, level, block);
  const { first, count } = pixelsWithin(fine.height, start, end - start, pixels.y, pixels.height);
  return [
    { ...pixels, y: first, height: count },
    ...seams.map((seam) => {
      const y = Math.max(seam.y, start);
      return { ...seam, y, height: Math.max(0, Math.min(seam.y + seam.height, end) - y) };
    }),
  ];
}
