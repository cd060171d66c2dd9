import type { Level } from "../file/level.ts";
import { type PartRectangle, partBytes } from "../levels/rectangle.ts";
import { coarserBlocks, sourcesOf } from "../levels/sources.ts";
import type { BlockFormat } from "./block-task.ts";
import type { SharedPart } from "./level-part.ts";

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
  /** Finer blocks of the file that have not written yet. */
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
    return coarserBlocks(this.#levels, level, block).map((coarse) => this.grow(level + 1, coarse));
  }

  /** Counts finer blocks, one or `count`, that have written into these; returns those that have all their pixels now. */
  written(blocks: readonly GrowingBlock[], count = 1): readonly GrowingBlock[] {
    return blocks.filter(({ level, block }) => {
      const growing = this.#growing[level]?.get(block);
      if (growing === undefined) return false;
      growing.missing -= count;
      if (growing.missing === 0) this.#growing[level]?.delete(block);
      return growing.missing === 0;
    });
  }

  /** Releases the memory of a finished block. */
  release({ pixels, seams }: GrowingBlock): void {
    for (const { memory } of [pixels, ...seams]) this.#memory.releaseBuffer(memory);
  }

  /** A block, which begins to grow if it does not yet. */
  grow(level: number, block: number): GrowingBlock {
    const known = this.#growing[level]?.get(block);
    if (known !== undefined) return known;
    const { pixels, seams, columns, rows } = sourcesOf(this.#levels, level, block);
    const finer = (this.#levels[level - 1] as Level).rows;
    const growing: Counted = {
      level,
      block,
      pixels: this.#part(pixels),
      seams: seams.map((seam) => this.#part(seam)),
      missing: columns * (Math.min(rows.to, finer.to) - Math.max(rows.from, finer.from)),
    };
    this.#growing[level]?.set(block, growing);
    return growing;
  }

  #part(rectangle: PartRectangle): SharedPart {
    const { sampleType, bandCount } = this.#format;
    const bytes = partBytes(sampleType, bandCount, rectangle.width, rectangle.height);
    return { memory: this.#memory.take(bytes), ...rectangle };
  }
}
