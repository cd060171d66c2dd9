import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { layerNames } from "../../src/operations/wmts-layers.ts";
import { json } from "../tools/answers.ts";
import { FULL, KEY, type TestService, testService } from "../tools/harness.ts";

const ALL = "/v1/wmts/WMTSCapabilities.xml";
const TILE = { z: 9, x: 275, y: 182 };
const TIME = "2024-07-01/2024-07-31";
let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

const pairs = (values: Readonly<Record<string, string>>): string => `/v1/wmts?${new URLSearchParams(values)}`;
const getTile = {
  SERVICE: "WMTS",
  REQUEST: "GetTile",
  VERSION: "1.0.0",
  LAYER: "ndvi",
  STYLE: "default",
  FORMAT: "image/png",
  TILEMATRIXSET: "WebMercatorQuad",
  TILEMATRIX: String(TILE.z),
  TILEROW: String(TILE.y),
  TILECOL: String(TILE.x),
  TIME,
};
const bytes = async (response: Response): Promise<Buffer> => Buffer.from(await response.arrayBuffer());
const texts = (xml: string, name: string): string[] =>
  [...xml.matchAll(new RegExp(`<${name}>([^<]*)</${name}>`, "g"))].map(([, text = ""]) => text);

const { SWATH_SCHEMAS } = process.env;
const XSD = `${SWATH_SCHEMAS}/xsd/wmts/1.0/wmtsGetCapabilities_response.xsd`;
const hasXmllint = ["/usr/bin/xmllint", "/usr/local/bin/xmllint"].some(existsSync);

describe.skipIf(SWATH_SCHEMAS === undefined || !hasXmllint)("the schema of WMTS 1.0.0", () => {
  test.each([ALL, ...FULL.registry.presets.map(({ id }) => `/v1/tiles/${id}/WMTSCapabilities.xml`)])(
    "%s is valid",
    { tags: ["WM1"] },
    async (path) => {
      const folder = mkdtempSync(join(tmpdir(), "swath-wmts-"));
      try {
        const file = join(folder, "capabilities.xml");
        writeFileSync(file, await (await service.request(path)).text());
        const run = (): string =>
          execFileSync("xmllint", ["--nonet", "--noout", "--schema", XSD, file], { encoding: "utf8", stdio: "pipe" });
        expect(run).not.toThrow();
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );
});

test("capabilities need no key, and list every preset of every collection that it is offered for", {
  tags: ["WM2"],
}, async () => {
  const response = await service.request(ALL);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "application/xml"]);
  const xml = await response.text();
  const layers = xml.split("<Layer>").slice(1);
  const expected = FULL.registry.presets.flatMap(({ id, collection, collections = [] }) =>
    collections.map((each) => (each === collection ? id : `${id}.${each}`)),
  );
  expect(layers.map((layer) => texts(layer, "ows:Identifier")[0])).toEqual(expected);
  expect(expected).toContain("ndvi.landsat-ot-l2");
  expect(expected).toContain("hillshade");
  for (const layer of layers) {
    expect(texts(layer, "Format")).toEqual(["image/png", "image/jpeg", "image/webp"]);
    expect(texts(layer, "TileMatrixSet")).toEqual(["WebMercatorQuad", "WorldCRS84Quad"]);
  }
  const again = await service.request(ALL, { headers: { "If-None-Match": response.headers.get("ETag") ?? "" } });
  expect(again.status).toBe(304);
});

test("a preset's capabilities list its layers alone", async () => {
  const xml = await (await service.request("/v1/tiles/ndvi/WMTSCapabilities.xml")).text();
  const identifiers = xml
    .split("<Layer>")
    .slice(1)
    .map((layer) => texts(layer, "ows:Identifier")[0]);
  expect(identifiers).toEqual(layerNames(FULL.registry, "ndvi").map(({ identifier }) => identifier));
  expect(identifiers.length).toBeGreaterThan(1);
  expect((await service.request("/v1/tiles/winter/WMTSCapabilities.xml")).status).toBe(404);
});

