import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crsFromProj4, type Raster, resolveCrs } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../../../test/tools/searches.ts";
import {
  deflateRuns,
  encodeGeoTiff,
  type GeoTiffOptions,
  joinGeoTiffParts,
  makeBlock,
  memorySink,
  planGeoTiffParts,
  writeGeoTiffPart,
} from "../../src/index.ts";
import { fileSink, fileSpool, nodeDeflate } from "../../src/node.ts";
import { gdalInfo, gdalPixels, hasGdal, validateCog } from "../gdal.ts";
import { SAMPLE_TYPES, terrain } from "../rasters.ts";
import { madeOf } from "../tasks.ts";

let directory: string;
let count = 0;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "swath-encode-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

async function file(raster: Raster, options: GeoTiffOptions = {}): Promise<string> {
  const path = join(directory, `${count++}.tif`);
  await writeFile(path, await encodeGeoTiff(raster, { deflate: nodeDeflate, ...options }));
  return path;
}

/** The bytes of all bands, one after the other, with nodata in place of invalid pixels. */
function bytesOf(raster: Raster, nodata?: number): Uint8Array {
  const parts = raster.bands.map((band) => {
    const copy = band.slice();
    if (nodata !== undefined) for (let i = 0; i < copy.length; i++) if (raster.valid[i] === 0) copy[i] = nodata;
    return new Uint8Array(copy.buffer, copy.byteOffset, copy.byteLength);
  });
  return new Uint8Array(Buffer.concat(parts));
}

