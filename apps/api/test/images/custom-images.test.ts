import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { colormap, COLORMAPS as TABLES } from "@swath/raster/style";
import { COLORMAPS, commonIndices, indices } from "@swath/schema/presets";
import { beforeAll, describe, expect, test } from "vitest";
import { openRegistry } from "../../src/open/collection-files.ts";
import { json, problemOf } from "../tools/answers.ts";
import { gdalPixels, hasGdal } from "../tools/gdal.ts";
import { FULL, LEAN, type TestService, testService } from "../tools/harness.ts";
import { largestDifference, type Pixels, pixelsOf } from "../tools/images.ts";
import { tileAt, warpedByGdal } from "../tools/warped.ts";

const SCENE = "S2B_T33TUL_20240704T100211_L2A";
const DAY = "2024-07-04";
const PLACE = tileAt(14, 13.35, 45.55);
const TILE = { set: "WebMercatorQuad", ...PLACE, size: 256 } as const;
/** The tile of the day with a style. */
const address = (values: Readonly<Record<string, string>>, form = "png"): string =>
  `/v1/tiles/custom/WebMercatorQuad/${PLACE.z}/${PLACE.x}/${PLACE.y}.${form}?${new URLSearchParams({ datetime: DAY, ...values })}`;
/** Reflectance of the archive's Sentinel-2 numbers, whose baseline has the offset. */
const reflectance = (stored: number): number => (stored - 1000) / 10_000;

let service: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
});

/** Compares levels where all bands have data; the share of pixels compared is returned. */
function compare(shown: Pixels, bands: readonly ArrayLike<number>[], levelsOf: (values: number[]) => number[]): number {
  let compared = 0;
  for (let i = 0; i < shown.width * shown.height; i++) {
    const stored = bands.map((band) => band[i] ?? 0);
    if (stored.includes(0) || shown.data[4 * i + 3] === 0) continue;
    compared += 1;
    for (const [c, level] of levelsOf(stored.map(reflectance)).entries()) {
      // the fraction is cut off, and GDAL's numbers are of single precision: one level either way
      expect(Math.abs((shown.data[4 * i + c] ?? 0) - level)).toBeLessThanOrEqual(1.5);
    }
  }
  return compared / (shown.width * shown.height);
}
const level = (value: number, low: number, high: number): number =>
  Math.min(255, Math.max(0, ((value - low) / (high - low)) * 255));

describe.skipIf(!hasGdal)("a custom image", () => {
  test("of an expression holds what the expression gives of GDAL's numbers", { tags: ["IM5"] }, async () => {
    const expression = "2.5 * (nir - red) / (nir + 6 * red - 7.5 * blue + 1)";
    const response = await service.get(address({ expression, rescale: "-0.2,0.9" }));
    expect([response.status, response.headers.get("X-Scenes-Used")]).toEqual([200, "1"]);
    const bands = await warpedByGdal(service, SCENE, ["B08", "B04", "B02"], TILE);
    const share = compare(await pixelsOf(response), bands, ([nir = 0, red = 0, blue = 0]) => {
      const value = (2.5 * (nir - red)) / (nir + 6 * red - 7.5 * blue + 1);
      return [level(value, -0.2, 0.9)];
    });
    expect(share).toBeGreaterThan(0.95);
  });

  test("of three bands has a range for each", { tags: ["IM5"] }, async () => {
    const response = await service.get(address({ bands: "swir16, nir,blue", rescale: "0,0.4,0,0.6,0,0.2" }));
    const bands = await warpedByGdal(service, SCENE, ["B11", "B08", "B02"], TILE);
    const share = compare(await pixelsOf(response), bands, ([swir = 0, nir = 0, blue = 0]) => [
      level(swir, 0, 0.4),
      level(nir, 0, 0.6),
      level(blue, 0, 0.2),
    ]);
    expect(share).toBeGreaterThan(0.95);
  });

  test("of three expressions has one for each color", { tags: ["IM5"] }, async () => {
    const response = await service.get(address({ expression: "red*2; nir - red ;sqrt(blue)", rescale: "0,0.6" }));
    const bands = await warpedByGdal(service, SCENE, ["B08", "B04", "B02"], TILE);
    const share = compare(await pixelsOf(response), bands, ([nir = 0, red = 0, blue = 0]) => [
      level(red * 2, 0, 0.6),
      level(nir - red, 0, 0.6),
      level(Math.sqrt(blue), 0, 0.6),
    ]);
    expect(share).toBeGreaterThan(0.95);
  });

  test("without a range is stretched between percentiles 2 and 98 of the usual values", { tags: ["IM7"] }, async () => {
    const usual = FULL.registry.resolve("sentinel-2-l2a").bands.find(({ name }) => name === "B04")?.usual ?? [];
    const sorted = [...usual].sort((a, b) => a - b);
    const at = (percent: number): number => {
      const place = ((sorted.length - 1) * percent) / 100;
      const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
      return below + (above - below) * (place % 1);
    };
    const given = await pixelsOf(await service.get(address({ bands: "red", rescale: `${at(2)},${at(98)}` })));
    const absent = await pixelsOf(await service.get(address({ bands: "red" })));
    expect(largestDifference(given, absent)).toBeLessThanOrEqual(1);
    expect(new Set(given.data).size).toBeGreaterThan(20);
  });

  test("in a colormap has the colors of its table", { tags: ["IM5"] }, async () => {
    const grey = await pixelsOf(await service.get(address({ bands: "nir", rescale: "0,0.5" })));
    const colored = await pixelsOf(
      await service.get(address({ bands: "nir", rescale: "0,0.5", colormap: "Viridis_r" })),
    );
    const table = colormap("viridis_r");
    for (let i = 0; i < grey.data.length; i += 4) {
      if (grey.data[i + 3] === 0) continue;
      const color = (grey.data[i] ?? 0) * 4;
      expect([...colored.data.subarray(i, i + 3)]).toEqual([...table.subarray(color, color + 3)]);
    }
  });
});

