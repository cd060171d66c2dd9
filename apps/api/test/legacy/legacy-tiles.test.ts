import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createNeighbourhoodSearch } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { type ServedUpstream, serveUpstream } from "@swath/sandbox/node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import type { Services } from "../../src/operations/services.ts";
import { gdalWarp, hasGdal } from "../tools/gdal.ts";
import { LEAN } from "../tools/harness.ts";
import { largestDifference, opaque, type Pixels, pixelsOf } from "../tools/images.ts";
import { legacyFixtures, REAL_LANDSAT, REAL_SENTINEL_2 } from "./legacy-fixtures.ts";
import { type LegacyService, legacyService, ORIGIN } from "./legacy-service.ts";

const fixtures = process.env.SWATH_FIXTURES;
const S2 = "sentinel-2-c1-l2a";
const LANDSAT = "landsat-c2-l2";
const S2_ITEM = "S2B_T33TUL_20240704T100211_L2A";
const LANDSAT_ITEM = "LC08_L2SP_191028_20240705_02_T1";
const TILES = "/legacy/tiles";
const item = (collection: string, id: string): string => `${TILES}/collections/${collection}/items/${id}`;
const WEB = "tiles/WebMercatorQuad";

/** The display settings of the web map, as its links have them. */
const DISPLAY = {
  "true-color": {
    [S2]: "assets=visual",
    [LANDSAT]: "assets=red&assets=green&assets=blue&rescale=7273,18182",
  },
  "false-color": {
    [S2]: "assets=nir&assets=red&assets=green&rescale=1000,5000",
    [LANDSAT]: "assets=nir08&assets=red&assets=green&rescale=7273,21818",
  },
  ndvi: {
    [S2]: `assets=nir&assets=red&expression=${encodeURIComponent("(b1-b2)/(b1+b2-2000)")}&rescale=-0.2,0.8&colormap_name=rdylgn`,
    [LANDSAT]: `assets=nir08&assets=red&expression=${encodeURIComponent("(b1-b2)/(b1+b2-14545.45)")}&rescale=-0.2,0.8&colormap_name=rdylgn`,
  },
} as const;
type Preset = keyof typeof DISPLAY;
const PRESETS = Object.keys(DISPLAY) as Preset[];

let sandbox: LegacyService;
beforeAll(async () => {
  sandbox = await legacyService();
});

async function partsFor(directory: string): Promise<Partial<Services>> {
  const catalog = await openArchive(directory, { registry: LEAN.registry });
  return {
    catalog,
    tileScenes: createNeighbourhoodSearch(catalog),
    archiveDirectory: directory,
    renderer: inlineRenderer({
      blockCacheBytes: 64 * 1_048_576,
      sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
    }),
  };
}

async function bothPictures(
  service: LegacyService,
  preset: Preset,
  scene: { collection: typeof S2 | typeof LANDSAT; id: string; v1: string; datetime: string },
  tile: string,
): Promise<{ legacy: Pixels; v1: Pixels }> {
  const { collection, id, v1, datetime } = scene;
  const legacy = await service.get(`${item(collection, id)}/${WEB}/${tile}.png?${DISPLAY[preset][collection]}`);
  const window = `collection=${v1}&datetime=${datetime}`;
  const own = await service.get(`/v1/tiles/${preset}/WebMercatorQuad/${tile}.png?${window}`);
  expect([legacy.status, own.status, own.headers.get("X-Scenes-Used")]).toEqual([200, 200, "1"]);
  return { legacy: await pixelsOf(legacy), v1: await pixelsOf(own) };
}

const SANDBOX_SCENES = [
  {
    collection: S2,
    id: S2_ITEM,
    v1: "sentinel-2-l2a",
    datetime: "2024-07-04T10:07:41Z/2024-07-04T10:07:42Z",
  },
  {
    collection: LANDSAT,
    id: LANDSAT_ITEM,
    v1: "landsat-ot-l2",
    datetime: "2024-07-05T09:51:26Z/2024-07-05T09:51:27Z",
  },
] as const;

