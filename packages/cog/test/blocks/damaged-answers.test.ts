import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { BlockCache, type Cog, FileCache, openCog, readWindow, type Source } from "../../src/index.ts";
import { bytesOf, local } from "../fixtures.ts";
import { noise, type TiledTiff, tiledTiff } from "../tiled-tiff.ts";

/** Says what becomes of an answer on its way. `read` counts the reads, from 1. */
type Way = (answer: Uint8Array, offset: number, read: number) => void;

/** A source of a file, each of whose answers goes a way. */
class WaySource implements Source {
  readonly key = "file";
  readonly exposed: boolean;
  readonly reads: { readonly offset: number; readonly length: number }[] = [];
  way: Way = () => {};
  readonly #bytes: Uint8Array;

  constructor({ bytes }: Pick<TiledTiff, "bytes">, exposed = false) {
    this.#bytes = bytes;
    this.exposed = exposed;
  }

  async read(offset: number, length: number): Promise<Uint8Array> {
    this.reads.push({ offset, length });
    const answer = this.#bytes.slice(offset, offset + length);
    this.way(answer, offset, this.reads.length);
    return answer;
  }
}

const SIDE = 256;
const [DEFLATE, NONE, LZW] = [8, 1, 5];
const SAMPLES = [noise(SIDE * SIDE, 1), noise(SIDE * SIDE, 2), noise(SIDE * SIDE, 3)];
const deflated = tiledTiff(
  SAMPLES.map((samples) => deflateSync(bytesOf(samples))),
  { side: SIDE, compression: DEFLATE },
);
const plain = tiledTiff(SAMPLES.map(bytesOf), { side: SIDE, compression: NONE });
/** The first rows of a tile. */
const rows = (tile: number, height = 2) => ({ x: tile * SIDE, y: 0, width: SIDE, height });
const expected = (tile: number, height = 2) => [SAMPLES[tile]!.subarray(0, SIDE * height)];

/** Changes the answers that hold a byte of the file, those of the given reads alone. */
function bends(at: number, ...reads: number[]): Way {
  return (answer, offset, read) => {
    const place = at - offset;
    if (place >= 0 && place < answer.length && (reads.length === 0 || reads.includes(read))) answer[place]! ^= 16;
  };
}
const lastOf = ({ tiles }: TiledTiff, tile: number): number => tiles[tile]!.offset + tiles[tile]!.length - 200;

describe("a block with a checksum, of which the first rows are needed", () => {
  test("is read once more where a byte behind them was changed on its way", { tags: ["E5"] }, async () => {
    const source = new WaySource(deflated);
    const cog = await openCog(source);
    source.way = bends(lastOf(deflated, 1), 2);
    expect((await readWindow(cog, 0, rows(1))).bands).toEqual(expected(1));
    expect(source.reads.slice(1)).toEqual([deflated.tiles[1], deflated.tiles[1]]);
  });

  test("is corrupt where both answers were changed, and nothing of it is kept", { tags: ["E5"] }, async () => {
    const source = new WaySource(deflated);
    const cog = await openCog(source);
    const cache = new BlockCache({ maxBytes: 1e7 });
    source.way = bends(lastOf(deflated, 0));
    const read = () => readWindow(cog, 0, rows(0), { cache });
    await expect(read()).rejects.toMatchObject({ code: "corrupt", lasting: true });
    expect(source.reads).toHaveLength(3);
    expect(cache.use.entries).toBe(0);
    source.way = () => {};
    expect((await read()).bands).toEqual(expected(0));
  });

  test("does not take its neighbours of the same answer along", async () => {
    const source = new WaySource(deflated);
    const cog = await openCog(source);
    source.way = bends(lastOf(deflated, 1), 2);
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 3 * SIDE, height: 1 });
    expect([...bands[0]!]).toEqual(SAMPLES.flatMap((samples) => [...samples.subarray(0, SIDE)]));
    expect(source.reads.slice(2)).toEqual([deflated.tiles[1]]);
  });

  test("is decoded once: what was compared is not read again for other rows", async () => {
    const source = new WaySource(deflated);
    const cog = await openCog(source);
    const cache = new BlockCache({ maxBytes: 1e7 });
    for (const height of [1, 100, SIDE]) {
      expect((await readWindow(cog, 0, rows(2, height), { cache })).bands).toEqual(expected(2, height));
    }
    expect(source.reads).toHaveLength(2);
  });
});

test("a block that says after damage that it is of a kind that is not read is read once more too", async () => {
  const bytes = local("jpeg-gray.tif");
  // the marker of a baseline frame, which with another bit is that of a progressive one
  const at = bytes.findIndex((byte, i) => byte === 0xff && bytes[i + 1] === 0xc0) + 1;
  const source = new WaySource({ bytes });
  const cog = await openCog(source, { prefetch: 300 });
  const window = { x: 0, y: 0, width: 8, height: 8 };
  const { bands } = await readWindow(cog, 0, window);
  const { length } = source.reads;
  source.way = (answer, offset, read) => {
    if (at >= offset && at < offset + answer.length && read === length + 1) answer[at - offset]! ^= 2;
  };
  expect((await readWindow(cog, 0, window)).bands).toEqual(bands);
  expect(source.reads.length).toBe(length + 2);
});

