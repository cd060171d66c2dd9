import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { FULL, NOW, type TestService, testService } from "../apps/api/test/tools/harness.ts";
import { openArchive } from "../packages/catalog/src/node.ts";
import { type Ran, runCommand } from "../packages/cli/test/run-command.ts";

const BBOX = [13.25, 45.5, 13.29, 45.53] as const;
const TIME = { from: "2024-07-01T00:00:00Z", to: "2024-07-10T23:59:59.999Z" } as const;
const { registry } = FULL;
let service: TestService;
let folder: string;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
  folder = await mkdtemp(join(tmpdir(), "swath-cli-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a command line over the archive, and with the clock, of the test services. */
const swath = (args: readonly string[]): Promise<Ran> => {
  const archiveDirectory = inject("sandbox");
  const openScenes = async () => ({
    registry,
    catalog: await openArchive(archiveDirectory, { registry }),
    sources: { archiveDirectory },
  });
  return runCommand(args, { openScenes, environment: { SWATH_DATA_DIR: folder }, now: () => NOW });
};

async function done(...args: string[]): Promise<Buffer> {
  const { code, out, err } = await swath(args);
  expect(`${code} ${code === 0 ? "" : err}`).toBe("0 ");
  return out;
}
const json = async (...args: string[]) => JSON.parse((await done("--json", ...args)).toString());

describe("what is printed is what the service answers", () => {
  test("search: the items of GET /v1/search, in its order", async () => {
    const bbox = BBOX.join();
    const { features } = await json("search", "--bbox", bbox, "--max-cloud", "20", "--limit", "7");
    const query = new URLSearchParams({ bbox, limit: "7", filter: "eo:cloud_cover <= 20" });
    const answered = await (await service.get(`/v1/search?${query}`)).json();
    expect(features).toHaveLength(7);
    for (const [i, { id, collection, geometry, properties }] of features.entries()) {
      expect(answered.features[i]).toMatchObject({ id, collection, geometry });
      expect(answered.features[i].properties.datetime).toBe(properties.datetime);
    }
    const rows = (await done("--csv", "search", "--bbox", bbox, "--limit", "3")).toString().split("\r\n");
    expect(rows[0]).toBe("datetime,collection,cloud,id");
    expect(rows).toHaveLength(5);
  });

  test("collections: those of GET /v1/collections", async () => {
    const { collections } = await (await service.get("/v1/collections")).json();
    const ids = (await json("collections")).map(({ id }: { id: string }) => id);
    expect(ids).toEqual(collections.map(({ id }: { id: string }) => id));
    const one = await json("collections", "sentinel-2-l2a");
    expect(one.bands.map(({ name }: { name: string }) => name)).toContain("B08");
    expect(one.presets).toContain("ndvi");
  });

  test.each([
    ["png", "true-color", []],
    ["webp", "ndvi", ["--collection", "landsat-ot-l2"]],
    ["jpg", "true-color", []],
  ])("tile: the bytes of GET /v1/tiles as %s", async (format, preset, more) => {
    const file = join(folder, `${preset}.${format}`);
    await done("tile", preset, "11", "1099", "732", "--time", "2024-07-01/2024-07-10", "-o", file, ...more);
    const query = new URLSearchParams({ datetime: "2024-07-01/2024-07-10" });
    if (more[1] !== undefined) query.set("collection", more[1]);
    const tile = await service.get(`/v1/tiles/${preset}/WebMercatorQuad/11/1099/732.${format}?${query}`);
    expect(tile.headers.get("X-Scenes-Used")).not.toBe("0");
    expect(await readFile(file)).toEqual(Buffer.from(await tile.arrayBuffer()));
  });

  test("extract: the bytes of POST /v1/process, by -o and to standard output", async () => {
    const body = {
      input: {
        bounds: { bbox: BBOX },
        data: [{ type: "sentinel-2-l2a", dataFilter: { timeRange: TIME }, processing: { units: "DN" } }],
      },
      bands: ["red", "nir"],
      output: { width: 64, height: 48, crs: "EPSG:32633" },
    };
    const answered = Buffer.from(await (await service.post("/v1/process", body)).arrayBuffer());
    const file = join(folder, "area.tif");
    const asked = ["--bbox", BBOX.join(), "--collection", "sentinel-2-l2a", "--time", "2024-07-01/2024-07-10"];
    const pixels = ["--bands", "red,nir", "--units", "DN", "--size", "64,48", "--out-crs", "EPSG:32633"];
    const printed = await json("extract", ...asked, ...pixels, "-o", file);
    expect(await readFile(file)).toEqual(answered);
    expect(printed).toMatchObject({
      path: file,
      bytes: answered.length,
      width: 64,
      height: 48,
      units: "DN",
      skipped: [],
    });
    expect(await done("extract", ...asked, ...pixels, "-o", "-")).toEqual(answered);
  });

  test("stats: the rows of POST /v1/statistics as JSON and its table as CSV", async () => {
    const calculations = { default: { percentiles: [10, 50] } };
    const body = {
      input: { bounds: { bbox: BBOX }, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: { timeRange: TIME, aggregationInterval: { of: "P5D" }, resx: 0.0005, resy: 0.0005 },
      index: "ndvi",
      calculations,
    };
    const answered = await (await service.post("/v1/statistics", body)).json();
    const table = await (await service.post("/v1/statistics", body, { Accept: "text/csv" })).text();
    const args = ["stats", "--bbox", BBOX.join(), "--collection", "sentinel-2-l2a", "--index", "ndvi"];
    args.push("--time", "2024-07-01/2024-07-10", "--every", "P5D", "--resolution", "0.0005", "--percentiles", "10,50");
    const { data, attribution, units } = await json(...args);
    expect(data.map(({ skipped: _, ...row }: { skipped: unknown }) => row)).toEqual(answered.data);
    expect({ attribution, units }).toEqual({ attribution: answered.attribution, units: answered.units });
    expect(data[0].outputs.ndvi.stats.mean).toBeGreaterThan(0);
    expect((await done("--csv", ...args)).toString()).toBe(table);
  });

  test("series: the observations of GET /v1/timeseries as JSON and its table as CSV", async () => {
    const query = { lon: "13.27", lat: "45.51", datetime: "2021-01-01/2024-12-31", index: "ndvi" };
    const path = `/v1/timeseries?${new URLSearchParams(query)}`;
    const answered = await (await service.get(path)).json();
    const table = await (await service.get(path, { Accept: "text/csv" })).text();
    const args = ["series", "--lon", "13.27", "--lat", "45.51", "--time", "2021-01-01/2024-12-31", "--index", "ndvi"];
    const { series, unit } = await json(...args);
    expect(series.map(({ skipped: _, ...row }: { skipped: unknown }) => row)).toEqual(answered.series);
    expect(unit).toBe(answered.unit);
    expect(series.length).toBeGreaterThan(3);
    expect((await done("--csv", ...args)).toString()).toBe(table);
  });

  test("series of a polygon in a file: the values of POST /v1/timeseries", async () => {
    const [w, s, e, n] = [13.27, 45.51, 13.272, 45.512];
    const geometry = {
      type: "Polygon",
      coordinates: [
        [
          [w, s],
          [e, s],
          [e, n],
          [w, n],
          [w, s],
        ],
      ],
    };
    const file = join(folder, "field.geojson");
    await writeFile(file, JSON.stringify({ type: "Feature", properties: {}, geometry }));
    const body = {
      geometry,
      datetime: "2024-07-01/2024-07-10",
      index: "ndvi",
      reducer: "median",
      collections: ["sentinel-2-l2a"],
    };
    const answered = await (await service.post("/v1/timeseries", body)).json();
    const { series } = await json(
      "series",
      "--area",
      file,
      "--time",
      body.datetime,
      "--index",
      "ndvi",
      "--reducer",
      "median",
      "--collection",
      "sentinel-2-l2a",
    );
    expect(series.map(({ value }: { value: number }) => value)).toEqual(
      answered.series.map(({ value }: { value: number }) => value),
    );
    expect(series.length).toBeGreaterThan(0);
  });
});
