import type { LevelShape } from "./level-shape.ts";
import type { PartRectangle } from "./rectangle.ts";

/** Rows of blocks, from `from` up to, without, `to`. */
export interface BlockRows {
  readonly from: number;
  readonly to: number;
}

/** The pixels that a block of an overview is made of. */
export interface BlockSources {
  readonly pixels: PartRectangle;
  /** Pixels of the finer level around the edges of its blocks. */
  readonly seams: readonly PartRectangle[];
  /** Blocks of the finer level that hold all this: columns, and rows. */
  readonly columns: number;
  readonly rows: BlockRows;
}

/** The sources of a block of an overview. */
export function sourcesOf(levels: readonly LevelShape[], level: number, block: number): BlockSources {
  const fine = levels[level - 1] as LevelShape;
  const { width, height, blockWidth, blockHeight, blocksAcross } = levels[level] as LevelShape;
  const row = Math.floor(block / blocksAcross);
  const across = sources(fine.width, (block % blocksAcross) * blockWidth, blockWidth, width, fine.blockWidth);
  const down = sources(fine.height, row * blockHeight, blockHeight, height, fine.blockHeight);
  return {
    pixels: { x: across.first, y: down.first, width: across.count, height: down.count },
    seams: [
      ...across.seams.map(([x, columns]) => ({ x, y: down.start, width: columns, height: down.end - down.start })),
      ...down.seams.map(([y, rows]) => ({ x: across.start, y, width: across.end - across.start, height: rows })),
    ],
    columns: across.blocks.to - across.blocks.from,
    rows: down.blocks,
  };
}

/** The blocks of the next level that need pixels of a block; none where there is no such level. */
export function coarserBlocks(levels: readonly LevelShape[], level: number, block: number): readonly number[] {
  const fine = levels[level] as LevelShape;
  const coarse = levels[level + 1];
  if (coarse === undefined) return [];
  const column = block % fine.blocksAcross;
  const columns = coarserOf(fine.width, column, fine.blockWidth, coarse.width, coarse.blockWidth);
  const rows = coarserRows(fine, Math.floor(block / fine.blocksAcross), coarse);
  return rows.flatMap((y) => columns.map((x) => y * coarse.blocksAcross + x));
}

function coarserRows(fine: LevelShape, row: number, coarse: LevelShape): number[] {
  return coarserOf(fine.height, row, fine.blockHeight, coarse.height, coarse.blockHeight);
}

/** For each level the rows of blocks that have all their pixels in some rows of the full size; `from` is `to` where none has. */
export function rowsWithin(levels: readonly LevelShape[], base: BlockRows): readonly BlockRows[] {
  const rows = [base];
  for (let level = 1; level < levels.length; level++) {
    const finer = rows[level - 1] as BlockRows;
    const touched = rowsTouched(levels, level, finer);
    let { from, to } = touched;
    const sourceRows = (row: number): BlockRows =>
      sourcesOf(levels, level, row * (levels[level] as LevelShape).blocksAcross).rows;
    while (from < to && sourceRows(from).from < finer.from) from++;
    while (to > from && sourceRows(to - 1).to > finer.to) to--;
    rows.push({ from, to });
  }
  return rows;
}

/** The rows of blocks of a level that need pixels of rows of the finer one. */
export function rowsTouched(levels: readonly LevelShape[], level: number, { from, to }: BlockRows): BlockRows {
  if (from === to) return { from: 0, to: 0 };
  const fine = levels[level - 1] as LevelShape;
  const coarse = levels[level] as LevelShape;
  const last = coarserRows(fine, to - 1, coarse).at(-1) as number;
  return { from: coarserRows(fine, from, coarse)[0] as number, to: last + 1 };
}

/** Numbers, along one axis, of the blocks of a level of `half` pixels that need pixels of block `n` of the finer one. */
function coarserOf(size: number, n: number, blockSize: number, half: number, coarseBlockSize: number): number[] {
  const last = Math.min(size, (n + 1) * blockSize) - 1;
  // where the size is odd, pixel i covers a part of 2i − 1 too
  const lastTouched = Math.min(half - 1, size % 2 === 1 ? Math.ceil(last / 2) : Math.floor(last / 2));
  const first = Math.floor(Math.floor((n * blockSize) / 2) / coarseBlockSize);
  const count = Math.floor(lastTouched / coarseBlockSize) - first + 1;
  return Array.from({ length: count }, (_, i) => first + i);
}

/** The pixels of the finer level that a block needs along one axis. */
interface Sources {
  /** First pixel of the block, and how many belong to the image. */
  readonly first: number;
  readonly count: number;
  /** Pixels of the finer level: from `start` up to, without, `end`; and its blocks that hold them. */
  readonly start: number;
  readonly end: number;
  readonly blocks: BlockRows;
  /** First pixel and number of pixels around each edge of finer blocks that a pixel of the block covers both sides of. */
  readonly seams: readonly (readonly [start: number, count: number])[];
}

function sources(size: number, first: number, blockSize: number, half: number, fineBlockSize: number): Sources {
  const count = Math.min(blockSize, half - first);
  const start = firstSourcePixel(first, size);
  const end = Math.min(size, 2 * (first + count));
  const firstBlock = Math.floor(start / fineBlockSize);
  const lastBlock = Math.floor((end - 1) / fineBlockSize);
  const seams: [number, number][] = [];
  if (size % 2 === 1) {
    // the edges of blocks are even, so that an odd size alone puts pixels across them
    for (let edge = (firstBlock + 1) * fineBlockSize; edge < end; edge += fineBlockSize) {
      seams.push([edge - 1, Math.min(edge + 2, end) - edge + 1]);
    }
  }
  return { first, count, start, end, blocks: { from: firstBlock, to: lastBlock + 1 }, seams };
}

/** First source pixel that pixel `i` of the result needs. */
export function firstSourcePixel(i: number, size: number): number {
  return size % 2 === 1 && i > 0 ? 2 * i - 1 : 2 * i;
}

/** Those pixels within `to`, of `toCount`, all of whose source pixels are within `from`, of `fromCount`, along one axis. */
export function pixelsWithin(
  size: number,
  from: number,
  fromCount: number,
  to: number,
  toCount: number,
): { readonly first: number; readonly count: number } {
  const end = from + fromCount;
  let first = Math.max(to, Math.floor(from / 2));
  while (firstSourcePixel(first, size) < from) first += 1;
  let last = Math.min(to + toCount, Math.ceil(size / 2), Math.ceil(end / 2)) - 1;
  while (last >= first && Math.min(2 * last + 2, size) > end) last -= 1;
  return { first, count: Math.max(0, last - first + 1) };
}