describe("the ways to ask for a custom image", () => {
  const values = { expression: "(nir - red) / (nir + red)", rescale: "-0.2,0.8", colormap: "rdylgn" };

  test("by tile and by key-value pairs give the same bytes", { tags: ["IM5"] }, async () => {
    const tile = await service.get(address({ ...values, collection: "sentinel-2-l2a" }));
    const pairs = new URLSearchParams({
      ...{ service: "WMTS", request: "GetTile", version: "1.0.0", layer: "custom", style: "", format: "image/png" },
      ...{ tilematrixset: "WebMercatorQuad", tilematrix: String(PLACE.z), tilecol: String(PLACE.x) },
      ...{ tilerow: String(PLACE.y), time: DAY, collection: "sentinel-2-l2a", ...values },
    });
    const byPairs = await service.get(`/v1/wmts?${pairs}`);
    expect(byPairs.status).toBe(200);
    expect(Buffer.from(await byPairs.arrayBuffer()).equals(Buffer.from(await tile.arrayBuffer()))).toBe(true);
  });

  test("TileJSON names them in the address of tiles, which answers", { tags: ["IM5"] }, async () => {
    const query = new URLSearchParams({ datetime: DAY, collection: "sentinel-2-l2a", ...values });
    const document = (await json(await service.request(`/v1/tiles/custom/WebMercatorQuad/tilejson.json?${query}`))) as {
      tiles: string[];
    };
    const [template = ""] = document.tiles;
    const path = template.replace("{z}", `${PLACE.z}`).replace("{x}", `${PLACE.x}`).replace("{y}", `${PLACE.y}`);
    const { pathname, search } = new URL(path);
    const etag = (await service.get(`${pathname}${search}`)).headers.get("ETag");
    expect(etag).toBe((await service.get(address({ ...values, collection: "sentinel-2-l2a" }))).headers.get("ETag"));
    expect(document).toMatchObject({ minzoom: 7, maxzoom: 14 });
  });

  test("a preview shows a scene of bands, an index, or a preset", { tags: ["IM5"] }, async () => {
    const preview = (query: string) =>
      service.get(`/v1/collections/sentinel-2-l2a/items/${SCENE}/preview.png?max_size=128&${query}`);
    const etags = await Promise.all(
      ["preset=custom&bands=nir,red,green&rescale=0,0.4", "preset=ndvi", "preset=index-evi", ""].map(async (query) => {
        const response = await preview(query);
        expect([query, response.status]).toEqual([query, 200]);
        return response.headers.get("ETag");
      }),
    );
    expect(new Set(etags).size).toBe(4);
    expect(await problemOf(await preview("bands=red"))).toMatchObject({ status: 400, errors: [{ pointer: "bands" }] });
    expect((await preview("preset=nothing")).status).toBe(404);
  });

  test("its legend names the expression and its range", { tags: ["IM4"] }, async () => {
    const query = new URLSearchParams({ ...values, collection: "sentinel-2-l2a" });
    expect(await json(await service.request(`/v1/presets/custom/legend.json?${query}`))).toMatchObject({
      title: values.expression,
      range: [-0.2, 0.8],
      colormap: "rdylgn",
    });
    expect((await service.request(`/v1/presets/custom/legend.png?${query}`)).status).toBe(200);
  });
});

