import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CogError, memorySource, openCog, readGrid, readWindow } from "../src/index.ts";
import { nodeCodecs } from "../src/node.ts";
import { bytesOf, fixture, fixtures, local } from "./fixtures.ts";

/** A little-endian TIFF of one directory with these tags: [tag, type, count, value]. */
function tiff(tags: readonly (readonly [number, number, number, number])[], next = 0): Uint8Array {
  const bytes = new Uint8Array(1024);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0, 8, 0, 0, 0]);
  view.setUint16(8, tags.length, true);
  tags.forEach(([tag, type, count, value], i) => {
    view.setUint16(10 + i * 12, tag, true);
    view.setUint16(12 + i * 12, type, true);
    view.setUint32(14 + i * 12, count, true);
    view.setUint32(18 + i * 12, value, true);
  });
  view.setUint32(10 + tags.length * 12, next, true);
  return bytes;
}
const size = (width: number, height: number) =>
  [
    [256, 4, 1, width],
    [257, 4, 1, height],
  ] as const;
const open = (bytes: Uint8Array) => openCog(memorySource(bytes), { codecs: nodeCodecs });

test.each([
  { name: "no bytes", bytes: new Uint8Array(0), code: "not-a-tiff" },
  { name: "text", bytes: new TextEncoder().encode("<html>not found</html>"), code: "not-a-tiff" },
  { name: "a header alone", bytes: Uint8Array.of(0x49, 0x49, 42, 0, 8, 0, 0, 0), code: "corrupt" },
  { name: "no size", bytes: tiff([[258, 3, 1, 8]]), code: "corrupt" },
  { name: "a width of 0", bytes: tiff([...size(0, 5)]), code: "corrupt" },
  { name: "no blocks", bytes: tiff([...size(5, 5)]), code: "corrupt" },
  { name: "two billion offsets in a small tag", bytes: tiff([...size(9, 9), [258, 3, 2e9, 100]]), code: "corrupt" },
  {
    name: "blocks of a terabyte",
    bytes: tiff([...size(1e6, 1e6), [258, 3, 1, 8], [259, 3, 1, 5], [273, 4, 1, 99], [279, 4, 1, 9]]),
    code: "too-large",
  },
  {
    name: "a hundred billion blocks",
    bytes: tiff([...size(2e9, 2e9), [258, 3, 1, 8], [322, 3, 1, 16], [323, 3, 1, 16], [324, 4, 1, 99], [325, 4, 1, 9]]),
    code: "too-large",
  },
  {
    name: "an unknown compression",
    bytes: tiff([...size(5, 5), [259, 3, 1, 4711], [273, 4, 1, 99], [279, 4, 1, 9]]),
    code: "unsupported",
  },
  {
    name: "complex samples",
    bytes: tiff([...size(5, 5), [258, 3, 1, 64], [339, 3, 1, 6], [273, 4, 1, 99], [279, 4, 1, 9]]),
    code: "unsupported",
  },
  {
    name: "a width of two numbers",
    bytes: tiff([
      [256, 3, 2, 5],
      [257, 4, 1, 5],
      [258, 3, 1, 8],
      [273, 4, 1, 99],
      [279, 4, 1, 9],
    ]),
    code: "corrupt",
  },
  {
    name: "257 samples a pixel with one number of bits",
    bytes: tiff([
      ...size(512, 512),
      [258, 3, 1, 16],
      [259, 3, 1, 8],
      [273, 4, 1, 99],
      [277, 3, 1, 257],
      [279, 4, 1, 9],
    ]),
    code: "too-large",
  },
  {
    name: "three samples a pixel with two numbers of bits",
    bytes: tiff([
      ...size(5, 5),
      [258, 3, 2, 0x00080008],
      [262, 3, 1, 2],
      [273, 4, 1, 99],
      [277, 3, 1, 3],
      [279, 4, 1, 9],
    ]),
    code: "corrupt",
  },
  {
    name: "GeoKeys of four megabytes",
    bytes: tiff([...size(5, 5), [258, 3, 1, 8], [273, 4, 1, 99], [279, 4, 1, 9], [34735, 3, 2e6, 100]]),
    code: "corrupt",
  },
])("$name is refused as $code", async ({ bytes, code }) => {
  await expect(open(bytes)).rejects.toMatchObject({ name: "CogError", code, lasting: true });
});

