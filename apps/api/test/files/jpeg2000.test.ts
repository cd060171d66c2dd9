import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createArchiveCatalog, createNeighbourhoodSearch, createVirtualCatalog } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { inlineRenderer } from "@swath/engine/node";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { pixelsOf } from "../tools/images.ts";

const { SWATH_FIXTURES } = process.env;
/** Files of another place and product, of which GDAL's numbers are known. */
const FOLDER = new URL("./sentinel-2-l1c/", import.meta.url);
const { native } = JSON.parse(readFileSync(new URL("expected.json", FOLDER), "utf8")) as {
  native: { readonly bounds: readonly number[]; readonly B04: readonly number[]; readonly B08: readonly number[] };
};
/** Numbers of the green band are no classes: as a mask that excludes none they leave everything. */
const FILES = { B04_10m: "B04.jp2", B08_10m: "B08.jp2", TCI_10m: "TCI.jp2", SCL_20m: "B03.jp2" };
const FOOTPRINT = [
  [13.70762, 46.01747],
  [13.74895, 46.01793],
  [13.7483, 46.04672],
  [13.70695, 46.04626],
  [13.70762, 46.01747],
];

interface Recorded {
  readonly id: string;
  readonly properties: object;
  readonly assets: Readonly<Record<string, object>>;
}

/** An item of Copernicus Data Space, brought to the place of these files. */
function moved(item: Recorded): object {
  const assets = Object.entries(FILES).map(([key, file]) => {
    const place = { "proj:code": "EPSG:32633", "proj:transform": [10, 0, 399_960, 0, -10, 5_100_000] };
    const { alternate: _, ...asset } = item.assets[key] as Readonly<Record<string, unknown>>;
    return [key, { ...asset, ...place, "proj:shape": [320, 320], href: `archive:${file}` }];
  });
  return {
    ...item,
    // that of all times: of the one recorded only some years are looked at
    collection: "sentinel-2-c1-l2a",
    id: item.id.replace("T35UPU", "T33TUL"),
    properties: { ...item.properties, "grid:code": "MGRS-33TUL" },
    geometry: { type: "Polygon", coordinates: [FOOTPRINT] },
    bbox: [13.70695, 46.01747, 13.74895, 46.04672],
    assets: Object.fromEntries(assets),
  };
}

describe.skipIf(SWATH_FIXTURES === undefined)("an item of JPEG 2000 alone", () => {
  const id = "S2A_MSIL2A_20200301T090901_N0500_R050_T33TUL_20230630T033416";
  const crs = "http://www.opengis.net/def/crs/EPSG/0/32633";
  const bounds = { bbox: native.bounds, properties: { crs } };
  const timeRange = { from: "2020-03-01T00:00:00Z", to: "2020-03-02T00:00:00Z" };
  const datetime = `${timeRange.from}/${timeRange.to}`;
  let service: TestService;
  beforeAll(async () => {
    const file = join(SWATH_FIXTURES ?? "", "live/cdse/item-sentinel-2-l2a-2020-N0500.json");
    const items = [moved(JSON.parse(readFileSync(file, "utf8")).response.body)];
    const { registry } = FULL;
    const catalog = createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });
    const sources = {
      archiveDirectory: fileURLToPath(new URL(".", FOLDER)).replace(/\/$/, ""),
      assetHosts: [],
      s3: { region: "eu-central-1" },
    };
    const renderer = inlineRenderer({ blockCacheBytes: 8_388_608, sources });
    const tileScenes = createNeighbourhoodSearch(catalog);
    service = await testService({ catalog, tileScenes, renderer }, { profile: FULL });
  });

  test("says so, and has its bands under their names", { tags: ["I19"] }, async () => {
    const response = await service.get(`/v1/collections/sentinel-2-l2a/items/${id}`);
    const { properties, assets } = (await response.json()) as {
      properties: Record<string, unknown>;
      assets: Record<string, { type: string }>;
    };
    expect(properties["svc:band_format"]).toBe("image/jp2");
    expect(assets.B04?.type).toBe("image/jp2");
  });

  test.each(["sentinel-2-l2a", "optical-sr"])("is read in a process request of %s", { tags: ["I19"] }, async (type) => {
    const response = await service.post("/v1/process", {
      input: {
        bounds,
        data: [{ type, dataFilter: { timeRange }, processing: { harmonize: "offset_removed" } }],
      },
      bands: ["red"],
      output: { width: 12, height: 12, crs },
    });
    expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    const { bands } = await readWindow(cog, 0, { x: 0, y: 0, width: 12, height: 12 });
    // of baseline 05.00, whose numbers carry an offset of 1000
    for (const [i, value] of native.B04.entries()) expect(bands[0]![i]).toBeCloseTo((value - 1000) / 10_000, 6);
  });

  test("is drawn in a preview and in tiles", { tags: ["I19"] }, async () => {
    const preview = await service.get(`/v1/collections/sentinel-2-l2a/items/${id}/preview.png?max_size=64`);
    expect(preview.status, preview.status === 200 ? "" : await preview.clone().text()).toBe(200);
    const { width, height } = await pixelsOf(preview);
    expect([width, height]).toEqual([64, 64]);
    const x = Math.floor(((13.728 + 180) / 360) * 2 ** 13);
    const tile = await service.get(`/v1/tiles/ndvi/WebMercatorQuad/13/${x}/2912.png?datetime=${datetime}`);
    expect(tile.status, tile.status === 200 ? "" : await tile.text()).toBe(200);
    expect(tile.headers.get("X-Scenes-Used")).toBe("1");
  });

  test("is measured in statistics", { tags: ["I19"] }, async () => {
    const response = await service.post("/v1/statistics", {
      input: { bounds, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: { timeRange, aggregationInterval: { of: "P1D" } },
      cloudMask: { exclude: [] },
      index: "ndvi",
    });
    expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
    const { data } = (await response.json()) as { data: { outputs: { ndvi: { stats: object } } }[] };
    const { B04, B08 } = native;
    const sum = B04.reduce((all, red, i) => all + (B08[i]! - red) / (B08[i]! + red - 2000), 0);
    expect(data[0]?.outputs.ndvi.stats).toMatchObject({
      mean: expect.closeTo(sum / B04.length, 9),
      sampleCount: B04.length,
      noDataCount: 0,
    });
  });
});
