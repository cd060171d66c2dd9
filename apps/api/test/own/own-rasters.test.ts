import { mkdir, mkdtemp, readFile, realpath, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { archiveLines } from "@swath/archive";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { validateCog } from "@swath/cog/validate";
import { encodeGeoTiff, type GeoTiffOptions } from "@swath/encode";
import { gridFromBounds, resolveCrs, type Samples } from "@swath/raster";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { pixelsOf } from "../tools/images.ts";
import { type OwnService, serviceOf } from "./own-folder.ts";

const SIZE = 64;
const UTM = "http://www.opengis.net/def/crs/EPSG/0/32633";
const COUNT = SIZE * SIZE;

let work: string;
let folder: string;
let own: OwnService | undefined;
beforeEach(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), "swath-rasters-")));
  folder = join(work, "files");
});
afterEach(async () => {
  own?.archive.close();
  own = undefined;
  await rm(work, { recursive: true, force: true });
});

/** Writes a square file of pixels of `metres` in UTM zone 33. */
async function write(
  path: string,
  bands: readonly Samples[],
  metres = 10,
  options: GeoTiffOptions = {},
  valid = new Uint8Array(bands[0]?.length ?? 0).fill(1),
): Promise<void> {
  const count = bands[0]?.length ?? 0;
  const size = Math.sqrt(count);
  const [x, y, edge] = [500_000, 5_000_000, size * metres];
  const grid = gridFromBounds(resolveCrs("EPSG:32633"), [x, y - edge, x + edge, y], size, size);
  const full = join(folder, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, await encodeGeoTiff({ grid, bands, valid }, options));
  await utimes(full, 1_700_000_000, 1_700_000_000);
}

const floats = (value: (i: number) => number): Float32Array => Float32Array.from({ length: COUNT }, (_, i) => value(i));
const bytes = (value: number): Uint8Array => new Uint8Array(COUNT).fill(value);
async function json(path: string) {
  own ??= await serviceOf(folder, join(work, "data"));
  const response = await own.service.get(path);
  expect(response.status, await response.clone().text()).toBe(200);
  return response.json();
}

