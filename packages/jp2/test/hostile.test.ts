import { CogError, memorySource, readGrid, readWindow, type Source } from "@swath/cog";
import { resolveCrs, tileGrid } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costRatio } from "../../../test/tools/cost.ts";
import { openJp2 } from "../src/index.ts";
import { codestream, type Declared, segment, u32 } from "./codestreams.ts";
import { codestreamAt, fixture, markersOf, RecordingSource } from "./files.ts";

const WINDOW = { x: 0, y: 0, width: 1, height: 1 };
const open = (bytes: Uint8Array) => openJp2(memorySource(bytes));

/** Opens a file and reads a pixel. */
async function read(bytes: Uint8Array) {
  return readWindow(await open(bytes), 0, WINDOW);
}

const box = (type: string, contents: Uint8Array, length = contents.length + 8): Uint8Array =>
  Uint8Array.from([...u32(length), ...new TextEncoder().encode(type), ...contents]);
const SIGNATURE = box("jP  ", Uint8Array.of(0x0d, 0x0a, 0x87, 0x0a));
const file = (...boxes: readonly Uint8Array[]): Uint8Array =>
  Uint8Array.from([SIGNATURE, ...boxes].flatMap((bytes) => [...bytes]));

test.each([
  { name: "no bytes", bytes: new Uint8Array(0), code: "not-a-jp2" },
  { name: "text", bytes: new TextEncoder().encode("<html>Sign in</html>"), code: "not-a-jp2" },
  { name: "a TIFF", bytes: Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0), code: "not-a-jp2" },
  { name: "a signature alone", bytes: SIGNATURE, code: "corrupt" },
  { name: "a box shorter than its header", bytes: file(box("ftyp", new Uint8Array(0), 3)), code: "corrupt" },
  { name: "a box of 2^64 bytes", bytes: file(box("free", new Uint8Array(8).fill(255), 1)), code: "corrupt" },
  { name: "a thousand boxes", bytes: file(...Array(1000).fill(box("free", new Uint8Array(0)))), code: "corrupt" },
  { name: "another codestream", bytes: file(box("jp2c", new Uint8Array(50))), code: "not-a-jp2" },
  { name: "SOC alone", bytes: Uint8Array.of(0xff, 0x4f, 0xff, 0x51), code: "corrupt" },
  { name: "no end of its header", bytes: codestream().slice(0, 60), code: "corrupt" },
])("$name is $code", async ({ bytes, code }) => {
  await expect(open(bytes)).rejects.toMatchObject({ name: "CogError", code });
});

const declared: readonly (Declared & { readonly name: string; readonly code: string })[] = [
  { name: "no pixels", side: 0, code: "corrupt" },
  { name: "tiles without sides", tile: 0, code: "corrupt" },
  { name: "four billion pixels a side", side: 0xffffffff, code: "corrupt" },
  { name: "a billion tiles", side: 0x7fff0000, tile: 16, code: "too-large" },
  { name: "16,384 components", components: 16_384, code: "unsupported" },
  { name: "two components", components: 2, code: "unsupported" },
  { name: "38 bits", bits: 38, code: "unsupported" },
  { name: "a tile of a billion pixels", side: 32_000, code: "too-large" },
  { name: "three components of 4096 x 4096", side: 4096, components: 3, code: "too-large" },
  { name: "no layers", layers: 0, code: "corrupt" },
  { name: "an unknown order of packets", progression: 9, code: "corrupt" },
  { name: "a hundred levels", levels: 100, code: "corrupt" },
  { name: "code-blocks of 2^20 pixels", block: 15, code: "corrupt" },
  { name: "65,535 layers of many precincts", side: 1024, layers: 65_535, precinct: 0x77, code: "too-large" },
  { name: "a million code-blocks", side: 4096, block: 0, code: "too-large" },
  { name: "a million precincts of two pixels", side: 1024, precinct: 0x11, code: "too-large" },
  { name: "precincts without sides", precinct: 0x00, code: "corrupt" },
  { name: "a tile that does not exist", tileIndex: 7, code: "corrupt" },
  { name: "a tile-part longer than the file", partLength: 1e6, code: "corrupt" },
  { name: "a tile-part shorter than its header", partLength: 5, code: "corrupt" },
  { name: "High Throughput", segments: [segment(0x50, [0, 2, 0, 0, 0, 0])], code: "unsupported" },
  { name: "packet headers in the main header", segments: [segment(0x60, [0, 0, 0, 0])], code: "unsupported" },
];

