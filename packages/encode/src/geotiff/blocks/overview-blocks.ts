import type { Level } from "../file/level.ts";
import type { BlockFormat } from "./block-task.ts";
import { partBytes, type SharedPart } from "./level-part.ts";
import { firstSourcePixel } from "./overview.ts";

/** Lends memory of parts of levels. */
export interface PartMemory {
  take(bytes: number): ArrayBufferLike;
  releaseBuffer(memory: ArrayBufferLike): void;
}

/** A block of an overview that finer blocks write into. */
export interface GrowingBlock {
  readonly level: number;
  readonly block: number;
  readonly pixels: SharedPart;
  /** Pixels of the finer level around the edges of its blocks. */
  readonly seams: readonly SharedPart[];
}

interface Counted extends GrowingBlock {
  /** Finer blocks that have not written yet. */
  missing: number;
}

/** Blocks of overviews from the first finer block that writes into them to the last. */
export class OverviewBlocks {
  readonly #levels: readonly Level[];
  readonly #format: BlockFormat;
  readonly #memory: PartMemory;
  /** By level and number. */
  readonly #growing: readonly Map<number, Counted>[];

  constructor(levels: readonly Level[], format: BlockFormat, memory: PartMemory) {
    this.#levels = levels;
    this.#format = format;
    this.#memory = memory;
    this.#growing = levels.map(() => new Map());
  }

  /** The blocks of the next level that need pixels of a block. */
  coarser(level: number, block: number): readonly GrowingBlock[] {
    const fine = this.#levels[level] as Level;
    const coarse = this.#levels[level + 1];
    if (coarse === undefined) return [];
    const columns = coarserBlocks(
      fine.width,
      block % fine.blocksAcross,
      fine.blockWidth,
      coarse.width,
      coarse.blockWidth,
    );
    const row = Math.floor(block / fine.blocksAcross);
    const rows = coarserBlocks(fine.height, row, fine.blockHeight, coarse.height, coarse.blockHeight);
    return rows.flatMap((y) => columns.map((x) => this.#grow(level + 1, y * coarse.blocksAcross + x)));
  }

  /** Counts a block that has written; returns the blocks that have all their pixels now. */
  written(blocks: readonly GrowingBlock[]): readonly GrowingBlock[] {
    return blocks.filter(({ level, block }) => {
      const growing = this.#growing[level]?.get(block);
      if (growing === undefined) return false;
      growing.missing -= 1;
      if (growing.missing === 0) this.#growing[level]?.delete(block);
      return growing.missing === 0;
    });
  }

  /** Releases the memory of a finished block. */
  release({ pixels, seams }: GrowingBlock): void {
    for (const { memory } of [pixels, ...seams]) this.#memory.releaseBuffer(memory);
  }

  #grow(level: number, block: number): Counted {
    const known = this.#growing[level]?.get(block);
    if (known !== undefined) return known;
    const fine = this.#levels[level - 1] as Level;
    const { width, height, blockWidth, blockHeight, blocksAcross } = this.#levels[level] as Level;
    const across = sources(fine.width, (block % blocksAcross) * blockWidth, blockWidth, width, fine.blockWidth);
    const down = sources(
      fine.height,
      Math.floor(block / blocksAcross) * blockHeight,
      blockHeight,
      height,
      fine.blockHeight,
    );
    const growing: Counted = {
      level,
      block,
      pixels: this.#part(across.first, down.first, across.count, down.count),
      seams: [
        ...across.seams.map(([x, columns]) => this.#part(x, down.start, columns, down.end - down.start)),
        ...down.seams.map(([y, rows]) => this.#part(across.start, y, across.end - across.start, rows)),
      ],
      missing: across.blocks * down.blocks,
    };
    this.#growing[level]?.set(block, growing);
    return growing;
  }

  #part(x: number, y: number, width: number, height: number): SharedPart {
    const { sampleType, bandCount } = this.#format;
    return { memory: this.#memory.take(partBytes(sampleType, bandCount, width, height)), x, y, width, height };
  }
}

/** Numbers, along one axis, of the blocks of a level of `half` pixels that need pixels of block `n` of the finer one. */
function coarserBlocks(size: number, n: number, blockSize: number, half: number, coarseBlockSize: number): number[] {
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
  /** Pixels of the finer level: from `start` up to, without, `end`; and how many of its blocks hold them. */
  readonly start: number;
  readonly end: number;
  readonly blocks: number;
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
  return { first, count, start, end, blocks: lastBlock - firstBlock + 1, seams };
}
