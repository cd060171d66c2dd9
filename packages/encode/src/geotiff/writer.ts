import { bytesPerSample, type Samples, sampleTypeOf } from "@swath/raster";
import { EncodeError } from "../errors.ts";
import { type BlockShape, coverage, fillBlock, nodataWord, predict, type Rows } from "./block.ts";
import { BlockFile, type BlockFileOptions } from "./block-file.ts";
import { geoFields } from "./geo-fields.ts";
import { allocateRows, type Level, rowBytes } from "./level.ts";
import { type GeoTiffOptions, type GeoTiffShape, resolveSettings, type Settings } from "./options.ts";
import { halveBand, halveValid } from "./overview.ts";
import type { Sink } from "./spool.ts";

/** As for a file in memory, and where blocks wait until the file is put together. */
export interface GeoTiffWriterOptions extends GeoTiffOptions, BlockFileOptions {
  /** Blocks compressed at the same time. Default 4, the threads of Node's pool. */
  readonly concurrency?: number;
}

/** What was written. */
export interface GeoTiffSummary {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bigTiff: boolean;
  /**
   * Most bytes the writer held at once: rows that wait for a full block, rows of the overviews, blocks being compressed
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

interface Job {
  readonly level: Level;
  readonly plane: number;
  readonly block: number;
  readonly raw: Uint8Array;
  readonly bytes: Promise<Uint8Array>;
}

class Writer implements GeoTiffWriter {
  readonly #settings: Settings;
  readonly #file: BlockFile;
  readonly #levels: readonly Level[];
  readonly #concurrency: number;
  readonly #signal: AbortSignal | undefined;
  readonly #jobs: Job[] = [];
  readonly #spare: Uint8Array[] = [];
  /** Compressed blocks that hold nothing but nodata, by level and plane: they are all the same. */
  readonly #empty = new Map<Level, Promise<Uint8Array>>();
  #held = 0;
  #peak = 0;
  #failure: unknown;

  constructor(settings: Settings, file: BlockFile, options: GeoTiffWriterOptions) {
    this.#settings = settings;
    this.#file = file;
    this.#levels = file.levels;
    this.#concurrency = Math.max(1, options.concurrency ?? 4);
    this.#signal = options.signal;
  }

  async write(rows: Rows): Promise<void> {
    const { bandCount, sampleType, grid } = this.#settings;
    if (rows.bands.length !== bandCount) {
      throw new EncodeError("invalid-raster", `Expected ${bandCount} bands, got ${rows.bands.length}.`);
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
    const base = this.#levels[0] as Level;
    if (base.rowsIn + count > grid.height) {
      throw new EncodeError("incomplete", `Expected ${grid.height} rows, got at least ${base.rowsIn + count}.`);
    }
    await this.#guard(() => this.#push(0, rows, count));
  }

  async finish(): Promise<GeoTiffSummary> {
    const base = this.#levels[0] as Level;
    if (!this.#file.closed && this.#failure === undefined && base.rowsIn !== base.height) {
      throw new EncodeError("incomplete", `Expected ${base.height} rows, got ${base.rowsIn}.`);
    }
    return this.#guard(async () => {
      await this.#drain(0);
      const written = await this.#file.finish();
      this.#forget();
      return { ...written, peakBytes: this.#peak };
    });
  }

