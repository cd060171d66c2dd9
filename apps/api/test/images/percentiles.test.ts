import type { AddressLimits } from "@swath/accounts";
import { beforeAll, describe, expect, test } from "vitest";
import { json, problemOf } from "../tools/answers.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";
import { largestDifference, pixelsOf } from "../tools/images.ts";

const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const VIEW = "13.3,45.5,13.4,45.6";
const NIR = { collection: "sentinel-2-l2a", bands: "nir", datetime: "2024-07-04" };
const TILES = "/v1/tiles/custom/WebMercatorQuad";

const OPEN: AddressLimits = { take: async () => undefined, removeExpired: async () => {} };

let service: TestService;
beforeAll(async () => {
  service = await testService({ addressLimits: OPEN, tileCacheBytes: 1e8 }, { profile: FULL });
});

const address = (path: string, values: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(values)}`;
const tileJson = (values: Readonly<Record<string, string>>): string =>
  address(`${TILES}/tilejson.json`, { ...NIR, ...values });

describe("a stretch between percentiles", () => {
  test("of a preview is that of its own values, which a header says", { tags: ["IM12"] }, async () => {
    const path = `/v1/collections/sentinel-2-l2a/items/${SCENE}/preview.png`;
    const given = { preset: "custom", bands: "nir", max_size: "128" };
    const response = await service.get(address(path, { ...given, rescale: "p2,p98" }));
    expect(response.status).toBe(200);
    const said = response.headers.get("X-Rescale") ?? "";
    const [low = 0, high = 0] = said.split(",").map(Number);
    const stretched = await pixelsOf(response);
    expect(
      largestDifference(stretched, await pixelsOf(await service.get(address(path, { ...given, rescale: said })))),
    ).toBe(0);
    // levels of a range that holds all values give the values, of which the percentiles are the ranges that were said
    const all = await pixelsOf(await service.get(address(path, { ...given, rescale: "0,1" })));
    const values = [...all.data.keys()]
      .filter((i) => i % 4 === 0 && all.data[i + 3] !== 0)
      .map((i) => all.data[i]! / 255);
    values.sort((a, b) => a - b);
    const at = (percent: number): number => values[Math.round(((values.length - 1) * percent) / 100)]!;
    expect(Math.abs(low - at(2))).toBeLessThan(2 / 255);
    expect(Math.abs(high - at(98))).toBeLessThan(2 / 255);
    expect(high - low).toBeGreaterThan(0.1);
  });

  test("of three colors has a range for each", { tags: ["IM12"] }, async () => {
    const path = `/v1/collections/sentinel-2-l2a/items/${SCENE}/preview.png`;
    const response = await service.get(
      address(path, { preset: "custom", expression: "red; nir; red / nir", max_size: "64", rescale: "p5,p95" }),
    );
    const ranges = (response.headers.get("X-Rescale") ?? "").split(",").map(Number);
    expect(ranges).toHaveLength(6);
    for (const i of [0, 2, 4]) expect(ranges[i]!).toBeLessThan(ranges[i + 1]!);
  });

  test("of a view is in TileJSON, whose tiles have its values all alike", { tags: ["IM12"] }, async () => {
    const document = (await json(await service.get(tileJson({ rescale: "p2,p98", bbox: VIEW })))) as {
      tiles: [string];
      "svc:rescale": [[number, number]];
    };
    const [[low, high]] = document["svc:rescale"];
    expect(low).toBeLessThan(high);
    const template = new URL(document.tiles[0]);
    expect(template.searchParams.get("rescale")).toBe(`${low},${high}`);
    expect(template.searchParams.has("bbox")).toBe(false);
    const tile = `${decodeURI(template.pathname).replace("{z}", "12").replace("{x}", "2199").replace("{y}", "1461")}${template.search}`;
    const response = await service.get(tile);
    expect([response.status, response.headers.get("X-Rescale")]).toEqual([200, null]);
    // another time the same, and now for those who have no key
    const again = await service.request(tileJson({ rescale: "p2,p98", bbox: VIEW }));
    expect(again.status).toBe(200);
    expect(await again.json()).toEqual(document);
    // of another view others
    const other = (await json(await service.get(tileJson({ rescale: "p10,p90", bbox: VIEW })))) as typeof document;
    expect(other["svc:rescale"]).not.toEqual(document["svc:rescale"]);
  });

  test("costs an image, so a key is asked for; all other TileJSON is everybody's", { tags: ["IM12"] }, async () => {
    const values = { rescale: "p1,p99", bbox: "13.31,45.51,13.35,45.55" };
    expect((await service.request(tileJson(values))).status).toBe(401);
    const paid = await service.get(tileJson(values));
    expect([paid.status, paid.headers.get("Cache-Control")]).toEqual([200, "private, max-age=3600"]);
    expect((await service.request(tileJson({ rescale: "0,0.4" }))).status).toBe(200);
  });

  test.each([
    ["without a view", tileJson({ rescale: "p2,p98" }), 400, "bbox"],
    ["with a view and no percentiles", tileJson({ bbox: VIEW }), 400, "bbox"],
    ["with a view that is none", tileJson({ rescale: "p2,p98", bbox: "13,45,14" }), 400, "bbox"],
    ["of a view that is too large", tileJson({ rescale: "p2,p98", bbox: "-60,-40,60,60" }), 400, "bbox"],
    ["the wrong way round", tileJson({ rescale: "p98,p2", bbox: VIEW }), 400, "rescale"],
    ["beyond 100", tileJson({ rescale: "p2,p101", bbox: VIEW }), 400, "rescale"],
    ["of three numbers", tileJson({ rescale: "p2,p50,p98", bbox: VIEW }), 400, "rescale"],
    ["of a tile alone", address(`${TILES}/12/2199/1461.png`, { ...NIR, rescale: "p2,p98" }), 400, "rescale"],
    [
      "of a legend",
      address("/v1/presets/custom/legend.json", { collection: "sentinel-2-l2a", bands: "nir", rescale: "p2,p98" }),
      400,
      "rescale",
    ],
  ])("is refused %s, naming the member", { tags: ["IM12"] }, async (_, path, status, pointer) => {
    const problem = await problemOf(await service.get(path));
    expect(problem).toMatchObject({ status });
    expect(JSON.stringify(problem)).toContain(pointer);
  });

  test("of a view without data is not found", { tags: ["IM12"] }, async () => {
    const problem = await problemOf(await service.get(tileJson({ rescale: "p2,p98", bbox: "100,10,100.1,10.1" })));
    expect(problem).toMatchObject({ status: 404, code: "not-found" });
  });

  test("is not known to lean v1", { tags: ["IM12"] }, async () => {
    const lean = await testService({}, { profile: LEAN });
    const path = address("/v1/tiles/ndvi/WebMercatorQuad/tilejson.json", { rescale: "p2,p98" });
    expect((await problemOf(await lean.request(path))).status).toBe(400);
  });
});
