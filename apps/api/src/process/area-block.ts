import { type BlockCache, type Cog, CogError, levelFor, readGrids } from "@swath/cog";
import { type BlockTask, makeBlock } from "@swath/encode";
import { composeMosaic, rasterizePolygon, type Scene, SceneUnreadableError } from "@swath/mosaic";
import { allocateSamples, type Grid, type Raster, resolveCrs, type SamplePool, windowGrid } from "@swath/raster";
import type { ExtractAsset, ExtractJob, ExtractScene, UnreadableScene } from "./extract-job.ts";
import { ownedPixels, toOutput } from "./samples.ts";

/** One block of an area: plain data but for memory that threads share. */
export interface BlockJob {
  readonly kind: "block";
  readonly area: ExtractJob;
  readonly order: BlockTask;
}

/** A block that lies in the room of its order. */
export interface MadeBlock {
  readonly kind: "block";
  /** Its length in bytes. */
  readonly length: number;
  /** Scenes that gave pixels. */
  readonly used: readonly string[];
  /** Pixels with data, band by band; there when it was asked for, for blocks of the full size. */
  readonly counts?: readonly number[];
}

export type AreaBlock = MadeBlock | UnreadableScene;

export interface AreaTools {
  /** @throws {CogError} */
  open(href: string, signal: AbortSignal): Promise<Cog>;
  readonly blocks: BlockCache;
  /** Memory of blocks on their way. */
  readonly pool: SamplePool;
}

/** Source pixels read at a time for one band. */
const WINDOW_PIXELS = 1 << 24;
/** Bands read at the same time. */
const PARALLEL = 4;
/** Pseudo-scene on top of all others that takes what lies outside the polygon. */
const OUTSIDE = "";

/** Makes a block: reads its pixels, where they do not come with the order, and compresses them. @throws what reading throws */
export async function makeAreaBlock(
  { area, order }: BlockJob,
  tools: AreaTools,
  { signal }: { readonly signal: AbortSignal },
): Promise<AreaBlock> {
  if (order.pixels !== undefined) return { kind: "block", length: makeBlock(order, undefined), used: [] };
  const whole: Grid = { ...area.grid, crs: resolveCrs(area.grid.crs) };
  const { x, y, width, height } = order;
  const reader = new SceneReader(area, whole, tools);
  try {
    const grid = windowGrid(whole, { x, y, width, height });
    const { raster, used } = await composeMosaic(reader.scenes(), grid, { signal, onUnreadable: "fail" });
    const length = makeBlock(order, raster);
    const counts = area.measure !== true ? {} : { counts: countData(area, raster) };
    if (raster !== undefined) tools.pool.giveBack([...raster.bands, raster.valid]);
    return { kind: "block", length, used: used.filter((id) => id !== OUTSIDE), ...counts };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof SceneUnreadableError)) throw error;
    return { kind: "unreadable", scene: error.sceneId, reason: error.message };
  }
}

/** The number of values that are not nodata, band by band. */
function countData({ bands, nodata }: ExtractJob, raster: Raster | undefined): number[] {
  if (raster === undefined) return bands.map(() => 0);
  const { valid } = raster;
  return raster.bands.map((band) => {
    let count = 0;
    for (let i = 0; i < band.length; i++) {
      const value = band[i]!;
      if (valid[i] === 1 && value !== nodata && !Number.isNaN(value)) count += 1;
    }
    return count;
  });
}

/** Reads the scenes of an area on any part of its grid. */
class SceneReader {
  readonly #job: ExtractJob;
  readonly #grid: Grid;
  readonly #tools: AreaTools;
  readonly #files = new Map<string, { cog: Cog; level: number }>();

  constructor(job: ExtractJob, grid: Grid, tools: AreaTools) {
    this.#job = job;
    this.#grid = grid;
    this.#tools = tools;
  }

  /** The scenes, first on top. */
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
    const nothing = allocateSamples(this.#job.sampleType, valid.length).fill(this.#job.nodata);
    return { grid, bands: this.#job.bands.map(() => nothing), valid };
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
    const target = { sampleType: this.#job.sampleType, nodata: this.#job.nodata, pool: this.#tools.pool };
    const bands = scene.assets.map((asset, i) => toOutput(rasters[i], count, asset, target).samples);
    const kept = new Set(bands);
    const read = rasters.flatMap((raster) => (raster === undefined ? [] : [...raster.bands, raster.valid]));
    this.#tools.pool.giveBack(read.filter((samples) => !kept.has(samples)));
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
      // the next blocks of the area come back for other parts of the same ones
      {
        resampling: "nearest",
        cache: this.#tools.blocks,
        signal,
        area: this.#grid,
        maxWindow: WINDOW_PIXELS,
        pool: this.#tools.pool,
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