test("a header with a damaged offset is read again when the file is opened next", async () => {
  const source = new WaySource(deflated);
  const cache = new FileCache<Cog>({ maxBytes: 1e6 });
  const read = async () => (await readWindow(await openCog(source, { cache }), 0, rows(1))).bands;
  source.way = bends(deflated.offsetsAt + 4);
  await expect(read()).rejects.toMatchObject({ code: "corrupt" });
  source.way = () => {};
  expect(await read()).toEqual(expected(1));
  expect(source.reads.filter(({ offset }) => offset === 0)).toHaveLength(2);
  expect(await read()).toEqual(expected(1));
  expect(source.reads.filter(({ offset }) => offset === 0)).toHaveLength(2);
});

describe("of a source whose bytes may be changed on their way", () => {
  const headerReads = ({ reads }: WaySource): number => reads.filter(({ offset }) => offset === 0).length;

  test("the header is read twice, and a third time where the answers differ", { tags: ["E5"] }, async () => {
    const source = new WaySource(deflated, true);
    await openCog(source);
    expect(headerReads(source)).toBe(2);
    for (const first of [1, 2]) {
      const bent = new WaySource(deflated, true);
      // an offset that leads to another tile would give the pixels of that
      bent.way = bends(deflated.offsetsAt + 4, first);
      expect((await readWindow(await openCog(bent), 0, rows(1))).bands).toEqual(expected(1));
      expect(headerReads(bent)).toBe(3);
    }
  });

  test("a header of which no two answers are the same is corrupt", async () => {
    const source = new WaySource(deflated, true);
    source.way = (answer, _, read) => {
      answer[200]! ^= read;
    };
    await expect(openCog(source)).rejects.toMatchObject({ code: "corrupt" });
    expect(source.reads).toHaveLength(3);
  });

  test("a block without a checksum is read twice, one with a checksum once", async () => {
    for (const [file, reads] of [
      [plain, 2],
      [deflated, 1],
    ] as const) {
      const source = new WaySource(file, true);
      const cog = await openCog(source);
      expect((await readWindow(cog, 0, rows(0))).bands).toEqual(expected(0));
      expect(source.reads.slice(2)).toEqual(Array.from({ length: reads }, () => file.tiles[0]));
    }
  });

  test("a block without a checksum is right, whichever answer was changed", async () => {
    for (const first of [3, 4, 5]) {
      const source = new WaySource(plain, true);
      const cog = await openCog(source);
      source.way = bends(plain.tiles[0]!.offset + 7, first);
      expect((await readWindow(cog, 0, rows(0))).bands).toEqual(expected(0));
    }
  });

  test("blocks are read whole, also for few pixels", async () => {
    const source = new WaySource(deflated, true);
    const cog = await openCog(source);
    source.way = bends(lastOf(deflated, 0), 3);
    const read = await readWindow(cog, 0, rows(0, 1), { partialBlocks: true });
    expect(read.bands).toEqual(expected(0, 1));
    expect(source.reads.slice(2)).toEqual([deflated.tiles[0], deflated.tiles[0]]);
  });
});

test("rows that were read without the rest of their block serve no reader who asks for compared ones", async () => {
  const source = new WaySource(deflated);
  const cog = await openCog(source);
  const cache = new BlockCache({ maxBytes: 1e7 });
  source.way = bends(deflated.tiles[0]!.offset + 400, 2);
  const few = { ...rows(0, 20), width: 1 };
  // damage to the first rows is not noticed, or the block is read whole: a checksum covers all bytes
  await readWindow(cog, 0, few, { cache, partialBlocks: true });
  expect((await readWindow(cog, 0, rows(0), { cache })).bands).toEqual(expected(0));
  expect((await readWindow(cog, 0, rows(0), { cache, partialBlocks: true })).bands).toEqual(expected(0));
});

describe("a tile without a checksum in a file that repeats its size and its last bytes", () => {
  const tiles = SAMPLES.map(bytesOf);
  const framed = tiledTiff(tiles, { side: SIDE, compression: NONE, edition: "NO" });
  const [{ offset = 0, length = 0 } = {}] = framed.tiles;
  const read = async (file: TiledTiff, at?: number) => {
    const source = new WaySource(file);
    if (at !== undefined) source.way = bends(at);
    return (await readWindow(await openCog(source), 0, rows(0))).bands;
  };

  test("is compared with them", async () => {
    expect(await read(framed)).toEqual(expected(0));
    for (const at of [offset - 4, offset - 1, offset + length - 1, offset + length]) {
      await expect(read(framed, at)).rejects.toMatchObject({ code: "corrupt" });
    }
  });

  test("is not compared with them where the file was edited later, nor is one with a checksum", async () => {
    const edited = tiledTiff(tiles, { side: SIDE, compression: NONE, edition: "YES" });
    expect(await read(edited, offset - 1)).toEqual(expected(0));
    const encoded = tiles.map((tile) => deflateSync(tile));
    const whole = tiledTiff(encoded, { side: SIDE, compression: DEFLATE, edition: "NO" });
    expect(await read(whole, whole.tiles[0]!.offset - 1)).toEqual(expected(0));
  });

  test("is found by an offset that leads to a tile of another size", async () => {
    const lzw = tiledTiff([bytesOf(SAMPLES[0]!).subarray(2), bytesOf(SAMPLES[1]!)], {
      side: SIDE,
      compression: LZW,
      edition: "NO",
    });
    const [first, second] = lzw.tiles;
    new DataView(lzw.bytes.buffer).setUint32(lzw.offsetsAt, second!.offset, true);
    expect(first!.length).not.toBe(second!.length);
    await expect(read(lzw)).rejects.toThrow("block 0 differs from what the file repeats");
  });
});
