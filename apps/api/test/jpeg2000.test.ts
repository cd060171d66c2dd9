import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createArchiveCatalog, createVirtualCatalog } from "@swath/catalog";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, type TestService, testService } from "./harness.ts";

const { SWATH_FIXTURES } = process.env;

/** Column and row of the tile of WebMercatorQuad that holds a point. */
function tileAt(lon: number, lat: number, zoom: number): { readonly x: number; readonly y: number } {
  const latitude = (lat * Math.PI) / 180;
  const y = (1 - Math.asinh(Math.tan(latitude)) / Math.PI) / 2;
  return { x: Math.floor(((lon + 180) / 360) * 2 ** zoom), y: Math.floor(y * 2 ** zoom) };
}

interface Problem {
  readonly code: string;
  readonly detail: string;
}

describe.skipIf(SWATH_FIXTURES === undefined)("an item of JPEG 2000 alone", () => {
  const id = "S2A_MSIL2A_20200301T090901_N0500_R050_T35UPU_20230630T033416";
  const [lon, lat] = [29.2, 52.8];
  const window = { from: "2020-03-01T00:00:00Z", to: "2020-03-02T00:00:00Z" };
  const datetime = `${window.from}/${window.to}`;
  const place = { bounds: { bbox: [lon, lat, lon + 0.01, lat + 0.01] } };
  let service: TestService;
  beforeAll(async () => {
    const file = join(SWATH_FIXTURES ?? "", "live/cdse/item-sentinel-2-l2a-2020-N0500.json");
    const items = [JSON.parse(readFileSync(file, "utf8")).response.body];
    const { registry } = FULL;
    const catalog = createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });
    service = await testService({ catalog }, { profile: FULL });
  });

  const problemOf = async (response: Response): Promise<[number, string, string]> => {
    const { code, detail } = (await response.json()) as Problem;
    return [response.status, code, detail];
  };
  const refusal = (text: string) => [422, "unknown-band", expect.stringContaining(text)];

  test("says so, and has its bands under their names", async () => {
    const response = await service.get(`/v1/collections/sentinel-2-l2a/items/${id}`);
    const { properties, assets } = (await response.json()) as {
      properties: Record<string, unknown>;
      assets: Record<string, { type: string }>;
    };
    expect(properties["svc:band_format"]).toBe("image/jp2");
    expect(assets.B04?.type).toBe("image/jp2");
  });

  test.each(["sentinel-2-l2a", "optical-sr"])("is refused by name in a process request of %s", async (type) => {
    const input = { ...place, data: [{ type, dataFilter: { timeRange: window } }] };
    const body = { input, bands: ["red"], output: { width: 8, height: 8 } };
    expect(await problemOf(await service.post("/v1/process", body))).toEqual(
      refusal(
        `Scene ${id}: its band ${type === "optical-sr" ? "red" : "B04"} is in JPEG 2000, which is not read here.`,
      ),
    );
    const { bands: _, ...whole } = body;
    expect(await problemOf(await service.post("/v1/process", whole))).toEqual(refusal("JPEG 2000"));
  });

  test("is refused by name in a preview, in tiles and in WMTS", async () => {
    const preview = `/v1/collections/sentinel-2-l2a/items/${id}/preview.png`;
    expect(await problemOf(await service.get(preview))).toEqual(refusal(`bands of item ${id} are in JPEG 2000`));
    const { x, y } = tileAt(lon, lat, 9);
    const all = refusal("All scenes under the tile are in JPEG 2000, which is not read here");
    for (const preset of ["true-color", "ndvi"]) {
      const tile = `/v1/tiles/${preset}/WebMercatorQuad/9/${x}/${y}.png?datetime=${datetime}`;
      expect(await problemOf(await service.get(tile))).toEqual(all);
    }
    const wmts = `/v1/wmts?SERVICE=WMTS&REQUEST=GetTile&VERSION=1.0.0&LAYER=true-color&STYLE=default&FORMAT=image/png&TILEMATRIXSET=WebMercatorQuad&TILEMATRIX=9&TILECOL=${x}&TILEROW=${y}&TIME=2020-03-01`;
    const exception = await service.get(wmts);
    expect([exception.status, await exception.text()]).toEqual([422, expect.stringContaining("JPEG 2000")]);
  });

  test("is named in statistics and series", async () => {
    const statistics = await service.post("/v1/statistics", {
      input: { ...place, data: [{ type: "sentinel-2-l2a" }] },
      aggregation: { timeRange: window, aggregationInterval: { of: "P1D" } },
      index: "ndvi",
    });
    expect(await problemOf(statistics)).toEqual(refusal("its band B08 is in JPEG 2000, which is not read here"));
    const series = await service.get(
      `/v1/timeseries?lon=${lon}&lat=${lat}&datetime=${datetime}&collections=sentinel-2-l2a&index=ndvi`,
    );
    expect((await series.json()).series).toEqual([
      expect.objectContaining({ itemId: id, value: null, problem: expect.objectContaining({ status: 422 }) }),
    ]);
  });
});
