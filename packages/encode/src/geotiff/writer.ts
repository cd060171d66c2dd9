import { threadContext } from "../context.ts";
import { type BlockTask, maxBlockBytes, planesOf } from "./blocks/block-task.ts";
import { BlockScheduler } from "./blocks/scheduler.ts";
import { BlockFile, type BlockFileOptions } from "./file/block-file.ts";
import { geoFields } from "./file/geo-fields.ts";
import { checkRows, type GeoTiffPart, type GeoTiffPartSource, orderParts } from "./file/part.ts";
import type { Sink } from "./file/spool.ts";
import { type LevelShape, planLevels } from "./levels/level-shape.ts";
import type { BlockRows } from "./levels/sources.ts";
import { type GeoTiffOptions, type GeoTiffShape, resolveSettings, type Settings } from "./options.ts";

/**
 * Options for writing a file whose blocks are made elsewhere. They are deflated as `deflateRuns` does, bands
 * interleaved by pixel.
 */
export interface BlockWriterOptions
  extends BlockFileOptions,
    Pick<GeoTiffOptions, "blockSize" | "predictor" | "nodata" | "mask" | "overviewResampling" | "bigTiff"> {
  /** Metadata of the file; called once all blocks are made, when their sources are known. */
  readonly describe?: () => Pick<GeoTiffOptions, "bands" | "metadata">;
  /** Workers that make blocks, such as threads. Each gets columns of its own as long as it has such. Default 1. */
  readonly workers?: number;
  /**
   * Columns of blocks that a worker goes down at a time, a multiple of 4: what it has read for a row should still be at hand for
   * the next one. Default: all of its columns.
   */
  readonly columnGroup?: number;
  /** Tasks that a worker has at once: while one waits for its pixels others are compressed. Default 1. */
  readonly tasksPerWorker?: number;
}

/**
 * Makes the block of a task, and resolves with what `makeBlock` returns for it.
 *
 * @param worker number of the worker, from 0
 * @param signal aborted when the file is no longer needed
 */
export type BlockMaker = (task: BlockTask, worker: number, signal: AbortSignal) => Promise<number>;

/** Facts about the file that was written. */
export interface BlockWriterSummary {
  /** Size of the file in bytes. */
  readonly size: number;
  readonly bigTiff: boolean;
}

/**
 * Writes a Cloud-Optimized GeoTIFF of any size from blocks that others make, in threads for instance, in any order: each compresses its
 * pixels and writes its share of the overviews, into memory that the task brings. Memory does not grow with the size of the image:
 * each worker goes down a few columns of blocks at a time.
 *
 * @throws {EncodeError} `invalid-option`, `invalid-raster` or `unsupported-crs`, before anything is written.
 * @throws what `make` rejects with, or the reason of `signal`; then nothing is kept, and the sink is aborted.
 * @example
 * // here in the calling thread; elsewhere, send the task there and answer with what `makeBlock` returns
 * await writeGeoTiffByBlocks(shape, sink, { nodata: 0 }, async (task) =>
 *   makeBlock(task, task.level === 0 ? await pixelsOf(task.x, task.y, task.width, task.height) : undefined),
 * );
 */
export async function writeGeoTiffByBlocks(
  shape: GeoTiffShape,
  sink: Sink,
  options: BlockWriterOptions,
  make: BlockMaker,
): Promise<BlockWriterSummary> {
  const settings = settingsOf(shape, options);
  const file = await BlockFile.open(settings, sink, options);
  return writeBlocks(file, settings, options, make, () => file.finish(describedBy(shape, options)));
}

/**
 * Cuts a file into parts of at least `values` samples for {@link writeGeoTiffPart}. All begin at a multiple of a power of two of rows of
 * blocks, so that most overviews of a part are made with it; where a height is odd, those at its edges are not: none if it has two rows.
 */
export function planGeoTiffParts(
  shape: GeoTiffShape,
  options: Pick<BlockWriterOptions, "blockSize">,
  values: number,
): readonly BlockRows[] {
  const { width, blockHeight, blocksDown } = planLevels(resolveSettings(shape, options))[0] as LevelShape;
  let rows = 2;
  while (rows < blocksDown && rows * blockHeight * width * shape.bandCount < values) rows *= 2;
  const count = Math.max(1, Math.floor(blocksDown / rows));
  return Array.from({ length: count }, (_, n) => ({
    from: n * rows,
    to: n + 1 === count ? blocksDown : (n + 1) * rows,
  }));
}

