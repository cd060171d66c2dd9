import { type BlockTask, type GeoTiffShape, writeGeoTiffByBlocks } from "@swath/encode";
import { fileSink, fileSpool } from "@swath/encode/node";
import { ProblemError } from "@swath/problem";
import { bytesPerSample, type Grid, resolveCrs } from "@swath/raster";
import type { AreaBlock, BlockJob } from "./area-block.ts";
import { describe } from "./description.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome, UnreadableScene } from "./extract-job.ts";

/** Those who read and compress the blocks of an area: threads, or the one that asks. */
export interface BlockMakers {
  readonly count: number;
  /** Bytes of decoded blocks of files that each of them keeps. */
  readonly cacheBytes: number;
  /** @param maker number of the one that is asked, from 0 */
  block(job: BlockJob, maker: number, options: { readonly signal: AbortSignal }): Promise<AreaBlock>;
}

/** Edge of the output's blocks. */
const BLOCK = 512;
/** Bytes that a row of blocks may have; wider outputs of many bands get smaller blocks. */
const BLOCK_ROW_BYTES = 128 << 20;
/** Outputs of fewer pixels are made by one thread: two would read the same blocks of the files. */
const SHARED_PIXELS = 1 << 21;
/** Columns of blocks that a thread has at least: where its own end, it reads blocks that another reads too. */
const MIN_COLUMNS = 2;
/** Part of a cache that blocks of areas may fill (see `BlockCache`). */
const CACHE_SHARE = 3 / 8;
/** Bytes of a file's decoded blocks that one column of the output needs for a row of its blocks and the next: 512 × 2048 of 2. */
const COLUMN_BYTES = 2 << 20;
/** Blocks that a thread has in hand: while files are read for one, it compresses another. */
const IN_HAND = 2;

/**
 * Writes an area as a Cloud-Optimized GeoTIFF, block by block: memory does not grow with the height of the output.
 * Levels are chosen for the whole output, so that blocks are of one piece. A file appears under its name only when it
 * is complete; a run that fails or is aborted leaves none.
 *
 * @throws {ProblemError} `upstream-unavailable` when the disk is full; what reading throws, but for scenes that can
 *   never be read.
 */
export async function extract(
  job: ExtractJob,
  makers: BlockMakers,
  { signal, onProgress }: ExtractOptions,
): Promise<ExtractOutcome> {
  const grid: Grid = { ...job.grid, crs: resolveCrs(job.grid.crs) };
  const shape: GeoTiffShape = { grid, sampleType: job.sampleType, bandCount: job.bands.length };
  const used = new Set<string>();
  const counts = job.bands.map(() => 0);
  const usedScenes = () => job.scenes.filter(({ id }) => used.has(id));
  const description = () => describe(job, usedScenes());
  const make = async (order: BlockTask, lane: number, stopped: AbortSignal): Promise<number> => {
    const block = await makers.block({ kind: "block", area: job, order }, lane, { signal: stopped });
    if (block.kind === "unreadable") throw new Unreadable(block);
    for (const id of block.used) used.add(id);
    block.counts?.forEach((count, band) => {
      counts[band]! += count;
    });
    return block.length;
  };
  try {
    signal.throwIfAborted();
    const sink = await fileSink(job.path);
    const options = {
      blockSize: blockSize(job),
      predictor: job.sampleType === "float32" ? 3 : 2,
      nodata: job.nodata,
      describe: description,
      spool: fileSpool(job.spoolDirectory),
      signal,
      ...(onProgress === undefined ? {} : { onProgress: inHundredths(onProgress) }),
      workers: laneCount(job, makers.count),
      tasksPerWorker: IN_HAND,
      columnGroup: stripeColumns(job, makers.cacheBytes),
    } as const;
    const { size } = await writeGeoTiffByBlocks(shape, sink, options, make).catch(async (error: unknown) => {
      await sink.abort();
      throw error;
    });
    const { attribution, bands: described } = description();
    const pixels = grid.width * grid.height;
    const bands = described.map((band, i) =>
      job.measure === true ? { ...band, validFraction: (counts[i] ?? 0) / pixels } : band,
    );
    return { kind: "written", bytes: size, used: usedScenes().map(({ id }) => id), attribution, bands };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unreadable) return error.scene;
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

/** Ends a file whose blocks need a scene that can never be read. */
class Unreadable extends Error {
  readonly scene: UnreadableScene;

  constructor(scene: UnreadableScene) {
    super(scene.reason);
    this.scene = scene;
  }
}

/** Passes on progress a hundredth at a time: each word of it goes to the store of jobs. */
function inHundredths(report: (done: number) => void): (done: number) => void {
  let last = 0;
  return (done) => {
    if (done - last < 0.01) return;
    last = done;
    report(done);
  };
}

function blockSize({ grid, bands, sampleType }: ExtractJob): number {
  const rowBytes = grid.width * bands.length * bytesPerSample(sampleType);
  let size = BLOCK;
  while (size > 128 && size * rowBytes > BLOCK_ROW_BYTES) size /= 2;
  return size;
}

/** As many columns as keep what the next row needs in the cache: a multiple of 4. */
function stripeColumns({ bands }: ExtractJob, cacheBytes: number): number {
  const columns = (cacheBytes * CACHE_SHARE) / (bands.length * COLUMN_BYTES);
  return Math.max(4, Math.floor(columns / 4) * 4);
}

function laneCount({ grid }: ExtractJob, makers: number): number {
  if (grid.width * grid.height < SHARED_PIXELS) return 1;
  return Math.max(1, Math.min(makers, Math.floor(grid.width / BLOCK / MIN_COLUMNS)));
}

function isDiskFull(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === "ENOSPC" || code === "EDQUOT";
}

function diskFull(cause: unknown): ProblemError {
  return new ProblemError("upstream-unavailable", "The service has no room left for output files.", {
    retryAfter: 60,
    cause,
  });
}
