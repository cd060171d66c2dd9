import type { Raster, SampleType } from "@swath/raster";
import fc from "fast-check";
import { fromArrayBuffer, type GeoTIFF, type GeoTIFFImage } from "geotiff";
import { describe, expect, test } from "vitest";
import { deflateRuns, encodeGeoTiff, type GeoTiffOptions } from "../../src/index.ts";
import { nodeDeflate } from "../../src/node.ts";
import { expectedValues, SAMPLE_TYPES, terrain } from "../rasters.ts";

async function open(bytes: Uint8Array): Promise<GeoTIFF> {
  return fromArrayBuffer(new Uint8Array(bytes).buffer);
}

async function bandsOf(image: GeoTIFFImage): Promise<number[][]> {
  const rasters = (await image.readRasters({ interleave: false })) as unknown as ArrayLike<ArrayLike<number>>;
  return Array.from(rasters, (band) => Array.from(band));
}

async function encode(raster: Raster, options: GeoTiffOptions = {}): Promise<GeoTIFF> {
  return open(await encodeGeoTiff(raster, options));
}

describe("pixels", () => {
  test.each(SAMPLE_TYPES)("%s samples come back exactly, for each interleaving", async (type) => {
    const raster = terrain(type, 70, 45, 3);
    for (const interleave of ["pixel", "band"] as const) {
      const bands = await bandsOf(await (await encode(raster, { nodata: 7, blockSize: 32, interleave })).getImage());
      expect(bands).toEqual([0, 1, 2].map((band) => expectedValues(raster, band, 7)));
    }
  });

  test.each([
    { name: "uncompressed", options: { compression: "none" as const } },
    { name: "deflated without predictor", options: { predictor: 1 as const } },
    { name: "deflated by zlib", options: { deflate: nodeDeflate, level: 6 } },
    { name: "deflated by runs", options: { deflate: deflateRuns } },
    { name: "BigTIFF", options: { bigTiff: "always" as const } },
  ])("$name files hold the same pixels", async ({ options }) => {
    const raster = terrain("int16", 130, 90, 2);
    const tiff = await encode(raster, { ...options, blockSize: 64 });
    expect(await bandsOf(await tiff.getImage())).toEqual([Array.from(raster.bands[0]!), Array.from(raster.bands[1]!)]);
  });

  test.each(["float32", "float64"] as const)("%s samples survive predictor 3", async (type) => {
    const raster = terrain(type, 50, 40, 2);
    for (const interleave of ["pixel", "band"] as const) {
      const tiff = await encode(raster, { predictor: 3, interleave, blockSize: 32 });
      expect(await bandsOf(await tiff.getImage())).toEqual([
        Array.from(raster.bands[0]!),
        Array.from(raster.bands[1]!),
      ]);
    }
  });

  test("without nodata, samples of invalid pixels are written as they are", async () => {
    const raster = terrain("uint16", 40, 40, 1);
    expect(await bandsOf(await (await encode(raster)).getImage())).toEqual([Array.from(raster.bands[0]!)]);
  });

  test("any raster comes back", async () => {
    const anyRaster = fc.record({
      type: fc.constantFrom<SampleType>(...SAMPLE_TYPES),
      width: fc.integer({ min: 1, max: 100 }),
      height: fc.integer({ min: 1, max: 100 }),
      bandCount: fc.integer({ min: 1, max: 5 }),
      seed: fc.nat(),
      interleave: fc.constantFrom("pixel" as const, "band" as const),
      blockSize: fc.constantFrom(16, 32, 48, 512),
      overviews: fc.constantFrom("auto" as const, []),
      bigTiff: fc.constantFrom("auto" as const, "always" as const),
      level: fc.integer({ min: 1, max: 9 }),
    });
    await fc.assert(
      fc.asyncProperty(anyRaster, async ({ type, width, height, bandCount, seed, ...options }) => {
        const raster = terrain(type, width, height, bandCount, seed);
        const image = await (await encode(raster, { ...options, nodata: 3 })).getImage();
        expect([image.getWidth(), image.getHeight()]).toEqual([width, height]);
        expect(await bandsOf(image)).toEqual(raster.bands.map((_, band) => expectedValues(raster, band, 3)));
      }),
      { numRuns: 60 },
    );
  });

  test("the same raster and options give the same bytes", async () => {
    const raster = terrain("float32", 300, 200, 3);
    const options = { blockSize: 64, nodata: Number.NaN, deflate: nodeDeflate } as const;
    expect(await encodeGeoTiff(raster, options)).toEqual(await encodeGeoTiff(raster, options));
  });
});

