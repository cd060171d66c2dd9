import { gridFromBounds, planWarp, resolveCrs, sourceWindow, tileGrid, type Window } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { BlockCache, CogCache, openCog, readGrid, readWindow } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";
import { fixture, fixtures, RecordingSource } from "./fixtures.ts";

const SCENE = "cog/sentinel-2-l2a/S2A_29RKH_20200219_0_L2A";
const C1 = "cog/sentinel-2-l2a/baseline-04.00-T32TLS-20220618-B01-60m.c1-layout.tif";
const options = { codecs: nodeCodecs };
const bytesOfReads = (source: RecordingSource): number => source.reads.reduce((sum, read) => sum + read.length, 0);

describe.skipIf(fixtures === undefined)("requests and bytes", () => {
  test.each(["B02.tif", "B05.tif", "TCI.tif", "SCL.tif"])("opening %s costs one request of 32 KB", async (name) => {
    const source = new RecordingSource(fixture(`${SCENE}/${name}`));
    await openCog(source, options);
    expect(source.reads).toEqual([{ offset: 0, length: 32_768 }]);
  });

  test("neighbouring blocks cost one request, one already decoded none", async () => {
    const source = new RecordingSource(fixture(C1));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    const window = { x: 256, y: 256, width: 512, height: 256 };
    const first = await readWindow(cog, 0, window, { cache });
    expect(source.reads).toHaveLength(2);
    const second = await readWindow(cog, 0, window, { cache });
    expect(source.reads).toHaveLength(2);
    expect(second.bands[0]).toEqual(first.bands[0]);
  });

  test("opening and a true-colour tile cost at most four requests", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/TCI.tif`));
    const cog = await openCog(source, options);
    const read = await readGrid(cog, tileGrid("WebMercatorQuad", 9, 239, 219), { resampling: "bilinear" });
    expect(read!.bands).toHaveLength(3);
    expect(source.reads.length).toBeLessThanOrEqual(4);
  });

  test("a tile at native zoom costs at most one request for each row of blocks it touches", async () => {
    const source = new RecordingSource(fixture(C1));
    await readGrid(await openCog(source, options), tileGrid("WebMercatorQuad", 11, 1065, 726), {
      resampling: "bilinear",
    });
    expect(source.reads.length).toBeLessThanOrEqual(1 + 3);
  });

  test("a window reads little more than the blocks it touches", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/B08.tif`));
    const cog = await openCog(source, options);
    const whole = { x: 0, y: 0, width: 1098, height: 1098 };
    const header = bytesOfReads(source);
    await readWindow(cog, 0, whole);
    const blocks = bytesOfReads(source) - header;
    const { headerBytes, touched } = await compressedSize(source);
    expect(headerBytes).toBe(header);
    expect(blocks).toBeLessThanOrEqual(1.05 * touched);
  });

  test.each([
    { name: C1, z: 11, x: 1065, y: 726 },
    { name: C1, z: 10, x: 532, y: 363 },
    { name: `${SCENE}/TCI.tif`, z: 8, x: 119, y: 109 },
    { name: `${SCENE}/B04.tif`, z: 10, x: 479, y: 438 },
  ])(
    "a cold tile at $z/$x/$y reads at most 1.05 times the blocks it touches, and the header",
    async ({ name, z, x, y }) => {
      const source = new RecordingSource(fixture(name));
      const cog = await openCog(source, options);
      const header = bytesOfReads(source);
      const target = tileGrid("WebMercatorQuad", z, x, y);
      const raster = await readGrid(cog, target, { resampling: "bilinear" });
      expect(raster?.valid.includes(1)).toBe(true);
      const touched = await Promise.all(
        cog.levels.map((level) => {
          const window = sourceWindow(planWarp(level.grid, target), "bilinear");
          return window === undefined ? 0 : sizeOfBlocks(name, level.index, window);
        }),
      );
      // one of the levels was read
      const read = bytesOfReads(source) - header;
      const exact = touched.map((bytes) => bytes <= read + header && read <= 1.05 * bytes);
      expect({ read, touched, fits: exact.includes(true) }).toMatchObject({ fits: true });
    },
  );

  test("more rows of a block in the cache cost no request", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/B04.tif`));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: 40 }, { cache });
    const part = cache.use.bytes;
    const tall = await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: 300 }, { cache });
    expect(source.reads).toHaveLength(2);
    // nothing more is kept to go on from
    expect(cache.use.bytes).toBeLessThan(part);
    expect(tall.bands[0]).toEqual((await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: 300 })).bands[0]);
  });

  test("callers at the same time share one load of a block and one opening of a file", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/B04.tif`));
    const cogs = new CogCache({ maxBytes: 1e6 });
    const cache = new BlockCache({ maxBytes: 64e6 });
    const read = async () => {
      const cog = await openCog(source, { ...options, cache: cogs });
      return readWindow(cog, 0, { x: 600, y: 600, width: 50, height: 50 }, { cache });
    };
    const rasters = await Promise.all([read(), read(), read()]);
    expect(source.reads).toHaveLength(2);
    expect(rasters[2]!.bands[0]).toEqual(rasters[0]!.bands[0]);
  });

  test("a caller that leaves does not take the others along", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/B04.tif`));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    const controller = new AbortController();
    const window = { x: 600, y: 600, width: 50, height: 50 };
    const leaving = readWindow(cog, 0, window, { cache, signal: controller.signal });
    const staying = readWindow(cog, 0, window, { cache });
    controller.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    expect((await staying).bands[0]).toHaveLength(2500);
  });

  test("the cache keeps to its budget", async () => {
    const cog = await openCog(new RecordingSource(fixture(`${SCENE}/B04.tif`)), options);
    const cache = new BlockCache({ maxBytes: 1_200_000 });
    await readWindow(cog, 0, { x: 0, y: 0, width: 1098, height: 1098 }, { cache });
    expect(cache.use.bytes).toBeLessThanOrEqual(1_200_000);
    expect(cache.use.entries).toBeGreaterThan(1);
  });

  test("a file that does not touch the grid costs nothing more", async () => {
    const source = new RecordingSource(fixture(`${SCENE}/B04.tif`));
    const cog = await openCog(source, options);
    const far = gridFromBounds(resolveCrs("EPSG:32629"), [500000, 2000000, 510000, 2010000], 100, 100);
    expect(await readGrid(cog, far)).toBeUndefined();
    expect(source.reads).toHaveLength(1);
  });
});

/** Size of the blocks of level 0 as the file's own table has it, read with geotiff. */
async function compressedSize(source: RecordingSource): Promise<{ headerBytes: number; touched: number }> {
  const { fromArrayBuffer } = await import("geotiff");
  const bytes = fixture(`${SCENE}/B08.tif`);
  const image = await (await fromArrayBuffer(new Uint8Array(bytes).buffer)).getImage(0);
  const counts = (await image.fileDirectory.loadValue("TileByteCounts")) as ArrayLike<number>;
  return { headerBytes: source.reads[0]!.length, touched: Array.from(counts).reduce((sum, count) => sum + count, 0) };
}

/** Compressed bytes of the blocks of a level that a window touches, by the file's own tables, read with geotiff. */
async function sizeOfBlocks(name: string, level: number, window: Window): Promise<number> {
  const { fromArrayBuffer } = await import("geotiff");
  const image = await (await fromArrayBuffer(new Uint8Array(fixture(name)).buffer)).getImage(level);
  const counts = (await image.fileDirectory.loadValue("TileByteCounts")) as ArrayLike<number>;
  const across = Math.ceil(image.getWidth() / image.getTileWidth());
  const planes = counts.length / (across * Math.ceil(image.getHeight() / image.getTileHeight()));
  expect(planes).toBe(1);
  let bytes = 0;
  for (let i = 0; i < counts.length; i++) {
    const left = (i % across) * image.getTileWidth();
    const top = Math.floor(i / across) * image.getTileHeight();
    const touches =
      left < window.x + window.width &&
      left + image.getTileWidth() > window.x &&
      top < window.y + window.height &&
      top + image.getTileHeight() > window.y;
    if (touches) bytes += counts[i]!;
  }
  return bytes;
}
