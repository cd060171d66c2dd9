import { sampleTypeOf } from "@swath/raster";
import { type EncodeContext, threadContext } from "../context.ts";
import { EncodeError } from "../errors.ts";
import type { Rows } from "./blocks/block.ts";
import { BlockCompressor } from "./blocks/block-compressor.ts";
import { type BlockPixelsTask, partOf, pixelsOf, writeCoarser } from "./blocks/block-task.ts";
import { PeakMemory } from "./blocks/peak-memory.ts";
import { BlockScheduler, type EncodedBlock } from "./blocks/scheduler.ts";
import { BlockFile, type BlockFileOptions } from "./file/block-file.ts";
import { geoFields } from "./file/geo-fields.ts";
import type { Level } from "./file/level.ts";
import type { Sink } from "./file/spool.ts";
import { type GeoTiffOptions, type GeoTiffShape, resolveSettings, type Settings } from "./options.ts";
import { RowBuffer } from "./row-buffer.ts";

/** As for a file in memory, and where blocks wait until the file is put together. */
export interface GeoTiffWriterOptions extends GeoTiffOptions, BlockFileOptions {
  /** Blocks compressed at the same time. Default 4, the threads of Node's pool. */
  readonly concurrency?: number;
}

/** Facts about the file that was written. */
export interface GeoTiffSummary {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bigTiff: boolean;
  /**
   * Most bytes the writer held at once: rows that wait for a full block, blocks of overviews, blocks being compressed
   * and their results. The caller's rows and a memory spool come on top.
   */
  readonly peakBytes: number;
}

/** Takes rows from the top to the bottom, then finishes the file. */
export interface GeoTiffWriter {
  /**
   * Takes the next rows, full width, top to bottom; any number of them, fastest when it is a multiple of the block size.
   * The arrays may be reused once the promise settles; wait for it before the next call.
   *
   * @throws {EncodeError} `invalid-raster` for arrays that do not fit, `incomplete` for rows past the last.
   */
  write(rows: Rows): Promise<void>;
  /** Writes the file to the sink and ends it. @throws {EncodeError} `incomplete` before the last row. */
  finish(): Promise<GeoTiffSummary>;
  /** Gives up: frees the spools and aborts the sink. Harmless after the end. */
  abort(): Promise<void>;
}

/** Makes the blocks of a file from rows, which are cut into blocks of level 0 as the scheduler requests them. */
class RowWriter implements GeoTiffWriter {
  readonly #settings: Settings;
  readonly #file: BlockFile;
  readonly #base: Level;
  readonly #memory = new PeakMemory();
  readonly #compressor: BlockCompressor;
  readonly #rows: RowBuffer;
  readonly #signal: AbortSignal | undefined;
  readonly #stop = new AbortController();
  /** Settles when all blocks are in the file, or no work is in progress. */
  readonly #running: Promise<void>;
  /** A failure of the scheduler rejects tasks that wait for rows, by its signal, which exists from the first block on. */
  #isWatched = false;
  #failure: { readonly error: unknown } | undefined;

