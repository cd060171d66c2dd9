import {
  type BlockRows,
  type BlockTask,
  type GeoTiffShape,
  joinGeoTiffParts,
  planGeoTiffParts,
  type Sink,
  writeGeoTiffByBlocks,
  writeGeoTiffPart,
} from "@swath/encode";
import { fileSink, fileSpool } from "@swath/encode/node";
import { bytesPerSample } from "@swath/raster";
import { type FileRead, gridFromSpec } from "../scene/scene-read.ts";
import { describe } from "./description.ts";
import type { ExtractBlockJob, ExtractBlockOutcome } from "./extract-block.ts";
import type { ExtractJob, ExtractOptions, ExtractOutcome, UnreadableScene } from "./extract-job.ts";

/** The workers that read and compress the blocks of a GeoTIFF: the render threads, or the caller's own. */
export interface BlockWorkers {
  readonly count: number;
  /** Bytes of decoded blocks that each of them caches. */
  readonly cacheBytes: number;
  /** @param worker number of the one that is asked, from 0 */
  block(job: ExtractBlockJob, worker: number, options: { readonly signal: AbortSignal }): Promise<ExtractBlockOutcome>;
}

/** Edge of the output's blocks. */
const BLOCK = 512;
/** Largest row of blocks, bytes; wider outputs of many bands get smaller blocks. */
const BLOCK_ROW_BYTES = 128 << 20;
/** Outputs of fewer pixels are made by one worker: two would decode the same blocks of the files. */
const SHARED_PIXELS = 1 << 21;
/** Fewest columns of blocks per worker: at its edges it decodes blocks that another decodes too. */
const MIN_COLUMNS = 2;
/** Part of a block cache that extractions may fill (see `BlockCache`). */
const CACHE_SHARE = 3 / 8;
/** Bytes of a file's decoded blocks that one column of the output needs for a row of its blocks and the next: 512 × 2048 of 2. */
const COLUMN_BYTES = 2 << 20;
/** Blocks a worker has in progress: while files are read for one, it compresses another. */
const TASKS_PER_WORKER = 2;

/**
 * Writes scenes on a grid as a Cloud-Optimized GeoTIFF, block by block: memory does not grow with the height of the
 * output. Overviews are chosen for the whole output, so that no seams show between blocks. A file appears under its
 * name only when it is complete; a run that fails or is aborted writes none.
 *
 * Or writes a part of such a file, or joins its parts, as the options say. A file of parts is the same to the byte.
 *
 * @throws what reading and writing throw, except for scenes that can never be read.
 */
export async function extract(
  job: ExtractJob,
  workers: BlockWorkers,
  { signal, onProgress, rows, join }: ExtractOptions,
): Promise<ExtractOutcome> {
  const shape = shapeOf(job);
  const used = new Set(join?.parts.flatMap((part) => part.used));
  const counts = job.bands.map((_, band) => sum(join?.parts.map((part) => part.counts[band]!)));
  const usedScenes = () => job.scenes.filter(({ read }) => used.has(read.id));
  const description = () => describe(job, usedScenes());
  const make = async (task: BlockTask, worker: number, stopped: AbortSignal): Promise<number> => {
    const block = await workers.block({ kind: "extract-block", extract: job, task }, worker, { signal: stopped });
    if (block.kind === "unreadable") throw new Unreadable(block);
    for (const id of block.used) used.add(id);
    block.counts?.forEach((count, band) => {
      counts[band]! += count;
    });
    return block.length;
  };
  const options = {
    blockSize: blockSize(job),
    predictor: predictorOf(job),
    ...(job.nodata === undefined ? {} : { nodata: job.nodata }),
    ...(job.mask === undefined ? {} : { mask: job.mask }),
    describe: description,
    spool: fileSpool(job.spoolDirectory),
    signal,
    ...(onProgress === undefined ? {} : { onProgress: inHundredths(onProgress) }),
    workers: workerCount(job, workers.count),
    tasksPerWorker: TASKS_PER_WORKER,
    columnGroup: columnGroup(job, workers.cacheBytes),
  } as const;
  const write = (sink: Sink) =>
    join === undefined
      ? writeGeoTiffByBlocks(shape, sink, options, make)
      : joinGeoTiffParts(shape, sink, options, join.parts, make);
  try {
    signal.throwIfAborted();
    const sink = join?.sink ?? (await fileSink(job.path));
    const written = await (rows === undefined ? write(sink) : writeGeoTiffPart(shape, rows, sink, options, make)).catch(
      async (error: unknown) => {
        await sink.abort();
        throw error;
      },
    );
    const usedIds = usedScenes().map(({ read }) => read.id);
    if ("rows" in written) return { kind: "part", part: written, used: usedIds, counts };
    const { attribution, bands: described } = description();
    const pixels = shape.grid.width * shape.grid.height;
    const bands = described.map((band, i) =>
      job.countsValid === true ? { ...band, validFraction: counts[i]! / pixels } : band,
    );
    return { kind: "written", bytes: written.size, used: usedIds, attribution, bands };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Unreadable) return error.scene;
    throw error;
  }
}