  async abort(): Promise<void> {
    if (this.#file.closed) return;
    this.#failure ??= new EncodeError("incomplete", "The GeoTIFF was given up.");
    await Promise.allSettled(this.#jobs.map((job) => job.bytes));
    this.#forget();
    await this.#file.abort();
  }

  /** Runs one step; a failure gives up the file, and every later call repeats it. */
  async #guard<T>(step: () => Promise<T>): Promise<T> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file.closed) throw new EncodeError("incomplete", "The GeoTIFF is already finished.");
    try {
      this.#signal?.throwIfAborted();
      return await step();
    } catch (error) {
      this.#failure = error;
      await this.abort();
      throw error;
    }
  }

  #forget(): void {
    this.#spare.length = 0;
    this.#jobs.length = 0;
    this.#empty.clear();
    for (const level of this.#levels) level.waiting = undefined;
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    if (this.#held > this.#peak) this.#peak = this.#held;
  }

  /** Passes rows on in block rows; what does not fill one waits. */
  async #push(index: number, rows: Rows, count: number): Promise<void> {
    const level = this.#levels[index] as Level;
    const { width, height, blockHeight } = level;
    for (let row = 0; row < count; ) {
      const wanted = Math.min(blockHeight, height - level.blockRow * blockHeight);
      if (level.waitingRows === 0 && count - row >= wanted) {
        level.rowsIn += wanted;
        await this.#blockRow(index, sliceRows(rows, width, row, row + wanted), wanted);
        row += wanted;
        continue;
      }
      if (level.waiting === undefined) {
        this.#hold(rowBytes(level, this.#settings, Math.min(blockHeight, height)));
        level.waiting = allocateRows(level, this.#settings, Math.min(blockHeight, height));
      }
      const taken = Math.min(wanted - level.waitingRows, count - row);
      copyRows(rows, row, level.waiting, level.waitingRows, taken, width);
      level.waitingRows += taken;
      level.rowsIn += taken;
      row += taken;
      if (level.waitingRows === wanted) {
        level.waitingRows = 0;
        await this.#blockRow(index, sliceRows(level.waiting, width, 0, wanted), wanted);
      }
    }
  }

  async #blockRow(index: number, rows: Rows, count: number): Promise<void> {
    const level = this.#levels[index] as Level;
    const blockRow = level.blockRow++;
    if (level.written) {
      for (let column = 0; column < level.blocksAcross; column++)
        await this.#block(level, rows, count, blockRow, column);
    }
    if (index + 1 < this.#levels.length) await this.#halve(index, rows, count);
  }

  async #halve(index: number, rows: Rows, count: number): Promise<void> {
    const { sampleType, nodata, overviewResampling } = this.#settings;
    const next = this.#levels[index + 1] as Level;
    const halving = {
      width: (this.#levels[index] as Level).width,
      rows: count,
      resampling: overviewResampling,
      nodata,
      sampleType,
    };
    const halfRows = Math.ceil(count / 2);
    const bytes = rowBytes(next, this.#settings, halfRows);
    this.#hold(bytes);
    const half = allocateRows(next, this.#settings, halfRows);
    halveValid(rows.valid, half.valid, halving);
    for (const [i, band] of rows.bands.entries()) halveBand(band, rows.valid, half.bands[i] as Samples, halving);
    await this.#push(index + 1, half, halfRows);
    this.#held -= bytes;
  }

  async #block(level: Level, rows: Rows, count: number, blockRow: number, column: number): Promise<void> {
    const { interleave, nodata, sparse } = this.#settings;
    const { width, blockWidth, blockHeight, blocksAcross, blocksDown } = level;
    const shape: BlockShape = { width, rows: count, x: column * blockWidth, blockWidth, blockHeight };
    const covered = nodata === undefined ? 2 : coverage(rows.valid, shape);
    const planes = interleave === "band" ? rows.bands.map((band) => [band]) : [rows.bands];
    for (const [plane, bands] of planes.entries()) {
      const block = (plane * blocksDown + blockRow) * blocksAcross + column;
      if (covered === 0 && sparse) {
        this.#file.skip(level, block);
        continue;
      }
      await this.#drain(this.#concurrency - 1);
      this.#signal?.throwIfAborted();
      const raw = this.#take(blockWidth * blockHeight * bands.length * (bands[0] as Samples).BYTES_PER_ELEMENT);
      const bytes =
        covered === 0
          ? this.#emptyBlock(level, raw, bands, rows.valid, shape)
          : this.#compress(raw, bands, rows.valid, shape, covered);
      bytes.then(
        (compressed) => this.#hold(compressed.buffer.byteLength),
        () => {}, // reported when its turn comes
      );
      this.#jobs.push({ level, plane, block, raw, bytes });
    }
  }

  #emptyBlock(
    level: Level,
    raw: Uint8Array,
    bands: readonly Samples[],
    valid: Uint8Array,
    shape: BlockShape,
  ): Promise<Uint8Array> {
    let bytes = this.#empty.get(level);
    if (bytes === undefined) {
      bytes = this.#compress(raw, bands, valid, shape, 0).then((compressed) => compressed.slice());
      this.#empty.set(level, bytes);
    }
    return bytes;
  }

  #compress(
    raw: Uint8Array,
    bands: readonly Samples[],
    valid: Uint8Array,
    shape: BlockShape,
    covered: 0 | 1 | 2,
  ): Promise<Uint8Array> {
    const { sampleType, nodata, predictor, compression, level, deflate } = this.#settings;
    const word = nodata === undefined || covered === 2 ? undefined : nodataWord(sampleType, nodata);
    fillBlock(raw, bands, valid, shape, word);
    const encoding = {
      predictor,
      bytesPerSample: bytesPerSample(sampleType),
      rowLength: shape.blockWidth * bands.length,
      stride: bands.length,
    };
    predict(raw, encoding);
    return compression === "deflate" ? deflate(raw, level) : Promise.resolve(raw);
  }

  /** A buffer of exactly `length` bytes; a used one where it fits. */
  #take(length: number): Uint8Array {
    const index = this.#spare.findIndex((buffer) => buffer.length === length);
    if (index >= 0) return this.#spare.splice(index, 1)[0] as Uint8Array;
    this.#hold(length);
    return new Uint8Array(length);
  }

  #giveBack(raw: Uint8Array): void {
    if (this.#spare.length >= this.#concurrency) this.#held -= (this.#spare.shift() as Uint8Array).length;
    this.#spare.push(raw);
  }

  /** Spools finished blocks in order until at most `left` are under way. */
  async #drain(left: number): Promise<void> {
    while (this.#jobs.length > left) {
      const { level, plane, block, raw, bytes } = this.#jobs[0] as Job;
      const compressed = await bytes;
      this.#jobs.shift();
      await this.#file.append(level, plane, block, compressed);
      this.#held -= compressed.buffer.byteLength;
      this.#giveBack(raw);
    }
  }
}

function sliceRows(rows: Rows, width: number, from: number, to: number): Rows {
  return {
    bands: rows.bands.map((band) => band.subarray(from * width, to * width)),
    valid: rows.valid.subarray(from * width, to * width),
  };
}

function copyRows(from: Rows, fromRow: number, to: Rows, toRow: number, count: number, width: number): void {
  const start = fromRow * width;
  const end = (fromRow + count) * width;
  for (const [i, band] of from.bands.entries()) (to.bands[i] as Samples).set(band.subarray(start, end), toRow * width);
  to.valid.set(from.valid.subarray(start, end), toRow * width);
}

/**
 * Writes a Cloud-Optimized GeoTIFF of any size from rows given top to bottom. Blocks are compressed while rows come in,
 * overviews are built on the way; compressed blocks wait in spools, and `finish` writes directories and data to the sink
 * in the order of GDAL's COG driver, from front to back. Nothing of the image is kept but one row of blocks a level.
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
  return new Writer(settings, await BlockFile.open(settings, sink, options), options);
}