describe("the display settings of the web map over the sandbox", () => {
  test.each(
    SANDBOX_SCENES.flatMap((scene) =>
      PRESETS.flatMap((preset) => ["9/275/182", "12/2203/1460"].map((tile) => ({ ...scene, scene, preset, tile }))),
    ),
  )(
    "$preset of $collection at $tile is the v1 preset's image",
    { tags: ["R3", "Y11"] },
    async ({ scene, preset, tile }) => {
      const { legacy, v1 } = await bothPictures(sandbox, preset, scene, tile);
      expect(opaque(legacy)).toBeGreaterThan(5000);
      expect(largestDifference(legacy, v1)).toBeLessThanOrEqual(1);
    },
  );

  test("NDVI looks the same from both sensors", { tags: ["Y12"] }, async () => {
    const [first, second] = await Promise.all(
      SANDBOX_SCENES.map(async ({ collection, id }) => {
        const response = await sandbox.get(
          `${item(collection, id)}/${WEB}/11/1101/730.png?${DISPLAY.ndvi[collection]}`,
        );
        return pixelsOf(response);
      }),
    );
    if (first === undefined || second === undefined) throw new Error("Expected two images.");
    let sum = 0;
    let count = 0;
    for (let i = 0; i < first.data.length; i += 4) {
      if (first.data[i + 3] === 0 || second.data[i + 3] === 0) continue;
      sum += Math.abs((first.data[i] ?? 0) - (second.data[i] ?? 0));
      count += 1;
    }
    // a day apart, 10 m against 30 m: the same fields in the same colours
    expect(count).toBeGreaterThan(10_000);
    expect(sum / count).toBeLessThan(12);
  });
});