test.each(declared)(
  "a codestream that declares $name is $code, with less work than five images of 256 x 256 take",
  async ({ name: _, code, ...rest }) => {
    const [refused, good] = [codestream(rest), codestream({ side: 256 })];
    await expect(read(refused)).rejects.toMatchObject({ name: "CogError", code });
    const ratio = await costRatio(
      () => read(refused).catch(() => {}),
      () => read(good),
    );
    expect(ratio).toBeLessThan(5);
  },
);

test("a codestream of empty packets is an image of one value", async () => {
  const { bands } = await readWindow(await open(codestream({ side: 16 })), 0, { x: 0, y: 0, width: 16, height: 16 });
  expect(new Set(bands[0])).toEqual(new Set([128]));
});

/** A level, and whether all bytes of its tiles were read for it. */
async function readLevel(bytes: Uint8Array, level: number) {
  const [first] = [...markersOf(bytes)].filter(({ marker }) => marker === 0xff90);
  const source = new RecordingSource(bytes);
  const jp2 = await openJp2(source, { prefetch: first!.at + 4 });
  source.reads.length = 0;
  const { width, height } = jp2.levels[level]!;
  const { bands } = await readWindow(jp2, level, { x: 0, y: 0, width, height });
  return { bands, reads: source.reads, isWhole: source.bytes >= bytes.length - first!.at - 2 };
}

describe("wrong lengths", () => {
  test("of tiles in the main header do not lead astray: tiles are looked for", async () => {
    const good = fixture("lrcp.jp2");
    const [tlm, first] = [0xff55, 0xff90].map(
      (wanted) => [...markersOf(good)].find(({ marker }) => marker === wanted)!,
    );
    const bad = good.slice();
    const view = new DataView(bad.buffer);
    // twelve entries that end with a length of four bytes: some grow at the cost of the next
    const step = (view.getUint16(tlm!.at + 2) - 4) / 12;
    const lengthAt = (i: number): number => tlm!.at + 6 + step * (i + 1) - 4;
    for (const [grows, shrinks, by] of [
      [1, 2, 7],
      [4, 5, -200],
      [8, 10, 30],
    ] as const) {
      view.setUint32(lengthAt(grows), view.getUint32(lengthAt(grows)) + by);
      view.setUint32(lengthAt(shrinks), view.getUint32(lengthAt(shrinks)) - by);
    }
    for (const level of [0, 1, 2, 3]) {
      const { bands, reads } = await readLevel(bad, level);
      expect(bands, `level ${level}`).toEqual((await readLevel(good, level)).bands);
      expect(reads).toContainEqual({ offset: first!.at, length: 512 });
    }
  });

  const good = fixture("hills-tile.jp2");
  const plt = [...markersOf(good)].find(({ marker }) => marker === 0xff58)!.at;
  const end = plt + 2 + new DataView(good.buffer).getUint16(plt + 2);

  test("of packets that do not fill their tile are not used", async () => {
    const bad = good.slice();
    bad[end - 1] = (bad[end - 1]! + 1) & 0x7f;
    const expected = await readLevel(good, 2);
    expect(expected.isWhole).toBe(false);
    expect(await readLevel(bad, 2)).toMatchObject({ bands: expected.bands, isWhole: true });
  });

  test("of packets that fill their tile, with which it does not decode, are not used", async () => {
    const bad = good.slice();
    // the first length and the seventh swap places: their sum stays
    const lengths: number[][] = [[]];
    for (const byte of good.subarray(plt + 5, end)) {
      lengths.at(-1)!.push(byte);
      if (byte < 0x80) lengths.push([]);
    }
    [lengths[0], lengths[6]] = [lengths[6]!, lengths[0]!];
    bad.set(lengths.flat(), plt + 5);
    const window = { x: 10, y: 10, width: 5, height: 5 };
    const read = async (file: Uint8Array) => {
      const source = new RecordingSource(file);
      const jp2 = await openJp2(source, { prefetch: 2048 });
      const { bands } = await readWindow(jp2, 0, window, { partialBlocks: true });
      return { bands, bytes: source.bytes };
    };
    const expected = await read(good);
    const found = await read(bad);
    expect(found.bands).toEqual(expected.bands);
    expect(expected.bytes).toBeLessThan(0.7 * good.length);
    expect(found.bytes).toBeGreaterThan(good.length);
  });
});

test("a file that ends early gives the tiles that it has", async () => {
  const good = fixture("lrcp.jp2");
  const parts = [...markersOf(good)].filter(({ marker }) => marker === 0xff90);
  const jp2 = await open(good.slice(0, parts[6]!.at + 40));
  expect((await readWindow(jp2, 0, { x: 0, y: 0, width: 200, height: 64 })).bands[0]).toHaveLength(200 * 64);
  const last = readWindow(jp2, 0, { x: 180, y: 150, width: 9, height: 9 });
  await expect(last).rejects.toMatchObject({ code: "corrupt", lasting: true });
});