/**
 * Makes some rows of blocks of a GeoTIFF, with what they give of its overviews, as {@link writeGeoTiffByBlocks} does for the whole file:
 * on another machine, for instance. `sink` gets the bytes of the part.
 *
 * @returns its contents, for {@link joinGeoTiffParts}
 * @throws {EncodeError} `invalid-option`, `invalid-raster` or `unsupported-crs`, before anything is written.
 * @throws what `make` rejects with, or the reason of `signal`; then nothing is kept, and the sink is aborted.
 */
export async function writeGeoTiffPart(
  shape: GeoTiffShape,
  rows: BlockRows,
  sink: Sink,
  options: Omit<BlockWriterOptions, "describe" | "bigTiff">,
  make: BlockMaker,
): Promise<GeoTiffPart> {
  const settings = settingsOf(shape, options);
  checkRows(rows, planLevels(settings)[0] as LevelShape);
  const file = await BlockFile.open(settings, sink, options, { rows });
  return writeBlocks(file, settings, options, make, () => file.finishPart());
}

/**
 * Joins the parts of a GeoTIFF, in any order: makes the coarse overviews, and copies what the parts hold. The bytes are those that
 * {@link writeGeoTiffByBlocks} writes with the same options. `make` gets blocks of overviews only; as many tasks as it has at a time, as
 * many reads of their pixels may run. Memory does not grow with the image, the sink is written from front to back, and each byte of a part
 * is read once.
 *
 * @throws {EncodeError} as {@link writeGeoTiffByBlocks}; `invalid-option` too for a part of another file, or rows that two parts have,
 *   `incomplete` where no part has some rows; all before anything is written.
 * @throws what `make` or a `read` rejects with, or the reason of `signal`; then nothing is kept, and the sink is aborted.
 */
export async function joinGeoTiffParts(
  shape: GeoTiffShape,
  sink: Sink,
  options: BlockWriterOptions,
  parts: readonly GeoTiffPartSource[],
  make: BlockMaker,
): Promise<BlockWriterSummary> {
  const settings = settingsOf(shape, options);
  const ordered = orderParts(planLevels(settings), settings, parts);
  const file = await BlockFile.open(settings, sink, options, { parts: ordered });
  return writeBlocks(file, settings, options, make, () => file.finish(describedBy(shape, options)));
}

/** @throws {EncodeError} what is wrong with them; @throws the reason of `signal` */
function settingsOf(shape: GeoTiffShape, options: BlockWriterOptions): Settings {
  const settings = resolveSettings(shape, options);
  geoFields(settings.grid); // a CRS without GeoKeys is refused now, not after an hour
  options.signal?.throwIfAborted();
  return settings;
}

function describedBy(shape: GeoTiffShape, options: BlockWriterOptions): Settings {
  return resolveSettings(shape, { ...options, ...options.describe?.() });
}

/** Makes the blocks of a file, and finishes it. */
async function writeBlocks<T>(
  file: BlockFile,
  settings: Settings,
  options: BlockWriterOptions,
  make: BlockMaker,
  finish: () => Promise<T>,
): Promise<T> {
  const context = threadContext();
  const memory = {
    take: (bytes: number) => context.takeBuffer(bytes),
    releaseBuffer: (buffer: ArrayBufferLike) => context.releaseBuffer(buffer),
  };
  try {
    const scheduler = new BlockScheduler(file, settings, memory, options, async (task, worker, signal) => {
      const output = memory.take(maxBlockBytes(task.format, task.blockWidth, task.blockHeight));
      const length = await make({ ...task, output }, worker, signal);
      return {
        planes: planesOf(new Uint8Array(output, 0, length), settings),
        release: () => memory.releaseBuffer(output),
      };
    });
    await scheduler.run();
    options.signal?.throwIfAborted();
    return await finish();
  } finally {
    await file.abort();
  }
}
