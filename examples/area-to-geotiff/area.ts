import { BlockCache, GridContext, levelFor, openCog, readGrids } from "@swath/cog";
import { fileSource } from "@swath/cog/node";
import { makeBlock, type Rows, writeGeoTiffByBlocks } from "@swath/encode";
import { fileSink, fileSpool } from "@swath/encode/node";
import { type Scaling, toPhysical } from "@swath/mosaic";
import { type Grid, type Raster, type Samples, windowGrid } from "@swath/raster";
import { SamplePool } from "@swath/raster/kernels";

/** A file of one band, and what its numbers mean: value = stored × scale + offset. */
export interface Band extends Scaling {
  readonly name: string;
  readonly path: string;
}

/** Memory that areas may share when they are written one after the other. */
export interface Memory {
  /** Decoded blocks of the files, for the next blocks of the output. */
  readonly cache: BlockCache;
  readonly pool: SamplePool;
  /** Buffers for windows of the files. */
  readonly context: GridContext;
}

/** Bytes of cache: fifteen blocks of 1024 × 1024 pixels of 16 bits, which are 30 MB, and blocks that are being decoded. */
export const areaMemory = (): Memory => ({
  cache: new BlockCache({ maxBytes: 76 << 20 }),
  pool: new SamplePool(8 << 20),
  context: new GridContext(),
});
/** Columns of blocks that are written at a time: what they need of the files should stay in the cache from row to row. */
const COLUMN_GROUP = 3;

/**
 * Writes the physical values of some bands on a grid to a Cloud-Optimized GeoTIFF of float32; NaN where there are none. Memory
 * is that of the cache, of a few blocks, and of unfinished overview blocks where column groups meet.
 */
export async function writeArea(
  bands: readonly Band[],
  grid: Grid,
  path: string,
  memory = areaMemory(),
): Promise<void> {
  const { cache, pool, context } = memory;
  const cogs = await Promise.all(bands.map((band) => openCog(fileSource(band.path))));
  // one level for the whole area, so that it is of one piece
  const reads = cogs.map((file) => ({ file, level: levelFor(file, grid, "gdal"), bands: [0] }));
  const options = {
    nodata: Number.NaN,
    columnGroup: COLUMN_GROUP,
    spool: fileSpool(),
    describe: () => ({ bands: bands.map(({ name }) => ({ name })) }),
  } as const;
  const shape = { grid, sampleType: "float32", bandCount: bands.length } as const;
  const sink = await fileSink(path);
  await writeGeoTiffByBlocks(shape, sink, options, async (order) => {
    // blocks of overviews come with their pixels
    if (order.pixels !== undefined) return makeBlock(order, undefined);
    const how = { cache, pool, context, sequential: true, concurrency: 1 } as const;
    const rasters = await readGrids(reads, windowGrid(grid, order), how);
    context.releasePlans(); // no other block has the same pixels
    const rows = physicalRows(rasters, bands, order.width * order.height, pool);
    const length = makeBlock(order, rows);
    pool.release([...rows.bands, rows.valid]);
    return length;
  });
}

/** The values of all bands; a pixel is there where any of them is. */
function physicalRows(
  rasters: readonly (Raster | undefined)[],
  bands: readonly Band[],
  count: number,
  pool: SamplePool,
): Rows {
  const valid = (pool.take("uint8", count) as Uint8Array).fill(0);
  const read = rasters.filter((raster) => raster !== undefined);
  // files of one pixel grid without gaps share their validity mask
  for (const flags of new Set(read.map((raster) => raster.valid))) {
    for (let i = 0; i < count; i++) valid[i]! |= flags[i]!;
  }
  const values = rasters.map((raster, i) => {
    const out = pool.take("float32", count) as Float32Array;
    if (raster === undefined) return out.fill(Number.NaN); // the file does not reach here
    return toPhysical(raster.bands[0] as Samples, raster.valid, bands[i] as Band, out);
  });
  pool.release(read.flatMap((raster) => [...raster.bands, raster.valid]));
  return { bands: values, valid };
}