describe.skipIf(fixtures === undefined)("the display settings of the web map over real scenes", () => {
  let real: LegacyService;
  let directory: string;
  beforeAll(async () => {
    directory = await legacyFixtures(fixtures ?? "");
    real = await legacyService(await partsFor(directory));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  const scenes = [
    {
      collection: S2,
      id: REAL_SENTINEL_2,
      v1: "sentinel-2-l2a",
      datetime: "2020-02-19",
      tiles: ["9/239/219", "8/119/109"],
    },
    {
      collection: LANDSAT,
      id: REAL_LANDSAT,
      v1: "landsat-ot-l2",
      datetime: "2020-10-31",
      tiles: ["8/81/130", "9/163/260"],
    },
  ] as const;
  test.each(
    scenes.flatMap((scene) =>
      PRESETS.flatMap((preset) => scene.tiles.map((tile) => ({ collection: scene.collection, scene, preset, tile }))),
    ),
  )("$preset of $collection at $tile is the v1 preset's image", { tags: ["Y11"] }, async ({ scene, preset, tile }) => {
    const { legacy, v1 } = await bothPictures(real, preset, scene, tile);
    expect(opaque(legacy)).toBeGreaterThan(5000);
    expect(largestDifference(legacy, v1)).toBeLessThanOrEqual(1);
  });

  test.skipIf(!hasGdal)(
    "nearest pixels are those of gdalwarp, rescaled by the ranges as given",
    { tags: ["Y13"] },
    async () => {
      const query = "assets=red&rescale=0,5000&resampling=nearest";
      const response = await real.get(`${item(S2, REAL_SENTINEL_2)}/${WEB}/9/239/219.png?${query}`);
      const { data } = await pixelsOf(response);
      const side = (2 * 20_037_508.342789244) / 512;
      const [west, north] = [239 * side - 20_037_508.342789244, 20_037_508.342789244 - 219 * side];
      const target = { crs: "EPSG:3857", bounds: [west, north - side, west + side, north], width: 256, height: 256 };
      const path = join(directory, "assets/sentinel-2-l2a", REAL_SENTINEL_2, "B04.tif");
      const stored = await gdalWarp(path, target, directory);
      let different = 0;
      stored.forEach((value, i) => {
        const expected = Math.floor((Math.min(Math.max(value, 0), 5000) / 5000) * 255);
        if (data[i * 4] !== expected) different += 1;
      });
      expect(different).toBeLessThanOrEqual(65);
    },
  );
});

describe("tiles of one scene", () => {
  const tile = (query: string, address = "11/1101/730.png"): Promise<Response> =>
    sandbox.get(`${item(S2, S2_ITEM)}/${WEB}/${address}?${query}`);
  const red = "assets=red&rescale=1000,5000";

  test.each([
    { address: "11/1101/730.png", type: "image/png", width: 256 },
    { address: "11/1101/730.jpg", type: "image/jpeg", width: 256 },
    { address: "11/1101/730.jpeg", type: "image/jpeg", width: 256 },
    { address: "11/1101/730.webp", type: "image/webp", width: 256 },
    { address: "11/1101/730@2x.png", type: "image/png", width: 512 },
    { address: "11/1101/730@2x", type: "image/jpeg", width: 512 },
    { address: "11/1101/730", type: "image/jpeg", width: 256 },
    { address: "9/273/182", type: "image/png", width: 256 },
  ])("$address is $type of $width pixels", { tags: ["Y7"] }, async ({ address, type, width }) => {
    const response = await tile(red, address);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    expect((await pixelsOf(response)).width).toBe(width);
  });

  test("the tile matrix set may be left out of the path", async () => {
    const short = await sandbox.get(`${item(S2, S2_ITEM)}/tiles/11/1101/730.png?${red}`);
    expect(await short.arrayBuffer()).toEqual(await (await tile(red)).arrayBuffer());
  });

  test("rescale is one range for all bands or one a band", { tags: ["Y7"] }, async () => {
    const bands = "assets=red&assets=green&assets=blue";
    const one = await pixelsOf(await tile(`${bands}&rescale=1000,3000`));
    const each = await pixelsOf(await tile(`${bands}&rescale=1000,3000&rescale=1000,3000&rescale=1000,6000`));
    const at = (pixels: Pixels, channel: number): number[] => [...pixels.data].filter((_, i) => i % 4 === channel);
    expect(at(each, 0)).toEqual(at(one, 0));
    expect(at(each, 2)).not.toEqual(at(one, 2));
  });

  test("without a range the whole of the type is shown", async () => {
    const whole = await pixelsOf(await tile("assets=red"));
    const given = await pixelsOf(await tile("assets=red&rescale=0,65535"));
    expect(largestDifference(whole, given)).toBe(0);
  });

  test("an expression for each colour makes an image of three bands", { tags: ["Y7"] }, async () => {
    const bands = "assets=red&assets=green&assets=blue";
    const plain = await pixelsOf(await tile(`${bands}&rescale=1000,5000`));
    const math = await pixelsOf(
      await tile(`${bands}&rescale=2000,10000&expression=${encodeURIComponent("b1*2;b2*2;b3*2")}`),
    );
    expect(largestDifference(plain, math)).toBe(0);
  });

  test("asset_bidx takes bands of a file of several", async () => {
    const whole = await pixelsOf(await tile("assets=visual"));
    const first = await pixelsOf(await tile("assets=visual&asset_bidx=visual|1"));
    expect([...first.data].filter((_, i) => i % 4 === 0)).toEqual([...whole.data].filter((_, i) => i % 4 === 0));
  });

  test("nodata takes the place of the file's", { tags: ["Y7"] }, async () => {
    const classes = await pixelsOf(await tile("assets=scl&rescale=0,11"));
    const without = await pixelsOf(await tile("assets=scl&rescale=0,11&nodata=4"));
    expect(opaque(classes)).toBe(65_536);
    const clear = Math.floor((4 / 11) * 255);
    const count = [...classes.data].filter((value, i) => i % 4 === 0 && value === clear).length;
    expect(count).toBeGreaterThan(0);
    expect(opaque(without)).toBe(65_536 - count);
  });

  test("classes are not mixed unless requested", { tags: ["Y7"] }, async () => {
    const image = async (query: string): Promise<Pixels> => pixelsOf(await tile(`assets=scl&rescale=0,11${query}`));
    const usual = await image("");
    expect(largestDifference(usual, await image("&resampling=nearest"))).toBe(0);
    expect(largestDifference(usual, await image("&resampling=bilinear"))).toBeGreaterThan(0);
  });

  test("a held tile is a 304, and HEAD has no body", async () => {
    const first = await tile(red);
    const etag = first.headers.get("ETag") ?? "";
    const held = await sandbox.get(`${item(S2, S2_ITEM)}/${WEB}/11/1101/730.png?${red}`, { "If-None-Match": etag });
    expect(held.status).toBe(304);
  });

  test.each([
    { what: "no assets", query: "", status: 400 },
    { what: "an unknown asset", query: "assets=purple", status: 404, says: "'purple' is not valid, should be one of" },
    { what: "an asset that is no raster", query: "assets=thumbnail", status: 404 },
    { what: "half a range", query: "assets=red&rescale=5", status: 400 },
    { what: "a range that runs backwards", query: "assets=red&rescale=5,1", status: 400 },
    { what: "an expression that does not parse", query: "assets=red&expression=b1%2B%2B", status: 400 },
    { what: "a band that is not there", query: "assets=red&expression=b1-b2&rescale=0,1", status: 400 },
    { what: "two bands", query: "assets=red&assets=nir&rescale=0,1", status: 400 },
    { what: "a colormap over three bands", query: "assets=visual&colormap_name=viridis", status: 400 },
    { what: "a band that the file does not have", query: "assets=visual&asset_bidx=visual|9", status: 400 },
    { what: "a nodata that is no number", query: "assets=red&nodata=x", status: 400 },
    { what: "a parameter that is not served", query: "assets=red&color_formula=gamma", status: 400 },
  ])("$what is a $status with a detail", { tags: ["Y14"] }, async ({ query, status, says = "" }) => {
    const response = await tile(query);
    expect(response.status).toBe(status);
    expect(response.headers.get("Content-Type")).toBe("application/json");
    expect(await response.json()).toEqual({ detail: expect.stringContaining(says) });
  });

  test.each([
    { query: "assets=red&colormap_name=nothing", loc: ["query", "colormap_name"] },
    { query: "assets=red&resampling=magic", loc: ["query", "resampling"] },
    { query: "assets=red&resampling=toString", loc: ["query", "resampling"] },
    { address: "x/1/2.png", query: "assets=red", loc: ["path", "z"] },
    { address: "1/1/2.bmp", query: "assets=red", loc: ["path", "format"] },
    { address: "1/1/2.constructor", query: "assets=red", loc: ["path", "format"] },
    { address: "1/1/2@9x.png", query: "assets=red", loc: ["path", "scale"] },
  ])("$loc of the wrong kind is a 422 in FastAPI's shape", { tags: ["Y14"] }, async ({ query, address, loc }) => {
    const response = await tile(query, address);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: [{ type: expect.any(String), loc, msg: expect.any(String), input: expect.any(String) }],
    });
  });

  test.each([
    { what: "a tile beside the scene", address: `${WEB}/9/10/10.png`, says: "Tile(x=10, y=10, z=9) is outside bounds" },
    { what: "a tile that no zoom has", address: `${WEB}/1/9/9.png`, says: "is outside bounds" },
  ])("$what is a 404", { tags: ["Y14"] }, async ({ address, says }) => {
    const response = await sandbox.get(`${item(S2, S2_ITEM)}/${address}?assets=visual`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: expect.stringContaining(says) });
  });

  test.each([
    { path: `${item(S2, "nothing")}/${WEB}/9/275/182.png?assets=visual`, status: 404 },
    { path: `${item("nothing", S2_ITEM)}/${WEB}/9/275/182.png?assets=visual`, status: 404 },
    { path: `${item(S2, S2_ITEM)}/tiles/WorldCRS84Quad/9/275/182.png?assets=visual`, status: 422 },
    { path: `${TILES}/nothing`, status: 404 },
  ])("$path is a $status", async ({ path, status }) => {
    const response = await sandbox.get(path);
    expect(response.status).toBe(status);
    expect(await response.json()).toHaveProperty("detail");
  });

  test("a missing or wrong key is a plain 403", { tags: ["U6", "Y21"] }, async () => {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const response = await sandbox.request(`${item(S2, S2_ITEM)}/${WEB}/9/275/182.png?assets=visual`, { headers });
      expect(response.status).toBe(403);
      expect(await response.json()).toEqual({ message: "Forbidden" });
    }
  });
});

