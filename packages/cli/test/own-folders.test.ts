import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { gridBbox } from "@swath/raster";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openScenes } from "../src/open-scenes.ts";
import { type Ran, runCommand } from "./run-command.ts";

const fixtures = process.env.SWATH_FIXTURES;
const field = (name: string): string => join(fixtures ?? "", "field", name);
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "swath-own-folders-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const swath = (archive: string, ...args: string[]): Promise<Ran> =>
  runCommand(["--archive", archive, "--data", join(folder, "data"), ...args], { openScenes });

/** Extracts from an archive; the file's samples with their type. */
async function extracted(archive: string, ...args: string[]) {
  const path = join(folder, "x.tif");
  const { code, err } = await swath(archive, "extract", ...args, "-o", path);
  expect(`${code} ${code === 0 ? "" : err}`).toBe("0 ");
  const cog = await openCog(memorySource(await readFile(path)));
  const { width, height } = cog.grid;
  const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  return { type: cog.sampleType, nodata: cog.nodata, bands: bands.map((band) => [...band]), err };
}

const UTM = ["--crs", "EPSG:32633", "--out-crs", "EPSG:32633", "--units", "DN", "--time", "2024-05-01/2024-05-02"];
const least = (values: readonly number[]): number => values.reduce((a, b) => Math.min(a, b));
const most = (values: readonly number[]): number => values.reduce((a, b) => Math.max(a, b));

test.each(["/dev/null/data", "/proc/data"])("a folder for indexes that cannot be made is named: %s", async (data) => {
  for (const archive of [["--archive", folder], []]) {
    const { code, err } = await runCommand([...archive, "--data", data, "collections"], { openScenes });
    expect(code).not.toBe(0);
    expect(err).toContain(`--data: Expected a folder that is there or can be made, got "${data}" (ENO`);
  }
});

