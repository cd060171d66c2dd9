import type { SampleType } from "@swath/raster";
import type { LevelShape } from "./level-shape.ts";
import { type PartRectangle, partBytes } from "./rectangle.ts";
import { type BlockRows, pixelsWithin, rowsTouched, sourcesOf } from "./sources.ts";

/** The samples of a pixel. */
interface PixelFormat {
  readonly sampleType: SampleType;
  readonly bandCount: number;
}

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
  format: PixelFormat,
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
      const bytes = leftRectangles(levels, rows, level, block).reduce((sum, each) => sum + bytesOf(format, each), 0);
      yield { level, block, position, bytes, written };
      position += bytes;
    }
  }
}

function bytesOf({ sampleType, bandCount }: PixelFormat, { width, height }: PartRectangle): number {
  return partBytes(sampleType, bandCount, width, height);
}

/** The rows that a part has written of the pixels of a block, and of each of its seams. */
export function leftRectangles(
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