describe("mosaics", () => {
  const mosaic = (query: string, tile = "9/275/182.png"): Promise<Response> =>
    sandbox.get(`${TILES}/collections/${S2}/${WEB}/${tile}?${query}`);
  const WEST = "S2B_T33TUL_20240704T100211_L2A";
  const EAST = "S2B_T33TVL_20240704T100211_L2A";
  const OTHER_DAY = "S2A_T33TUL_20240706T095331_L2A";

  test("the first of ids is on top", { tags: ["Y8"] }, async () => {
    const of = async (ids: string): Promise<Pixels> => pixelsOf(await mosaic(`assets=visual&ids=${ids}`));
    const alone = await pixelsOf(await sandbox.get(`${item(S2, WEST)}/${WEB}/9/275/182.png?assets=visual`));
    const [first, second] = [await of(`${WEST},${OTHER_DAY}`), await of(`${OTHER_DAY},${WEST}`)];
    expect(largestDifference(first, second)).toBeGreaterThan(10);
    for (let i = 3; i < alone.data.length; i += 4) {
      if (alone.data[i] === 0) continue;
      expect(first.data.slice(i - 3, i + 1)).toEqual(alone.data.slice(i - 3, i + 1));
    }
    expect(opaque(await of(`${WEST},${EAST}`))).toBeGreaterThan(opaque(alone));
  });

  test("unknown ids are left out; where nothing is left the answer is empty", { tags: ["Y8"] }, async () => {
    const known = await mosaic(`assets=visual&ids=nothing,${WEST}`);
    expect(known.status).toBe(200);
    const none = await mosaic("assets=visual&ids=nothing");
    expect([none.status, await none.text()]).toEqual([204, ""]);
    const far = await mosaic(`assets=visual&ids=${WEST}`, "9/10/10.png");
    expect(far.status).toBe(204);
  });

  test("without ids the newest scenes over the tile are rendered", async () => {
    const response = await mosaic("assets=visual&datetime=2024-07-04T00:00:00Z/2024-07-04T23:59:59Z");
    const named = await mosaic(`assets=visual&ids=${WEST},${EAST}`);
    expect(opaque(await pixelsOf(response))).toBe(opaque(await pixelsOf(named)));
  });

  test("more than a hundred ids are refused", async () => {
    const ids = Array.from({ length: 101 }, (_, i) => `id${i}`).join(",");
    expect((await mosaic(`assets=visual&ids=${ids}`)).status).toBe(400);
  });
});