describe("a folder of files that nothing describes", () => {
  test("draws one band between the percentiles of its values, with the file's unit", async () => {
    // 0 to 100 m, and a few wrong heights and gaps
    const heights = floats((i) => (i < 10 ? 9000 : i < 20 ? -32_768 : (100 * i) / COUNT));
    await write("dem/dem_2019-05-01.tif", [heights], 10, { nodata: -32_768, bands: [{ unit: "metre" }] });
    const { presets } = await json("/v1/presets");
    expect(presets.map(({ id }: { id: string }) => id)).toEqual(["stored-values"]);
    const { range, unit, collection } = await json("/v1/presets/stored-values/legend.json");
    expect({ unit, collection }).toEqual({ unit: "m", collection: "dem" });
    expect(range[0]).toBeCloseTo(2, 0);
    expect(range[1]).toBeCloseTo(98, 0);
    const { pixels } = await centreOf("stored-values");
    expect(pixels.some((grey) => grey > 100 && grey < 160)).toBe(true);
  });

  test("draws three bands of bytes as colours, and of others the first band", async () => {
    await write("rgb/2024-05-01.tif", [bytes(10), bytes(20), bytes(30)]);
    await write("many/2024-05-01.tif", [floats(() => 5), floats((i) => i), floats(() => 1), floats(() => 2)]);
    const { presets } = await json("/v1/presets");
    expect(presets).toMatchObject([
      { id: "true-color", collections: ["rgb"], "svc:recipes": { rgb: { rescale: [0, 255] } } },
      { id: "stored-values", collections: ["many"], "svc:recipes": { many: { rescale: [4.5, 5.5] } } },
    ]);
  });

  test.each([
    ["uint16", Uint16Array, 3],
    ["int16", Int16Array, 4],
    ["float32", Float32Array, 4],
  ])("draws red, green and blue of %s between the percentiles of all three", async (_type, Type, count) => {
    // without data in one band alone, which is no value of it
    const of = (value: (i: number) => number): Samples => new Type(COUNT).map((_, i) => value(i));
    const colors = [of((i) => 1000 + (i % 1000)), of((i) => (i < 400 ? 0 : 2000)), of(() => 3000)];
    const bands = count === 4 ? [...colors, of(() => 9000)] : colors;
    await write("rgb/2024-05-01.tif", bands, 10, { nodata: 0 });
    await sayRgb(join(folder, "rgb/2024-05-01.tif"));
    const { presets } = await json("/v1/presets");
    expect(presets.map(({ id }: { id: string }) => id)).toEqual(["true-color"]);
    const [low, high] = presets[0]["svc:recipes"].rgb.rescale;
    expect(low).toBeGreaterThan(1040);
    expect(low).toBeLessThan(1080);
    expect(high).toBe(3000);
    const drawn = await centreOf("true-color");
    const channels = drawn.colors.map((color) => color.split(",").map(Number));
    expect(channels.every(([, , blue]) => blue === 255)).toBe(true);
    expect(channels.some(([red = 0, green = 0]) => red > 50 && Math.abs(green - 123) <= 2)).toBe(true);
  });

  test("draws and computes expressions of one's own, between percentiles of what they give of its values", async () => {
    // (nir - red) / (nir + red) from 0 to 0.33
    const bands = [floats((i) => 100 + (i % 100)), floats(() => 100)];
    await write("field/2024-05-01.tif", bands, 10, { bands: [{ name: "nir" }, { name: "red" }] });
    const expression = "(nir - red) / (nir + red)";
    const query = `?${new URLSearchParams({ collection: "field", expression })}`;
    const { range } = await json(`/v1/presets/custom/legend.json${query}`);
    expect(range[0]).toBeCloseTo(0.01, 1);
    expect(range[1]).toBeCloseTo(0.32, 1);
    const { pixels } = await centreOf("custom", `${query}&rescale=0,0.5`);
    const highest = (255 * (99 / 299)) / 0.5;
    expect(Math.max(...pixels)).toBeLessThanOrEqual(highest);
    expect(Math.max(...pixels)).toBeGreaterThan(highest - 10);
    expect((await centreOf("custom", query)).pixels.some((grey) => grey > 120 && grey < 140)).toBe(true);
    const style = new URLSearchParams({ preset: "custom", expression });
    const preview = `/v1/collections/field/items/field_2024-05-01/preview.png?${style}`;
    expect((await own!.service.get(preview)).status).toBe(200);

    const bounds = { bbox: [500_000, 4_999_360, 500_640, 5_000_000], properties: { crs: UTM } };
    const data = [{ type: "field" }];
    const dates = { from: "2024-05-01T00:00:00Z", to: "2024-05-02T00:00:00Z" };
    const statistics = await own!.service.post("/v1/statistics", {
      input: { bounds, data },
      aggregation: { timeRange: dates, resx: 10, resy: 10 },
      expression,
    });
    const { data: rows } = await statistics.json();
    expect(rows[0].outputs.expression.stats.max).toBeCloseTo(99 / 299, 6);
    const file = await own!.service.post("/v1/process", {
      input: { bounds, data: [{ type: "field", dataFilter: { timeRange: dates } }] },
      output: { width: SIZE, height: SIZE, crs: UTM },
      expression: "nir * 2",
    });
    expect(file.status, file.status === 200 ? "" : await file.clone().text()).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await file.arrayBuffer())));
    const { bands: computed } = await readWindow(cog, 0, { x: 0, y: 0, width: SIZE, height: 1 });
    expect([...computed[0]!]).toEqual(Array.from({ length: SIZE }, (_, i) => 2 * (100 + i)));
  });

  test.each([
    [1, 18],
    [10, 14],
    [0.001, 24],
  ])("of pixels of %d m has tiles up to zoom %d, and of all its time", async (metres, maxzoom) => {
    await write("rgb/2011-05-01.tif", [bytes(10), bytes(20), bytes(30)], metres);
    const { minzoom, maxzoom: deepest, bounds } = await json("/v1/tiles/true-color/WebMercatorQuad/tilejson.json");
    expect([minzoom, deepest]).toEqual([0, maxzoom]);
    expect(bounds[0]).toBeCloseTo(15, 4);
    const wmts = await (await own!.service.get("/v1/wmts/WMTSCapabilities.xml")).text();
    expect(wmts).toContain("<Default>2011-05-01T00:00:00Z/..</Default>");
    const { colors } = await centreOf("true-color");
    expect(colors).toContain("10,20,30");
  });

  test.each([
    ["with overviews from zoom 0 on", "auto", 0],
    ["without any from the zoom whose tiles read no more than 4096 x 4096 pixels of it", [], 10],
  ] as const)("of a large file has tiles %s", async (_title, overviews, expected) => {
    await write("dem/2024-05-01.tif", [new Uint8Array(4100 * 4100).fill(7)], 10, { overviews });
    const { minzoom } = await json("/v1/tiles/stored-values/WebMercatorQuad/tilejson.json");
    expect(minzoom).toBe(expected);
    const wmts = await (await own!.service.get("/v1/wmts/WMTSCapabilities.xml")).text();
    expect(/<TileMatrixLimits><TileMatrix>(\d+)</.exec(wmts.replace(/\s+</g, "<"))?.[1]).toBe(String(expected));
    const { status } = await own!.service.get("/v1/tiles/stored-values/WebMercatorQuad/9/277/182.png");
    expect(status).toBe(expected === 0 ? 200 : 400);
    await centreOf("stored-values");
  });

  test("draws and lists the collection with the newest file first", async () => {
    await write("dem/dem_2019.tif", [floats((i) => i)]);
    await write("height/height_2023-04-01.tif", [floats((i) => i)]);
    await write("slope/slope_2020.tif", [floats((i) => i)]);
    const { presets } = await json("/v1/presets");
    expect(presets).toMatchObject([{ collection: "height", collections: ["height", "slope", "dem"] }]);
    expect(await json("/v1/presets/stored-values/legend.json")).toMatchObject({ collection: "height" });
    const { collections } = await json("/v1/collections");
    expect(collections.map(({ id }: { id: string }) => id)).toEqual(["height", "slope", "dem"]);
  });

  test("is dated by names and years, and says what has no date", async () => {
    await write("dem/dem_2019.tif", [floats((i) => i)]);
    await write("dem/dem_17.05.2024.tif", [floats((i) => i)]);
    await write("dem/dem.tif", [floats((i) => i)]);
    const { features } = await json("/v1/search?datetime=2019-07-01/2019-07-02");
    expect(features).toMatchObject([
      {
        id: "dem_dem_2019",
        properties: {
          datetime: null,
          start_datetime: "2019-01-01T00:00:00Z",
          end_datetime: "2019-12-31T23:59:59Z",
        },
      },
    ]);
    expect((await json("/v1/search?datetime=2024-05-17")).features).toHaveLength(1);
    expect((await json("/v1/search?datetime=2023-11-14")).features).toHaveLength(1);
    expect(own?.archive.first).toMatchObject({
      refused: [],
      remarks: [expect.stringMatching(/^"dem\/dem.tif": neither its name nor the file has a date/)],
    });
    // also of files whose headers are known
    expect((await own?.archive.scan())?.remarks).toHaveLength(1);
  });

  test("notes files that are bands of one scene, which images would show over each other", async () => {
    const small = new Float32Array(COUNT / 4).fill(1);
    await write("s2/2024-05-01_B04.tif", [floats(() => 1)]);
    await write("s2/2024-05-01_B11.tif", [small], 20);
    await write("s2/2024-05-01_B12.tif", [small], 20);
    await write("s2/2024-05-02_B04.tif", [floats(() => 1)]);
    // of another extent, and of a folder of its own
    await write("mixed/2024-05-01_red.tif", [floats(() => 1)]);
    await write("mixed/2024-05-01_nir.tif", [small]);
    await write("B04/2024-05-01.tif", [floats(() => 1)]);
    await write("B08/2024-05-01.tif", [floats(() => 1)]);
    await json("/v1/collections");
    const [note, ...others] = archiveLines(own!.archive).filter((line) => line.startsWith("note:"));
    expect(note).toMatch(
      /^note: "s2\/2024-05-01_B11.tif": its name differs from "s2\/2024-05-01_B04.tif" by the band, .*own-archive\.md/,
    );
    expect(others).toEqual([]);
  });

  test("says why a file has no place on the ground", async () => {
    await write("dem/dem_2019.tif", [floats((i) => i)]);
    const file = join(folder, "dem/dem_2019.tif");
    const bytes = await readFile(file);
    const degrees = [1024, 1, 1024, 2] as const;
    await writeFile(join(folder, "dem/model_2019.tif"), withKeys(bytes, [degrees]));
    await writeFile(join(folder, "dem/grads_2019.tif"), withKeys(bytes, [degrees, [3072, 32_633, 2048, 4807]]));
    await json("/v1/collections");
    const lines = archiveLines(own!.archive).join("\n");
    expect(lines).toMatch(
      /^not served: "dem\/model_2019.tif": .* coordinates are degrees, and names the projected CRS EPSG:32633/m,
    );
    expect(lines).toMatch(/^not served: "dem\/grads_2019.tif": .* EPSG:4807 /m);
  });

  test("takes the time of a collection document for files without a date", async () => {
    await write("dem/dem.tif", [floats((i) => i)]);
    const extent = { temporal: { interval: [["2015-06-01T00:00:00Z", "2016-06-01T00:00:00Z"]] } };
    await writeFile(join(folder, "dem/collection.json"), JSON.stringify({ type: "Collection", extent, links: [] }));
    const { features } = await json("/v1/search?datetime=2016-01-01");
    expect(features).toHaveLength(1);
    expect(own?.archive.first.remarks).toEqual([]);
    // a stretch of time counts from its start to its end
    const { extent: whole } = await json("/v1/collections/dem");
    expect(whole.temporal.interval).toEqual([["2015-06-01T00:00:00.000Z", "2016-06-01T00:00:00.000Z"]]);
  });
});