test.each([5, 8, 32773])(
  "no memory is allocated for samples that a block of 9 bytes cannot hold: compression %i",
  async (compression) => {
    const tags = [
      ...size(512, 512),
      [258, 3, 1, 16],
      [259, 3, 1, compression],
      [273, 4, 1, 200],
      [277, 3, 1, 250],
    ] as const;
    const cog = await open(tiff([...tags, [279, 4, 1, 9]]));
    const before = process.memoryUsage().arrayBuffers;
    const read = readWindow(cog, 0, { x: 0, y: 0, width: 1, height: 1 }, { bands: [0] });
    await expect(read).rejects.toThrow("A block of 9 bytes cannot hold 131072000 of samples.");
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(50e6);
  },
);

test("GeoKeys of four megabytes are refused also in a file that has them", async () => {
  const bytes = new Uint8Array(4_100_000);
  bytes.set(tiff([...size(5, 5), [258, 3, 1, 8], [273, 4, 1, 99], [279, 4, 1, 9], [34735, 3, 2e6, 1024]]));
  await expect(open(bytes)).rejects.toMatchObject({ code: "too-large", message: expect.stringContaining("tag 34735") });
});

test("a chain of directories that comes back to its start ends there", async () => {
  const bytes = tiff([...size(5, 5), [258, 3, 1, 8], [273, 4, 1, 200], [279, 4, 1, 25]], 8);
  const cog = await open(bytes);
  expect(cog.levels).toHaveLength(1);
  expect((await readWindow(cog, 0, { x: 0, y: 0, width: 5, height: 5 })).bands[0]).toHaveLength(25);
});

test("a block that the table of blocks has no entry for is missing, not sparse", async () => {
  const tags = [...size(5, 5), [258, 3, 1, 8], [273, 4, 1, 200], [278, 4, 1, 2], [279, 4, 1, 10]] as const;
  const cog = await open(tiff(tags));
  const rows = { x: 0, y: 0, width: 5, height: 2 };
  expect((await readWindow(cog, 0, rows)).bands[0]).toHaveLength(10);
  await expect(readWindow(cog, 0, { ...rows, y: 2 })).rejects.toMatchObject({
    code: "corrupt",
    message: expect.stringContaining("block 1 is not in the table"),
  });
});

test.each([
  { name: "whose pixels are lines", matrix: [0.5, -2.9e48, 0, -180, 0, 0.5, 0, -90] },
  { name: "of infinite numbers", matrix: [1e308, 0, 0, 1e308, 0, -1e-308, 0, 1e308] },
  { name: "whose pixels have no height", matrix: [1, 0, 0, 0, 0, 0, 0, 0] },
])("a transform $name is none", async ({ matrix }) => {
  const tags = [...size(5, 5), [258, 3, 1, 8], [273, 4, 1, 200], [279, 4, 1, 25], [34264, 12, 16, 300]] as const;
  const bytes = tiff(tags);
  const view = new DataView(bytes.buffer);
  for (const [i, value] of matrix.entries()) view.setFloat64(300 + 8 * i, value, true);
  const cog = await open(bytes);
  expect(cog.georeferenced).toBe(false);
  await expect(readGrid(cog, cog.grid)).rejects.toMatchObject({
    code: "no-georeference",
    message: expect.stringContaining("cannot be inverted"),
  });
});

test("windows, bands and levels that do not exist are RangeErrors", async () => {
  const cog = await open(local("deflate-uint8.tif"));
  const one = { x: 0, y: 0, width: 1, height: 1 };
  await expect(readWindow(cog, 1, one)).rejects.toBeInstanceOf(RangeError);
  await expect(readWindow(cog, 0, { ...one, x: 37 })).rejects.toBeInstanceOf(RangeError);
  await expect(readWindow(cog, 0, { ...one, width: 0 })).rejects.toBeInstanceOf(RangeError);
  await expect(readWindow(cog, 0, one, { bands: [1] })).rejects.toBeInstanceOf(RangeError);
});

test.each([
  "deflate-uint16.tif",
  "lzw-float32.tif",
  "zstd-int16.tif",
  "jpeg-ycbcr-strips.tif",
  "lerc-float32.tif",
  "webp-lossy-rgba.tif",
  "packbits-uint8.tif",
  "big-endian-bigtiff-planar.tif",
])("%s with damaged bytes gives pixels or a typed error, nothing else", async (name) => {
  const good = local(name);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(good.length - 1), fc.nat(255)), { minLength: 1, maxLength: 8 }),
      async (changes) => {
        const bytes = good.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          const cog = await open(bytes);
          const { width, height } = cog.levels[0]!;
          await readWindow(
            cog,
            0,
            { x: 0, y: 0, width: Math.min(width, 64), height: Math.min(height, 64) },
            { bands: [0] },
          );
        } catch (error) {
          expect(error).toBeInstanceOf(CogError);
        }
      },
    ),
    { numRuns: 150, seed: 11 },
  );
});

