import type { Item } from "@swath/catalog";
import { inlineRenderer, type Renderer } from "@swath/engine/node";
import { RENDER_VERSION } from "@swath/engine/node/images";
import { formatInstant, type Instant } from "@swath/query";
import sharp from "sharp";
import { beforeAll, expect, inject, test } from "vitest";
import { json, lightService, path, problemOf } from "../tools/answers.ts";
import { LEAN, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { opaque, pixelsOf } from "../tools/images.ts";

/** A month of which the archive has scenes of both satellites. */
const JULY = "datetime=2024-07-01/2024-07-31";
const TILE = "/v1/tiles/true-color/WebMercatorQuad/9/275/182";
const EMPTY = "/v1/tiles/true-color/WebMercatorQuad/9/10/200";

/** A renderer that counts its jobs. */
function countingRenderer(): Renderer & { readonly rendered: () => number } {
  let count = 0;
  const inner = inlineRenderer({
    blockCacheBytes: 16 * 1_048_576,
    sources: { archiveDirectory: inject("sandbox"), assetHosts: [], s3: { region: "us-west-2" } },
  });
  return {
    ...inner,
    render: (job, options) => {
      count += 1;
      return inner.render(job, options);
    },
    rendered: () => count,
  };
}

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

async function pixels(response: Response): Promise<{ data: Buffer; width: number; height: number; channels: number }> {
  const { data, info } = await sharp(Buffer.from(await response.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { data, width: info.width, height: info.height, channels: info.channels };
}

test.each([
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["webp", "image/webp"],
])(
  "a tile as %s is %s, 256 pixels square, with its scenes and its credit line",
  { tags: ["T1", "T2", "T11"] },
  async (format, type) => {
    const response = await service.get(`${TILE}.${format}?${JULY}`);
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(Number(response.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
    expect(response.headers.get("X-Attribution")).toBe("Contains modified Copernicus Sentinel data 2024");
    expect(response.headers.get("Content-Length")).toBe(String((await response.clone().arrayBuffer()).byteLength));
    expect(await pixels(response)).toMatchObject({ width: 256, height: 256 });
  },
);

test.each([
  ["png", 0],
  ["webp", 0],
])("a tile without a scene is 200 and wholly transparent as %s", { tags: ["T10"] }, async (format, alpha) => {
  const response = await service.get(`${EMPTY}.${format}?${JULY}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Used")).toBe("0");
  const { data, channels } = await pixels(response);
  expect(channels).toBe(4);
  expect(new Set(data.filter((_, i) => i % 4 === 3))).toEqual(new Set([alpha]));
});

test("a tile without a scene is white as JPEG", { tags: ["T10"] }, async () => {
  const { data } = await pixels(await service.get(`${EMPTY}.jpg?${JULY}`));
  expect(new Set(data)).toEqual(new Set([255]));
});

test("pixels without data are transparent where a scene ends", { tags: ["T10"] }, async () => {
  const { data, channels } = await pixels(await service.get(`/v1/tiles/ndvi/WebMercatorQuad/8/137/91.png?${JULY}`));
  expect(channels).toBe(4);
  const alphas = new Set(data.filter((_, i) => i % 4 === 3));
  expect(alphas).toEqual(new Set([0, 255]));
});

test.each(LEAN.registry.presets.map(({ id }) => id))(
  "preset %s renders both collections in both tile matrix sets",
  { tags: ["T1"] },
  async (preset) => {
    for (const collection of ["sentinel-2-l2a", "landsat-ot-l2"]) {
      for (const [set, address] of [
        ["WebMercatorQuad", "9/275/182"],
        ["WorldCRS84Quad", "8/275/62"],
      ]) {
        const response = await service.get(
          `/v1/tiles/${preset}/${set}/${address}.png?collection=${collection}&${JULY}`,
        );
        expect([preset, collection, set, response.status]).toEqual([preset, collection, set, 200]);
        expect(Number(response.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
      }
    }
  },
);

test("a tile named by an alias is rendered from the scenes that the alias includes", {
  tags: ["A8", "T3"],
}, async () => {
  const used = async (name: string): Promise<string | null> => {
    const response = await service.get(`${TILE}.png?datetime=2024-01-01/2025-12-31&collection=${name}`);
    expect(response.status).toBe(200);
    return response.headers.get("ETag");
  };
  const all = await used("landsat-ot-l2");
  expect(await used("LOTL2")).toBe(all);
  const [eight, nine] = [await used("ls8_sr"), await used("ls9_sr")];
  expect(new Set([all, eight, nine]).size).toBe(3);
});

test("a tile without datetime is rendered from the preset's window up to the last full hour", {
  tags: ["T4"],
}, async () => {
  const at = async (now: string): Promise<string | null> =>
    (await (await testService({ now: () => new Date(now) })).get(`${TILE}.png`)).headers.get("ETag");
  expect(await at("2024-07-20T12:05:00Z")).toBe(await at("2024-07-20T12:55:00Z"));
  expect(await at("2024-07-20T12:05:00Z")).not.toBe(await at("2023-07-20T12:05:00Z"));
});

test.each(LEAN.registry.presets.map(({ id }) => id))(
  "the window of %s is the 90 days before the last full hour",
  { tags: ["T4"] },
  async (preset) => {
    const asked: unknown[] = [];
    const service = await testService({
      now: () => new Date("2024-07-20T12:55:00Z"),
      tileScenes: {
        search: async ({ datetime }) => {
          asked.push(datetime && [formatInstant(datetime.start as Instant), formatInstant(datetime.end as Instant)]);
          return { items: [], truncated: false };
        },
      },
    });
    await service.get(`/v1/tiles/${preset}/WebMercatorQuad/9/275/182.png`);
    expect(asked).toEqual([["2024-04-21T12:00:00.000Z", "2024-07-20T12:00:00.000Z"]]);
    const { defaultWindow } = await json<{ defaultWindow: string }>(service.request(`/v1/presets/${preset}`));
    expect(defaultWindow).toBe("P90D");
  },
);

test("scenes are used that gave pixels: one beneath or beside them is not counted", { tags: ["T11"] }, async () => {
  const { tileScenes } = await sandboxServices();
  let candidates = 0;
  const counted = await testService({
    tileScenes: {
      search: async (...query) => {
        const found = await tileScenes.search(...query);
        candidates = found.items.length;
        return found;
      },
    },
  });
  // two scenes of July cover this tile, of which the first covers it
  const response = await counted.get(`/v1/tiles/true-color/WebMercatorQuad/11/1099/731.png?${JULY}`);
  expect(opaque(await pixelsOf(response.clone()))).toBe(256 * 256);
  expect(candidates).toBeGreaterThan(1);
  expect(response.headers.get("X-Scenes-Used")).toBe("1");
  // and this one needs both neighbours
  const edge = await counted.get(`/v1/tiles/true-color/WebMercatorQuad/8/137/91.png?${JULY}`);
  expect(Number(edge.headers.get("X-Scenes-Used"))).toBeGreaterThan(1);
});

test.each([
  [JULY, "private, max-age=86400"],
  ["datetime=../2024-07-31", "private, max-age=86400"],
  ["datetime=2024-07-01/..", "private, max-age=3600"],
  ["datetime=2026-06-01/2026-06-16T11:00:00Z", "private, max-age=3600"],
  ["", "private, max-age=3600"],
])("a tile with %j is kept as %s", { tags: ["T12"] }, async (query, expected) => {
  const response = await service.get(`${EMPTY}.png?${query}`);
  expect(response.headers.get("Cache-Control")?.replace(", stale-while-revalidate=86400", "")).toBe(expected);
});

test("a tile that the client has is 304 and nothing is rendered", { tags: ["T13", "Z4"] }, async () => {
  const renderer = countingRenderer();
  const counted = await testService({ renderer });
  const first = await counted.get(`${TILE}.png?${JULY}`);
  const etag = first.headers.get("ETag") ?? "";
  expect(etag).toMatch(new RegExp(`^"r${RENDER_VERSION}-[0-9a-f]{16}"$`));
  expect(renderer.rendered()).toBe(1);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await counted.get(`${TILE}.png?${JULY}`, { "If-None-Match": header });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe("");
    for (const name of ["ETag", "Cache-Control", "Vary"]) {
      expect(again.headers.get(name)).toBe(first.headers.get(name));
    }
  }
  expect(renderer.rendered()).toBe(1);
  expect((await counted.get(`${TILE}.png?${JULY}`, { "If-None-Match": '"r1-0"' })).status).toBe(200);
  expect(renderer.rendered()).toBe(2);
});

test("images that differ have different ETags", { tags: ["T13"] }, async () => {
  const etags = await Promise.all(
    [
      `${TILE}.png?${JULY}`,
      `${TILE}.webp?${JULY}`,
      `${TILE.replace("182", "183")}.png?${JULY}`,
      `${TILE.replace("true-color", "ndvi")}.png?${JULY}`,
      `${TILE}.png?datetime=2021-07-01/2021-07-31`,
    ].map(async (each) => (await service.get(each)).headers.get("ETag")),
  );
  expect(new Set(etags).size).toBe(etags.length);
});

test("the ETag of a tile is that of its scenes: other ids, files, footprints, orders and counts are other ETags", {
  tags: ["T13"],
}, async () => {
  const { catalog } = await sandboxServices();
  const { items } = await catalog.search({ collections: ["sentinel-2-l2a"], sortby: [], limit: 3 });
  const [a, b, c] = items;
  if (a === undefined || b === undefined || c === undefined) throw new Error("Expected three scenes.");
  const etagOf = async (found: readonly Item[]): Promise<string | null> => {
    const renderer: Renderer = {
      ...countingRenderer(),
      render: async () => ({ bytes: new Uint8Array(1), format: "png", used: [], skipped: [], truncated: false }),
    };
    const service = await testService({
      renderer,
      tileScenes: { search: async () => ({ items: found, truncated: false }) },
    });
    return (await service.get(`${TILE}.png?${JULY}`)).headers.get("ETag");
  };
  const [west = 0, south = 0] = a.bbox ?? [];
  const moved = {
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [west + 1, south],
        [west, south + 1],
        [west, south],
      ],
    ],
  };
  const files = Object.fromEntries(
    Object.entries(a.assets).map(([key, asset]) => [key, { ...asset, href: `${asset.href}?new` }]),
  );
  const properties = { ...a.properties, "s2:processing_baseline": "02.14" };
  const different: readonly (readonly Item[])[] = [
    [],
    [a],
    [b],
    [a, b],
    [b, a],
    [a, c],
    [{ ...a, id: `${a.id}_1` }],
    [{ ...a, assets: files }],
    [{ ...a, geometry: moved as Item["geometry"] }],
  ];
  const etags = await Promise.all(different.map(etagOf));
  expect(new Set(etags).size).toBe(different.length);
  expect(await etagOf([a, b])).toBe(etags[3]);
  // what the recipe reads is moved by the baseline of each scene
  const ndvi = async (item: Item): Promise<string | null> => {
    const service = await testService({ tileScenes: { search: async () => ({ items: [item], truncated: false }) } });
    return (await service.get(`${EMPTY.replace("true-color", "ndvi")}.png?${JULY}`)).headers.get("ETag");
  };
  expect(await ndvi({ ...a, properties })).not.toBe(await ndvi(a));
});

test("at most 50 scenes make a tile, least cloudy first, and it says when more would be needed", {
  tags: ["T8"],
}, async () => {
  const seen: { scenes: readonly { readonly id: string }[]; more: boolean }[] = [];
  const renderer: Renderer = {
    ...countingRenderer(),
    render: async (job) => {
      if (job.kind !== "tile") throw new Error("Expected a tile.");
      seen.push(job);
      return { bytes: new Uint8Array(1), format: "png", used: [], skipped: [], truncated: job.more };
    },
  };
  const { catalog } = await sandboxServices();
  const [item] = (await catalog.search({ collections: ["sentinel-2-l2a"], sortby: [], limit: 1 })).items;
  if (item === undefined) throw new Error("The archive is empty.");
  const items = Array.from({ length: 70 }, (_, i) => ({ ...item, id: `scene-${i}` }));
  const crowded = await testService({ renderer, tileScenes: { search: async () => ({ items, truncated: false }) } });
  const response = await crowded.get(`${TILE}.png?${JULY}`);
  expect(response.headers.get("X-Scenes-Truncated")).toBe("true");
  expect(seen[0]?.scenes.map(({ id }) => id)).toEqual(items.slice(0, 50).map(({ id }) => id));
  const cut = await testService({ renderer, tileScenes: { search: async () => ({ items: [item], truncated: true }) } });
  expect((await cut.get(`${TILE}.png?${JULY}`)).headers.get("X-Scenes-Truncated")).toBe("true");
});

test.each([
  ["WebMercatorQuad", [-180, -85.0511287798066, 180, 85.0511287798066]],
  ["WorldCRS84Quad", [-180, -90, 180, 90]],
])("TileJSON of %s has its members, within the world", { tags: ["J1", "J2", "J5"] }, async (set, world) => {
  const address = `/v1/tiles/true-color/${set}/tilejson.json`;
  const response = await service.request(address);
  expect(response.headers.get("Content-Type")).toBe("application/json");
  expect(response.headers.get("Cache-Control")).toBe("public, max-age=600");
  const document = await json<Record<string, unknown> & { bounds: number[]; center: number[]; tiles: string[] }>(
    response,
  );
  expect(document).toMatchObject({
    tilejson: "3.0.0",
    name: "True colour",
    version: "1.0.0",
    scheme: "xyz",
    minzoom: 7,
    maxzoom: 14,
    tiles: [`http://service.test/v1/tiles/true-color/${set}/{z}/{x}/{y}.png`],
  });
  const [west = 0, south = 0, east = 0, north = 0] = document.bounds;
  const [w = 0, s = 0, e = 0, n = 0] = world;
  expect(w <= west && west < east && east <= e && s <= south && south < north && north <= n).toBe(true);
  const [longitude = 0, latitude = 0, zoom = 0] = document.center;
  expect(west <= longitude && longitude <= east && south <= latitude && latitude <= north).toBe(true);
  expect(zoom >= 7 && zoom <= 14).toBe(true);
  expect("crs" in document).toBe(set === "WorldCRS84Quad");
});

test("TileJSON of items all round the world stays within the world and does not wrap", { tags: ["J2"] }, async () => {
  const { service: worldwide } = await lightService(300);
  const { bounds } = await json<{ bounds: number[] }>(
    worldwide.request("/v1/tiles/true-color/WebMercatorQuad/tilejson.json"),
  );
  const [west = 0, south = 0, east = 0, north = 0] = bounds;
  expect([west, east]).toEqual([-180, 180]);
  expect(Math.max(-south, north)).toBeLessThanOrEqual(85.0511287798066);
});

test("TileJSON hands its parameters on to the tiles, which then answer", { tags: ["J3", "J4"] }, async () => {
  const document = await json<{ tiles: string[]; attribution: string; maxzoom: number }>(
    service.request(
      `/v1/tiles/ndvi/WebMercatorQuad/tilejson.json?collection=landsat-ot-l2&format=webp&datetime=2021-06-01/2024-07-31`,
    ),
  );
  expect(document.attribution).toBe("Landsat imagery courtesy of the U.S. Geological Survey, 2021-2024");
  expect(document.maxzoom).toBe(13);
  const [template = ""] = document.tiles;
  const query = new URL(template.replace(/\{\w\}/g, "0")).searchParams;
  expect(Object.fromEntries(query)).toEqual({ collection: "landsat-ot-l2", datetime: "2021-06-01/2024-07-31" });
  const tile = template.replace("{z}", "9").replace("{x}", "275").replace("{y}", "182");
  const response = await service.get(path(tile));
  expect(response.headers.get("Content-Type")).toBe("image/webp");
  expect(Number(response.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
});

test("every preset has what a client needs to show it, and its links answer", {
  tags: ["L2", "R1", "R5"],
}, async () => {
  const list = await json<{ presets: { id: string; links: { rel: string; href: string; type: string }[] }[] }>(
    service.request("/v1/presets"),
  );
  expect(list.presets.map(({ id }) => id)).toEqual(expect.arrayContaining(["true-color", "false-color", "ndvi"]));
  for (const preset of list.presets) {
    expect(await json(service.request(`/v1/presets/${preset.id}`))).toEqual(preset);
    expect(preset.links.filter(({ rel }) => rel === "tiles")).toHaveLength(2);
    for (const { href, type } of preset.links) {
      const target = await service.request(path(href));
      expect([href, target.status, target.headers.get("Content-Type")]).toEqual([href, 200, type]);
    }
  }
});

test.each([
  ["/v1/tiles/true-color/WebMercatorQuad/6/34/22.png", 6],
  ["/v1/tiles/true-color/WebMercatorQuad/15/17600/11680.png", 15],
  ["/v1/tiles/ndvi/WebMercatorQuad/14/8800/5840.png?collection=landsat-ot-l2", 14],
])("%s is outside the zooms of its preset and collection", { tags: ["T6"] }, async (address, zoom) => {
  const problem = await problemOf(await service.get(address));
  expect(problem).toMatchObject({ status: 400, code: "zoom-out-of-range", limits: { requestedZoom: zoom } });
});

test("a preview keeps the scene's aspect within max_size, in each format", { tags: ["V1", "V2"] }, async () => {
  const scene = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview";
  for (const [format, type] of [
    ["png", "image/png"],
    ["jpg", "image/jpeg"],
    ["webp", "image/webp"],
  ]) {
    const response = await service.get(`${scene}.${format}?max_size=100`);
    expect(response.headers.get("Content-Type")).toBe(type);
    expect(response.headers.get("X-Attribution")).toBe("Contains modified Copernicus Sentinel data 2024");
    expect(response.headers.get("X-Scenes-Used")).toBe("1");
    const { width, height } = await pixels(response);
    expect(Math.max(width, height)).toBe(100);
  }
  const { width, height } = await pixels(await service.get(`${scene}.png`));
  expect(Math.max(width, height)).toBe(512);
});

test("a preview that the client has is 304 and nothing is rendered", { tags: ["A9", "V5"] }, async () => {
  const renderer = countingRenderer();
  const counted = await testService({ renderer });
  const scene = "/v1/collections/S2L2A/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64";
  const first = await counted.get(scene);
  expect(first.headers.get("Content-Location")).toBe(
    "http://service.test/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64",
  );
  const again = await counted.get(scene, { "If-None-Match": first.headers.get("ETag") ?? "" });
  expect(again.status).toBe(304);
  expect(again.headers.get("Content-Location")).toBe(first.headers.get("Content-Location"));
  expect(renderer.rendered()).toBe(1);
});

test("a preview of a recent scene is kept for an hour, of an older one for a day", { tags: ["V6"] }, async () => {
  const scene = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png?max_size=64";
  expect((await service.get(scene)).headers.get("Cache-Control")).toBe("private, max-age=86400");
  const then = await testService({ now: () => new Date("2024-07-04T20:00:00Z") });
  expect((await then.get(scene)).headers.get("Cache-Control")).toBe("private, max-age=3600");
});

test("a preview of an item without the file it is rendered from is 422 and names the item", {
  tags: ["V4"],
}, async () => {
  const { catalog } = await sandboxServices();
  const bare = {
    ...catalog,
    item: async (...args: Parameters<typeof catalog.item>) => {
      const item = await catalog.item(...args);
      return item === undefined ? undefined : { ...item, assets: {} };
    },
  };
  const lacking = await testService({ catalog: bare });
  const scene = "/v1/collections/sentinel-2-l2a/items/S2B_T33TUL_20240704T100211_L2A/preview.png";
  expect(await problemOf(await lacking.get(scene))).toMatchObject({ status: 422, code: "unknown-band" });
});
