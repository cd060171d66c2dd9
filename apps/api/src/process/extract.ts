import { setImmediate } from "node:timers/promises";
import { type BlockCache, type Cog, CogError, levelFor, readGrids } from "@swath/cog";
import { createGeoTiffWriter, deflateRuns, type GeoTiffWriter } from "@swath/encode";
import { type DeflateThread, fileSink, fileSpool } from "@swath/encode/node";
import { composeMosaic, type Mosaic, rasterizePolygon, type Scene, SceneUnreadableError } from "@swath/mosaic";
import { ProblemError } from "@swath/problem";
import {
  allocateSamples,
  bytesPerSample,
  type Grid,
  type Raster,
  resolveCrs,
  SamplePool,
  windowGrid,
} from "@swath/raster";
import { describe } from "./description.ts";
import type { ExtractAsset, ExtractJob, ExtractOptions, ExtractOutcome, ExtractScene } from "./extract-job.ts";
import { ownedPixels, toOutput } from "./samples.ts";

export interface ExtractTools {
  /** @throws {CogError} */
  open(href: string, signal: AbortSignal): Promise<Cog>;
  readonly blocks: BlockCache;
  /** Compresses blocks of large outputs. */
  readonly deflateThread: DeflateThread;
}

/** Edge of the output's blocks. */
const BLOCK = 512;
/** Bytes that a row of blocks may have; wider outputs of many bands get smaller blocks. */
const BLOCK_ROW_BYTES = 128 << 20;
/** Bytes and pixels of the rows that are made at a time: what is made stays in the processor's caches. */
const STRIP_BYTES = 32 << 20;
const STRIP_PIXELS = 1 << 18;
/** Outputs of fewer pixels are compressed by the thread that makes them: another one's start would take longer. */
const INLINE_PIXELS = 1 << 20;
/** Bytes of strips kept for the next ones. */
const POOL_BYTES = 64 << 20;
/** Fewer rows than these are not made at a time: scenes lie askew, and their rows would be read again for each strip. */
const STRIP_ROWS = 96;
/** Strips that are read while one is written. */
const STRIPS_AHEAD = 3;
/** Source pixels read at a time for one band. */
const WINDOW_PIXELS = 1 << 24;
/** Bands read at the same time. */
const PARALLEL = 4;
/** Pseudo-scene on top of all others that takes what lies outside the polygon. */
const OUTSIDE = "";

/**
 * Writes an area as a Cloud-Optimized GeoTIFF, strip by strip: memory does not grow with the height of the output.
 * Levels are chosen for the whole output, so that strips are of one piece. A file appears under its name only when it
 * is complete; a run that fails or is aborted leaves none.
 *
 * @throws {ProblemError} `upstream-unavailable` when the disk is full; what reading throws, but for scenes that can
 *   never be read.
 */
