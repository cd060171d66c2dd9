import { readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createArchiveCatalog, createNeighbourhoodSearch } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { inlineRenderer } from "@swath/engine/node";
import { createRegistry } from "@swath/schema";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FULL_FILES } from "../../src/open/served-files.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { pixelsOf } from "../tools/images.ts";

// Items in the form of Earth Search, whose files are JPEG 2000 alone; what GDAL reads of these is in expected.json.
const FOLDER = new URL("./sentinel-2-l1c/", import.meta.url);
const FILES = ["B03.jp2", "B04.jp2", "B08.jp2", "TCI.jp2"];

interface Warped {
  readonly bounds: readonly [number, number, number, number];
  readonly B03: readonly number[];
  readonly B04: readonly number[];
  readonly B08: readonly number[];
}
const expected: Readonly<Record<"native" | "coarse" | "degrees" | "green", Warped>> = JSON.parse(
  readFileSync(new URL("expected.json", FOLDER), "utf8"),
);

const FOOTPRINT = [
  [13.70762, 46.01747],
  [13.74895, 46.01793],
  [13.7483, 46.04672],
  [13.70695, 46.04626],
  [13.70762, 46.01747],
];
const NEW = "S2B_33TUL_20240206_0_L1C";
const OLD = "S2A_33TUL_20200717_0_L1C";
const TRANSFORM = [10, 0, 399_960, 0, -10, 5_100_000];

function itemOf(id: string, day: string, baseline: string, root: string): object {
  const band = (file: string, name: string) => ({
    href: `${root}/tiles/33/T/UL/${id}/${file}`,
    type: "image/jp2",
    "eo:bands": [{ name, common_name: name }],
    gsd: 10,
    "proj:shape": [320, 320],
    "proj:transform": TRANSFORM,
    "raster:bands": [{ nodata: 0, data_type: "uint16", bits_per_sample: 15, scale: 0.0001, offset: -0.1 }],
    roles: ["data", "reflectance"],
  });
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection: "sentinel-2-l1c",
    geometry: { type: "Polygon", coordinates: [FOOTPRINT] },
    bbox: [13.70695, 46.01747, 13.74895, 46.04672],
    links: [],
    properties: {
      datetime: `${day}T10:02:11Z`,
      platform: id.startsWith("S2A") ? "sentinel-2a" : "sentinel-2b",
      instruments: ["msi"],
      "eo:cloud_cover": 10,
      "proj:epsg": 32633,
      "mgrs:utm_zone": 33,
      "mgrs:latitude_band": "T",
      "mgrs:grid_square": "UL",
      "grid:code": "MGRS-33TUL",
      "s2:processing_baseline": baseline,
      "s2:product_type": "S2MSI1C",
    },
    assets: {
      green: band("B03.jp2", "green"),
      red: band("B04.jp2", "red"),
      nir: band("B08.jp2", "nir"),
      swir16: band("B11.jp2", "swir16"),
      visual: {
        href: `${root}/tiles/33/T/UL/${id}/TCI.jp2`,
        type: "image/jp2",
        roles: ["visual"],
        "proj:transform": TRANSFORM,
      },
      granule_metadata: { href: `${root}/metadata.xml`, type: "application/xml", roles: ["metadata"] },
    },
  };
}

let server: Server;
let root: string;
const asked: { readonly file: string; readonly start: number; readonly bytes: number }[] = [];
const bodies = new Map(FILES.map((name) => [name, readFileSync(new URL(name, FOLDER))]));