/** Writes into a little-endian TIFF that its first three bands are red, green and blue. */
async function sayRgb(path: string): Promise<void> {
  const tiff = await readFile(path);
  const at = tiff.indexOf(Buffer.from(Uint16Array.of(262, 3, 1, 0, 1).buffer));
  expect(at).toBeGreaterThan(0);
  tiff.writeUInt16LE(2, at + 8);
  await writeFile(path, tiff);
}

describe("an extraction of files that have a mask and no nodata value", () => {
  const whole = { x: 0, y: 0, width: SIZE, height: SIZE };
  /** Every value that 16 bits hold is data: 0 too. */
  const samples = Uint16Array.from({ length: COUNT }, (_, i) => (i * 16) % 65_536);
  const isData = (x: number, y: number): boolean => x < 20 || (x + y) % 3 > 0;
  const input = Uint8Array.from({ length: COUNT }, (_, i) => Number(isData(i % SIZE, Math.floor(i / SIZE))));
  const [west, south, east, north] = [500_000, 5_000_000 - 10 * SIZE, 500_000 + 10 * SIZE, 5_000_000];
  const SOUTH_HALF = [
    [west, south],
    [east, south],
    [east, south + 320],
    [west, south + 320],
    [west, south],
  ];

  test.each([
    [{ bbox: [west, south, east, north] }, () => true],
    [{ geometry: { type: "Polygon", coordinates: [SOUTH_HALF] } }, (y: number) => y >= 32],
  ])("of %j has a mask that leaves out what theirs leave out", async (where, isInside) => {
    await write("dem/dem_2019-05-01.tif", [samples], 10, { mask: true }, input);
    own = await serviceOf(folder, join(work, "data"));
    const crs = "EPSG:32633";
    const response = await own.service.post("/v1/process", {
      input: {
        bounds: { ...where, properties: { crs } },
        data: [
          {
            type: "dem",
            dataFilter: { timeRange: { from: "2019-05-01T00:00:00Z", to: "2019-05-02T00:00:00Z" } },
            processing: { units: "DN" },
          },
        ],
      },
      bands: ["b1"],
      output: { resx: 10, resy: 10, crs },
    });
    expect(response.status, await response.clone().text()).toBe(200);
    const source = memorySource(new Uint8Array(await response.arrayBuffer()));
    expect((await validateCog(source)).filter(({ severity }) => severity === "error")).toEqual([]);
    const cog = await openCog(source);
    expect([cog.sampleType, cog.nodata, cog.mask]).toEqual(["uint16", undefined, "mask"]);
    const first = SIZE - cog.grid.height;
    const found = await readWindow(cog, 0, { ...whole, height: cog.grid.height });
    const at = (i: number) => i + first * SIZE;
    const expected = found.valid.map((_, i) => (isInside(Math.floor(at(i) / SIZE)) ? (input[at(i)] ?? 0) : 0));
    expect([...found.valid]).toEqual([...expected]);
    const shown = [...found.bands[0]!].map((value, i) => (expected[i] === 1 ? value : -1));
    expect(shown).toEqual([...expected].map((flag, i) => (flag === 1 ? samples[at(i)] : -1)));
  });
});