export async function extract(job: ExtractJob, tools: ExtractTools, options: ExtractOptions): Promise<ExtractOutcome> {
  const { signal } = options;
  const description = describe(job);
  let writer: GeoTiffWriter | undefined;
  try {
    const grid: Grid = { ...job.grid, crs: resolveCrs(job.grid.crs) };
    writer = await openWriter(job, grid, description, tools, options);
    const reader = new SceneReader(job, grid, tools);
    const used = new Set<string>();
    const counts = job.bands.map(() => 0);
    const rows = stripRows(job);
    const readStrip = (y: number): Promise<Strip> | undefined => {
      if (y >= grid.height) return undefined;
      const strip = windowGrid(grid, { x: 0, y, width: grid.width, height: Math.min(rows, grid.height - y) });
      const reading = composeMosaic(reader.scenes(), strip, { signal, onUnreadable: "fail" });
      return reading.then((mosaic) => ({ mosaic, grid: strip }));
    };
    const ahead: (Promise<Strip> | undefined)[] = [];
    for (let y = 0; ; ) {
      // the next strips are inflated, in other threads, while this one is written
      for (; ahead.length < STRIPS_AHEAD + 1; y += rows) {
        const strip = readStrip(y);
        strip?.catch(() => {}); // it is awaited in its turn, unless something fails before
        ahead.push(strip);
      }
      const strip = await ahead.shift();
      if (strip === undefined) break;
      const { mosaic } = strip;
      for (const id of mosaic.used) used.add(id);
      if (job.measure === true && mosaic.raster !== undefined) countData(mosaic.raster, job.nodata, counts);
      await writer.write(mosaic.raster ?? emptyRows(job, strip.grid));
      if (mosaic.raster !== undefined) reader.pool.giveBack([...mosaic.raster.bands, mosaic.raster.valid]);
      await setImmediate(); // lets a cancellation in
    }
    used.delete(OUTSIDE);
    const scenes = job.scenes.filter(({ id }) => used.has(id));
    const facts = description.complete(scenes);
    const { size } = await writer.finish();
    const pixels = grid.width * grid.height;
    const bands = facts.bands.map((band, i) =>
      job.measure === true ? { ...band, validFraction: (counts[i] ?? 0) / pixels } : band,
    );
    return { kind: "written", bytes: size, used: scenes.map(({ id }) => id), ...facts, bands };
  } catch (error) {
    await writer?.abort();
    signal.throwIfAborted();
    if (error instanceof SceneUnreadableError)
      return { kind: "unreadable", scene: error.sceneId, reason: error.message };
    throw isDiskFull(error) ? diskFull(error) : error;
  }
}

interface Strip {
  readonly mosaic: Mosaic;
  readonly grid: Grid;
}

async function openWriter(
  job: ExtractJob,
  grid: Grid,
  { metadata, bands }: ReturnType<typeof describe>,
  { deflateThread }: ExtractTools,
  { signal, onProgress }: ExtractOptions,
): Promise<GeoTiffWriter> {
  const sink = await fileSink(job.path);
  try {
    const shape = { grid, sampleType: job.sampleType, bandCount: job.bands.length };
    return await createGeoTiffWriter(shape, sink, {
      blockSize: blockSize(job),
      predictor: job.sampleType === "float32" ? 3 : 2,
      nodata: job.nodata,
      bands,
      metadata,
      ...(grid.width * grid.height < INLINE_PIXELS ? { deflate: deflateRuns } : deflateThread),
      spool: fileSpool(job.spoolDirectory),
      signal,
      ...(onProgress === undefined ? {} : { onProgress: inHundredths(onProgress) }),
    });
  } catch (error) {
    await sink.abort();
    throw error;
  }
}

/** Passes on progress a hundredth at a time: each word of it crosses threads. */
function inHundredths(report: (done: number) => void): (done: number) => void {
  let last = 0;
  return (done) => {
    if (done - last < 0.01) return;
    last = done;
    report(done);
  };
}

function rowBytes({ grid, bands, sampleType }: ExtractJob): number {
  return grid.width * bands.length * bytesPerSample(sampleType);
}

function blockSize(job: ExtractJob): number {
  let size = BLOCK;
  while (size > 128 && size * rowBytes(job) > BLOCK_ROW_BYTES) size /= 2;
  return size;
}

function stripRows(job: ExtractJob): number {
  const rows = Math.min(BLOCK, STRIP_BYTES / rowBytes(job), Math.max(STRIP_ROWS, STRIP_PIXELS / job.grid.width));
  return rows >= 16 ? Math.floor(rows / 16) * 16 : Math.max(1, Math.floor(rows));
}

/** Adds the number of values that are not nodata, band by band. */
function countData({ bands, valid }: Raster, nodata: number, counts: number[]): void {
  bands.forEach((band, b) => {
    let count = 0;
    for (let i = 0; i < band.length; i++) {
      const value = band[i]!;
      if (valid[i] === 1 && value !== nodata && !Number.isNaN(value)) count += 1;
    }
    counts[b] = (counts[b] ?? 0) + count;
  });
}

function emptyRows(job: ExtractJob, { width, height }: Grid): Pick<Raster, "bands" | "valid"> {
  const bands = job.bands.map(() => allocateSamples(job.sampleType, width * height).fill(job.nodata));
  return { bands, valid: new Uint8Array(width * height) };
}