describe("TileJSON", () => {
  test.each([
    {
      path: `${item(S2, S2_ITEM)}/WebMercatorQuad/tilejson.json`,
      target: `collections/${S2}/items/${S2_ITEM}`,
      query: "",
    },
    { path: `${item(S2, S2_ITEM)}/${WEB}/tilejson.json`, target: `collections/${S2}/items/${S2_ITEM}`, query: "" },
    {
      path: `${TILES}/collections/${S2}/WebMercatorQuad/tilejson.json`,
      target: `collections/${S2}`,
      query: `&ids=${S2_ITEM}`,
    },
    { path: `${TILES}/collections/${S2}/${WEB}/tilejson.json`, target: `collections/${S2}`, query: `&ids=${S2_ITEM}` },
  ])("$path names tiles that are there", { tags: ["Y9"] }, async ({ path, target, query }) => {
    const own = "tile_format=webp&tile_scale=2&minzoom=8&maxzoom=14";
    const response = await sandbox.get(`${path}?assets=red&rescale=1000,5000${query}&${own}`);
    const document = (await response.json()) as Record<string, unknown> & { tiles: string[] };
    expect(document).toMatchObject({
      tilejson: "3.0.0",
      scheme: "xyz",
      minzoom: 8,
      maxzoom: 14,
      bounds: [expect.closeTo(12.42, 1), expect.closeTo(45.04, 1), expect.closeTo(13.85, 1), expect.closeTo(46.05, 1)],
    });
    const [template = ""] = document.tiles;
    expect(template).toContain(`${ORIGIN}${TILES}/${target}/${WEB}/{z}/{x}/{y}@2x.webp?assets=red&rescale=1000%2C5000`);
    const tile = await sandbox.get(template.replace("{z}", "9").replace("{x}", "275").replace("{y}", "182"));
    expect([tile.status, tile.headers.get("Content-Type")]).toEqual([200, "image/webp"]);
  });
});