describe.skipIf(!hasGdal)("GDAL", () => {
  const layouts = SAMPLE_TYPES.flatMap((type) =>
    [
      { width: 1, height: 1, bandCount: 1 },
      { width: 611, height: 523, bandCount: type === "uint8" ? 3 : 4 },
    ].flatMap((size) => (["pixel", "band"] as const).map((interleave) => ({ type, interleave, ...size }))),
  );
  const classesOf = ({ type, interleave, width }: (typeof layouts)[number]): string[] =>
    width === 1 ? [`one pixel by ${interleave}`] : [type, `${type.replace(/\d+/, "")} by ${interleave}`];

  test.each(sampleOf(layouts, classesOf))(
    "finds a valid COG in $width × $height × $bandCount $type by $interleave, and the same pixels",
    { tags: ["X27"] },
    async (layout) => {
      const raster = terrain(layout.type, layout.width, layout.height, layout.bandCount);
      const path = await file(raster, { nodata: 7, blockSize: 128, interleave: layout.interleave });
      expect(await validateCog(path)).toBe("");
      const expected = bytesOf(raster, 7);
      const pixels = await gdalPixels(path);
      expect(pixels.length).toBeLessThanOrEqual(Math.max(2, expected.length)); // the raw file has at least two bytes
      expect(Buffer.compare(pixels.subarray(0, expected.length), expected)).toBe(0);
    },
  );

  test.each([
    { name: "predictor 3", options: { predictor: 3 as const } },
    { name: "NaN as nodata", options: { nodata: Number.NaN } },
    { name: "no compression", options: { compression: "none" as const } },
    { name: "BigTIFF", options: { bigTiff: "always" as const } },
    { name: "level 9", options: { level: 9 } },
  ])("reads float32 with $name", async ({ options }) => {
    const raster = terrain("float32", 300, 170, 3);
    const path = await file(raster, { blockSize: 64, ...options });
    expect(await validateCog(path)).toBe("");
    expect(Buffer.compare(await gdalPixels(path), bytesOf(raster, options.nodata))).toBe(0);
  });

  test.each([
    { interleave: "pixel" as const },
    { interleave: "band" as const },
    { compression: "none" as const },
    { bigTiff: "always" as const },
  ])("reads an internal mask, by %o, and finds the COG valid", async (layout) => {
    const raster = terrain("uint16", 611, 523, 3);
    const path = await file(raster, { mask: true, blockSize: 128, ...layout });
    expect(await validateCog(path)).toBe("");
    const { bands } = await gdalInfo(path);
    expect(bands.map(({ mask }) => mask?.flags)).toEqual([["PER_DATASET"], ["PER_DATASET"], ["PER_DATASET"]]);
    const mask = raster.valid.map((flag) => 255 * flag);
    expect(Buffer.compare(await gdalPixels(path, undefined, "mask"), mask)).toBe(0);
    expect(new Set(await gdalPixels(path, 0, "mask"))).toEqual(new Set([0, 255]));
    expect(Buffer.compare(await gdalPixels(path), bytesOf(raster))).toBe(0);
  });

  test("finds a valid COG in a file joined of parts, and the same pixels", async () => {
    const raster = terrain("uint16", 611, 523, 3);
    const shape = { grid: raster.grid, sampleType: "uint16", bandCount: 3 } as const;
    const options = { nodata: 7, blockSize: 64, overviewResampling: "average" } as const;
    const parts = await Promise.all(
      planGeoTiffParts(shape, options, 611 * 128).map(async (rows) => {
        const sink = memorySink();
        const part = await writeGeoTiffPart(shape, rows, sink, options, async (task) => madeOf(raster, task));
        const read = async (position: number, into: Uint8Array): Promise<void> =>
          into.set(sink.bytes().subarray(position, position + into.length));
        return { part, read };
      }),
    );
    expect(parts).toHaveLength(4);
    const path = join(directory, "joined.tif");
    await joinGeoTiffParts(
      shape,
      await fileSink(path),
      { ...options, spool: fileSpool(directory) },
      parts,
      async (task) => makeBlock(task, undefined),
    );
    expect(await validateCog(path)).toBe("");
    expect(Buffer.compare(await gdalPixels(path), bytesOf(raster, 7))).toBe(0);
    const whole = await file(raster, { ...options, deflate: deflateRuns });
    expect(Buffer.compare(await readFile(path), await readFile(whole))).toBe(0);
  });

  test("reads sparse blocks as nodata, and finds the COG valid", async () => {
    const raster = terrain("int16", 300, 300, 2);
    raster.valid.fill(0);
    raster.valid.fill(1, 300 * 130, 300 * 140);
    const path = await file(raster, { nodata: -9999, sparse: true, blockSize: 64 });
    expect(await validateCog(path)).toBe("");
    expect(Buffer.compare(await gdalPixels(path), bytesOf(raster, -9999))).toBe(0);
  });

  test("shows names, scales, offsets, units, nodata, metadata and layout", { tags: ["X28"] }, async () => {
    const path = await file(terrain("uint16", 700, 600, 2), {
      nodata: 0,
      bands: [{ name: 'B04 <red> & "more"', scale: 0.0001, offset: -0.1, unit: "1" }, { name: "B08" }],
      metadata: { ids: "S2A_1,S2B_2", attribution: "a&b <c> \"d\" 'e' é 漢 \n next line &amp; \u0001" },
    });
    const info = await gdalInfo(path);
    expect(info.metadata[""]).toEqual({
      AREA_OR_POINT: "Area",
      ids: "S2A_1,S2B_2",
      attribution: "a&b <c> \"d\" 'e' é 漢 \n next line &amp; \uFFFD",
    });
    expect(info.metadata.IMAGE_STRUCTURE).toMatchObject({ LAYOUT: "COG", COMPRESSION: "DEFLATE", PREDICTOR: "2" });
    expect(info.geoTransform).toEqual([499980, 10, 0, 5000040, 0, -10]);
    expect(info.bands[0]).toMatchObject({
      block: [512, 512],
      description: 'B04 <red> & "more"',
      noDataValue: 0,
      scale: 0.0001,
      offset: -0.1,
      unit: "1",
      overviews: [{ size: [350, 300] }],
    });
    expect(info.bands[1]).toMatchObject({ description: "B08", noDataValue: 0 });
    expect(info.bands[1]?.scale ?? 1).toBe(1);
  });

  test("writes items of metadata as GDAL does, to the byte", async () => {
    const { execFileSync } = await import("node:child_process");
    const value = `x & y < z > "q" 's' &amp; &lt; é`;
    const item = async (path: string): Promise<string | undefined> =>
      /<Item name="a&amp;b".*<\/Item>/.exec((await readFile(path)).toString("utf8"))?.[0];
    const ours = await file(terrain("uint8", 16, 16, 1), { metadata: { "a&b": value } });
    const plain = await file(terrain("uint8", 16, 16, 1));
    const theirs = join(directory, "theirs.tif");
    execFileSync("gdal_translate", ["-q", "-mo", `a&b=${value}`, plain, theirs]);
    expect(await item(ours)).toContain("&amp;amp;lt;");
    expect(await item(ours)).toBe(await item(theirs));
  });

  test.each([
    { name: "-9999", type: "int16" as const, nodata: -9999, shown: -9999 },
    { name: "NaN", type: "float32" as const, nodata: Number.NaN, shown: "NaN" },
    {
      name: "the lowest float",
      type: "float32" as const,
      nodata: -3.4028234663852886e38,
      shown: -3.4028234663852886e38,
    },
    { name: "0.1", type: "float64" as const, nodata: 0.1, shown: 0.1 },
  ])("shows nodata $name", async ({ type, nodata, shown }) => {
    const found = (await gdalInfo(await file(terrain(type, 8, 8, 1), { nodata }))).bands[0]?.noDataValue;
    // gdalinfo prints the digits that distinguish one float32 from another
    expect(typeof found === "number" && type === "float32" ? Math.fround(found) : found).toEqual(shown);
  });

  test("averages as its own overviews do, of valid pixels only", async () => {
    const raster = terrain("float32", 256, 256, 1);
    const path = await file(raster, { nodata: -1, blockSize: 64, overviews: [2], overviewResampling: "average" });
    const bytes = await gdalPixels(path, 0);
    const ours = new Float32Array(bytes.buffer, 0, 128 * 128);
    const plain = await file(raster, { nodata: -1, blockSize: 64, overviews: [] });
    const { execFileSync } = await import("node:child_process");
    execFileSync("gdaladdo", ["-q", "-r", "average", plain, "2"]);
    const theirs = new Float32Array((await gdalPixels(plain, 0)).buffer, 0, 128 * 128);
    let largest = 0;
    for (let i = 0; i < ours.length; i++) largest = Math.max(largest, Math.abs(ours[i]! - theirs[i]!));
    expect(largest).toBeLessThan(1e-6);
  });

  test.each([
    ["EPSG:32633", 32633],
    ["EPSG:32733", 32733],
    ["EPSG:4326", 4326],
    ["EPSG:3857", 3857],
    ["EPSG:3035", 3035],
  ])("knows %s by its code", async (name, code) => {
    const raster = terrain("uint8", 16, 16, 1);
    const path = await file({ ...raster, grid: { ...raster.grid, crs: resolveCrs(name) } });
    expect((await gdalInfo(path)).coordinateSystem.wkt).toMatch(new RegExp(`ID\\["EPSG",${code}\\]\\]$`));
  });

  const projections = [
    "+proj=sinu +lon_0=0 +x_0=0 +y_0=0 +R=6371007.181 +units=m +no_defs",
    "+proj=stere +lat_0=-90 +lat_ts=-71 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=laea +lat_0=52 +lon_0=10 +x_0=4321000 +y_0=3210000 +ellps=GRS80 +units=m +no_defs",
    "+proj=aea +lat_0=23 +lon_0=-96 +lat_1=29.5 +lat_2=45.5 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=lcc +lat_0=33 +lon_0=-94 +lat_1=45 +lat_2=30 +x_0=1000 +y_0=2000 +datum=NAD83 +units=us-ft +no_defs",
    "+proj=lcc +lat_1=46.5 +lat_0=46.5 +lon_0=0 +k_0=0.99987742 +x_0=600000 +y_0=2200000 +datum=WGS84 +units=m +no_defs",
    "+proj=tmerc +lat_0=49 +lon_0=-2 +k=0.9996012717 +x_0=400000 +y_0=-100000 +ellps=airy +units=m +no_defs",
    "+proj=utm +zone=18 +south +datum=WGS84 +units=m +no_defs",
    "+proj=merc +lat_ts=-41 +lon_0=100 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=eqc +lat_ts=30 +lat_0=0 +lon_0=20 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=cea +lat_ts=30 +lon_0=0 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=poly +lat_0=0 +lon_0=-54 +x_0=5000000 +y_0=10000000 +ellps=GRS80 +units=m +no_defs",
    "+proj=aeqd +lat_0=40 +lon_0=-100 +x_0=0 +y_0=0 +datum=WGS84 +units=m +no_defs",
    "+proj=eqdc +lat_0=39 +lon_0=-96 +lat_1=33 +lat_2=45 +x_0=0 +y_0=0 +datum=NAD83 +units=m +no_defs",
    "+proj=longlat +a=6378137 +rf=298.257 +no_defs",
    "+proj=longlat +ellps=bessel +no_defs",
  ];
  // a GeoKey is of a projection, of what stands in its definition, or of a unit
  test.each(sampleOf(projections, (text) => text.match(/proj=\w+|(ellps|datum|units)=\w+|\+(?:R|a|south)\b/g) ?? []))(
    "puts the same points on Earth by the GeoKeys of %s",
    async (definition) => {
      const { execFileSync } = await import("node:child_process");
      const crs = crsFromProj4(definition);
      const raster = terrain("uint8", 16, 16, 1);
      const transform = crs.geographic ? ([0.1, 0, 10, 0, -0.1, 50] as const) : raster.grid.transform;
      const path = await file({ ...raster, grid: { ...raster.grid, crs, transform } });
      const { wkt } = (await gdalInfo(path)).coordinateSystem;
      const origin = (name: string): number => Number(definition.match(new RegExp(`\\+${name}=([-\\d.]+)`))?.[1] ?? 0);
      const [x, y] = [origin("x_0"), origin("y_0")];
      const points = `${x + 200000} ${y + 300000}\n${x - 100000} ${y + 50000}\n`;
      const ground = (system: string): number[] =>
        execFileSync("gdaltransform", ["-s_srs", system, "-t_srs", "EPSG:4326", "-output_xy"], {
          input: crs.geographic ? "10 50\n11 49\n" : points,
        })
          .toString()
          .trim()
          .split(/\s+/)
          .map(Number);
      const [ours, expected] = [ground(wkt), ground(definition)];
      for (const [i, value] of expected.entries()) expect(ours[i]).toBeCloseTo(value, 8);
      expect(expected.every(Number.isFinite)).toBe(true);
    },
  );

  test("reads a rotated and a south-up transform", async () => {
    const raster = terrain("uint8", 16, 16, 1);
    for (const transform of [
      [8, 3, 500000, 2, -9, 5000000],
      [10, 0, 500000, 0, 10, 5000000],
    ] as const) {
      const [a, b, c, d, e, f] = transform;
      const info = await gdalInfo(await file({ ...raster, grid: { ...raster.grid, transform } }));
      expect(info.geoTransform).toEqual([c, a, b, f, d, e]);
    }
  });
});

test.each([
  "+proj=moll +lon_0=0 +datum=WGS84",
  "+proj=geos +h=35785831 +lon_0=0 +ellps=GRS80",
  "+proj=longlat +ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7",
  "+proj=stere +lat_0=40 +lon_0=0 +datum=WGS84",
])("%s is refused: GeoKeys cannot express it", async (definition) => {
  const raster = terrain("uint8", 16, 16, 1);
  const crs = { name: `proj4:${definition}`, proj4: definition, geographic: false };
  await expect(encodeGeoTiff({ ...raster, grid: { ...raster.grid, crs } })).rejects.toMatchObject({
    code: "unsupported-crs",
  });
});
