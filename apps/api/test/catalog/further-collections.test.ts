import { type Catalog, createNeighbourhoodSearch, type Item } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { createTruth, sensorReflectance, type Truth } from "@swath/sandbox";
import { beforeAll, describe, expect, test } from "vitest";
import { FULL, LEAN, NOW, sandboxServices, type TestService, testService } from "../tools/harness.ts";
import { pixelsOf } from "../tools/images.ts";

const truth = createTruth({ now: NOW });
let service: TestService;
let lean: TestService;
beforeAll(async () => {
  service = await testService({}, { profile: FULL });
  lean = await testService({}, { profile: LEAN });
});

const FURTHER = ["landsat-etm-l2", "landsat-tm-l2", "dem", "hls", "sentinel-1-rtc"];
/** Scenes of HLS by the two sensors. */
const [S30, L30] = ["HLS.S30.T33TUL.2024186T100741.v2.0", "HLS.L30.T33TUL.2024187T095126.v2.0"];
const WINDOW = { from: "2000-01-01T00:00:00Z", to: "2025-01-01T00:00:00Z" };
/** Land in the mountains, inside each of the scenes. */
const [LON, LAT] = [13.3, 45.85];

interface Feature {
  readonly id: string;
  readonly properties: Record<string, unknown>;
  readonly assets: Record<string, { readonly "svc:band"?: string }>;
}

function processRequest(type: string, processing: object, bands?: readonly string[]) {
  return {
    input: {
      bounds: { bbox: [LON - 0.02, LAT - 0.02, LON + 0.02, LAT + 0.02] },
      data: [{ type, dataFilter: { timeRange: WINDOW }, processing }],
    },
    ...(bands === undefined ? {} : { bands }),
    output: { width: 9, height: 9, crs: "EPSG:4326" },
  };
}

/** Values of the middle pixel, one for each band. */
async function valuesAt(type: string, processing: object, bands?: readonly string[]): Promise<number[]> {
  const response = await service.post("/v1/process", processRequest(type, processing, bands));
  expect(response.status, await (response.status === 200 ? "" : response.text())).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const raster = await readWindow(cog, 0, { x: 4, y: 4, width: 1, height: 1 });
  return raster.bands.map((band) => Number(band[0]));
}

async function codeOf(response: Response): Promise<string> {
  return `${response.status} ${((await response.json()) as { code?: string }).code}`;
}

/** Whether one of the truths around the middle, within a scene's pixel, fits. */
function isNear(value: number, of: (at: Truth) => number, by: number, date?: string): boolean {
  const steps = Array.from({ length: 41 }, (_, i) => (i - 20) * 0.0002);
  return steps.some((dx) => steps.some((dy) => Math.abs(of(truth(LON + dx, LAT + dy, date)) - value) <= by));
}

test("the further collections are listed and have items with their own bands; lean v1 has none of them", {
  tags: ["FC1"],
}, async () => {
  const { collections } = (await (await service.get("/v1/collections")).json()) as { collections: { id: string }[] };
  expect(collections.map(({ id }) => id)).toEqual([
    "sentinel-2-l2a",
    "landsat-ot-l2",
    ...FURTHER,
    "sentinel-2-l1c",
    "optical-sr",
  ]);
  for (const id of FURTHER) {
    const response = await service.get(`/v1/collections/${id}/items?limit=20`);
    const { features } = (await response.json()) as { features: Feature[] };
    expect(features.length, id).toBeGreaterThan(0);
    for (const { assets } of features) {
      const own = Object.entries(assets).filter(([, asset]) => asset["svc:band"] !== undefined);
      expect(own.length, id).toBeGreaterThan(0);
      for (const [key, asset] of own) expect(asset["svc:band"]).toBe(key);
    }
    expect((await lean.get(`/v1/collections/${id}`)).status).toBe(404);
  }
  const listed = (await (await lean.get("/v1/collections")).json()) as { collections: { id: string }[] };
  expect(listed.collections.map(({ id }) => id)).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
});