test.each(["deflate-uint16.tif", "jpeg-rgba.tif"])(
  "%s cut off anywhere gives pixels or a typed error",
  async (name) => {
    const good = local(name);
    for (let length = 0; length < good.length; length += 37) {
      const read = open(good.slice(0, length)).then((cog) => readWindow(cog, 0, { x: 0, y: 0, width: 37, height: 29 }));
      await expect(read.catch((error: unknown) => Promise.reject(error))).rejects.toBeInstanceOf(CogError);
    }
  },
);

describe.skipIf(fixtures === undefined)("damaged files and missing georeferences", () => {
  test("the other tiles of a file with a damaged tile are readable", async () => {
    const broken = await open(fixture("tiff/damaged/tile-past-end-of-file.tif"));
    const whole = await open(fixture("tiff/encodings/cog-jpeg-ycbcr-internal-mask.tif"));
    const left = { x: 0, y: 0, width: 512, height: 1024 };
    expect((await readWindow(broken, 0, left)).bands).toEqual((await readWindow(whole, 0, left)).bands);
    await expect(readWindow(broken, 0, { ...left, x: 512 })).rejects.toMatchObject({ code: "corrupt" });
  });

  test.each(["gcps-only.tif", "gcps-au.tif", "rotated-geotransform.tif"])(
    "%s cannot be warped and says so",
    async (name) => {
      const cog = await open(fixture(`tiff/georeferencing/${name}`));
      expect(cog.georeferenced).toBe(false);
      await expect(readGrid(cog, cog.grid)).rejects.toMatchObject({ code: "no-georeference", lasting: true });
    },
  );

  test.each(["rotated-utm11.tif", "modeltransformation-positive-dy-64band.tif", "inverted-latitude.tif"])(
    "%s, rotated or south-up, gives its own pixels on its own grid",
    async (name) => {
      const cog = await open(fixture(`tiff/georeferencing/${name}`));
      const { width, height } = cog.grid;
      const window = await readWindow(cog, 0, { x: 0, y: 0, width, height }, { bands: [0] });
      const warped = await readGrid(cog, cog.grid, { bands: [0], level: "full" });
      expect(warped!.bands[0]).toEqual(window.bands[0]);
    },
  );
});

test.each([
  { file: "not-read-lzma.tif", name: "LZMA" },
  { file: "not-read-ccitt-rle.tif", name: "CCITT RLE" },
  { file: "not-read-ccitt-g3.tif", name: "CCITT Group 3" },
  { file: "not-read-ccitt-g4.tif", name: "CCITT Group 4" },
])("$name is unsupported by name", async ({ file, name }) => {
  await expect(open(local(file))).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining(name),
  });
});

test("64-bit integers are unsupported by name", async () => {
  const tags = [...size(5, 5), [258, 3, 1, 64], [273, 4, 1, 99], [279, 4, 1, 200]] as const;
  await expect(open(tiff(tags))).rejects.toMatchObject({
    code: "unsupported",
    message: expect.stringContaining("samples of 64 bits"),
  });
});

describe("one flipped bit of a deflate block", () => {
  const bytes = local("counted-uint16.tif");
  const window = { x: 0, y: 0, width: 256, height: 256 };
  const blockOf = async (): Promise<{ offset: number; length: number }> => {
    const { fromArrayBuffer } = await import("geotiff");
    const image = await (await fromArrayBuffer(new Uint8Array(bytes).buffer)).getImage(0);
    const [offset] = (await image.fileDirectory.loadValue("TileOffsets")) as number[];
    const [length] = (await image.fileDirectory.loadValue("TileByteCounts")) as number[];
    return { offset: offset!, length: length! };
  };

  test("never gives other pixels in silence where the block is inflated whole", async () => {
    const { offset, length } = await blockOf();
    const good = (await readWindow(await open(bytes), 0, window)).bands[0]!;
    const outcomes = { right: 0, refused: 0, wrong: 0 };
    for (let i = 0; i < 300; i++) {
      const damaged = bytes.slice();
      const bit = Math.floor((i * length * 8) / 300);
      damaged[offset + (bit >> 3)]! ^= 1 << (bit & 7);
      const read = await readWindow(await open(damaged), 0, window).catch((error: unknown) => {
        expect(error).toMatchObject({ name: "CogError", code: "corrupt" });
      });
      if (read === undefined) outcomes.refused++;
      else outcomes[Buffer.compare(bytesOf(read.bands[0]!), bytesOf(good)) === 0 ? "right" : "wrong"]++;
    }
    expect(outcomes.wrong).toBe(0);
    expect(outcomes.refused).toBeGreaterThan(250);
  });
});