describe.skipIf(fixtures === undefined)("a folder of one's own", () => {
  test("gives floats as floats: greenness and heights are those of the files", async () => {
    const archive = field("extract-float-as-uint16/scenes");
    const box = ["--bbox", "500000,4999000,501000,5000000", "--size", "100,100"];
    const ndvi = await extracted(archive, "--collection", "ndvi", "--bands", "b1", ...box, ...UTM);
    expect([ndvi.type, ndvi.nodata]).toEqual(["float32", Number.NaN]);
    // gdalinfo -mm of the input
    expect(least(ndvi.bands[0]!)).toBeCloseTo(-0.833, 3);
    expect(most(ndvi.bands[0]!)).toBeCloseTo(0.817, 3);
    const heights = await extracted(archive, "--collection", "heights", "--bands", "b1", ...box, ...UTM);
    expect([least(heights.bands[0]!), most(heights.bands[0]!)]).toEqual([-20_000, 79_049.5]);
  });

  test("says of a damaged file that it is damaged, and where it lies", async () => {
    const archive = join(folder, "damaged");
    await mkdir(archive, { recursive: true });
    const bytes = await readFile(field("process-without-bands/scenes/fields/2024-05-01.tif"));
    const cog = await openCog(memorySource(bytes));
    // tiffdump of the file: its first strip has 152 bytes at 388
    await writeFile(join(archive, "field_2024-05-01.tif"), bytes.fill(0xff, 388, 540));
    const [west, south, east, north] = gridBbox(cog.grid);
    const asked = ["--bbox", [west, south, east, north].join(), "--size", "20,20", "--time", "2024-05-01/2024-05-02"];
    const { out } = await swath(archive, "collections", "--json");
    const [{ id }] = JSON.parse(out.toString());
    const scene = /Scene \S+ was left out: a file is damaged/;
    const stats = await swath(archive, "stats", "--bands", "b1", "--collection", id, ...asked);
    expect(stats.err).toMatch(scene);
    expect(stats.err).toContain("field_2024-05-01.tif");
    const extract = await swath(archive, "extract", "--collection", id, ...asked, "-o", join(folder, "none.tif"));
    expect(extract.code).toBe(1);
    expect(extract.err).toMatch(scene);
    expect(extract.err).toContain("field_2024-05-01.tif");
    expect(extract.err).not.toContain("There is no scene");
  });

  test("gives all its bands where a request names none", async () => {
    const archive = field("process-without-bands/scenes");
    const box = ["--bbox", "15.001,45.145,15.01,45.15", "--size", "20,20", "--time", "2024-05-01/2024-05-02"];
    const { bands } = await extracted(archive, "--collection", "fields", ...box);
    expect(bands.length).toBeGreaterThan(0);
  });

  test("has an item for each file, whatever the letters of its name", async () => {
    const { code, out } = await swath(
      field("names-collide/scenes"),
      ...["--json", "search", "--time", "2024-05-01/2024-05-10", "--limit", "100"],
    );
    expect(code).toBe(0);
    const { features } = JSON.parse(out.toString()) as { features: { id: string; collection: string }[] };
    expect(features).toHaveLength(13);
    expect(new Set(features.map(({ id, collection }) => `${collection}/${id}`)).size).toBe(13);
    for (const { id } of features) expect(id).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
  });

  test.each([
    "encoded-space",
    "encoded-hash",
    "encoded-umlaut",
    "query",
    "raw-space",
    "raw-hash",
    "raw-umlaut",
    "plain",
  ])("reads the file that the address of item %s means", async (id) => {
    const box = ["--bbox", "15.02,45.144,15.15,45.154", "--size", "130,20", "--units", "DN"];
    const archive = field("encoded-hrefs/scenes");
    const { bands } = await extracted(archive, "--collection", "aerial", "--ids", id, "--bands", "v", ...box);
    expect(new Set(bands[0]).size).toBeGreaterThan(0);
    expect(most(bands[0]!)).toBeGreaterThan(0);
  });

  test.each([
    ["n.json", "{}"],
    ["fields.geojson", '{"type":"FeatureCollection","features":[{"type":"Feature","geometry":null,"properties":{}}]}'],
    ["log.jsonl", '{"level":"info"}\n'],
    ["broken.json", "{"],
  ])("is not hidden by a stray %s", async (name, text) => {
    const archive = await mkdtemp(join(folder, "stray-"));
    await mkdir(join(archive, "a"));
    await copyFile(field("extract-float-as-uint16/scenes/ndvi/2024-05-01.tif"), join(archive, "a", "x.tif"));
    await writeFile(join(archive, "a", name), text);
    const { code, out } = await swath(archive, "--json", "collections");
    expect(code).toBe(0);
    expect(JSON.parse(out.toString())).toMatchObject([{ id: "a" }]);
  });

  test("has a first collection file of its files, by which they are served with the same values", async () => {
    const archive = await mkdtemp(join(folder, "drafted-"));
    await mkdir(join(archive, "ndvi"));
    for (const day of ["2024-05-01", "2024-05-11"]) {
      await copyFile(field("extract-float-as-uint16/scenes/ndvi/2024-05-01.tif"), join(archive, "ndvi", `${day}.tif`));
    }
    const box = ["--bbox", "500000,4999000,501000,5000000", "--size", "100,100"];
    const asked = ["--collection", "ndvi", "--bands", "b1", ...box, ...UTM];
    const before = await extracted(archive, ...asked);
    const draft = join(archive, "ndvi.json");
    const drafted = await swath(archive, "new-collection", join(archive, "ndvi", "2024-05-01.tif"), "-o", draft);
    expect(`${drafted.code} ${drafted.err}`).toMatch(/^0 Write in what the file does not say/);
    // what people write in is taken
    const text = await readFile(draft, "utf8");
    await writeFile(draft, text.replace('"title": "ndvi"', '"title": "Greenness"'));
    const { out } = await swath(archive, "--json", "collections");
    expect(JSON.parse(out.toString())).toMatchObject([{ id: "ndvi", title: "Greenness" }]);
    const found = await swath(archive, "--json", "search", "--time", "2024-05-01/2024-05-31");
    const { features } = JSON.parse(found.out.toString()) as { features: { id: string }[] };
    expect(features.map(({ id }) => id).sort()).toEqual(["2024-05-01", "2024-05-11"]);
    expect(await extracted(archive, ...asked)).toEqual(before);
  });

  test("says which files were served until a collection file came that has no path for them", async () => {
    const archive = await mkdtemp(join(folder, "left-out-"));
    for (const path of ["ndvi/2024-05-01.tif", "heights/survey.tif"]) {
      await mkdir(join(archive, path, ".."), { recursive: true });
      await copyFile(field("extract-float-as-uint16/scenes/ndvi/2024-05-01.tif"), join(archive, path));
    }
    expect((await swath(archive, "search")).err).not.toContain("not served");
    await swath(archive, "new-collection", join(archive, "ndvi/2024-05-01.tif"), "-o", join(archive, "ndvi.json"));
    const { err } = await swath(archive, "search");
    expect(err).toContain('not served: "heights/survey.tif": no collection file has a path for it');
  });

  test("says of which files there is no first collection file", async () => {
    const archive = await mkdtemp(join(folder, "not-drafted-"));
    await writeFile(join(archive, "broken.tif"), "no TIFF");
    for (const [name, reason] of [
      ["broken.tif", "broken.tif: "],
      ["missing.tif", "ENOENT"],
    ] as const) {
      const { code, out, err } = await swath(archive, "new-collection", join(archive, name));
      expect([code, out.length]).toEqual([1, 0]);
      expect(err).toContain(reason);
    }
  });

  test("says which files it does not serve, and why", async () => {
    const archive = await mkdtemp(join(folder, "left-out-"));
    await copyFile(field("extract-float-as-uint16/scenes/ndvi/2024-05-01.tif"), join(archive, "x.tif"));
    await writeFile(join(archive, "broken.tif"), "no TIFF");
    const { code, err } = await swath(archive, "collections");
    expect(code).toBe(0);
    expect(err).toMatch(/^swath: not served: "broken.tif": /m);
  });

  test.each([
    // a masked read by rasterio
    ["ortho", 64_441, 109.635, 56],
    ["drone", 64_441, 109.625, 65],
    ["maskeddem", 64_441, 250.0, 160.5],
  ])("counts the pixels that the mask or the alpha band of %s lets through", async (collection, valid, mean, min) => {
    const { code, out } = await swath(
      field("mask-and-alpha-ignored/scenes"),
      ...["--json", "stats", "--collection", collection, "--bands", "b1", "--units", "DN"],
      ...["--time", "2024-05-01/2024-05-02", "--bbox", "500000,4996000,504000,5000000", "--crs", "EPSG:32633"],
    );
    expect(code).toBe(0);
    const { stats } = JSON.parse(out.toString()).data[0].outputs.b1;
    expect([stats.sampleCount - stats.noDataCount, Number(stats.mean.toFixed(3)), stats.min]).toEqual([
      valid,
      mean,
      min,
    ]);
  });

  test.each([
    ["ortho", "uint16", 65_535, []],
    ["drone", "uint16", 65_535, []],
    ["ortho", "float32", Number.NaN, ["--sample-type", "FLOAT32"]],
    ["maskeddem", "float32", Number.NaN, []],
  ])(
    "extracts from %s as %s what the mask or the alpha band leaves out as %d",
    async (collection, type, nodata, more) => {
      const box = ["--bbox", "500000,4996000,504000,5000000", "--size", "400,400"];
      const found = await extracted(
        field("mask-and-alpha-ignored/scenes"),
        ...["--collection", collection, "--bands", "b1", ...box, ...UTM, ...more],
      );
      expect([found.type, found.nodata]).toEqual([type, nodata]);
      const shown = found.bands[0]!.filter((value) => !Object.is(value, nodata));
      expect(shown).toHaveLength(64_441);
      expect(least(shown)).toBeGreaterThanOrEqual(56);
    },
  );

  test("has footprints of more than half the world as their boxes say", async () => {
    const archive = field("wide-footprints/scenes");
    const found = async (bbox: string) => {
      const { out } = await swath(archive, "--json", "search", "--bbox", bbox, "--time", "2021-01-01/2021-01-02");
      const { features } = JSON.parse(out.toString()) as { features: { id: string; bbox: number[] }[] };
      return Object.fromEntries(features.map(({ id, bbox: own }) => [id, own]));
    };
    const here = await found("10,10,11,11");
    expect(Object.keys(here).sort()).toEqual(["hemisphere", "world-0-360", "world-180", "world-centres"]);
    expect(here).toMatchObject({ hemisphere: [-100, -60, 100, 60], "world-centres": [-179.95, -59.95, 179.95, 59.95] });
    expect(Object.keys(await found("179,-18,179.5,-17")).sort()).toEqual([
      "fiji",
      "world-0-360",
      "world-180",
      "world-centres",
    ]);
  });

  test("has footprints that meet at a pole in their own quadrants", async () => {
    const archive = field("pole-footprint/scenes");
    const found = async (bbox: string) => {
      const { out } = await swath(archive, "--json", "search", "--bbox", bbox, "--time", "2024-05-01/2024-05-10");
      const { features } = JSON.parse(out.toString()) as { features: { id: string }[] };
      return features.map(({ id }) => id);
    };
    expect(await found("0,89.5,10,89.9")).toEqual(["pole_2024-05-04"]);
    expect(await found("0,80,10,81")).toEqual(["pole_2024-05-04"]);
    expect(await found("170,80,180,81")).toEqual(["pole_2024-05-01"]);
  });

  test("has pixel sizes in metres, whatever the unit of its files is", async () => {
    const archive = field("feet-gsd/scenes");
    const { out } = await swath(archive, "--json", "search");
    const [item] = JSON.parse(out.toString()).features;
    // 3 US survey feet
    expect(item.assets.data.gsd).toBeCloseTo((3 * 1200) / 3937, 5);
  });

  test("has items with a stretch of time in filters, statistics, series and files", async () => {
    const archive = field("datetime-ranges/scenes");
    const json = async (...args: string[]) => {
      const { code, out, err } = await swath(archive, "--json", ...args);
      expect(`${code} ${code === 0 ? "" : err}`).toBe("0 ");
      return JSON.parse(out.toString());
    };
    const found = async (filter: string): Promise<string[]> => {
      const { features } = await json("search", "--filter", filter);
      return features.map(({ id }: { id: string }) => id);
    };
    expect(await found("T_INTERSECTS(datetime, INTERVAL('2024-03-01','2024-04-01'))")).toEqual(["range"]);
    const before = "T_BEFORE(datetime, TIMESTAMP('2026-01-01T00:00:00Z'))";
    expect(await found(before)).toEqual(["range", "range-only", "offset-time"]);
    const place = ["--collection", "aerial", "--time", "2024-01-01/2024-12-31"];
    const box = ["--bbox", "15.052,45.146,15.06,45.152"];
    const { data } = await json("stats", ...place, ...box, "--bands", "v", "--units", "DN");
    expect(data).toMatchObject([{ outputs: { v: { stats: { sampleCount: 4221, noDataCount: 0 } } } }]);
    const { series } = await json("series", ...place, "--expression", "v", "--lon", "15.055", "--lat", "45.149");
    expect(series).toMatchObject([{ itemId: "range", value: 2 }]);
  });

  test("takes areas of GeoJSON with a byte order mark", async () => {
    const stats = (area: string): Promise<Ran> =>
      swath(
        field("process-without-bands/scenes"),
        ...["--json", "stats", "--collection", "fields", "--bands", "b1", "--units", "DN"],
        ...["--time", "2024-05-01/2024-05-02", "--area", field(`geojson-bom/${area}`)],
      );
    const [marked, plain] = [await stats("bom.geojson"), await stats("nobom.geojson")];
    expect([marked.code, marked.out.toString()]).toEqual([0, plain.out.toString()]);
  });
});