  constructor(settings: Settings, file: BlockFile, options: GeoTiffWriterOptions, context: EncodeContext) {
    this.#settings = settings;
    this.#file = file;
    this.#base = file.levels[0] as Level;
    this.#compressor = new BlockCompressor(settings, context, this.#memory);
    this.#rows = new RowBuffer(this.#base, settings, this.#memory);
    this.#signal = options.signal;
    const schedule = { tasksPerWorker: options.concurrency ?? 4, signal: this.#stop.signal };
    const scheduler = new BlockScheduler(file, settings, this.#memory, schedule, (task, _, signal) => {
      if (!this.#isWatched) signal.addEventListener("abort", () => this.#rows.fail(signal.reason), { once: true });
      this.#isWatched = true;
      return this.#encode(task);
    });
    this.#running = scheduler.run();
    this.#running.catch((error: unknown) => {
      this.#failure ??= { error };
      this.#rows.fail(error);
    });
  }

  async write(rows: Rows): Promise<void> {
    const { bandCount, sampleType, grid } = this.#settings;
    if (rows.bands.length !== bandCount) {
      throw new EncodeError(
        "invalid-raster",
        `Expected ${bandCount} ${bandCount === 1 ? "band" : "bands"}, got ${rows.bands.length}.`,
      );
    }
    const count = rows.valid.length / grid.width;
    for (const band of rows.bands) {
      if (sampleTypeOf(band) !== sampleType) {
        throw new EncodeError("invalid-raster", `Expected ${sampleType} samples, got ${sampleTypeOf(band)}.`);
      }
      if (band.length !== rows.valid.length || !Number.isInteger(count)) {
        const got = `${band.length} samples and ${rows.valid.length} flags`;
        throw new EncodeError("invalid-raster", `Expected whole rows of ${grid.width} pixels, got ${got}.`);
      }
    }
    const received = this.#rows.received;
    if (received + count > grid.height) {
      throw new EncodeError("incomplete", `Expected ${grid.height} rows, got at least ${received + count}.`);
    }
    await this.#guard(() => this.#rows.add(rows, count));
  }

  async finish(): Promise<GeoTiffSummary> {
    const { height } = this.#base;
    if (!this.#file.closed && this.#failure === undefined && this.#rows.received !== height) {
      throw new EncodeError("incomplete", `Expected ${height} rows, got ${this.#rows.received}.`);
    }
    return this.#guard(async () => {
      await this.#running;
      return { ...(await this.#file.finish()), peakBytes: this.#memory.peak };
    });
  }

  async abort(): Promise<void> {
    if (this.#file.closed) return;
    this.#failure ??= { error: new EncodeError("incomplete", "The GeoTIFF was given up.") };
    this.#stop.abort(this.#failure.error);
    await this.#running.catch(() => {});
    await this.#file.abort();
  }

  /** Runs one step; a failure gives up the file, and every later call repeats it. */
  async #guard<T>(step: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) {
      await this.abort();
      throw this.#failure.error;
    }
    if (this.#file.closed) throw new EncodeError("incomplete", "The GeoTIFF is already finished.");
    try {
      this.#signal?.throwIfAborted();
      return await step();
    } catch (error) {
      this.#failure ??= { error };
      await this.abort();
      throw this.#failure.error;
    }
  }

  async #encode(task: BlockPixelsTask): Promise<EncodedBlock> {
    const pixels = pixelsOf(task);
    if (pixels !== undefined) {
      writeCoarser(task, pixels);
      return this.#compressor.compress(task, pixels, this.#isWritten(task));
    }
    const blockRow = task.y / task.blockHeight;
    const rows = await this.#rows.blockRow(blockRow);
    this.#signal?.throwIfAborted();
    const cut = {
      bands: rows.bands.map((band) => band.subarray(task.x)),
      valid: rows.valid.subarray(task.x),
    };
    const part = partOf(task, cut, this.#base.width);
    writeCoarser(task, part);
    const encoded = this.#compressor.compress(task, part, true);
    // the block is filled: the rows are needed no more
    this.#rows.used(blockRow);
    return encoded;
  }

  #isWritten({ level }: BlockPixelsTask): boolean {
    return (this.#file.levels[level] as Level).written;
  }
}

/**
 * Writes a Cloud-Optimized GeoTIFF of any size from rows given top to bottom. Blocks are compressed while rows come in,
 * overviews are built on the way; compressed blocks wait in spools, and `finish` writes directories and data to the
 * sink in the order of GDAL's COG driver, from front to back. Only one row of blocks per level of the image is kept.
 *
 * @throws {EncodeError} `invalid-option`, `invalid-raster` or `unsupported-crs`, before anything is written.
 */
export async function createGeoTiffWriter(
  shape: GeoTiffShape,
  sink: Sink,
  options: GeoTiffWriterOptions = {},
): Promise<GeoTiffWriter> {
  const settings = resolveSettings(shape, options);
  geoFields(settings.grid); // a CRS without GeoKeys is refused now, not after an hour
  options.signal?.throwIfAborted();
  const file = await BlockFile.open(settings, sink, options);
  return new RowWriter(settings, file, options, threadContext());
}
