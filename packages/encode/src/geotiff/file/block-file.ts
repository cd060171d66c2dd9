import type { Settings } from "../options.ts";
import { layOut } from "./layout.ts";
import { LEADER_BYTES, type Level, levelData, makeLevels, TRAILER_BYTES } from "./level.ts";
import { memorySpool, type Sink, type Spool } from "./spool.ts";

/** The spools of compressed blocks, and callbacks. */
export interface BlockFileOptions {
  /**
   * Makes the spools in which compressed blocks wait for the directories; one spool per level (and band, with
   * `interleave: "band"`). Default: memory.
   */
  readonly spool?: () => Promise<Spool>;
  /** Part of the work done, 0 to 1, after each block and each piece of the final copy. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** The share of the progress that goes to compressing; the rest is copying. */
const COMPRESSING = 0.95;
/** Bytes copied at a time from a spool to the sink. */
const PIECE = 1 << 19;
/** Pieces copied at the same time: one is read while another is written. The system writes one at a time to a file. */
const COPIERS = 2;
/** Bytes of a spool that are freed at a time. */
const FREED = 16 << 20;

/** A file that compressed blocks come into, level by level, until it can be put together. */
export class BlockFile {
  readonly levels: readonly Level[];
  readonly #settings: Settings;
  readonly #sink: Sink;
  readonly #options: BlockFileOptions;
  readonly #blockTotal: number;
  #blocksDone = 0;
  #closed = false;

  private constructor(settings: Settings, levels: readonly Level[], sink: Sink, options: BlockFileOptions) {
    this.levels = levels;
    this.#settings = settings;
    this.#sink = sink;
    this.#options = options;
    this.#blockTotal = levels.reduce((sum, level) => sum + level.blockOffsets.length, 0);
  }

