import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Admission } from "@swath/accounts";
import { createArchiveCatalog, createNeighbourhoodSearch } from "@swath/catalog";
import { memorySource, openCog, readWindow } from "@swath/cog";
import { encodeGeoTiff } from "@swath/encode";
import { sceneDocuments } from "@swath/engine/files";
import { inlineRenderer } from "@swath/engine/node";
import { createSources } from "@swath/engine/node/files";
import { gridFromBounds, type Raster, resolveCrs } from "@swath/raster";
import { createRegistry } from "@swath/schema";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ProblemError } from "../../src/errors/problems.ts";
import { FULL_FILES } from "../../src/open/served-files.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";

// Items in the form of landsatlook.usgs.gov/stac-server, whose files are small GeoTIFFs and an MTL document.
const [SIDE, PIXEL, WEST, NORTH] = [64, 60, 400_000, 5_100_000];
const BOUNDS = [WEST, NORTH - SIDE * PIXEL, WEST + SIDE * PIXEL, NORTH] as const;
const GRID = gridFromBounds(resolveCrs("EPSG:32633"), [...BOUNDS], SIDE, SIDE);

const VALID = new Uint8Array(SIDE * SIDE).fill(1);
/** Quality bits of a clear pixel. */
const CLEAR = 21_824;

interface LevelOneScene {
  readonly id: string;
  readonly platform: string;
  readonly instrument: string;
  /** Asset key to the number in the file's name, and the stored value of every pixel. */
  readonly files: Readonly<Record<string, { readonly band: string; readonly dn: number }>>;
  readonly day: string;
}

const mss = (id: string, platform: string, day: string, first: number): LevelOneScene => ({
  id,
  platform,
  instrument: "MSS",
  day,
  files: Object.fromEntries(
    ["green", "red", "nir08", "nir09"].map((key, i) => [key, { band: String(first + i), dn: 40 + 20 * i }]),
  ),
});
const OLI: LevelOneScene = {
  id: "LC08_L1TP_190028_20200601_20200820_02_T1",
  platform: "LANDSAT_8",
  instrument: "OLI",
  day: "2020-06-01",
  files: {
    blue: { band: "2", dn: 9000 },
    green: { band: "3", dn: 9500 },
    red: { band: "4", dn: 10_000 },
    nir08: { band: "5", dn: 20_000 },
    lwir11: { band: "10", dn: 26_000 },
  },
};
const ETM: LevelOneScene = {
  id: "LE07_L1TP_190028_20010601_20200917_02_T1",
  platform: "LANDSAT_7",
  instrument: "ETM",
  day: "2001-06-01",
  files: {
    red: { band: "3", dn: 60 },
    lwir_low: { band: "6_VCID_1", dn: 130 },
    lwir_high: { band: "6_VCID_2", dn: 150 },
  },
};
const TM: LevelOneScene = {
  id: "LT05_L1TP_190028_19850603_20200918_02_T1",
  platform: "LANDSAT_5",
  instrument: "TM",
  day: "1985-06-03",
  files: { red: { band: "3", dn: 50 } },
};
const MSS1 = mss("LM01_L1TP_205028_19730601_20200909_02_T2", "LANDSAT_1", "1973-06-01", 4);
const MSS5 = mss("LM05_L1TP_190028_19850602_20200909_02_T2", "LANDSAT_5", "1985-06-02", 1);
const SCENES = [OLI, ETM, TM, MSS1, MSS5];

/** Factors by the number of the band: another one for each, so that a wrong one is seen. */
const mult = (band: string): number => 0.001 * (1 + (Number.parseInt(band, 10) % 10));
const ELEVATION = 41.5;
const K = { k1: 774.8853, k2: 1321.0789 };
const document = ({ files }: LevelOneScene) => ({
  LANDSAT_METADATA_FILE: {
    IMAGE_ATTRIBUTES: { SUN_ELEVATION: String(ELEVATION) },
    LEVEL1_RADIOMETRIC_RESCALING: Object.fromEntries(
      Object.values(files).flatMap(({ band }) => [
        [`REFLECTANCE_MULT_BAND_${band}`, String(mult(band))],
        [`REFLECTANCE_ADD_BAND_${band}`, "-0.01"],
        [`RADIANCE_MULT_BAND_${band}`, "3.3420E-04"],
        [`RADIANCE_ADD_BAND_${band}`, "0.10000"],
      ]),
    ),
    LEVEL1_THERMAL_CONSTANTS: Object.fromEntries(
      Object.values(files).flatMap(({ band }) => [
        [`K1_CONSTANT_BAND_${band}`, String(K.k1)],
        [`K2_CONSTANT_BAND_${band}`, String(K.k2)],
      ]),
    ),
  },
});