test.each([
  [{}, 400, "expression"],
  [{ bands: "red", expression: "red" }, 400, "expression"],
  [{ bands: "red,green" }, 400, "bands"],
  [{ bands: "red,red,green" }, 400, "bands"],
  [{ bands: "purple" }, 422, "bands"],
  [{ bands: "SCL" }, 422, "bands"],
  [{ expression: "nir -" }, 400, "expression"],
  [{ expression: "nir;red" }, 400, "expression"],
  [{ expression: "purple + 1" }, 422, "expression"],
  [{ expression: "1 + 1" }, 400, "expression"],
  [{ expression: `nir${"+nir".repeat(600)}` }, 400, "expression"],
  [{ expression: `${"(".repeat(60)}nir` }, 400, "expression"],
  [{ expression: `${"nir+".repeat(2000)}nir` }, 400, "expression"],
  [{ bands: "red", rescale: "1,0" }, 400, "rescale"],
  [{ bands: "red", rescale: "0" }, 400, "rescale"],
  [{ bands: "red", rescale: "-1e308,1e308" }, 400, "rescale"],
  [{ bands: "red", rescale: "0,a" }, 400, "rescale"],
  [{ bands: "red", rescale: "0,1,0,1,0,1" }, 400, "rescale"],
  [{ bands: "red", colormap: "nothing" }, 400, "colormap"],
  [{ bands: "red,green,blue", colormap: "viridis" }, 400, "colormap"],
  [{ bands: "red", collection: "nothing" }, 404, "collection"],
])("the style %o is %i that names the parameter %s", { tags: ["IM6"] }, async (values, status, pointer) => {
  const problem = await problemOf(await service.get(address(values as Readonly<Record<string, string>>)));
  expect(problem).toMatchObject({ status, errors: [{ pointer }] });
});

test("a style beside another preset is 400, and lean v1 knows neither", { tags: ["IM6"] }, async () => {
  const tile = "/v1/tiles/ndvi/WebMercatorQuad/9/275/182.png";
  expect(await problemOf(await service.get(`${tile}?rescale=0,1&colormap=viridis`))).toMatchObject({
    status: 400,
    errors: [{ pointer: "rescale" }, { pointer: "colormap" }],
  });
  const lean = await testService({}, { profile: LEAN });
  expect((await lean.get(`${tile}?rescale=0,1`)).status).toBe(400);
  expect((await lean.get("/v1/tiles/custom/WebMercatorQuad/9/275/182.png")).status).toBe(404);
});

