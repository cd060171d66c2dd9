import { gridFromBounds, resolveCrs, tileGrid, type Window } from "@swath/raster";
import { planWarp, sourceWindow } from "@swath/raster/warp";
import { describe, expect, test } from "vitest";
import { BlockCache, type Cog, FileCache, openCog, readGrid, readWindow } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";
import { fixture, fixtures, local, RecordingSource } from "./fixtures.ts";

const bytesOfReads = (source: RecordingSource): number => source.reads.reduce((sum, read) => sum + read.length, 0);

/** Files whose reads are counted. */
interface Counted {
  readonly name: string;
  readonly load: (name: string) => Uint8Array;
  /** Opened with one read of 32 kB. */
  readonly opened: readonly string[];
  /** Two neighbouring blocks of a row of blocks. */
  readonly neighbours: { readonly name: string; readonly window: Window };
  /** One band of square level 0, in which a block covers (0, 0) to (100, 200), and a window in one block that is not the first. */
  readonly band: { readonly name: string; readonly side: number; readonly window: Window; readonly tall: number };
  readonly color: { readonly name: string; readonly tile: readonly [z: number, x: number, y: number] };
  /** A tile at the resolution of level 0. */
  readonly native: { readonly name: string; readonly tile: readonly [z: number, x: number, y: number] };
  readonly cold: readonly { readonly name: string; readonly z: number; readonly x: number; readonly y: number }[];
  /** Bytes of a cache that holds some blocks of `band`, not all. */
  readonly budget: number;
  /** Gaps of at most this many bytes between blocks that are read count with them: small blocks are read together. */
  readonly gap: number;
  /** Bytes of the first read of counted reads: the header, and no blocks that matter. */
  readonly prefetch: number;
}

const MADE: Counted = {
  name: "files of this package",
  load: local,
  opened: ["counted-uint16.tif", "counted-rgb.tif"],
  neighbours: { name: "counted-uint16.tif", window: { x: 256, y: 256, width: 512, height: 256 } },
  band: {
    name: "counted-uint16.tif",
    side: 1100,
    window: { x: 600, y: 600, width: 50, height: 50 },
    tall: 200,
  },
  color: { name: "counted-rgb.tif", tile: [10, 555, 368] },
  native: { name: "counted-uint16.tif", tile: [11, 1111, 737] },
  cold: [
    { name: "counted-uint16.tif", z: 11, x: 1111, y: 737 },
    { name: "counted-uint16.tif", z: 10, x: 555, y: 368 },
    { name: "counted-rgb.tif", z: 11, x: 1111, y: 737 },
    { name: "counted-rgb.tif", z: 9, x: 277, y: 184 },
  ],
  budget: 500_000,
  gap: 32_768,
  prefetch: 2048,
};

const SCENE = "cog/sentinel-2-l2a/S2A_29RKH_20200219_0_L2A";
const C1 = "cog/sentinel-2-l2a/baseline-04.00-T32TLS-20220618-B01-60m.c1-layout.tif";
const SHARED: Counted = {
  name: "shared fixtures (SWATH_FIXTURES)",
  load: fixture,
  opened: ["B02", "B05", "TCI", "SCL"].map((band) => `${SCENE}/${band}.tif`),
  neighbours: { name: C1, window: { x: 256, y: 256, width: 512, height: 256 } },
  band: { name: `${SCENE}/B04.tif`, side: 1098, window: { x: 600, y: 600, width: 50, height: 50 }, tall: 300 },
  color: { name: `${SCENE}/TCI.tif`, tile: [9, 239, 219] },
  native: { name: C1, tile: [11, 1065, 726] },
  cold: [
    { name: C1, z: 11, x: 1065, y: 726 },
    { name: C1, z: 10, x: 532, y: 363 },
    { name: `${SCENE}/TCI.tif`, z: 8, x: 119, y: 109 },
    { name: `${SCENE}/B04.tif`, z: 10, x: 479, y: 438 },
  ],
  budget: 1_200_000,
  gap: 0,
  prefetch: 32_768,
};