const footprint = [
  [13.69, 45.99],
  [13.77, 45.99],
  [13.77, 46.06],
  [13.69, 46.06],
  [13.69, 45.99],
];

function itemOf({ id, platform, instrument, files, day }: LevelOneScene, root: string): object {
  const href = (name: string): string => `${root}/${id}/${id}_${name}`;
  const tif = "image/vnd.stac.geotiff; cloud-optimized=true";
  const bands = Object.entries(files).map(([key, { band }]) => [
    key,
    { href: href(`B${band}.TIF`), type: tif, roles: ["data"] },
  ]);
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id,
    collection: "landsat-c2l1",
    geometry: { type: "Polygon", coordinates: [footprint] },
    bbox: [13.69, 45.99, 13.77, 46.06],
    links: [],
    properties: {
      datetime: `${day}T09:30:00Z`,
      platform,
      instruments: [instrument],
      "eo:cloud_cover": 3,
      "view:sun_elevation": ELEVATION,
      "landsat:correction": "L1TP",
      "landsat:wrs_path": "190",
      "landsat:wrs_row": "028",
      "proj:epsg": 32633,
    },
    assets: {
      ...Object.fromEntries(bands),
      qa_pixel: { href: href("QA_PIXEL.TIF"), type: tif, roles: ["cloud"] },
      "MTL.json": { href: href("MTL.json"), type: "application/json", roles: ["metadata"] },
    },
  };
}

let server: Server;
let root: string;
const asked: string[] = [];
const answers = new Map<string, { status: number; body: Uint8Array }>();
const text = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