describe("structure", () => {
  test("directories go from the full size down, data from the smallest overview up", async () => {
    const bytes = await encodeGeoTiff(terrain("uint16", 300, 200, 2), { blockSize: 64 });
    const tiff = await open(bytes);
    const images = await Promise.all([0, 1, 2, 3].map((i) => tiff.getImage(i)));
    expect(await tiff.getImageCount()).toBe(4);
    expect(images.map((image) => [image.getWidth(), image.getHeight()])).toEqual([
      [300, 200],
      [150, 100],
      [75, 50],
      [38, 25],
    ]);
    expect(images.map((image) => image.fileDirectory.getValue("NewSubfileType") ?? 0)).toEqual([0, 1, 1, 1]);
    const offsets: number[][] = [];
    for (const image of images)
      offsets.push([...((await image.fileDirectory.loadValue("TileOffsets")) as ArrayLike<number> as number[])]);
    const inFileOrder = offsets.toReversed().flat();
    expect(inFileOrder).toEqual(inFileOrder.toSorted((a, b) => a - b));
  });

  test("a mask is a directory of one bit behind each size", async () => {
    const raster = terrain("uint16", 150, 90, 2);
    const expected = [0, 4, 1, 5, 1, 5];
    for (const interleave of ["pixel", "band"] as const) {
      const tiff = await encode(raster, { mask: true, blockSize: 48, interleave });
      const images = await Promise.all(expected.map((_, i) => tiff.getImage(i)));
      expect(await tiff.getImageCount()).toBe(expected.length);
      expect(images.map((image) => image.fileDirectory.getValue("NewSubfileType") ?? 0)).toEqual(expected);
      expect(await bandsOf(images[0]!)).toEqual(raster.bands.map((band) => Array.from(band)));
      expect(await bandsOf(images[1]!)).toEqual([Array.from(raster.valid)]);
      // nearest neighbour: every other pixel of even sizes
      const half = Array.from({ length: 75 * 45 }, (_, i) => raster.valid[2 * (Math.floor(i / 75) * 150 + (i % 75))]);
      expect(await bandsOf(images[3]!)).toEqual([half]);
    }
  });

  test("a mask beside a nodata value is refused", async () => {
    await expect(encodeGeoTiff(terrain("uint16", 16, 16, 1), { mask: true, nodata: 0 })).rejects.toMatchObject({
      code: "invalid-option",
    });
  });

  test("every block has its size before it and its last four bytes after it, without gaps between blocks", async () => {
    const bytes = await encodeGeoTiff(terrain("uint8", 200, 100, 3), { blockSize: 32, interleave: "band" });
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const tiff = await open(bytes);
    let total = 0;
    let first = Number.POSITIVE_INFINITY;
    for (let i = 0; i < (await tiff.getImageCount()); i++) {
      const { fileDirectory } = await tiff.getImage(i);
      const offsets = (await fileDirectory.loadValue("TileOffsets")) as ArrayLike<number>;
      const sizes = (await fileDirectory.loadValue("TileByteCounts")) as ArrayLike<number>;
      for (let block = 0; block < offsets.length; block++) {
        const offset = Number(offsets[block]);
        const size = Number(sizes[block]);
        expect(view.getUint32(offset - 4, true)).toBe(size);
        expect(bytes.slice(offset + size, offset + size + 4)).toEqual(bytes.slice(offset + size - 4, offset + size));
        total += size + 8;
        first = Math.min(first, offset - 4);
      }
    }
    expect(first + total).toBe(bytes.length);
  });

  test("the structural metadata are those of GDAL's COG driver", async () => {
    const bytes = await encodeGeoTiff(terrain("uint8", 20, 20, 1));
    const text = new TextDecoder().decode(bytes.subarray(8, 191));
    expect(text).toBe(
      "GDAL_STRUCTURAL_METADATA_SIZE=000140 bytes\nLAYOUT=IFDS_BEFORE_DATA\nBLOCK_ORDER=ROW_MAJOR\n" +
        "BLOCK_LEADER=SIZE_AS_UINT4\nBLOCK_TRAILER=LAST_4_BYTES_REPEATED\nKNOWN_INCOMPATIBLE_EDITION=NO\n ",
    );
    expect(new DataView(bytes.buffer).getUint32(4, true)).toBe(192);
  });

  test("three bands of uint8 are RGB, anything else is grey with more samples", async () => {
    const rgb = await (await encode(terrain("uint8", 20, 20, 3))).getImage();
    const other = await (await encode(terrain("uint16", 20, 20, 3))).getImage();
    expect(rgb.fileDirectory.getValue("PhotometricInterpretation")).toBe(2);
    expect(rgb.fileDirectory.hasTag("ExtraSamples")).toBe(false);
    expect(other.fileDirectory.getValue("PhotometricInterpretation")).toBe(1);
    expect(Array.from(other.fileDirectory.getValue("ExtraSamples") as ArrayLike<number>)).toEqual([0, 0]);
  });

  test("a small image gets small blocks, and overviews may have blocks of their own size", async () => {
    const small = await (await encode(terrain("uint8", 20, 5, 1))).getImage();
    expect([small.getTileWidth(), small.getTileHeight()]).toEqual([32, 16]);
    const tiff = await encode(terrain("uint8", 300, 300, 1), { blockSize: 128, overviewBlockSize: 64 });
    expect((await tiff.getImage(0)).getTileWidth()).toBe(128);
    expect((await tiff.getImage(1)).getTileWidth()).toBe(64);
  });

  test("with sparse, blocks of nodata alone take no space", async () => {
    const raster = terrain("uint8", 64, 64, 1);
    raster.valid.fill(0);
    raster.valid.fill(1, 0, 10);
    const sparse = await (await encode(raster, { nodata: 0, blockSize: 32, overviews: [], sparse: true })).getImage();
    const offsets = (await sparse.fileDirectory.loadValue("TileOffsets")) as ArrayLike<number>;
    expect(Array.from(offsets, (offset) => Number(offset) === 0)).toEqual([false, true, true, true]);
  });
});