describe.each([MADE, ...(fixtures === undefined ? [] : [SHARED])])("requests and bytes: $name", (counted) => {
  const { load, band, prefetch } = counted;
  const options = { codecs: nodeCodecs, prefetch };

  test.each(counted.opened)("opening %s costs one request of 32 KB", async (name) => {
    const source = new RecordingSource(load(name));
    await openCog(source, { codecs: nodeCodecs });
    expect(source.reads).toEqual([{ offset: 0, length: 32_768 }]);
  });

  test("neighbouring blocks cost one request, one already decoded none", async () => {
    const { name, window } = counted.neighbours;
    const source = new RecordingSource(load(name));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    const first = await readWindow(cog, 0, window, { cache });
    expect(source.reads).toHaveLength(2);
    const second = await readWindow(cog, 0, window, { cache });
    expect(source.reads).toHaveLength(2);
    expect(second.bands[0]).toEqual(first.bands[0]);
  });

  test("opening and a true-colour tile cost at most four requests", async () => {
    const source = new RecordingSource(load(counted.color.name));
    const cog = await openCog(source, options);
    const read = await readGrid(cog, tileGrid("WebMercatorQuad", ...counted.color.tile), { resampling: "bilinear" });
    expect(read!.bands).toHaveLength(3);
    expect(source.reads.length).toBeLessThanOrEqual(4);
  });

  test("a tile at native zoom costs at most one request for each row of blocks it touches", async () => {
    const source = new RecordingSource(load(counted.native.name));
    await readGrid(await openCog(source, options), tileGrid("WebMercatorQuad", ...counted.native.tile), {
      resampling: "bilinear",
    });
    expect(source.reads.length).toBeLessThanOrEqual(1 + 3);
  });

  test("a window reads little more than the blocks it touches", async () => {
    const source = new RecordingSource(load(band.name));
    const cog = await openCog(source, options);
    const whole = { x: 0, y: 0, width: band.side, height: band.side };
    const header = bytesOfReads(source);
    await readWindow(cog, 0, whole);
    const blocks = bytesOfReads(source) - header;
    const touched = await sizeOfBlocks(load(band.name), 0, whole, 0);
    expect(blocks).toBeLessThanOrEqual(1.05 * touched);
  });

  test.each(counted.cold)(
    "a cold tile at $z/$x/$y reads at most 1.05 times the blocks it touches, and the header",
    async ({ name, z, x, y }) => {
      const source = new RecordingSource(load(name));
      const cog = await openCog(source, options);
      const header = bytesOfReads(source);
      const target = tileGrid("WebMercatorQuad", z, x, y);
      const raster = await readGrid(cog, target, { resampling: "bilinear" });
      expect(raster?.valid.includes(1)).toBe(true);
      const touched = await Promise.all(
        cog.levels.map((level) => {
          const window = sourceWindow(planWarp(level.grid, target), "bilinear");
          return window === undefined ? 0 : sizeOfBlocks(load(name), level.index, window, counted.gap);
        }),
      );
      // one of the levels was read
      const read = bytesOfReads(source) - header;
      const exact = touched.map((bytes) => bytes <= read + header && read <= 1.05 * bytes);
      expect({ read, touched, fits: exact.includes(true) }).toMatchObject({ fits: true });
    },
  );

  test("more rows of a block in the cache cost no request", async () => {
    const source = new RecordingSource(load(band.name));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: 40 }, { cache });
    const tall = await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: band.tall }, { cache });
    expect(source.reads).toHaveLength(2);
    expect(tall.bands[0]).toEqual((await readWindow(cog, 0, { x: 0, y: 0, width: 100, height: band.tall })).bands[0]);
  });

  test("callers at the same time share one load of a block and one opening of a file", async () => {
    const source = new RecordingSource(load(band.name));
    const cogs = new FileCache<Cog>({ maxBytes: 1e6 });
    const cache = new BlockCache({ maxBytes: 64e6 });
    const read = async () => {
      const cog = await openCog(source, { ...options, cache: cogs });
      return readWindow(cog, 0, band.window, { cache });
    };
    const rasters = await Promise.all([read(), read(), read()]);
    expect(source.reads).toHaveLength(2);
    expect(rasters[2]!.bands[0]).toEqual(rasters[0]!.bands[0]);
  });

  test("a caller that aborts does not abort the others", async () => {
    const source = new RecordingSource(load(band.name));
    const cog = await openCog(source, options);
    const cache = new BlockCache({ maxBytes: 64e6 });
    const controller = new AbortController();
    const window = band.window;
    const leaving = readWindow(cog, 0, window, { cache, signal: controller.signal });
    const staying = readWindow(cog, 0, window, { cache });
    controller.abort(new Error("left"));
    await expect(leaving).rejects.toThrow("left");
    expect((await staying).bands[0]).toHaveLength(2500);
  });

  test("the cache keeps to its budget", async () => {
    const cog = await openCog(new RecordingSource(load(band.name)), options);
    const cache = new BlockCache({ maxBytes: counted.budget });
    await readWindow(cog, 0, { x: 0, y: 0, width: band.side, height: band.side }, { cache });
    expect(cache.use.bytes).toBeLessThanOrEqual(counted.budget);
    expect(cache.use.entries).toBeGreaterThan(1);
  });

  test("a file that does not touch the grid costs nothing more", async () => {
    const source = new RecordingSource(load(band.name));
    const cog = await openCog(source, options);
    const far = gridFromBounds(resolveCrs("EPSG:32629"), [500000, 2000000, 510000, 2010000], 100, 100);
    expect(await readGrid(cog, far)).toBeUndefined();
    expect(source.reads).toHaveLength(1);
  });
});

/**
 * Compressed bytes of the blocks of a level that a window touches, with the gaps between them of at most `gap` bytes, by
 * the file's own tables, read with geotiff.
 */
async function sizeOfBlocks(file: Uint8Array, level: number, window: Window, gap: number): Promise<number> {
  const { fromArrayBuffer } = await import("geotiff");
  const image = await (await fromArrayBuffer(new Uint8Array(file).buffer)).getImage(level);
  const counts = (await image.fileDirectory.loadValue("TileByteCounts")) as ArrayLike<number>;
  const offsets = (await image.fileDirectory.loadValue("TileOffsets")) as ArrayLike<number>;
  const across = Math.ceil(image.getWidth() / image.getTileWidth());
  const planes = counts.length / (across * Math.ceil(image.getHeight() / image.getTileHeight()));
  expect(planes).toBe(1);
  const touched: { start: number; end: number }[] = [];
  for (let i = 0; i < counts.length; i++) {
    const left = (i % across) * image.getTileWidth();
    const top = Math.floor(i / across) * image.getTileHeight();
    const touches =
      left < window.x + window.width &&
      left + image.getTileWidth() > window.x &&
      top < window.y + window.height &&
      top + image.getTileHeight() > window.y;
    if (touches) touched.push({ start: offsets[i]!, end: offsets[i]! + counts[i]! });
  }
  touched.sort((a, b) => a.start - b.start);
  return touched.reduce((sum, { start, end }, i) => {
    const skipped = i === 0 ? 0 : start - touched[i - 1]!.end;
    return sum + end - start + (skipped <= gap ? skipped : 0);
  }, 0);
}
