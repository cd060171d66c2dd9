import { BlockCache, readWindow } from "@swath/cog";
import { attachSharedBlocks, shareBlocks } from "@swath/cog/threads";
import { describe, expect, test } from "vitest";
import { type Jp2, openJp2 } from "../src/index.ts";
import { fixture, markersOf, RecordingSource, withoutMarkers } from "./files.ts";

const [TLM, PLT] = [0xff55, 0xff58];

/** Opens a file with little read ahead, so that tiles need reads of their own, and forgets the reads so far. */
async function opened(bytes: Uint8Array): Promise<{ readonly source: RecordingSource; readonly jp2: Jp2 }> {
  const source = new RecordingSource(bytes);
  // up to the first tile, of which four bytes are looked at
  const header = [...markersOf(bytes)].find(({ marker }) => marker === 0xff90)?.at ?? 0;
  const jp2 = await openJp2(source, { prefetch: header + 4 });
  source.reads.length = 0;
  return { source, jp2 };
}

const whole = ({ width, height }: { width: number; height: number }) => ({ x: 0, y: 0, width, height });
const tileParts = (bytes: Uint8Array) => [...markersOf(bytes)].filter(({ marker }) => marker === 0xff90);

/** A file of one tile of 1024 x 1024 with 23 packets, whose finest resolution takes nearly all bytes. */
const LARGE = fixture("large-tile.jp2");

describe("opening", () => {
  test("is one read of 32 KB", async () => {
    const source = new RecordingSource(fixture("lrcp.jp2"));
    await openJp2(source);
    expect(source.reads).toEqual([{ offset: 0, length: 32_768 }]);
  });

  test("reads boxes after the samples where none before them says where the image is", async () => {
    const source = new RecordingSource(fixture("geo-after.jp2"));
    const jp2 = await openJp2(source, { prefetch: 256 });
    expect(jp2.grid.crs.name).toBe("EPSG:32632");
    // the samples between them are not read
    expect(source.bytes).toBeLessThan(fixture("geo-after.jp2").length);
  });
});

describe("tiles", () => {
  test("are found without a read where the main header has their lengths", async () => {
    const { source, jp2 } = await opened(fixture("lrcp.jp2"));
    await readWindow(jp2, 0, { x: 70, y: 70, width: 9, height: 9 });
    const parts = tileParts(fixture("lrcp.jp2"));
    // the tile in the second row and column of four
    expect(source.reads).toEqual([{ offset: parts[5]!.at, length: parts[6]!.at - parts[5]!.at }]);
  });

  test("are looked for otherwise, once, and no further than needed", async () => {
    const bytes = withoutMarkers(LARGE, TLM);
    const { source, jp2 } = await opened(bytes);
    await readWindow(jp2, 0, { x: 0, y: 0, width: 9, height: 9 });
    const [first, second] = tileParts(bytes);
    expect(source.reads[0]).toEqual({ offset: first!.at, length: 512 });
    expect(source.reads).toHaveLength(2);
    source.reads.length = 0;
    await readWindow(jp2, 0, { x: 1030, y: 0, width: 9, height: 9 });
    expect(source.reads[0]).toEqual({ offset: second!.at, length: 512 });
    source.reads.length = 0;
    await readWindow(jp2, 0, { x: 0, y: 0, width: 9, height: 9 });
    expect(source.reads).toHaveLength(1);
  });

  test("of few bytes are found many at a time", async () => {
    const { source, jp2 } = await opened(fixture("no-lengths.jp2"));
    await readWindow(jp2, 0, { x: 195, y: 165, width: 5, height: 5 });
    // all twelve tile-parts are within 27 KB
    expect(source.reads.length).toBeLessThanOrEqual(3);
  });

  test("that lie beside each other are one read, and none once they are decoded", async () => {
    const { source, jp2 } = await opened(fixture("lrcp.jp2"));
    const cache = new BlockCache({ maxBytes: 10e6 });
    await readWindow(jp2, 0, whole(jp2.levels[0]!), { cache });
    expect(source.reads).toHaveLength(1);
    await readWindow(jp2, 0, { x: 3, y: 5, width: 190, height: 160 }, { cache });
    expect(source.reads).toHaveLength(1);
  });

  test("are decoded once for callers that want them at the same time", async () => {
    const { source, jp2 } = await opened(fixture("lrcp.jp2"));
    const cache = new BlockCache({ maxBytes: 10e6 });
    const window = { x: 70, y: 70, width: 9, height: 9 };
    const reads = await Promise.all([0, 1, 2].map(() => readWindow(jp2, 0, window, { cache })));
    expect(source.reads).toHaveLength(1);
    expect(reads[1]!.bands).toEqual(reads[0]!.bands);
  });
});