/** A copy of a little-endian TIFF in which GeoKeys with these values are others. */
function withKeys(
  tiff: Buffer,
  changes: readonly (readonly [key: number, value: number, otherKey: number, otherValue: number])[],
): Buffer {
  const copy = Buffer.from(tiff);
  for (const [key, value, otherKey, otherValue] of changes) {
    const at = copy.indexOf(Buffer.from(Uint16Array.of(key, 0, 1, value).buffer));
    expect(at).toBeGreaterThan(0);
    copy.writeUInt16LE(otherKey, at);
    copy.writeUInt16LE(otherValue, at + 6);
  }
  return copy;
}

/** The tile at the centre that TileJSON names: its distinct colours, and its first channel. */
async function centreOf(preset: string, query = ""): Promise<{ colors: readonly string[]; pixels: readonly number[] }> {
  const { tiles, center, maxzoom } = await json(`/v1/tiles/${preset}/WebMercatorQuad/tilejson.json${query}`);
  const [lon, lat, opening] = center;
  expect(opening).toBeLessThanOrEqual(maxzoom);
  const count = 2 ** opening;
  const x = Math.floor(((lon + 180) / 360) * count);
  const y = Math.floor(((1 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / Math.PI) / 2) * count);
  const address = tiles[0].replace("{z}", opening).replace("{x}", x).replace("{y}", y);
  const tile = await own!.service.get(new URL(address).pathname + new URL(address).search);
  expect(tile.status, await tile.clone().text()).toBe(200);
  const { data } = await pixelsOf(tile);
  const at = Array.from({ length: data.length / 4 }, (_, i) => i * 4).filter((i) => data[i + 3] === 255);
  return {
    colors: [...new Set(at.map((i) => [...data.subarray(i, i + 3)].join()))],
    pixels: at.map((i) => data[i] ?? 0),
  };
}