beforeAll(async () => {
  server = createServer(({ url = "", headers }, response) => {
    const file = url.split("/").at(-1) ?? "";
    const body = bodies.get(file);
    if (body === undefined) return response.writeHead(404).end();
    const [start = 0, last = body.length - 1] = (/(\d+)-(\d+)/.exec(headers.range ?? "") ?? []).slice(1).map(Number);
    const part = body.subarray(start, Math.min(last + 1, body.length));
    asked.push({ file, start, bytes: part.length });
    response.writeHead(206, { "content-range": `bytes ${start}-${start + part.length - 1}/${body.length}` });
    return response.end(part);
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let service: TestService;
beforeEach(async () => {
  asked.length = 0;
  const registry = createRegistry(FULL_FILES.collections, FULL_FILES.presets).withUpstreams(["default"]);
  const items = [itemOf(NEW, "2024-02-06", "05.10", root), itemOf(OLD, "2020-07-17", "02.09", root)];
  const catalog = createArchiveCatalog({ items, registry });
  const sources = { assetHosts: [new URL(root).host], s3: { region: "eu-central-1" } };
  service = await testService(
    {
      registry,
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog),
      renderer: inlineRenderer({ blockCacheBytes: 8_388_608, sources }),
    },
    { profile: { ...FULL, registry } },
  );
});

const UTM = "http://www.opengis.net/def/crs/EPSG/0/32633";

async function process(
  { bounds, crs = UTM }: { readonly bounds: readonly number[]; readonly crs?: string },
  [width, height]: readonly [number, number],
  bands: readonly string[],
  { id = NEW, ...processing }: { readonly id?: string; readonly [member: string]: unknown } = {},
) {
  const response = await service.post("/v1/process", {
    input: {
      bounds: { bbox: bounds, properties: { crs } },
      data: [{ type: "sentinel-2-l1c", dataFilter: { ids: [id] }, processing }],
    },
    bands,
    output: { width, height, crs },
  });
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  return readWindow(cog, 0, { x: 0, y: 0, width, height });
}

const STORED = { units: "DN", harmonize: "none" };

describe("stored numbers", () => {
  test("are GDAL's, on the pixels of the files", { tags: ["JP2"] }, async () => {
    const { bands } = await process(expected.native, [12, 12], ["B04", "B08"], STORED);
    expect([...bands[0]!]).toEqual(expected.native.B04);
    expect([...bands[1]!]).toEqual(expected.native.B08);
  });

  test("are GDAL's from the overview, which is a resolution of the wavelet", { tags: ["JP2"] }, async () => {
    const { bands } = await process(expected.coarse, [24, 24], ["B04"], STORED);
    expect([...bands[0]!]).toEqual(expected.coarse.B04);
  });

  test("are GDAL's in another CRS", { tags: ["JP2"] }, async () => {
    const crs = "EPSG:4326";
    const { bands } = await process({ ...expected.degrees, crs }, [30, 20], ["B04"], STORED);
    const differing = bands[0]!.filter((value, i) => value !== expected.degrees.B04[i]).length;
    // centres on an edge, where rounding decides
    expect(differing).toBeLessThanOrEqual(1);
  });

  test("of a file that does not say where it is lie where its item says", { tags: ["JP2"] }, async () => {
    const { bands } = await process(expected.green, [12, 12], ["B03"], STORED);
    expect([...bands[0]!]).toEqual(expected.green.B03);
  });
});

test("reflectance at the top of the atmosphere has the offset of its processing baseline", {
  tags: ["JP3"],
}, async () => {
  const { bands } = await process(expected.native, [12, 12], ["B04"]);
  expect(bands[0]![0]).toBeCloseTo((expected.native.B04[0]! - 1000) / 10_000, 7);
  const old = await process(expected.native, [12, 12], ["B04"], { id: OLD });
  expect(old.bands[0]![0]).toBeCloseTo(expected.native.B04[0]! / 10_000, 7);
});

test("a tile and a preview are drawn from parts of the files", { tags: ["JP4"] }, async () => {
  const x = Math.floor(((13.728 + 180) / 360) * 2 ** 13);
  const y = 2912;
  const window = "collection=sentinel-2-l1c&datetime=2024-01-01T00:00:00Z/2024-03-01T00:00:00Z";
  const tile = await service.get(`/v1/tiles/ndvi/WebMercatorQuad/13/${x}/${y}.png?${window}`);
  expect(tile.status, tile.status === 200 ? "" : await tile.text()).toBe(200);
  expect(tile.headers.get("X-Scenes-Used")).toBe("1");
  const preview = await service.get(`/v1/collections/sentinel-2-l1c/items/${NEW}/preview.png?max_size=64`);
  expect(preview.status, preview.status === 200 ? "" : await preview.text()).toBe(200);
  const { width, height, data } = await pixelsOf(preview);
  expect([width, height]).toEqual([64, 64]);
  // the corner outside the swath is black in the true-colour image, its middle is not
  expect(data[(32 * 64 + 32) * (data.length / 4096)]).toBeGreaterThan(20);
  const reads = new Map(asked.flatMap(({ file, start, bytes }) => (file === "TCI.jp2" ? [[start, bytes]] : [])));
  const read = [...reads.values()].reduce((sum, bytes) => sum + bytes, 0);
  expect(read).toBeLessThan(bodies.get("TCI.jp2")!.length);
});

test("a time series has the value of both scenes, each by its own offset", { tags: ["JP3"] }, async () => {
  // the centre of the pixel in column 126 and row 164
  const query = "lon=13.723638386&lat=46.031641613&datetime=2020-01-01T00:00:00Z/2024-12-31T00:00:00Z";
  const response = await service.get(`/v1/timeseries?${query}&collections=sentinel-2-l1c&index=ndvi`);
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  const { series } = (await response.json()) as { series: { datetime: string; value: number }[] };
  const at = (164 - 158) * 12 + 126 - 120;
  const [red, nir] = [expected.native.B04[at]!, expected.native.B08[at]!];
  const byYear = Object.fromEntries(series.map(({ datetime, value }) => [datetime.slice(0, 4), value]));
  expect(byYear["2024"]).toBeCloseTo((nir - red) / (nir + red - 2000), 6);
  expect(byYear["2020"]).toBeCloseTo((nir - red) / (nir + red), 6);
});

test("the item shows its files as JPEG 2000 under native names of bands", { tags: ["JP1"] }, async () => {
  const response = await service.get(`/v1/collections/sentinel-2-l1c/items/${NEW}`);
  const item = (await response.json()) as { assets: Record<string, Record<string, unknown>>; properties: object };
  expect(item.properties).toMatchObject({ "svc:mask_source": "none", "svc:source_collection": "sentinel-2-l1c" });
  expect(item.assets.B04).toMatchObject({ type: "image/jp2", "svc:band": "B04" });
  expect(Object.keys(item.assets).sort()).toEqual([
    "B03",
    "B04",
    "B08",
    "B11",
    "granule_metadata",
    "thumbnail",
    "visual",
  ]);
});