test("GetCapabilities by key-value pairs is the same document, without key and in any case of the names", async () => {
  const expected = await (await service.request(ALL)).text();
  for (const query of [
    "SERVICE=WMTS&REQUEST=GetCapabilities",
    "service=wmts&Request=GetCapabilities&acceptversions=1.1.0,1.0.0&map=x",
  ]) {
    const response = await service.request(`/v1/wmts?${query}`);
    expect([response.status, await response.text()]).toEqual([200, expected]);
  }
});

test.each([ALL, "/v1/tiles/ndvi/WMTSCapabilities.xml"])(
  "%s takes what clients append to it, and has nothing but capabilities",
  async (address) => {
    const plain = await (await service.get(address)).text();
    const asked = await service.get(`${address}?service=WMTS&Request=GetCapabilities&version=1.0.0`);
    expect([asked.status, await asked.text()]).toEqual([200, plain]);
    const problem = await service.get(`${address}?SERVICE=WMTS&REQUEST=GetTile`);
    expect(await problem.json()).toMatchObject({
      status: 400,
      errors: [{ pointer: "REQUEST", detail: 'Expected GetCapabilities, got "GetTile".' }],
    });
  },
);

test("the times of a layer are its default and all of its collection, each once", async () => {
  const document = await (await service.request(ALL)).text();
  const dimensions = [...document.matchAll(/<Dimension>.*?<\/Dimension>/gs)].map(([text]) => text);
  for (const dimension of dimensions) {
    const values = [...dimension.matchAll(/<Value>(.*?)<\/Value>/g)].map(([, value]) => value);
    const [, preset] = /<Default>(.*?)<\/Default>/.exec(dimension) ?? [];
    expect(values).toContain(preset);
    expect(new Set(values).size).toBe(values.length);
  }
  expect(dimensions.length).toBeGreaterThan(20);
});

test("limits of tile matrices are the zooms of the recipe and the tiles of the collection's extent", {
  tags: ["WM3"],
}, async () => {
  const xml = await (await service.request("/v1/tiles/ndvi/WMTSCapabilities.xml")).text();
  const [, layer = ""] = xml.split("<Layer>");
  const tileJson = await json<{ minzoom: number; maxzoom: number; bounds: number[] }>(
    await service.request("/v1/tiles/ndvi/WebMercatorQuad/tilejson.json"),
  );
  const zooms = Array.from({ length: tileJson.maxzoom - tileJson.minzoom + 1 }, (_, i) => String(tileJson.minzoom + i));
  expect(texts(layer, "TileMatrix")).toEqual([...zooms, ...zooms]);
  const [west = 0, south = 0, east = 0, north = 0] = tileJson.bounds;
  const row = (latitude: number): number =>
    Math.floor(((1 - Math.asinh(Math.tan((latitude * Math.PI) / 180)) / Math.PI) / 2) * 2 ** 14);
  const at = zooms.indexOf("14");
  const limit = (name: string): number => Number(texts(layer, name)[at]);
  expect([limit("MinTileCol"), limit("MaxTileCol"), limit("MinTileRow"), limit("MaxTileRow")]).toEqual([
    Math.floor(((west + 180) / 360) * 2 ** 14),
    Math.floor(((east + 180) / 360) * 2 ** 14),
    row(north),
    row(south),
  ]);
});

test.each([
  { name: "the default collection", layer: "ndvi", query: "" },
  { name: "another collection", layer: "ndvi.landsat-ot-l2", query: "&collection=landsat-ot-l2" },
])(
  "GetTile of $name has the bytes and the headers of the tile's own address",
  { tags: ["WM4"] },
  async ({ layer, query }) => {
    const { z, x, y } = TILE;
    const direct = await service.get(`/v1/tiles/ndvi/WebMercatorQuad/${z}/${x}/${y}.png?datetime=${TIME}${query}`);
    const byPairs = await service.get(pairs({ ...getTile, LAYER: layer }));
    expect([direct.status, byPairs.status]).toEqual([200, 200]);
    expect(Number(direct.headers.get("X-Scenes-Used"))).toBeGreaterThan(0);
    expect((await bytes(byPairs)).equals(await bytes(direct))).toBe(true);
    for (const name of ["Content-Type", "ETag", "Cache-Control", "X-Attribution", "X-Scenes-Used"])
      expect([name, byPairs.headers.get(name)]).toEqual([name, direct.headers.get(name)]);
  },
);