describe("indices as presets", () => {
  // the common ones, and of the others every twentieth
  const drawn: readonly { readonly id: string }[] = [
    ...commonIndices,
    ...indices.slice(commonIndices.length).filter((_, i) => i % 20 === 0),
  ];
  test.each(drawn.map(({ id }) => id))(
    "index-%s is drawn of its collections as its expression is",
    { tags: ["IM8"] },
    async (id) => {
      const preset = FULL.registry.resolvePreset(`index-${id}`);
      expect(preset.collections).toContain("sentinel-2-l2a");
      const { expression = "", rescale = [], colormap: colors = "" } = preset;
      const tile = `${PLACE.z}/${PLACE.x}/${PLACE.y}.png?datetime=${DAY}`;
      const byId = await pixelsOf(await service.get(`/v1/tiles/index-${id}/WebMercatorQuad/${tile}`));
      const own = { expression, rescale: rescale.join(","), colormap: colors, collection: "sentinel-2-l2a" };
      expect(largestDifference(byId, await pixelsOf(await service.get(address(own))))).toBe(0);
    },
  );

  test("are offered of every collection with the bands, and of no other", { tags: ["IM8"] }, () => {
    expect(FULL.registry.resolvePreset("index-ndvi").collections).toEqual(
      expect.arrayContaining(["sentinel-2-l2a", "landsat-ot-l2", "landsat-tm-l2", "hls", "optical-sr"]),
    );
    expect(FULL.registry.resolvePreset("index-ndre").collections).not.toContain("landsat-ot-l2");
    const presets = indices.map(({ id }) => FULL.registry.resolvePreset(`index-${id}`));
    for (const { collections = [] } of presets) expect(collections).not.toContain("dem");
    expect(LEAN.registry.presets.map(({ id }) => id)).toEqual(["true-color", "false-color", "ndvi"]);
  });

  test("are listed on two pages", { tags: ["IM8"] }, async () => {
    interface Page {
      readonly presets: readonly { readonly id: string }[];
      readonly links: readonly { readonly rel: string; readonly href: string }[];
    }
    const page = async (address: string) => json<Page>(await service.get(address));
    const first = await page("/v1/presets");
    const next = first.links.find(({ rel }) => rel === "next")?.href ?? "";
    const second = await page(next.slice(new URL(next).origin.length));
    const idsOf = ({ presets }: Page) => presets.map(({ id }) => id).filter((id) => id.startsWith("index-"));
    expect(idsOf(first)).toEqual(commonIndices.map(({ id }) => `index-${id}`));
    expect([...idsOf(first), ...idsOf(second)]).toEqual(indices.map(({ id }) => `index-${id}`));
    expect(second.links.map(({ rel }) => rel)).toEqual(["self", "root"]);
    expect((await service.get("/v1/presets?token=none")).status).toBe(400);
    const lean = await testService({}, { profile: LEAN });
    expect((await json<Page>(await lean.get("/v1/presets"))).links.map(({ rel }) => rel)).toEqual(["self", "root"]);
  });

  test("of the second page are layers of WMTS", { tags: ["IM8"] }, async () => {
    const capabilities = await (await service.get("/v1/tiles/index-arvi/WMTSCapabilities.xml")).text();
    expect(capabilities).toContain("<ows:Identifier>index-arvi.landsat-ot-l2</ows:Identifier>");
    const { z, x, y } = PLACE;
    const pairs = {
      ...{ SERVICE: "WMTS", REQUEST: "GetTile", VERSION: "1.0.0", LAYER: "index-arvi", STYLE: "default" },
      ...{ FORMAT: "image/png", TILEMATRIXSET: "WebMercatorQuad", TIME: DAY },
      ...{ TILEMATRIX: `${z}`, TILEROW: `${y}`, TILECOL: `${x}` },
    };
    const tile = await pixelsOf(await service.get(`/v1/wmts?${new URLSearchParams(pairs)}`));
    const address = `/v1/tiles/index-arvi/WebMercatorQuad/${z}/${x}/${y}.png?datetime=${DAY}`;
    expect(largestDifference(tile, await pixelsOf(await service.get(address)))).toBe(0);
  });

  test("HLS reads the narrow near infrared, which all of its sensors have", { tags: ["IM8"] }, () => {
    expect(FULL.registry.recipeOf("index-ndvi", "hls")?.assets).toEqual(["NIR_Narrow", "Red"]);
  });
});

test("the schema lists the colormaps that images may have", async () => {
  expect([...COLORMAPS]).toEqual([...TABLES].sort());
  expect(await json(await service.request("/v1/schema"))).toMatchObject({ colormaps: [...COLORMAPS] });
});