test("each platform of Landsat is in one collection, and HLS of both sensors in one", { tags: ["FC1"] }, async () => {
  const platforms = async (id: string): Promise<unknown[]> => {
    const response = await service.get(`/v1/search?collections=${id}&limit=100`);
    const { features } = (await response.json()) as { features: Feature[] };
    return [...new Set(features.map(({ properties }) => properties.platform))].sort();
  };
  expect(await platforms("landsat-ot-l2")).toEqual(["landsat-8", "landsat-9"]);
  expect(await platforms("landsat-etm-l2")).toEqual(["landsat-7"]);
  expect(await platforms("landsat-tm-l2")).toEqual(["landsat-5"]);
  expect(await platforms("sentinel-1-rtc")).toEqual(["sentinel-1a"]);
  const alias = await service.get("/v1/search?collections=HLSS30&limit=100");
  const { features } = (await alias.json()) as { features: Feature[] };
  expect(features.length).toBeGreaterThan(0);
  for (const { id, assets } of features) {
    expect(id).toMatch(/^HLS\.S30/);
    expect(Object.keys(assets)).toEqual(expect.arrayContaining(["NIR_Narrow", "RedEdge1", "SWIR1"]));
  }
});

describe("process requests", () => {
  test("give elevation in metres, also by default", { tags: ["FC2"] }, async () => {
    const [height = 0] = await valuesAt("dem", {});
    expect(height).toBeGreaterThan(1);
    expect(isNear(height, (at) => at.elevation, 0.5)).toBe(true);
    expect(await valuesAt("cop-dem-glo-30", { units: "METERS" }, ["elevation"])).toEqual([height]);
  });

  test("give backscatter as linear power and in decibels", { tags: ["FC2"] }, async () => {
    const [vv = 0, vh = 0] = await valuesAt("sentinel-1-rtc", {});
    expect(isNear(vv, (at) => at.backscatter.vv, 1e-6, "2024-07-03")).toBe(true);
    const decibels = await valuesAt("sentinel-1-rtc", { units: "DB" }, ["VV", "VH"]);
    expect(decibels[0]).toBeCloseTo(10 * Math.log10(vv), 4);
    expect(decibels[1]).toBeCloseTo(10 * Math.log10(vh), 4);
  });

  test("give surface temperature of Landsat 7 in kelvin and in degrees Celsius", async () => {
    const [kelvin = 0] = await valuesAt("landsat-etm-l2", { units: "KELVIN" });
    expect(kelvin).toBeGreaterThan(260);
    const [celsius = 0] = await valuesAt("landsat-etm-l2", { units: "CELSIUS" }, ["lwir"]);
    expect(celsius).toBeCloseTo(kelvin - 273.15, 3);
  });

  test.each([
    { type: "landsat-etm-l2", response: "etm", date: "2021-07-06" },
    { type: "landsat-tm-l2", response: "etm", date: "2010-07-08" },
    { type: "hls", response: "oli", date: "2024-07-05" },
  ] as const)("give reflectance of $type as the sensor sees it", async ({ type, response, date }) => {
    const [red = 0] = await valuesAt(type, {}, ["red"]);
    expect(isNear(red, (at) => sensorReflectance(at, response).red, 6e-5, date)).toBe(true);
  });

  test.each([
    { of: "S30", ids: [S30], more: ["RedEdge1", "RedEdge2", "RedEdge3", "NIR_Broad"] },
    { of: "L30", ids: [L30], more: [] },
    { of: "both", ids: [S30, L30], more: [] },
  ])("give of HLS without bands those that scenes of $of have", async ({ ids, more }) => {
    const whole = processRequest("hls", {});
    const body = { ...whole, input: { ...whole.input, data: [{ type: "hls", dataFilter: { ids } }] } };
    expect((await service.post("/v1/process/jobs", body)).status).toBe(202);
    const response = await service.post("/v1/process", body);
    expect(response.status, await (response.status === 200 ? "" : response.text())).toBe(200);
    const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
    const shared = ["CoastalAerosol", "Blue", "Green", "Red", "NIR_Narrow", "SWIR1", "SWIR2"];
    expect(cog.bands.map(({ name }) => name).toSorted()).toEqual([...shared, ...more].toSorted());
  });

  const seriesOf = async (what: string): Promise<{ readonly itemId: string; readonly value: number | null }[]> => {
    const query = `lon=${LON}&lat=${LAT}&datetime=2024-07-04/2024-07-05&collections=hls&${what}`;
    return (await (await service.get(`/v1/timeseries?${query}`)).json()).series;
  };

  test("of a series the rows of a sensor that lacks a band say so", async () => {
    const series = await seriesOf("expression=nir");
    expect(series).toMatchObject([
      { itemId: S30, value: expect.any(Number) },
      { itemId: L30, value: null, problem: { code: "unknown-band", status: 422 } },
    ]);
  });

  test("indices of HLS read the near infrared that both sensors have", async () => {
    const index = await seriesOf("index=ndvi");
    expect(index).toMatchObject([{ itemId: S30 }, { itemId: L30 }]);
    const narrow = await seriesOf(`expression=${encodeURIComponent("(nir08 - red) / (nir08 + red)")}`);
    const values = index.map(({ value }) => value);
    expect(values).toEqual([expect.any(Number), expect.any(Number)]);
    expect(values).toEqual(narrow.map(({ value }) => value));
    const statistics = await service.post("/v1/statistics", {
      input: { bounds: { bbox: [LON, LAT, LON + 0.001, LAT + 0.001] }, data: [{ type: "hls" }] },
      aggregation: {
        timeRange: { from: "2024-07-04T00:00:00Z", to: "2024-07-06T00:00:00Z" },
        aggregationInterval: { of: "P1D" },
      },
      index: "ndvi",
    });
    const { data, status } = (await statistics.json()) as { data: { outputs: object }[]; status: string };
    expect([statistics.status, status]).toEqual([200, "OK"]);
    const mean = { stats: expect.objectContaining({ mean: expect.any(Number) }), unit: "1" };
    expect(data.map(({ outputs }) => outputs)).toEqual([{ ndvi: mean }, { ndvi: mean }]);
  });

  test("a band that is named and that a scene lacks is refused", async () => {
    const response = await service.post("/v1/process", processRequest("hls", {}, ["Red", "RedEdge1"]));
    expect(await codeOf(response)).toBe("422 unknown-band");
  });

  test.each([
    { type: "dem", processing: { units: "REFLECTANCE" }, bands: undefined },
    { type: "dem", processing: { units: "DN" }, bands: undefined },
    { type: "sentinel-1-rtc", processing: { units: "METERS" }, bands: undefined },
    { type: "landsat-tm-l2", processing: { units: "KELVIN" }, bands: ["red"] },
    { type: "hls", processing: {}, bands: ["Fmask"] },
    { type: "sentinel-2-l2a", processing: { units: "CELSIUS" }, bands: undefined },
  ])("refuse $processing.units of $type", { tags: ["FC2"] }, async ({ type, processing, bands }) => {
    const response = await service.post("/v1/process", processRequest(type, processing, bands));
    expect(await codeOf(response)).toBe("422 units-unavailable");
  });

  test("refuse temperatures in lean v1, as ever", async () => {
    const response = await lean.post("/v1/process", processRequest("landsat-ot-l2", { units: "KELVIN" }, ["lwir11"]));
    expect(await codeOf(response)).toBe("422 units-unavailable");
  });
});

