import { threadContext } from "../context.ts";
import { type BlockTask, maxBlockBytes, planesOf } from "./blocks/block-task.ts";
import { BlockScheduler } from "./blocks/scheduler.ts";
import { BlockFile, type BlockFileOptions } from "./file/block-file.ts";
import { geoFields } from "./file/geo-fields.ts";
import type { Sink } from "./file/spool.ts";
import { type GeoTiffOptions, type GeoTiffShape, resolveSettings } from "./options.ts";

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
  const settings = resolveSettings(shape, options);
  geoFields(settings.grid); // a CRS without GeoKeys is refused now, not after an hour
  options.signal?.throwIfAborted();
  const context = threadContext();
  const memory = {
    take: (bytes: number) => context.takeBuffer(bytes),
    releaseBuffer: (buffer: ArrayBufferLike) => context.releaseBuffer(buffer),
  };
  const file = await BlockFile.open(settings, sink, options);
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
    return await file.finish(resolveSettings(shape, { ...options, ...options.describe?.() }));
  } finally {
    await file.abort();
  }
}