test("the template of every layer and format, filled with its defaults, is the address of a tile", {
  tags: ["WM3"],
}, async () => {
  const xml = await (await service.request(ALL)).text();
  let asked = 0;
  for (const layer of xml.split("<Layer>").slice(1)) {
    if (!/sentinel-2|landsat-ot|ndvi/i.test(texts(layer, "ows:Identifier")[0] ?? "")) continue;
    const [time = ""] = texts(layer, "Default");
    for (const [, template = ""] of layer.matchAll(/template="([^"]*)"/g)) {
      const address = template
        .replaceAll("&amp;", "&")
        .replace("{TileMatrixSet}", "WorldCRS84Quad")
        .replace("{TileMatrix}", "8")
        .replace("{TileCol}", "275")
        .replace("{TileRow}", "62")
        .replace("{Time}", time);
      expect(address).not.toMatch(/[{}]/);
      const { pathname, search } = new URL(address);
      expect((await service.get(pathname + search)).status, address).toBe(200);
      asked += 1;
    }
  }
  expect(asked).toBeGreaterThanOrEqual(6);
});

test("a tile without key is refused as at its own address", { tags: ["WM4"] }, async () => {
  const direct = await service.request(`/v1/tiles/ndvi/WebMercatorQuad/9/275/183.png?datetime=${TIME}`);
  const byPairs = await service.request(pairs({ ...getTile, TILEROW: "183" }));
  expect([direct.status, byPairs.status]).toEqual([401, 401]);
  expect(byPairs.headers.get("WWW-Authenticate")).toBe(direct.headers.get("WWW-Authenticate"));
  expect(await json(byPairs)).toMatchObject({ code: "invalid-key" });
  const wrong = await service.request(pairs(getTile), { headers: { "X-API-Key": "wrong" } });
  expect(wrong.status).toBe(401);
});

test.each([
  ["2024", "2024-01-01/2024-12-31"],
  ["2024-07", "2024-07-01/2024-07-31"],
  ["2024-02", "2024-02-01/2024-02-29"],
  ["2023/2024-07", "2023-01-01/2024-07-31"],
  ["2024-07/..", "2024-07-01/.."],
  ["../2024", "../2024-12-31"],
])("TIME %s is %s, and so is it at the address that the template has", { tags: ["WM8"] }, async (time, datetime) => {
  const tile = `/v1/tiles/ndvi/WebMercatorQuad/${TILE.z}/${TILE.x}/${TILE.y}.png?datetime=`;
  const direct = await service.get(tile + datetime);
  expect(Number(direct.headers.get("X-Scenes-Used"))).toBeGreaterThanOrEqual(0);
  for (const asked of [pairs({ ...getTile, TIME: time }), tile + time]) {
    const response = await service.get(asked);
    expect([response.status, response.headers.get("ETag")]).toEqual([200, direct.headers.get("ETag")]);
  }
});

test.each(["2024-13", "2024-00", "24", "2024/2023", "2024-7"])(
  "TIME %s is refused",
  { tags: ["WM8"] },
  async (time) => {
    const response = await service.get(pairs({ ...getTile, TIME: time }));
    expect(response.status).toBe(400);
    expect(await json(response)).toMatchObject({ errors: [{ pointer: "TIME" }] });
  },
);

test("names of GetTile may be in any case, STYLE and TIME may be absent", { tags: ["WM5"] }, async () => {
  const { STYLE: _, TIME: __, VERSION: ___, ...rest } = getTile;
  const lower = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name.toLowerCase(), value]));
  const response = await service.get(pairs(lower));
  const direct = await service.get(`/v1/tiles/ndvi/WebMercatorQuad/${TILE.z}/${TILE.x}/${TILE.y}.png`);
  expect((await bytes(response)).equals(await bytes(direct))).toBe(true);
});