test.each([
  { preset: "elevation", query: "" },
  { preset: "vv-vh", query: "&datetime=2024-07-03" },
  { preset: "thermal", query: "&collection=landsat-etm-l2&datetime=2021-07-06" },
  { preset: "true-color", query: "&collection=landsat-tm-l2&datetime=2010-07-08" },
  { preset: "ndvi", query: "&collection=hls&datetime=2024-07-05" },
])("$preset tiles show data $query", async ({ preset, query }) => {
  const path = `/v1/tiles/${preset}/WebMercatorQuad/9/274/182.png?${query.slice(1)}`;
  const response = await service.get(path);
  expect(response.status).toBe(200);
  expect(response.headers.get("X-Scenes-Skipped")).toBeNull();
  // an empty tile has a few hundred bytes
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(3000);
});

test.each(FURTHER)("previews of %s are rendered by a preset that it has", async (id) => {
  const items = await service.get(`/v1/collections/${id}/items?limit=1`);
  const [item] = ((await items.json()) as { features: Feature[] }).features;
  const response = await service.get(`/v1/collections/${id}/items/${item?.id}/preview.png?max_size=64`);
  expect(response.status).toBe(200);
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(500);
});

describe("radar images", () => {
  const TILE = "/v1/tiles/vv-vh/WebMercatorQuad/9/274/182.png?datetime=2024-07-03";
  /** A service whose radar scenes have their files under other names. */
  const named = async (names: Readonly<Record<string, string>>) => {
    const { catalog } = await sandboxServices({ registry: FULL.registry });
    const renamed = (item: Item): Item => ({
      ...item,
      assets: Object.fromEntries(Object.entries(item.assets).map(([key, asset]) => [names[key] ?? key, asset])),
    });
    const other: Catalog = {
      ...catalog,
      search: async (...args) => {
        const page = await catalog.search(...args);
        return { ...page, items: page.items.map(renamed) };
      },
      item: async (...args) => {
        const item = await catalog.item(...args);
        return item && renamed(item);
      },
    };
    return testService({ catalog: other, tileScenes: createNeighbourhoodSearch(other) }, { profile: FULL });
  };
  const previewOf = async (of: TestService) => {
    const { features } = (await (await of.get("/v1/collections/sentinel-1-rtc/items?limit=1")).json()) as {
      features: { id: string }[];
    };
    return of.get(`/v1/collections/sentinel-1-rtc/items/${features[0]?.id}/preview.png?max_size=64`);
  };
  const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer()).toString("base64");

  test("of HH and HV are drawn as those of VV and VH", async () => {
    const polar = await named({ VV: "HH", VH: "HV" });
    expect(await bytesOf(await polar.get(TILE))).toBe(await bytesOf(await service.get(TILE)));
    expect(await bytesOf(await previewOf(polar))).toBe(await bytesOf(await previewOf(service)));
  });

  test.each([
    { band: "VV", names: { VH: "other" } },
    { band: "HH", names: { VV: "HH", VH: "other" } },
  ])("of $band alone are grey, in the stretch of VV", async ({ names }) => {
    const lone = await named(names);
    const [grey, color] = await Promise.all([lone, service].map(async (of) => pixelsOf(await of.get(TILE))));
    const at = Array.from({ length: grey!.data.length / 4 }, (_, i) => 4 * i).filter((i) => grey!.data[i + 3] === 255);
    expect(at.length).toBeGreaterThan(100);
    for (const i of at) {
      const [red, green, blue] = grey!.data.subarray(i, i + 3);
      expect([green, blue, color!.data[i]]).toEqual([red, red, red]);
    }
    expect((await previewOf(lone)).status).toBe(200);
  });

  test("of scenes that all lack a file are refused for good, and name what is read", async () => {
    const lone = await named({ VV: "other" });
    const response = await lone.get(TILE);
    expect(response.headers.has("Retry-After")).toBe(false);
    expect([response.status, await response.json()]).toMatchObject([
      422,
      { code: "unknown-band", detail: expect.stringMatching(/VV, VH, or HH, HV, or VV, or HH\.$/) },
    ]);
    expect(await codeOf(await previewOf(lone))).toBe("422 unknown-band");
  });
});