const sum = (numbers: readonly number[] = []): number => numbers.reduce((total, each) => total + each, 0);

function shapeOf({ grid, sampleType, bands }: Pick<ExtractJob, "grid" | "sampleType" | "bands">): GeoTiffShape {
  return { grid: gridFromSpec(grid), sampleType, bandCount: bands.length };
}

/** The rows of blocks of the parts of a file, each of which has at least so many values; one for a file that is not cut. */
export function partsOf(job: Pick<ExtractJob, "grid" | "sampleType" | "bands">, values: number): readonly BlockRows[] {
  return planGeoTiffParts(shapeOf(job), { blockSize: blockSize(job) }, values);
}

/** Ends a file whose blocks need a scene that can never be read. */
class Unreadable extends Error {
  readonly scene: UnreadableScene;

  constructor(scene: UnreadableScene) {
    super(scene.reason);
    this.scene = scene;
  }
}

/** Reports progress in steps of a hundredth: each report is written to the job store. */
function inHundredths(report: (done: number) => void): (done: number) => void {
  let last = 0;
  return (done) => {
    if (done - last < 0.01) return;
    last = done;
    report(done);
  };
}

/**
 * The predictor with which the file is smallest. Floats that are scaled integers are few, and repeat as they are; others differ
 * little from their neighbours.
 */
function predictorOf({ sampleType, math, scenes }: ExtractJob): 1 | 2 | 3 {
  if (sampleType !== "float32") return 2;
  const isScaled = ({ conversion }: FileRead): boolean =>
    conversion?.kind === "physical" && conversion.scale !== 1 && conversion.factors === undefined;
  const areScaled = scenes.every(({ read }) => read.resampling === "nearest" && read.files.every(isScaled));
  return math === undefined && areScaled ? 1 : 3;
}

function blockSize({ grid, bands, sampleType }: Pick<ExtractJob, "grid" | "sampleType" | "bands">): number {
  const rowBytes = grid.width * bands.length * bytesPerSample(sampleType);
  let size = BLOCK;
  while (size > 128 && size * rowBytes > BLOCK_ROW_BYTES) size /= 2;
  return size;
}

/** Columns of output blocks whose source blocks fit into the cache until the next row needs them: a multiple of 4. */
function columnGroup({ bands }: ExtractJob, cacheBytes: number): number {
  const columns = (cacheBytes * CACHE_SHARE) / (bands.length * COLUMN_BYTES);
  return Math.max(4, Math.floor(columns / 4) * 4);
}

function workerCount({ grid }: ExtractJob, most: number): number {
  if (grid.width * grid.height < SHARED_PIXELS) return 1;
  return Math.max(1, Math.min(most, Math.floor(grid.width / BLOCK / MIN_COLUMNS)));
}
