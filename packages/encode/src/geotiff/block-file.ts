import { layOut } from "./layout.ts";
import { type Level, levelData, makeLevels } from "./level.ts";
import type { Settings } from "./options.ts";
import { memorySpool, type Sink, type Spool } from "./spool.ts";

/** Where blocks wait, and who is told of what. */
export interface BlockFileOptions {
  /** Where compressed blocks wait for the directories; one spool a level (and band, with `interleave: "band"`). Default: memory. */
  readonly spool?: () => Promise<Spool>;
  /** Part of the work done, 0 to 1, after each block and each piece of the final copy. */
  readonly onProgress?: (done: number) => void;
  readonly signal?: AbortSignal;
}

/** The share of the progress that goes to compressing; the rest is copying. */
const COMPRESSING = 0.95;

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

  /** Takes the next block of a plane; blocks come in TIFF order. */
  async append(level: Level, plane: number, block: number, compressed: Uint8Array): Promise<void> {
    const offset = level.spoolSizes[plane] as number;
    await (level.spools[plane] as Spool).append(frame(compressed));
    level.blockOffsets[block] = offset + 4;
    level.blockSizes[block] = compressed.length;
    level.spoolSizes[plane] = offset + compressed.length + 8;
    this.#advance();
  }

  /** Leaves a block out: readers take it for nodata. */
  skip(level: Level, block: number): void {
    level.blockOffsets[block] = -1;
    this.#advance();
  }

  /** Writes directories and data to the sink, and ends it. `told`: what the file says about itself. */
  async finish(
    told: Pick<Settings, "bands" | "metadata"> = this.#settings,
  ): Promise<{ readonly size: number; readonly bigTiff: boolean }> {
    const { signal, onProgress } = this.#options;
    const written = this.levels.filter((level) => level.written);
    const settings = { ...this.#settings, bands: told.bands, metadata: told.metadata };
    const layout = layOut(
      written.map((level) => levelData(level, settings)),
      settings.bigTiff,
    );
    await this.#sink.start?.(layout.size);
    await this.#sink.write(layout.head);
    let copied = layout.head.length;
    for (const level of written.toReversed()) {
      for (const spool of level.spools) {
        for await (const piece of spool.pieces()) {
          signal?.throwIfAborted();
          await this.#sink.write(piece);
          copied += piece.length;
          onProgress?.(COMPRESSING + ((1 - COMPRESSING) * copied) / layout.size);
        }
      }
    }
    await this.#sink.end();
    await this.#close();
    return { size: layout.size, bigTiff: layout.big };
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

/** A block with its size before it and its last four bytes repeated after it, as the structural metadata promise. */
function frame(block: Uint8Array): Uint8Array[] {
  const leader = new Uint8Array(4);
  new DataView(leader.buffer).setUint32(0, block.length, true);
  return [leader, block, block.slice(-4)];
}