describe("an upstream over HTTP", () => {
  let upstream: ServedUpstream;
  let remote: LegacyService;
  beforeAll(async () => {
    upstream = await serveUpstream(inject("sandbox"));
    remote = await legacyService({
      legacy: { upstreamUrl: upstream.url },
      renderer: inlineRenderer({
        blockCacheBytes: 64 * 1_048_576,
        sources: { upstreamUrl: upstream.url, assetHosts: [], s3: { region: "us-west-2" } },
      }),
    });
  });
  afterAll(() => upstream.close());

  test("gives the embedded archive's images, and is queried once for a scene", async () => {
    upstream.resetRequests();
    for (const tile of ["9/275/182", "10/550/365", "11/1101/730"]) {
      const path = `${item(S2, S2_ITEM)}/${WEB}/${tile}.png?${DISPLAY.ndvi[S2]}`;
      const [near, far] = [await sandbox.get(path), await remote.get(path)];
      expect(await far.arrayBuffer()).toEqual(await near.arrayBuffer());
    }
    expect(upstream.requests.other + upstream.requests.search).toBe(1);
  });

  test("that does not answer is a 502, as is a file that is gone", async () => {
    const url = `${item(S2, S2_ITEM)}/${WEB}/9/275/182.png?assets=visual`;
    const alone = await legacyService({ legacy: { upstreamUrl: "http://127.0.0.1:1/v1" } });
    const gone = await alone.get(url);
    expect([gone.status, await gone.json()]).toEqual([502, { detail: expect.stringContaining("did not answer") }]);
    const empty = await legacyService({
      legacy: { upstreamUrl: upstream.url },
      renderer: inlineRenderer({
        blockCacheBytes: 0,
        sources: { assetHosts: ["elsewhere.test"], s3: { region: "x" } },
      }),
    });
    const missing = await empty.get(url);
    expect([missing.status, await missing.json()]).toEqual([502, { detail: expect.stringContaining(S2_ITEM) }]);
  });

  test("is reported by /healthz, which needs no key", { tags: ["Y10"] }, async () => {
    const healthy = await remote.request(`${TILES}/healthz`);
    expect(healthy.status).toBe(200);
    expect(await healthy.json()).toEqual({ "stac-api_online": true, versions: expect.any(Object) });
  });
});

test("clients written for TiTiler and for STAC searches work against the mounts unchanged", {
  tags: ["Y28"],
}, async () => {
  // what such scripts do: search by POST with the key in a header, page by links, then ask for tiles by asset name
  const stac = "/legacy/stac/search";
  const body = {
    collections: [LANDSAT],
    bbox: [13, 45.4, 13.6, 45.7],
    limit: 2,
    query: { "eo:cloud_cover": { lt: 20 } },
  };
  interface Found {
    features: { id: string; collection: string; assets: Record<string, unknown> }[];
    links: { rel: string; href: string; method?: string; body?: unknown; merge?: boolean }[];
  }
  const found: Found["features"] = [];
  let request: { href: string; body: unknown } | undefined = { href: stac, body };
  while (request !== undefined) {
    const response = await sandbox.post(request.href, request.body);
    expect(response.status).toBe(200);
    const page = (await response.json()) as Found;
    found.push(...page.features);
    const next = page.links.find(({ rel }) => rel === "next");
    request =
      next === undefined
        ? undefined
        : { href: next.href, body: next.merge ? { ...body, ...(next.body as object) } : next.body };
  }
  expect(found.length).toBeGreaterThan(2);
  for (const { id, collection, assets } of found) {
    expect(assets).toHaveProperty("nir08");
    const url = `${TILES}/collections/${collection}/items/${id}/tiles/WebMercatorQuad/10/550/365.png`;
    const query = "assets=nir08&assets=red&expression=(b1-b2)/(b1+b2-14545.45)&rescale=-0.2,0.8&colormap_name=rdylgn";
    const response = await sandbox.get(`${url}?${query}`);
    expect([200, 404]).toContain(response.status);
    if (response.status === 200) expect(response.headers.get("Content-Type")).toBe("image/png");
  }
  const ids = found.map(({ id }) => id).join(",");
  const mosaic = await sandbox.get(
    `${TILES}/collections/${LANDSAT}/tiles/WebMercatorQuad/9/275/182@2x.png?ids=${ids}&assets=red&assets=green&assets=blue&rescale=7273,18182`,
  );
  expect((await pixelsOf(mosaic)).width).toBe(512);
});