  static async open(settings: Settings, sink: Sink, options: BlockFileOptions): Promise<BlockFile> {
    const levels = await makeLevels(settings, options.spool ?? (async () => memorySpool()));
    return new BlockFile(settings, levels, sink, options);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Takes a block of a plane, in any order. One at a time. */
  async append(level: Level, plane: number, block: number, compressed: Uint8Array): Promise<void> {
    const offset = level.spoolSizes[plane] as number;
    await (level.spools[plane] as Spool).append(frame(compressed));
    level.blockOffsets[block] = offset + LEADER_BYTES;
    level.blockSizes[block] = compressed.length;
    level.spoolSizes[plane] = offset + LEADER_BYTES + compressed.length + TRAILER_BYTES;
    this.#advance();
  }

  /** Omits a block: readers take it for nodata. */
  skip(level: Level, block: number): void {
    level.blockOffsets[block] = -1;
    this.#advance();
  }

  /** Writes directories and data to the sink, and ends it. `description`: what the file says about itself. */
  async finish(
    description: Pick<Settings, "bands" | "metadata"> = this.#settings,
  ): Promise<{ readonly size: number; readonly bigTiff: boolean }> {
    const written = this.levels.filter((level) => level.written);
    const settings = { ...this.#settings, bands: description.bands, metadata: description.metadata };
    const layout = layOut(
      written.flatMap((level) => levelData(level, settings)),
      settings.bigTiff,
    );
    await this.#sink.start?.(layout.size);
    await this.#copy(written, layout.head, layout.size);
    await this.#sink.end();
    await this.#close();
    return { size: layout.size, bigTiff: layout.big };
  }

  /**
   * Copies the head, and all blocks from the spools in the order of the file; or, where the sink takes them in any order,
   * from the end of each spool to its start. What is copied is freed, so that the disk never holds all of it twice, and
   * the system needs no new memory for what it has not written out yet.
   */
  async #copy(levels: readonly Level[], head: Uint8Array, size: number): Promise<void> {
    const { signal, onProgress } = this.#options;
    const { writeAt } = this.#sink;
    await (writeAt === undefined ? this.#sink.write(head) : writeAt(head, 0));
    const pieces = [...piecesOf(levels.toReversed(), head.length)];
    if (writeAt !== undefined) fromLastToFirst(pieces);
    const longest = pieces.reduce((most, { length }) => Math.max(most, length), 0);
    const freeing = new Freeing(pieces);
    let next = 0;
    let copied = head.length;
    let before: Promise<void> = Promise.resolve();
    const copier = async (): Promise<void> => {
      const memory = new Uint8Array(longest);
      for (let i = next++; i < pieces.length; i = next++) {
        signal?.throwIfAborted();
        const { spool, from, to, length } = pieces[i] as Piece;
        const bytes = memory.subarray(0, length);
        const reading = spool.read(from, bytes);
        if (writeAt !== undefined) {
          await reading;
          await writeAt(bytes, to);
          await freeing.done(i);
        } else {
          // a failure of one before is a failure of all after it
          before = Promise.all([reading, before]).then(() => this.#sink.write(bytes));
          await before;
        }
        copied += length;
        onProgress?.(COMPRESSING + ((1 - COMPRESSING) * copied) / size);
      }
    };
    const count = Math.min(pieces.length, COPIERS);
    const stop = (error: unknown): never => {
      next = pieces.length;
      throw error;
    };
    const results = await Promise.allSettled(Array.from({ length: count }, () => copier().catch(stop)));
    // no write may be in progress when the sink ends or is aborted
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }

  /** Gives up: frees the spools and aborts the sink. Harmless after the end. */
  async abort(): Promise<void> {
    if (this.#closed) return;
    await this.#close();
    await this.#sink.abort();
  }

  async #close(): Promise<void> {
    this.#closed = true;
    for (const level of this.levels) for (const spool of level.spools) await spool.close();
  }

  #advance(): void {
    this.#blocksDone++;
    this.#options.onProgress?.((COMPRESSING * this.#blocksDone) / this.#blockTotal);
  }
}

/** Bytes that follow each other in a spool and in the file. */
interface Piece {
  readonly spool: Spool;
  readonly from: number;
  readonly to: number;
  length: number;
}

/** All blocks of the levels, in the order of the file; the first starts at `start`. */
function* piecesOf(levels: readonly Level[], start: number): Iterable<Piece> {
  let to = start;
  let piece: Piece | undefined;
  for (const { spools, blockOffsets, blockSizes } of levels) {
    for (let block = 0; block < blockOffsets.length; block++) {
      const offset = blockOffsets[block] as number;
      if (offset < 0) continue;
      const spool = spools[Math.floor((block * spools.length) / blockOffsets.length)] as Spool;
      const from = offset - LEADER_BYTES;
      const end = from + LEADER_BYTES + (blockSizes[block] as number) + TRAILER_BYTES;
      for (let at = from; at < end; ) {
        if (piece?.spool !== spool || at !== piece.from + piece.length || piece.length === PIECE) {
          if (piece !== undefined) yield piece;
          piece = { spool, from: at, to, length: 0 };
        }
        const length = Math.min(end - at, PIECE - piece.length);
        piece.length += length;
        at += length;
        to += length;
      }
    }
  }
  if (piece !== undefined) yield piece;
}

/** Sorts pieces by their offset in their spools, the last of each first. */
function fromLastToFirst(pieces: Piece[]): void {
  const order = new Map<Spool, number>();
  for (const { spool } of pieces) if (!order.has(spool)) order.set(spool, order.size);
  pieces.sort((a, b) => (order.get(a.spool) as number) - (order.get(b.spool) as number) || b.from - a.from);
}

/** Frees the ends of spools that are copied from the end on. */
class Freeing {
  readonly #pieces: readonly Piece[];
  readonly #done: boolean[];
  /** Pieces before this one are all copied. */
  #first = 0;
  /** Bytes copied of the spool at hand that are not freed yet. */
  #copied = 0;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
    this.#done = pieces.map(() => false);
  }

  async done(piece: number): Promise<void> {
    this.#done[piece] = true;
    while (this.#done[this.#first] === true) {
      const { spool, from, length } = this.#pieces[this.#first++] as Piece;
      this.#copied += length;
      if (from > 0 && this.#copied < FREED) continue;
      this.#copied = 0;
      await spool.shrink?.(from);
    }
  }
}

/** A block with its size before it and its last four bytes repeated after it, as the structural metadata promise. */
function frame(block: Uint8Array): Uint8Array[] {
  const leader = new Uint8Array(4);
  new DataView(leader.buffer).setUint32(0, block.length, true);
  return [leader, block, block.slice(-4)];
}