describe("process with an expression", () => {
  const body = (more: object) => ({
    input: {
      bounds: { bbox: [13.3, 45.5, 13.36, 45.54] },
      data: [{ type: "sentinel-2-l2a", dataFilter: { ids: [SCENE] } }],
    },
    output: { width: 60, height: 50, crs: "EPSG:4326" },
    ...more,
  });
  const bandsOf = async (more: object): Promise<readonly ArrayLike<number>[]> => {
    const response = await service.post("/v1/process", body(more));
    expect(response.status).toBe(200);
    const folder = mkdtempSync(join(tmpdir(), "swath-expression-"));
    try {
      const file = join(folder, "a.tif");
      writeFileSync(file, Buffer.from(await response.arrayBuffer()));
      return await gdalPixels(file, folder);
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  test.skipIf(!hasGdal)("writes what the expressions give of the bands that it writes", { tags: ["IM9"] }, async () => {
    const [ratio, sum, root] = await bandsOf({ expression: "(nir - red) / (nir + red); nir + red; sqrt(red)" });
    const [nir = [], red = []] = await bandsOf({ bands: ["nir", "red"] });
    let compared = 0;
    for (let i = 0; i < nir.length; i++) {
      const [n = 0, r = 0] = [nir[i], red[i]];
      if (Number.isNaN(n + r)) continue;
      compared += 1;
      expect(ratio?.[i]).toBeCloseTo((n - r) / (n + r), 4);
      expect(sum?.[i]).toBeCloseTo(n + r, 6);
      expect(root?.[i]).toBeCloseTo(Math.sqrt(r), 5);
    }
    expect(compared).toBeGreaterThan(1000);
  });

  test("refuses what it cannot compute, naming the member", { tags: ["IM9"] }, async () => {
    for (const [more, status, pointer] of [
      [{ expression: "purple" }, 422, "/expression"],
      [{ expression: "nir -" }, 400, "/expression"],
      [{ expression: "nir", bands: ["red"] }, 400, "/expression"],
      [{ expression: "nir", output: { width: 10, height: 10, sampleType: "UINT16" } }, 400, "/output/sampleType"],
    ] as const) {
      const problem = await problemOf(await service.post("/v1/process", body(more)));
      expect(problem).toMatchObject({ status, errors: [{ pointer }] });
    }
    const lean = await testService({}, { profile: LEAN });
    const refused = await problemOf(await lean.post("/v1/process", body({ expression: "nir" })));
    expect(refused).toMatchObject({ status: 400, errors: [{ pointer: "/expression" }] });
  });
});

describe("presets of one's own", () => {
  const open = (files: Readonly<Record<string, string>>) => {
    const folder = mkdtempSync(join(tmpdir(), "swath-presets-"));
    mkdirSync(join(folder, "presets"));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, "presets", name), text);
    try {
      return openRegistry({ collectionsDir: folder, upstreams: {}, profile: "full" });
    } finally {
      rmSync(folder, { recursive: true });
    }
  };
  const preset = {
    ...{ id: "burnt", title: "Burnt land", collection: "sentinel-2-l2a", bands: ["swir22", "nir08", "red"] },
    ...{ minzoom: 7, maxzoom: 14, tileMatrixSets: ["WebMercatorQuad"], formats: ["png"] },
  };

  test("are drawn of every collection that has their bands", { tags: ["IM10"] }, () => {
    const registry = open({ "burnt.json": JSON.stringify(preset), "notes.txt": "no preset" });
    expect(registry.resolvePreset("burnt").collections).toEqual(
      expect.arrayContaining(["sentinel-2-l2a", "landsat-ot-l2"]),
    );
    expect(registry.recipeOf("burnt", "sentinel-2-l2a")).toMatchObject({
      assets: ["B12", "B8A", "B04"],
      units: "REFLECTANCE",
    });
  });

  test.each([
    ["no JSON", "{", "presets/a.json: the file"],
    ["no preset", JSON.stringify({ id: "a" }), "presets/a.json: /title: expected text"],
    ["an unknown member", JSON.stringify({ ...preset, band: 1 }), "presets/a.json: /band"],
    ["an unknown colormap", JSON.stringify({ ...preset, colormap: "pink2" }), "presets/a.json: /colormap"],
    ["the word custom", JSON.stringify({ ...preset, id: "custom" }), "presets/a.json: /id"],
    ["a preset that there is", JSON.stringify({ ...preset, id: "ndvi" }), 'The preset "ndvi" of presets/a.json'],
  ])("a file with %s stops the start", { tags: ["IM10"] }, (_, text, message) => {
    expect(() => open({ "a.json": text })).toThrow(message);
  });
});