test("a window whose tiles lie far apart is refused, not read by thousands of requests", async () => {
  // 65,025 tiles of a pixel, by the lengths in the main header a megabyte each
  const lengths = Array.from({ length: 255 * 255 }, () => u32(1 << 20));
  const listed = [0, 1, 2, 3].map((i) => {
    return segment(0x55, [i, 0x40, ...lengths.slice(i * 16_300, (i + 1) * 16_300).flat()]);
  });
  const source = new RecordingSource(codestream({ side: 255, tile: 1, levels: 0, segments: listed }));
  const jp2 = await openJp2(source);
  source.reads.length = 0;
  const reading = readWindow(jp2, 0, { x: 0, y: 0, width: 255, height: 255 });
  await expect(reading).rejects.toMatchObject({ code: "too-large" });
  expect(source.reads).toEqual([]);
});

test("a header without an end is not read for ever", async () => {
  const comment = segment(0x64, Array(60_000).fill(1));
  const endless: Source = {
    key: "endless",
    size: 1e15,
    async read(offset, length) {
      const start = codestream().slice(0, 100);
      const at = codestreamAt(start) + 2 + 2 + new DataView(start.buffer).getUint16(4);
      const bytes = new Uint8Array(length);
      for (let i = 0; i < length; i++) {
        const byte = offset + i;
        bytes[i] = byte < at ? start[byte]! : comment[(byte - at) % comment.length]!;
      }
      return bytes;
    },
  };
  await expect(openJp2(endless)).rejects.toMatchObject({ code: "too-large" });
});

test("bytes that are no image give typed errors", async () => {
  const start = fc.constantFrom(codestream(), fixture("gml-utm.jp2"), fixture("rgb-lossy.jp2"), SIGNATURE);
  const change = fc.record({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    bytes: fc.uint8Array({ minLength: 1, maxLength: 9 }),
  });
  await fc.assert(
    fc.asyncProperty(start, fc.array(change, { maxLength: 4 }), fc.option(fc.nat()), async (good, changes, cut) => {
      const bytes = good.slice(0, cut === null ? undefined : cut % good.length);
      for (const { at, bytes: other } of changes)
        bytes.set(other.slice(0, bytes.length), Math.floor(at * Math.max(0, bytes.length - 9)));
      try {
        const jp2 = await open(bytes);
        await readWindow(jp2, jp2.levels.length - 1, WINDOW);
      } catch (error) {
        expect(error).toBeInstanceOf(CogError);
      }
    }),
  );
});

describe("windows", () => {
  test("outside the image, levels and bands that do not exist are refused", async () => {
    const jp2 = await open(fixture("lrcp.jp2"));
    await expect(readWindow(jp2, 9, WINDOW)).rejects.toThrow(RangeError);
    await expect(readWindow(jp2, 0, { x: 195, y: 0, width: 9, height: 9 })).rejects.toThrow(/200 x 170/);
    await expect(readWindow(jp2, 0, { x: 0.5, y: 0, width: 9, height: 9 })).rejects.toThrow(RangeError);
    await expect(readWindow(jp2, 0, WINDOW, { bands: [1] })).rejects.toThrow(/bands 0 to 0/);
  });

  test("give bands in the order asked for, and validity by the value that means no data", async () => {
    const jp2 = await open(fixture("rgb.jp2"));
    const all = await readWindow(jp2, 0, { x: 0, y: 0, width: 60, height: 60 });
    const some = await readWindow(jp2, 0, { x: 0, y: 0, width: 60, height: 60 }, { bands: [2, 0, 2], nodata: 0 });
    expect(some.bands).toEqual([all.bands[2], all.bands[0], all.bands[2]]);
    expect(new Set(all.valid)).toEqual(new Set([1]));
    const expected = all.bands[0]!.map((value, i) => (value === 0 && all.bands[2]![i] === 0 ? 0 : 1));
    expect([...some.valid]).toEqual([...expected]);
    expect(some.valid.includes(0)).toBe(true);
  });
});

