import { leftPixels } from "../levels/left-pixels.ts";
import { planLevels } from "../levels/level-shape.ts";
import { type BlockRows, rowsWithin } from "../levels/sources.ts";
import type { Settings } from "../options.ts";
import { layOut } from "./layout.ts";
import { LEADER_BYTES, type Level, levelData, openLevel, TRAILER_BYTES } from "./level.ts";
import { blocksInOrder, type GeoTiffPart, layoutOf, type PartSource } from "./part.ts";
import { type ByteSource, memorySpool, type Sink, type Spool } from "./spool.ts";

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
/** Bytes copied at a time from a spool to the sink, and from a part, which may be remote. */
const PIECE = 1 << 19;
const PART_PIECE = 8 << 20;
/** Bytes of a part that a sink copies at a time: S3 copies up to 5 GiB. */
const COPIED_PIECE = 1 << 30;
/** Pieces copied at the same time: one is read while another is written. The system writes one at a time to a file. */
const COPIERS = 2;
/** The same for parts: two are read. */
const PART_COPIERS = 3;
/** Bytes of a spool that are freed at a time. */
const FREED = 16 << 20;

/** The rows of blocks of the full size that a file has, where it is a part; the parts that are joined. */
export interface BlockFileContents {
  readonly rows?: BlockRows;
  readonly parts?: readonly PartSource[];
}

/** A file that compressed blocks come into, level by level, until it can be put together. */
export class BlockFile {
  readonly levels: readonly Level[];
  /** The parts that have made blocks of it, and left pixels for others. */
  readonly parts: readonly PartSource[];
  readonly #settings: Settings;
  readonly #sink: Sink;
  readonly #options: BlockFileOptions;
  readonly #blockTotal: number;
  /** Share of the progress that goes to blocks. */
  readonly #compressing: number;
  #blocksDone = 0;
  /** Pixels for coarser blocks of the whole file that a part leaves; where each block's begin. */
  readonly #left: Spool | undefined;
  readonly #leftOffsets = new Map<string, number>();
  #leftSize = 0;
  #closed = false;

  private constructor(
    settings: Settings,
    levels: readonly Level[],
    left: Spool | undefined,
    sink: Sink,
    options: BlockFileOptions,
    parts: readonly PartSource[],
  ) {
    this.levels = levels;
    this.parts = parts;
    this.#settings = settings;
    this.#left = left;
    this.#sink = sink;
    this.#options = options;
    this.#compressing = parts.length > 0 ? 0 : COMPRESSING;
    this.#blockTotal = levels.reduce((sum, each) => sum + each.planes * each.blocksAcross * each.rowsToMake, 0);
    for (const part of parts) this.#take(part);
  }