test.each([
  { given: { SERVICE: "WMS" }, pointer: "SERVICE" },
  { given: { REQUEST: "GetFeatureInfo" }, pointer: "REQUEST" },
  { given: { VERSION: "2.0.0" }, pointer: "VERSION" },
  { given: { REQUEST: "GetCapabilities", AcceptVersions: "0.9" }, pointer: "ACCEPTVERSIONS" },
  { given: { LAYER: "ndvy" }, pointer: "LAYER", detail: 'Did you mean "ndvi"?' },
  { given: { LAYER: "" }, pointer: "LAYER" },
  { given: { LAYER: "constructor" }, pointer: "LAYER" },
  { given: { STYLE: "winter" }, pointer: "STYLE" },
  { given: { FORMAT: "image/gif" }, pointer: "FORMAT" },
  { given: { TILEMATRIXSET: "EuropeanETRS89_LAEAQuad" }, pointer: "TILEMATRIXSET" },
  { given: { TILEMATRIX: "nine" }, pointer: "TILEMATRIX" },
  { given: { TILEMATRIX: "3", TILEROW: "1", TILECOL: "1" }, pointer: "TILEMATRIX", code: "zoom-out-of-range" },
  { given: { TILEROW: "512" }, pointer: "TILEROW" },
  { given: { TILECOL: "512" }, pointer: "TILECOL" },
  { given: { TILECOL: "-1" }, pointer: "TILECOL" },
  { given: { TIME: "yesterday" }, pointer: "TIME" },
  { given: { layer: "ndvi" }, pointer: "LAYER", detail: "two spellings" },
])(
  "$given is a problem document that points at $pointer",
  { tags: ["WM5"] },
  async ({ given, pointer, code, detail }) => {
    const response = await service.get(pairs({ ...getTile, ...given } as Record<string, string>));
    expect([response.status, response.headers.get("Content-Type")]).toEqual([400, "application/problem+json"]);
    const problem = await json<{ code: string; detail: string; errors: { pointer: string }[] }>(response);
    expect([problem.code, problem.errors.map((each) => each.pointer)]).toEqual([
      code ?? "invalid-parameter",
      [pointer],
    ]);
    expect(problem.detail).toContain(detail ?? "");
  },
);

test("no key-value pairs are answered 5xx", async () => {
  const name = fc.oneof(
    fc.constantFrom(...Object.keys(getTile), "AcceptVersions", "Sections", "Time", "layer"),
    fc.string(),
  );
  const value = fc.oneof(
    fc.constantFrom(...Object.values(getTile), "", "GetCapabilities", "WMTS", "../..", "1e9", "999999999"),
    fc.string(),
  );
  await fc.assert(
    fc.asyncProperty(fc.dictionary(name, value, { maxKeys: 4 }), async (odd) => {
      const { status } = await service.get(pairs({ ...getTile, ...odd }));
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 200 },
  );
});

test("presets and collections of the full profile link to the capabilities; lean serves none", {
  tags: ["WM7"],
}, async () => {
  const preset = await json<{ links: { rel: string; type: string; href: string }[] }>(
    await service.request("/v1/presets/ndvi"),
  );
  const link = preset.links.find(({ rel }) => rel === "describedby");
  expect(link).toMatchObject({ type: "application/xml" });
  expect((await service.request(new URL(link?.href ?? "").pathname)).status).toBe(200);
  const collection = await json<{ stac_extensions: string[]; links: { rel: string; "wmts:layer"?: string[] }[] }>(
    await service.request("/v1/collections/landsat-ot-l2"),
  );
  expect(collection.stac_extensions.join()).toContain("web-map-links");
  const layers = layerNames(FULL.registry).filter(({ collectionId }) => collectionId === "landsat-ot-l2");
  expect(collection.links.find(({ rel }) => rel === "wmts")).toMatchObject({
    href: `http://service.test${ALL}`,
    "wmts:layer": layers.map(({ identifier }) => identifier),
  });
  const lean = await testService();
  for (const path of [ALL, "/v1/tiles/ndvi/WMTSCapabilities.xml", "/v1/wmts?SERVICE=WMTS&REQUEST=GetCapabilities"])
    expect((await lean.request(path, { headers: { "X-API-Key": KEY } })).status).toBe(404);
  const plain = await json<{ stac_extensions: string[]; links: { rel: string }[] }>(
    await lean.request("/v1/collections/landsat-ot-l2"),
  );
  expect(plain.links.map(({ rel }) => rel)).not.toContain("wmts");
  expect(plain.stac_extensions.join()).not.toContain("web-map-links");
});