test.each([
  { name: "a block size of 100", options: { blockSize: 100 }, code: "invalid-option" },
  { name: "nodata -1 in uint8", options: { nodata: -1 }, code: "invalid-option" },
  { name: "nodata 1.5 in uint8", options: { nodata: 1.5 }, code: "invalid-option" },
  { name: "predictor 3 for integers", options: { predictor: 3 as const }, code: "invalid-option" },
  {
    name: "a predictor without compression",
    options: { predictor: 2 as const, compression: "none" as const },
    code: "invalid-option",
  },
  { name: "sparse without nodata", options: { sparse: true }, code: "invalid-option" },
  { name: "names for too few bands", options: { bands: [] }, code: "invalid-option" },
  { name: "an overview of factor 3", options: { overviews: [3] }, code: "invalid-option" },
  { name: "overviews that go up", options: { overviews: [4, 2] }, code: "invalid-option" },
  { name: "an overview far below one pixel", options: { overviews: [2, 64] }, code: "invalid-option" },
  { name: "level 0", options: { level: 0 }, code: "invalid-option" },
])("$name is refused", async ({ options, code }) => {
  await expect(encodeGeoTiff(terrain("uint8", 20, 20, 1), options)).rejects.toMatchObject({
    name: "EncodeError",
    code,
  });
});

test("rasters that do not fit together are refused", async () => {
  const raster = terrain("uint8", 20, 20, 2);
  const cases: Raster[] = [
    { ...raster, bands: [] },
    { ...raster, valid: new Uint8Array(3) },
    { ...raster, bands: [raster.bands[0]!, new Uint8Array(3)] },
    { ...raster, bands: [raster.bands[0]!, new Float32Array(400)] },
  ];
  for (const broken of cases) await expect(encodeGeoTiff(broken)).rejects.toMatchObject({ code: "invalid-raster" });
});