describe("signals", () => {
  test("that are aborted end a read before and between tiles", async () => {
    const source = new RecordingSource(fixture("no-lengths.jp2"));
    const jp2 = await openJp2(source, { prefetch: 4096 });
    const controller = new AbortController();
    const reading = readWindow(jp2, 0, { x: 0, y: 0, width: 200, height: 170 }, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(reading).rejects.toThrow("enough");
    await expect(openJp2(source, { prefetch: 4096, signal: controller.signal })).rejects.toThrow("enough");
  });
});

describe("a file that is replaced while it is read", () => {
  /** Two files under one name; the second from `switchAt` reads on. */
  function replaced(first: Uint8Array, second: Uint8Array, switchAt: number) {
    let count = 0;
    const source = {
      key: "replaced",
      version: "1",
      async read(offset: number, length: number) {
        if (count++ < switchAt) return first.slice(offset, offset + length);
        const isFirstSeen = source.version === "1";
        source.version = "2";
        if (isFirstSeen) throw new CogError("changed", "replaced changed between two reads.");
        return second.slice(offset, offset + length);
      },
    };
    return source;
  }

  test("is opened again", async () => {
    const [first, second] = [fixture("lrcp.jp2"), fixture("layers-lrcp.jp2")];
    const jp2 = await openJp2(replaced(first, second, 1), { prefetch: 4096 });
    const { bands } = await readWindow(jp2, 0, { x: 100, y: 100, width: 9, height: 9 });
    const expected = await readWindow(await open(second), 0, { x: 100, y: 100, width: 9, height: 9 });
    expect(bands).toEqual(expected.bands);
  });

  test("by one of another size is an error that may pass", async () => {
    const jp2 = await openJp2(replaced(fixture("lrcp.jp2"), fixture("hills-tile.jp2"), 1), { prefetch: 4096 });
    const reading = readWindow(jp2, 0, { x: 100, y: 100, width: 9, height: 9 });
    await expect(reading).rejects.toMatchObject({ code: "changed", lasting: false });
    // the next caller sees the new one
    expect(jp2.levels[0]).toMatchObject({ width: 300, height: 280 });
  });
});

describe("a file that does not say where it is", () => {
  const placement = { crs: resolveCrs("EPSG:32632"), transform: [10, 0, 399_960, 0, -10, 5_100_000] as const };

  test("has windows, and cannot be warped", async () => {
    const jp2 = await open(fixture("unplaced.jp2"));
    expect(jp2.grid.crs.name).toBe("none");
    await expect(readGrid(jp2, tileGrid("WebMercatorQuad", 9, 265, 181))).rejects.toMatchObject({
      code: "no-georeference",
      message: expect.stringContaining("neither a GeoJP2 nor a GMLJP2 box"),
    });
  });

  test("is where the caller says", async () => {
    const jp2 = await openJp2(memorySource(fixture("unplaced.jp2")), { placement });
    const own = await open(fixture("lrcp.jp2"));
    expect(jp2.grid).toEqual(own.grid);
    expect(jp2.levels.map(({ grid }) => grid)).toEqual(own.levels.map(({ grid }) => grid));
  });

  test("unlike one that says so", async () => {
    const elsewhere = { ...placement, transform: [1, 0, 0, 0, -1, 0] as const };
    const jp2 = await openJp2(memorySource(fixture("lrcp.jp2")), { placement: elsewhere });
    expect(jp2.grid.transform).toEqual(placement.transform);
  });
});

test("levels cover the ground of the image, as GDAL's overviews do", async () => {
  const jp2 = await open(fixture("hills-tile.jp2"));
  for (const { grid, width, height } of jp2.levels) {
    const [a, , , , e] = grid.transform;
    expect(a * width).toBeCloseTo(3000, 9);
    expect(e * height).toBeCloseTo(-2800, 9);
  }
});

test("a tile in several parts is read no further than its coarser resolutions go", async () => {
  const bytes = fixture("tile-parts.jp2");
  const parts = [...markersOf(bytes)].filter(({ marker }) => marker === 0xff90);
  // four resolutions of twelve tiles
  expect(parts).toHaveLength(48);
  const source = new RecordingSource(bytes);
  const jp2 = await openJp2(source, { prefetch: parts[0]!.at + 4 });
  source.reads.length = 0;
  const window = { x: 0, y: 0, width: 8, height: 8 };
  await readWindow(jp2, 3, window);
  expect(source.reads).toHaveLength(1);
  expect(source.bytes).toBeLessThanOrEqual(parts[1]!.at - parts[0]!.at);
});

test("a hundred thousand tile-parts of one tile are refused", async () => {
  const part = codestream().slice(-(12 + 2 + 8 + 2), -2);
  const start = codestream().slice(0, -(12 + 2 + 8 + 2));
  const bytes = Buffer.concat([start, ...Array<Uint8Array>(100_000).fill(part)]);
  // each says that more follow
  for (let at = start.length; at < bytes.length; at += part.length) bytes[at + 11] = 0;
  await expect(read(bytes)).rejects.toMatchObject({ code: "too-large" });
});