beforeAll(async () => {
  for (const scene of SCENES) {
    answers.set(`/${scene.id}/${scene.id}_MTL.json`, { status: 200, body: text(document(scene)) });
    const quality: Raster = { grid: GRID, bands: [new Uint16Array(SIDE * SIDE).fill(CLEAR)], valid: VALID };
    const mask = await encodeGeoTiff(quality, { blockSize: 64, overviews: [] });
    answers.set(`/${scene.id}/${scene.id}_QA_PIXEL.TIF`, { status: 200, body: mask });
    for (const { band, dn } of Object.values(scene.files)) {
      const samples = scene === OLI ? new Uint16Array(SIDE * SIDE) : new Uint8Array(SIDE * SIDE);
      const raster: Raster = { grid: GRID, bands: [samples.fill(dn)], valid: VALID };
      const body = await encodeGeoTiff(raster, { blockSize: 64, overviews: [] });
      answers.set(`/${scene.id}/${scene.id}_B${band}.TIF`, { status: 200, body });
    }
  }
  server = createServer(({ url = "", headers }, response) => {
    asked.push(url);
    const { status, body } = answers.get(url) ?? { status: 404, body: text({}) };
    if (status !== 200) return response.writeHead(status).end();
    const [start = 0, last = body.length - 1] = (/(\d+)-(\d+)/.exec(headers.range ?? "") ?? []).slice(1).map(Number);
    const end = Math.min(last + 1, body.length);
    response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${body.length}` });
    return response.end(body.subarray(start, end));
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

async function serving(admission?: Admission): Promise<TestService> {
  const registry = createRegistry(FULL_FILES.collections, FULL_FILES.presets).withUpstreams(["usgs"]);
  const catalog = createArchiveCatalog({ items: SCENES.map((scene) => itemOf(scene, root)), registry });
  const sources = { assetHosts: [new URL(root).host], s3: { region: "us-west-2" } };
  return testService(
    {
      registry,
      catalog,
      tileScenes: createNeighbourhoodSearch(catalog),
      renderer: inlineRenderer({ blockCacheBytes: 1_048_576, sources }),
      sceneDocuments: sceneDocuments(createSources(sources)),
    },
    {
      profile: {
        ...FULL,
        registry,
        ...(admission === undefined ? {} : { create: (services) => ({ ...FULL.create(services), admission }) }),
      },
    },
  );
}

let service: TestService;
beforeEach(async () => {
  asked.length = 0;
  service = await serving();
});

function process(
  type: string,
  { id }: LevelOneScene,
  bands: readonly string[],
  processing: object = {},
): Promise<Response> {
  return service.post("/v1/process", {
    input: {
      bounds: { bbox: [13.72, 46.02, 13.74, 46.035] },
      data: [{ type, dataFilter: { ids: [id] }, processing }],
    },
    bands,
    output: { width: 20, height: 20, crs: "EPSG:4326" },
  });
}

async function valuesOf(response: Response): Promise<number[]> {
  expect(response.status, response.status === 200 ? "" : await response.text()).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const raster = await readWindow(cog, 0, { x: 4, y: 4, width: 1, height: 1 });
  return raster.bands.map((band) => Number(band[0]));
}

const toa = (band: string, dn: number): number => (mult(band) * dn - 0.01) / Math.sin((ELEVATION * Math.PI) / 180);

describe("at-sensor reflectance", () => {
  test.each([
    { type: "landsat-ot-l1", scene: OLI, bands: ["B4", "B5"], files: ["red", "nir08"] },
    { type: "landsat-etm-l1", scene: ETM, bands: ["B3"], files: ["red"] },
    { type: "landsat-tm-l1", scene: TM, bands: ["B3"], files: ["red"] },
    {
      type: "landsat-mss-l1",
      scene: MSS1,
      bands: ["Green", "Red", "NIR_1", "NIR_2"],
      files: ["green", "red", "nir08", "nir09"],
    },
    {
      type: "landsat-mss-l1",
      scene: MSS5,
      bands: ["Green", "Red", "NIR_1", "NIR_2"],
      files: ["green", "red", "nir08", "nir09"],
    },
  ])("of $type ($scene.platform) is that of the scene's own factors", async ({ type, scene, bands, files }) => {
    const values = await valuesOf(await process(type, scene, bands));
    files.forEach((key, i) => {
      const { band = "", dn = 0 } = scene.files[key] ?? {};
      expect(values[i]).toBeCloseTo(toa(band, dn), 5);
    });
    expect(asked.filter((url) => url.endsWith("_MTL.json"))).toHaveLength(1);
  });

  test("equals numpy's number for the red band of Landsat 1", async () => {
    // (0.006 * 60 - 0.01) / np.sin(np.radians(41.5))
    expect((await valuesOf(await process("landsat-mss-l1", MSS1, ["Red"])))[0]).toBeCloseTo(0.528204, 5);
  });

  test("reads the document of a scene once for all requests", async () => {
    await Promise.all([1, 2, 3].map(async () => valuesOf(await process("landsat-ot-l1", OLI, ["B4"]))));
    await valuesOf(await process("landsat-ot-l1", OLI, ["B5"]));
    expect(asked.filter((url) => url.endsWith("_MTL.json"))).toHaveLength(1);
  });
});

test("thermal bands are brightness temperature, of ETM+ in two gains", async () => {
  const kelvin = (dn: number): number => K.k2 / Math.log(K.k1 / (3.342e-4 * dn + 0.1) + 1);
  const [oli] = await valuesOf(await process("landsat-ot-l1", OLI, ["B10"], { units: "KELVIN" }));
  expect(oli).toBeCloseTo(kelvin(26_000), 3);
  const [celsius] = await valuesOf(await process("landsat-ot-l1", OLI, ["B10"], { units: "CELSIUS" }));
  expect(celsius).toBeCloseTo(kelvin(26_000) - 273.15, 3);
  const gains = await valuesOf(await process("landsat-etm-l1", ETM, ["B6_VCID_1", "B6_VCID_2"], { units: "KELVIN" }));
  expect(gains[0]).toBeCloseTo(kelvin(130), 3);
  expect(gains[1]).toBeCloseTo(kelvin(150), 3);
});

describe("a scene's document", () => {
  const path = `/${TM.id}/${TM.id}_MTL.json`;
  const broken = async (answer: { status: number; body: Uint8Array }, processing: object = {}): Promise<Response> => {
    const own = answers.get(path);
    answers.set(path, answer);
    try {
      return await process("landsat-tm-l1", TM, ["B3"], processing);
    } finally {
      if (own !== undefined) answers.set(path, own);
    }
  };

  test("is not asked for digital numbers", async () => {
    const response = await broken({ status: 500, body: text({}) }, { units: "DN" });
    expect(await valuesOf(response)).toEqual([50]);
    expect(asked).not.toContain(path);
  });

  test.each([
    { name: "that is missing", answer: { status: 404, body: text({}) } },
    { name: "without the band's factors", answer: { status: 200, body: text({ LANDSAT_METADATA_FILE: {} }) } },
  ])("$name makes reflectance unavailable", async ({ answer }) => {
    const response = await broken(answer);
    expect(response.status).toBe(422);
    expect(await response.json()).toMatchObject({ code: "units-unavailable", errors: [{ pointer: "/bands/0" }] });
  });

  test.each([
    { name: "that is no JSON", answer: { status: 200, body: new TextEncoder().encode("<html>") } },
    { name: "that is too large", answer: { status: 200, body: new Uint8Array(300_000).fill(32) } },
    { name: "of a host that fails", answer: { status: 403, body: text({}) } },
  ])("$name is an upstream that fails", async ({ answer }) => {
    const response = await broken(answer);
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: "upstream-unavailable" });
  });
});

describe("numbers of many scenes are in physical units by each scene's own factors", () => {
  const bbox = [13.72, 46.02, 13.74, 46.035];
  const dates = "2020-01-01/2020-12-31";
  const statistics = (processing: object, { post }: Pick<TestService, "post"> = service): Promise<Response> =>
    post("/v1/statistics", {
      input: { bounds: { bbox }, data: [{ type: "landsat-ot-l1", processing }] },
      aggregation: { timeRange: { from: "2020-01-01", to: "2020-12-31" }, resx: 0.001, resy: 0.001 },
      bands: processing === DN ? ["B4", "B10"] : ["B4"],
    });
  const DN = { units: "DN" };

  test("statistics", { tags: ["ST13"] }, async () => {
    const response = await statistics({});
    expect(response.status, await response.clone().text()).toBe(200);
    const { data } = (await response.json()) as { data: { outputs: Record<string, { stats: { mean: number } }> }[] };
    expect(data[0]?.outputs.B4?.stats.mean).toBeCloseTo(toa("4", 10_000), 5);
    expect(asked.filter((url) => url.endsWith("_MTL.json"))).toHaveLength(1);
  });

  test("statistics of digital numbers ask for no document", { tags: ["ST13"] }, async () => {
    const response = await statistics(DN);
    expect(response.status, await response.clone().text()).toBe(200);
    const { data } = (await response.json()) as { data: { outputs: Record<string, { stats: { mean: number } }> }[] };
    expect([data[0]?.outputs.B4?.stats.mean, data[0]?.outputs.B10?.stats.mean]).toEqual([10_000, 26_000]);
    expect(asked.some((url) => url.endsWith("_MTL.json"))).toBe(false);
  });

  test("a time series", { tags: ["ST13"] }, async () => {
    const query = `lon=13.73&lat=46.03&datetime=${dates}&collections=landsat-ot-l1&index=ndvi`;
    const response = await service.get(`/v1/timeseries?${query}`);
    expect(response.status, await response.clone().text()).toBe(200);
    const { series } = (await response.json()) as { series: { itemId: string; value: number }[] };
    const [red, nir] = [toa("4", 10_000), toa("5", 20_000)];
    expect(series).toMatchObject([{ itemId: OLI.id, value: expect.closeTo((nir - red) / (nir + red), 9) }]);
  });

  test("of a request whose units are refused no document is read", { tags: ["ST14"] }, async () => {
    const refuse = async (): Promise<never> => {
      throw new ProblemError("quota-exhausted", "No units are left.", { retryAfter: 60 });
    };
    const refusing = await serving({ arrive: async () => {}, admit: refuse });
    const query = `lon=13.73&lat=46.03&datetime=${dates}&collections=landsat-ot-l1&index=ndvi`;
    const refused = [await statistics({}, refusing), await refusing.get(`/v1/timeseries?${query}`)];
    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(asked).toEqual([]);
  });

  test("a scene without its document is left out and named", { tags: ["ST13"] }, async () => {
    const path = `/${OLI.id}/${OLI.id}_MTL.json`;
    const own = answers.get(path)!;
    answers.delete(path);
    try {
      const query = `lon=13.73&lat=46.03&datetime=${dates}&collections=landsat-ot-l1&index=ndvi`;
      const { series } = (await (await service.get(`/v1/timeseries?${query}`)).json()) as { series: object[] };
      const detail = `Scene ${OLI.id} was left out: its factors of B5 are not known.`;
      expect(series).toMatchObject([{ value: null, validFraction: null, problem: { detail } }]);
    } finally {
      answers.set(path, own);
    }
  });
});

test("TM and MSS of Landsat 5 are two collections, by their ids", async () => {
  for (const [type, ids] of [
    ["landsat-tm-l1", [TM.id]],
    ["landsat-mss-l1", [MSS5.id, MSS1.id]],
  ] as const) {
    const response = await service.get(`/v1/collections/${type}/items`);
    const { features } = (await response.json()) as { features: { id: string; assets: object }[] };
    expect(features.map(({ id }) => id)).toEqual(ids);
  }
});

test("previews and tiles are of reflectance", async () => {
  const preview = await service.get(`/v1/collections/landsat-mss-l1/items/${MSS5.id}/preview.png?max_size=64`);
  expect(preview.status, preview.status === 200 ? "" : await preview.text()).toBe(200);
  const [x, y] = [Math.floor(((13.72 + 180) / 360) * 2 ** 12), 1456];
  const tile = await service.get(
    `/v1/tiles/ndvi/WebMercatorQuad/12/${x}/${y}.png?collection=landsat-ot-l1&datetime=2020-05-01T00:00:00Z/2020-07-01T00:00:00Z`,
  );
  expect(tile.status, tile.status === 200 ? "" : await tile.text()).toBe(200);
  expect(asked.filter((url) => url.endsWith("_MTL.json"))).toHaveLength(2);
});