test("tiles that one thread has decoded are read by the others", async () => {
  const shared = shareBlocks({ maxBytes: 10e6, threads: 2 });
  const window = { x: 3, y: 5, width: 190, height: 160 };
  const files = await Promise.all([0, 1].map(() => opened(fixture("rgb.jp2"))));
  const rasters = [];
  for (const [thread, { jp2 }] of files.entries()) {
    rasters.push(await readWindow(jp2, 0, window, { cache: attachSharedBlocks(shared, thread) }));
  }
  expect(files.map(({ source }) => source.reads.length)).toEqual([1, 0]);
  expect(rasters[1]!.bands).toEqual(rasters[0]!.bands);
});

describe("coarser resolutions", () => {
  test("are one read of a tile, of a small part of its bytes", async () => {
    const bytes = fixture("hills-tile.jp2");
    const { source, jp2 } = await opened(bytes);
    for (const { index, ...size } of jp2.levels.slice(1).reverse()) {
      const fresh = await opened(bytes);
      await readWindow(fresh.jp2, index, whole(size));
      expect(fresh.source.reads, `level ${index}`).toHaveLength(1);
      expect(fresh.source.bytes).toBeLessThan(1024 + (2 * bytes.length) / 4 ** index);
    }
    expect(source.reads).toEqual([]);
  });

  test("need a second read where more of a tile's bytes are theirs than of its samples", async () => {
    const bytes = fixture("flat-detail.jp2");
    const { source, jp2 } = await opened(bytes);
    const { index, ...size } = jp2.levels[3]!;
    const raster = await readWindow(jp2, index, whole(size));
    expect(source.reads).toHaveLength(2);
    const plain = await openJp2(new RecordingSource(withoutMarkers(bytes, PLT)));
    expect(raster.bands).toEqual((await readWindow(plain, index, whole(size))).bands);
  });

  test("are read with all of a tile where it does not say where its packets are, which is asked once", async () => {
    const bytes = withoutMarkers(LARGE, PLT);
    const { source, jp2 } = await opened(bytes);
    const tile = { x: 0, y: 0, width: 64, height: 64 };
    await readWindow(jp2, 4, tile);
    const [first, second] = tileParts(bytes).map(({ at }) => at) as [number, number];
    expect(source.reads).toHaveLength(2);
    expect(source.bytes).toBe(second - first);
    source.reads.length = 0;
    await readWindow(jp2, 3, { ...tile, width: 128 });
    expect(source.reads).toEqual([{ offset: first, length: second - first }]);
  });
});

describe("a few pixels, read in part", () => {
  test("cost a small part of a tile's bytes and nothing is kept of it", async () => {
    const { source, jp2 } = await opened(LARGE);
    const cache = new BlockCache({ maxBytes: 10e6 });
    const window = { x: 700, y: 300, width: 3, height: 3 };
    const part = await readWindow(jp2, 0, window, { cache, partialBlocks: true });
    expect(source.reads.length).toBeLessThanOrEqual(6);
    expect(source.bytes).toBeLessThan(0.4 * LARGE.length);
    expect(cache.use.entries).toBe(0);
    expect(part.bands).toEqual((await readWindow(jp2, 0, window, { cache })).bands);
  });

  test("are taken from the tile where it is held", async () => {
    const { source, jp2 } = await opened(LARGE);
    const cache = new BlockCache({ maxBytes: 10e6 });
    const window = { x: 700, y: 300, width: 3, height: 3 };
    await readWindow(jp2, 0, window, { cache });
    source.reads.length = 0;
    await readWindow(jp2, 0, window, { cache, partialBlocks: true });
    expect(source.reads).toEqual([]);
  });
});
