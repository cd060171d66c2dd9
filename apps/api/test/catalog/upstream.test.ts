import { createNeighbourhoodSearch, createUpstreamCatalog } from "@swath/catalog";
import { inlineRenderer } from "@swath/engine/node";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, beforeEach, expect, inject, test } from "vitest";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";

interface Asset {
  readonly href: string;
  readonly "svc:band"?: string;
}

const WINDOW = "datetime=2024-07-01/2024-07-31";
let upstream: ServedUpstream;
let embedded: TestService;

/** A service with empty caches that knows the archive only through HTTP. */
function overHttp(): Promise<TestService> {
  const catalog = createUpstreamCatalog({ url: upstream.url, registry: LEAN.registry });
  return testService({
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    renderer: inlineRenderer({
      blockCacheBytes: 64 * 1_048_576,
      sources: { upstreamUrl: upstream.url, assetHosts: [], s3: { region: "us-west-2" } },
    }),
  });
}

const tile = (preset: string, z: number, x: number, y: number, query = WINDOW): string =>
  `/v1/tiles/${preset}/WebMercatorQuad/${z}/${x}/${y}.png?${query}`;

beforeAll(async () => {
  upstream = await serveUpstream(inject("sandbox"));
  embedded = await testService();
});
afterAll(() => upstream.close());
beforeEach(() => upstream.resetRequests());

test.each([
  ["true-color", 9, 275, 182, "sentinel-2-l2a"],
  ["true-color", 12, 2202, 1460, "sentinel-2-l2a"],
  ["true-color", 9, 275, 182, "landsat-ot-l2"],
  ["false-color", 10, 551, 365, "sentinel-2-l2a"],
  ["ndvi", 11, 1101, 730, "sentinel-2-l2a"],
  ["ndvi", 11, 1101, 730, "landsat-ot-l2"],
])("tile %s %i/%i/%i of %s is the same to the byte over HTTP and embedded", async (preset, z, x, y, collection) => {
  const path = tile(preset, z, x, y, `${WINDOW}&collection=${collection}`);
  const near = await embedded.get(path);
  const far = await (await overHttp()).get(path);
  expect([near.status, far.status]).toEqual([200, 200]);
  expect(Number(near.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
  expect(Buffer.from(await far.arrayBuffer()).equals(Buffer.from(await near.arrayBuffer()))).toBe(true);
});

test("a preview and a search are the same over HTTP and embedded, but for the addresses of files", {
  tags: ["G3"],
}, async () => {
  const service = await overHttp();
  const path = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=128";
  const near = await embedded.get(path);
  const far = await service.get(path);
  expect(Buffer.from(await far.arrayBuffer()).equals(Buffer.from(await near.arrayBuffer()))).toBe(true);
  const ids = async (each: TestService): Promise<string[]> => {
    const page = (await (await each.get("/v1/search?limit=100")).json()) as { features: { id: string }[] };
    return page.features.map((feature) => feature.id);
  };
  expect(await ids(service)).toEqual(await ids(embedded));
});

test.each([
  { upstreamName: "lpcloud", collection: "hls", id: "HLS.L30.T33TUL.2024187T095126.v2.0" },
  { upstreamName: "default", collection: "dem", id: "Copernicus_DSM_COG_10_N45_00_E013_00_DEM" },
  {
    upstreamName: "pc",
    collection: "sentinel-1-rtc",
    id: "S1A_IW_GRDH_1SDV_20240703T051129_20240703T051154_054594_06A4F1_rtc",
  },
])("a preview of $collection is the same over HTTP, from where its items say that files are", async (each) => {
  const { upstreamName, collection, id } = each;
  const catalog = createUpstreamCatalog({ url: upstream.url, registry: FULL.registry, name: upstreamName });
  const sources = {
    upstreamUrl: upstream.url,
    assetHosts: [],
    knownHosts: FULL.registry.assetHosts,
    s3: {
      region: "us-west-2",
      endpoint: new URL(upstream.url).origin,
      credentials: { accessKeyId: "any", secretAccessKey: "any" },
    },
  };
  const renderer = inlineRenderer({ blockCacheBytes: 64 * 1_048_576, sources });
  const service = await testService({ catalog, renderer }, { profile: FULL });
  const path = `/v1/collections/${collection}/items/${id}`;
  const { assets } = (await (await service.get(path)).json()) as { assets: Record<string, Asset> };
  const files = Object.values(assets).filter((asset) => asset["svc:band"] !== undefined);
  const hrefs = files.map(({ href }) => href.replace(/^(s3|http):.*/, "$1"));
  expect(new Set(hrefs)).toEqual(new Set([collection === "dem" ? "s3" : "http"]));
  const near = await (await testService({}, { profile: FULL })).get(`${path}/preview.png?max_size=64`);
  const far = await service.get(`${path}/preview.png?max_size=64`);
  expect([near.status, far.status]).toEqual([200, 200]);
  expect(Buffer.from(await far.arrayBuffer()).equals(Buffer.from(await near.arrayBuffer()))).toBe(true);
});

test("a true-colour tile of one scene at native zoom costs one search and at most four reads", async () => {
  const service = await overHttp();
  const day = "datetime=2024-07-04T10:07:40Z/2024-07-04T10:08:00Z";
  const response = await service.get(tile("true-color", 11, 1101, 730, day));
  expect(response.headers.get("X-Scenes-Used")).toBe("1");
  expect(upstream.requests.search).toBe(1);
  expect(upstream.requests.asset).toBeLessThanOrEqual(4);
});

test("panning over 64 neighbouring tiles costs the upstream at most four searches", { tags: ["T17"] }, async () => {
  const service = await overHttp();
  const tiles = Array.from({ length: 64 }, (_, i) => tile("true-color", 12, 2200 + (i % 8), 1456 + Math.floor(i / 8)));
  const statuses = await Promise.all(tiles.map(async (path) => (await service.get(path)).status));
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(upstream.requests.search).toBeLessThanOrEqual(4);
});

test("a second look at a tile costs the upstream nothing", async () => {
  const service = await overHttp();
  const path = tile("ndvi", 11, 1101, 730);
  const first = await service.get(path);
  upstream.resetRequests();
  const again = await service.get(path);
  expect(await again.arrayBuffer()).toEqual(await first.arrayBuffer());
  const held = await service.get(path, { "If-None-Match": first.headers.get("ETag") ?? "" });
  expect(held.status).toBe(304);
  expect(upstream.requests).toMatchObject({ search: 0, asset: 0, other: 0 });
});
