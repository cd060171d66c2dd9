import { CogError, levelFor, type RasterFile, readGrids } from "@swath/cog";
import { restrictRaster, type Scene, SceneUnreadableError } from "@swath/mosaic";
import type { Grid, Raster, Samples } from "@swath/raster";
import { Refusal } from "../../refusal.ts";
import type { RenderResources } from "../resources.ts";
import { convertSamples, missingBand, validInAny, validInEvery } from "./convert.ts";
import { readMask } from "./read-mask.ts";
import type { FileRead, ReadSceneOptions, SceneRead } from "./scene-read.ts";

/**
 * Reads a scene on a grid: chooses overviews, reads and warps the blocks needed, converts samples and applies the
 * mask. `undefined` where the scene does not touch the grid, or the mask drops all of it. The bands of all files come in order; `valid` is 1 where
 * the scene holds data that the mask keeps.
 *
 * @throws {SceneUnreadableError} where a file is missing or broken for good.
 * @throws {CogError} for faults that may pass.
 * @throws {Refusal} `invalid` for a band that a file does not have.
 */
export type ReadScene = (read: SceneRead, grid: Grid, options: ReadSceneOptions) => Promise<Raster | undefined>;

/** Source pixels of one file that are read at a time for a part of a larger grid. */
const WINDOW_PIXELS = 1 << 24;
/** Files read at the same time for a part of a larger grid: it bounds the memory of compressed bytes. */
const FILES_AT_ONCE = 4;

/** The one function that reads scenes: images, GeoTIFFs and statistics are made of what it gives. */
export function createReadScene(resources: RenderResources): ReadScene {
  return (read, grid, options) =>
    ofScene(read.id, async () => {
      // first the mask: of a scene that is under clouds no band is read
      const keep = read.mask === undefined ? undefined : await readMask(resources, read.mask, grid, read, options);
      if (keep?.includes(1) === false) return undefined;
      const rasters = await readFiles(resources, read, grid, options);
      const raster = combine(read, grid, rasters, resources);
      return raster === undefined || keep === undefined ? raster : restrictRaster(raster, keep);
    });
}

/** The scene of a mosaic that a read describes. */
export function toScene(
  read: SceneRead,
  readScene: ReadScene,
  options: Pick<ReadSceneOptions, "area" | "partialBlocks"> = {},
): Scene {
  return {
    id: read.id,
    ...(read.footprint.length === 0 ? {} : { footprint: read.footprint }),
    read: (grid, { signal }) => readScene(read, grid, { ...options, signal }),
  };
}

/** Runs a read; a fault that repeating cannot mend becomes the scene's. */
export async function ofScene<T>(sceneId: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof CogError && error.lasting)
      throw new SceneUnreadableError(sceneId, error.message, { cause: error });
    throw error;
  }
}

async function readFiles(
  { open, blocks, pool }: RenderResources,
  { files, resampling, overviews }: SceneRead,
  grid: Grid,
  { signal, area, partialBlocks }: ReadSceneOptions,
): Promise<(Raster | undefined)[]> {
  const rasters: (Raster | undefined)[] = [];
  const step = area === undefined ? Math.max(1, files.length) : FILES_AT_ONCE;
  for (let i = 0; i < files.length; i += step) {
    const reads = await Promise.all(
      files.slice(i, i + step).map(async (read) => {
        const { bands, nodata } = read;
        const file = checkBands(await open(read, signal), read);
        return { file, bands, nodata, ...(area === undefined ? {} : { level: levelFor(file, area, overviews) }) };
      }),
    );
    const part = area === undefined ? {} : { sequential: true, maxWindow: WINDOW_PIXELS };
    rasters.push(
      ...(await readGrids(reads, grid, {
        resampling,
        level: overviews,
        cache: blocks,
        pool,
        signal,
        partialBlocks,
        ...part,
      })),
    );
  }
  return rasters;
}

/** @throws {Refusal} `invalid` for a band that the file does not have. */
function checkBands(file: RasterFile, { bands }: FileRead): RasterFile {
  const beyond = bands?.find((band) => band >= file.bandCount);
  if (beyond === undefined) return file;
  throw new Refusal("invalid", [], `Expected a band from 1 to ${file.bandCount}, got ${beyond + 1}.`);
}

/** The bands of all files as one raster; `undefined` where the scene holds nothing on the grid. */
function combine(
  read: SceneRead,
  grid: Grid,
  rasters: readonly (Raster | undefined)[],
  { pool }: RenderResources,
): Raster | undefined {
  const { files, validWhere } = read;
  const found = rasters.filter((raster) => raster !== undefined);
  if (found.length === 0 || (validWhere === "every-file" && found.length < rasters.length)) return undefined;
  const count = grid.width * grid.height;
  const valid =
    validWhere === "every-file"
      ? validInEvery(found)
      : validInAny(
          rasters.map((raster, i) => ({ ...files[i], raster })),
          count,
        );
  const target = read.output === undefined ? undefined : { ...read.output, pool };
  const bands = rasters.flatMap((raster, i): Samples[] => {
    if (raster === undefined) return [missingBand(count, target!, files[i]?.conversion)];
    return raster.bands.map((band) => convertSamples(band, raster, files[i]!, target));
  });
  const kept = new Set<Samples>([...bands, valid]);
  pool.release(found.flatMap((raster) => [...raster.bands, raster.valid]).filter((samples) => !kept.has(samples)));
  return { grid, bands, valid };
}