/** Reads the scenes of one job on any part of its grid. */
class SceneReader {
  readonly #job: ExtractJob;
  readonly #grid: Grid;
  readonly #tools: ExtractTools;
  /** Memory of strips, used again for the next ones. */
  readonly pool = new SamplePool(POOL_BYTES, POOL_BYTES);
  readonly #files = new Map<string, { cog: Cog; level: number }>();

  constructor(job: ExtractJob, grid: Grid, tools: ExtractTools) {
    this.#job = job;
    this.#grid = grid;
    this.#tools = tools;
  }

  /** The scenes for one strip. */
  scenes(): Scene[] {
    // footprints of items are drawn roughly: pixels decide, so none is given
    const scenes = this.#job.scenes.map((scene): Scene => {
      return { id: scene.id, read: (grid, { signal }) => this.#read(scene, grid, signal) };
    });
    const { clip } = this.#job;
    if (clip === undefined) return scenes;
    return [{ id: OUTSIDE, read: async (grid) => this.#outside(grid, clip) }, ...scenes];
  }

  async #outside(grid: Grid, { polygon, crs }: NonNullable<ExtractJob["clip"]>): Promise<Raster> {
    const valid = rasterizePolygon(polygon, grid, resolveCrs(crs));
    for (let i = 0; i < valid.length; i++) valid[i]! ^= 1;
    return { grid, bands: emptyRows(this.#job, grid).bands, valid };
  }

  async #read(scene: ExtractScene, grid: Grid, signal: AbortSignal | undefined): Promise<Raster | undefined> {
    const rasters: (Raster | undefined)[] = [];
    try {
      for (let i = 0; i < scene.assets.length; i += PARALLEL) {
        rasters.push(...(await this.#readBands(scene.assets.slice(i, i + PARALLEL), grid, signal)));
      }
    } catch (error) {
      if (!(error instanceof CogError && error.lasting)) throw error;
      throw new SceneUnreadableError(scene.id, error.message, { cause: error });
    }
    if (rasters.every((raster) => raster === undefined)) return undefined;
    const count = grid.width * grid.height;
    // a single scene keeps every stored number, also those that mean "no data" without the file saying so
    const isMosaic = this.#job.scenes.length > 1;
    const valid = ownedPixels(
      rasters.map((raster, i) => ({ raster, nodata: isMosaic ? scene.assets[i]?.nodata : undefined })),
      count,
    );
    const target = { sampleType: this.#job.sampleType, nodata: this.#job.nodata, pool: this.pool };
    const bands = scene.assets.map((asset, i) => toOutput(rasters[i], count, asset, target).samples);
    const kept = new Set(bands);
    const read = rasters.flatMap((raster) => (raster === undefined ? [] : [...raster.bands, raster.valid]));
    this.pool.giveBack(read.filter((samples) => !kept.has(samples)));
    return { grid, bands, valid };
  }

  async #readBands(
    assets: readonly ExtractAsset[],
    grid: Grid,
    signal: AbortSignal | undefined,
  ): Promise<(Raster | undefined)[]> {
    const files = await Promise.all(assets.map((asset) => this.#open(asset.href, signal)));
    return readGrids(
      files.map(({ cog, level }) => ({ cog, level, bands: [0] })),
      grid,
      // strips come back for the next rows of the same blocks
      {
        resampling: "nearest",
        cache: this.#tools.blocks,
        signal,
        wholeBlocks: true,
        maxWindow: WINDOW_PIXELS,
        pool: this.pool,
      },
    );
  }

  async #open(href: string, signal: AbortSignal | undefined): Promise<{ cog: Cog; level: number }> {
    let file = this.#files.get(href);
    if (file === undefined) {
      const cog = await this.#tools.open(href, signal ?? new AbortController().signal);
      file = { cog, level: levelFor(cog, this.#grid, "gdal") };
      this.#files.set(href, file);
    }
    return file;
  }
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