  static async open(
    settings: Settings,
    sink: Sink,
    options: BlockFileOptions,
    { rows, parts = [] }: BlockFileContents = {},
  ): Promise<BlockFile> {
    const makeSpool = options.spool ?? (async () => memorySpool());
    const shapes = planLevels(settings);
    const ofPart = rows === undefined ? undefined : rowsWithin(shapes, rows);
    const levels: Level[] = [];
    for (const [i, shape] of shapes.entries()) {
      const madeBy: PartSource[] = [];
      for (const part of parts) {
        const { from, to } = part.rows[i] as BlockRows;
        for (let row = from; row < to; row++) madeBy[row] = part;
      }
      levels.push(await openLevel(shape, ofPart?.[i] ?? { from: 0, to: shape.blocksDown }, madeBy, makeSpool));
    }
    const left = ofPart === undefined ? undefined : await makeSpool();
    return new BlockFile(settings, levels, left, sink, options, parts);
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

  /** Takes pixels that a part leaves of a block. One at a time, and not while a block is taken. */
  async leave(level: number, block: number, pixels: readonly Uint8Array[]): Promise<void> {
    const bytes = pixels.reduce((sum, each) => sum + each.length, 0);
    await this.#left?.append(pixels);
    this.#leftOffsets.set(`${level} ${block}`, this.#leftSize);
    this.#leftSize += bytes;
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
    await this.#copy(piecesOf(this.#ranges(), layout.head.length), layout.head, layout.size);
    return { size: layout.size, bigTiff: layout.big };
  }

  /** Writes the blocks of a part to the sink, behind them the pixels that it leaves, and ends it. */
  async finishPart(): Promise<GeoTiffPart> {
    const blocks = blocksInOrder(this.levels, this.#rows());
    const blockSizes = Array.from(blocks, ({ level, block }) => this.levels[level]!.blockSizes[block]!);
    const pieces = [...piecesOf(this.#ranges(), 0)];
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    await this.#copy(pieces, new Uint8Array(0), size);
    const { from, to } = (this.levels[0] as Level).rows;
    return { layout: layoutOf(this.#settings), rows: { from, to }, blockSizes, size };
  }

  #rows(): readonly BlockRows[] {
    return this.levels.map(({ rows }) => rows);
  }

  /** All blocks in the order of the file; behind them the pixels that a part leaves. */
  *#ranges(): Iterable<ByteRange> {
    const longestOfPart = this.#sink.copy === undefined ? PART_PIECE : COPIED_PIECE;
    for (const { level, plane, row, block } of blocksInOrder(this.levels, this.#rows())) {
      const { blockOffsets, blockSizes, spools, madeBy } = this.levels[level] as Level;
      const offset = blockOffsets[block] as number;
      if (offset < 0) continue;
      const part = madeBy[row];
      yield {
        source: part ?? (spools[plane] as Spool),
        from: offset - LEADER_BYTES,
        length: LEADER_BYTES + (blockSizes[block] as number) + TRAILER_BYTES,
        longest: part === undefined ? PIECE : longestOfPart,
      };
    }
    if (this.#left === undefined) return;
    for (const { level, block, bytes } of leftPixels(this.levels, this.#settings, this.#rows(), 0)) {
      const from = this.#leftOffsets.get(`${level} ${block}`) as number;
      yield { source: this.#left, from, length: bytes, longest: PIECE };
    }
  }

  /** Notes where a part holds its blocks. */
  #take({ blockSizes, rows }: PartSource): void {
    let [next, at] = [0, 0];
    for (const { level, block } of blocksInOrder(this.levels, rows)) {
      const size = blockSizes[next++] as number;
      const target = this.levels[level] as Level;
      target.blockOffsets[block] = at + LEADER_BYTES;
      target.blockSizes[block] = size;
      at += LEADER_BYTES + size + TRAILER_BYTES;
    }
  }

  /**
   * Copies the head, and all pieces in the order of the file, and ends the sink; or, where it takes them in any order,
   * from the end of each spool to its start. What is copied is freed, so that the disk never holds all of it twice, and
   * the system needs no new memory for what it has not written out yet. Parts, which others keep, are read from front to back.
   */
  async #copy(inOrder: Iterable<Piece>, head: Uint8Array, size: number): Promise<void> {
    const { signal, onProgress } = this.#options;
    const isJoined = this.parts.length > 0;
    const writeAt = isJoined ? undefined : this.#sink.writeAt;
    await this.#sink.start?.(size);
    if (head.length > 0) await (writeAt === undefined ? this.#sink.write(head) : writeAt(head, 0));
    const pieces = [...inOrder];
    if (writeAt !== undefined) fromLastToFirst(pieces);
    const isCopied = ({ source }: Piece): boolean => "number" in source && this.#sink.copy !== undefined;
    const longest = pieces.reduce((most, piece) => (isCopied(piece) ? most : Math.max(most, piece.length)), 0);
    const freeing = new Freeing(pieces);
    let next = 0;
    let copied = head.length;
    let before: Promise<void> = Promise.resolve();
    const copier = async (): Promise<void> => {
      const memory = new Uint8Array(longest);
      for (let i = next++; i < pieces.length; i = next++) {
        signal?.throwIfAborted();
        const piece = pieces[i] as Piece;
        const { source, from, to, length } = piece;
        const bytes = memory.subarray(0, length);
        const reading = isCopied(piece) ? undefined : source.read(from, bytes);
        if (writeAt !== undefined) {
          await reading;
          await writeAt(bytes, to);
          await freeing.done(i);
        } else {
          // a failure of one before is a failure of all after it
          before = Promise.all([reading, before]).then(() =>
            reading === undefined
              ? this.#sink.copy?.((source as PartSource).number, from, length)
              : this.#sink.write(bytes),
          );
          await Promise.allSettled([reading, before]);
          await before;
        }
        copied += length;
        onProgress?.(this.#compressing + ((1 - this.#compressing) * copied) / size);
      }
    };
    const count = Math.min(pieces.length, isJoined ? PART_COPIERS : COPIERS);
    const stop = (error: unknown): never => {
      next = pieces.length;
      throw error;
    };
    const results = await Promise.allSettled(Array.from({ length: count }, () => copier().catch(stop)));
    // no read or write may be in progress when the sink ends or is aborted
    for (const result of results) if (result.status === "rejected") throw result.reason;
    signal?.throwIfAborted();
    await this.#sink.end();
    await this.#close();
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
    await this.#left?.close();
  }

  #advance(): void {
    this.#blocksDone++;
    this.#options.onProgress?.((this.#compressing * this.#blocksDone) / this.#blockTotal);
  }
}

/** Bytes that come from a source, in pieces of at most `longest`. */
interface ByteRange {
  readonly source: ByteSource & Pick<Spool, "shrink">;
  readonly from: number;
  readonly length: number;
  readonly longest: number;
}

/** Bytes that follow each other in a source and in the file. */
interface Piece {
  readonly source: ByteSource & Pick<Spool, "shrink">;
  readonly from: number;
  readonly to: number;
  length: number;
}

/** The ranges, which follow each other in the file; the first starts at `start`. */
function* piecesOf(ranges: Iterable<ByteRange>, start: number): Iterable<Piece> {
  let to = start;
  let piece: Piece | undefined;
  for (const { source, from, length: bytes, longest } of ranges) {
    for (let at = from; at < from + bytes; ) {
      if (piece?.source !== source || at !== piece.from + piece.length || piece.length === longest) {
        if (piece !== undefined) yield piece;
        piece = { source, from: at, to, length: 0 };
      }
      const length = Math.min(from + bytes - at, longest - piece.length);
      piece.length += length;
      at += length;
      to += length;
    }
  }
  if (piece !== undefined) yield piece;
}

/** Sorts pieces by their offset in their spools, the last of each first. */
function fromLastToFirst(pieces: Piece[]): void {
  const order = new Map<ByteSource, number>();
  for (const { source } of pieces) if (!order.has(source)) order.set(source, order.size);
  pieces.sort((a, b) => (order.get(a.source) as number) - (order.get(b.source) as number) || b.from - a.from);
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
      const { source, from, length } = this.#pieces[this.#first++] as Piece;
      this.#copied += length;
      if (from > 0 && this.#copied < FREED) continue;
      this.#copied = 0;
      await source.shrink?.(from);
    }
  }
}

/** A block with its size before it and its last four bytes repeated after it, as the structural metadata promise. */
function frame(block: Uint8Array): Uint8Array[] {
  const leader = new Uint8Array(4);
  new DataView(leader.buffer).setUint32(0, block.length, true);
  return [leader, block, block.slice(-4)];
}
