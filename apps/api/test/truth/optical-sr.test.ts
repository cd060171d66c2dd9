import { memorySource, openCog, readWindow } from "@swath/cog";
import type { Raster } from "@swath/raster";
import { beforeAll, describe, expect, test } from "vitest";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, type TestService, testService } from "../tools/harness.ts";
import { opaque, pixelsOf } from "../tools/images.ts";

const UTM33 = "EPSG:32633";
const VIRTUAL = "optical-sr";
let full: TestService;
let lean: TestService;

beforeAll(async () => {
  full = await testService({}, { profile: FULL });
  lean = await testService();
});

interface Ask {
  readonly type?: string;
  readonly ids?: readonly string[];
  readonly time?: { readonly from: string; readonly to: string };
  readonly bands?: readonly string[] | undefined;
  readonly processing?: object;
  readonly bbox?: readonly number[];
  readonly size?: readonly [number, number];
}

function bodyOf({
  type = VIRTUAL,
  ids,
  time,
  bands,
  processing,
  bbox = [360_000, 5_040_000, 370_000, 5_050_000],
  size = [100, 100],
}: Ask): object {
  const filter = ids === undefined ? { timeRange: time } : { ids };
  return {
    input: {
      bounds: { bbox, properties: { crs: UTM33 } },
      data: [{ type, dataFilter: filter, ...(processing === undefined ? {} : { processing }) }],
    },
    ...(bands === undefined ? {} : { bands }),
    output: { crs: UTM33, width: size[0], height: size[1] },
  };
}

async function rasterOf(response: Response): Promise<Raster & { metadata: Readonly<Record<string, string>> }> {
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { width, height } = cog.grid;
  const raster = await readWindow(cog, 0, { x: 0, y: 0, width, height });
  return { ...raster, metadata: cog.metadata };
}

const process = async (ask: Ask) => rasterOf(await full.post("/v1/process", bodyOf(ask)));

const problemOf = async (response: Response) =>
  (await response.json()) as { status: number; code: string; detail: string; errors?: { pointer: string }[] };

describe("bandpass_adjusted of one collection", () => {
  /** HLS Product User Guide v2.0: slope and offset. */
  const PUBLISHED = {
    [S2.july]: {
      B02: [0.9778, -0.004],
      B03: [1.0075, -0.0008],
      B04: [0.9761, 0.001],
      B8A: [0.9966, 0],
      B11: [1, -0.0003],
      B12: [0.9867, 0.0004],
    },
    [S2.old]: {
      B01: [0.9959, -0.0002],
      B02: [0.9778, -0.004],
      B03: [1.0053, -0.0009],
      B04: [0.9765, 0.0009],
      B8A: [0.9983, -0.0001],
      B11: [0.9987, -0.0011],
      B12: [1.003, -0.0012],
    },
  } as const;

  test.each(Object.entries(PUBLISHED))(
    "%s: slope × reflectance + offset of the stored numbers",
    { tags: ["OS1"] },
    async (id, table) => {
      const type = "sentinel-2-l2a";
      const bands = Object.keys(table);
      const [stored, adjusted] = await Promise.all([
        process({ type, ids: [id], bands, processing: { units: "DN", harmonize: "none" } }),
        process({ type, ids: [id], bands, processing: { harmonize: "bandpass_adjusted" } }),
      ]);
      expect(adjusted.metadata.HARMONIZE).toBe("bandpass_adjusted");
      const dnOffset = id === S2.old ? 0 : -0.1;
      let compared = 0;
      for (const [i, [slope, offset]] of Object.values(table).entries()) {
        for (const [k, dn] of (stored.bands[i] ?? []).entries()) {
          const value = adjusted.bands[i]?.[k] ?? 0;
          if (dn === 0) expect(value).toBeNaN();
          else if (Math.abs(value - Math.fround(slope * (0.0001 * dn + dnOffset) + offset)) > 6e-8) {
            expect([id, bands[i], dn, value]).toEqual([id, bands[i], dn, slope * (0.0001 * dn + dnOffset) + offset]);
          } else compared += 1;
        }
      }
      expect(compared).toBeGreaterThan(40_000);
    },
  );

  test("Landsat stays as it is", { tags: ["OS1"] }, async () => {
    const ask = { type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["red", "nir08", "lwir11"] };
    const plain = await process(ask);
    const adjusted = await process({ ...ask, processing: { harmonize: "bandpass_adjusted" } });
    expect(adjusted.bands).toEqual(plain.bands);
  });

  test("negative values are clipped after the adjustment", async () => {
    const ask = { type: "sentinel-2-l2a", ids: [S2.july], bands: ["B12"] };
    const processing = { harmonize: "bandpass_adjusted" };
    const [plain, clipped] = [
      await process({ ...ask, processing }),
      await process({ ...ask, processing: { ...processing, clipNegative: true } }),
    ];
    expect(clipped.bands[0]).toEqual(plain.bands[0]?.map((value) => Math.max(value, 0)));
  });

  test("bands without coefficients are refused by name, and left out where none are named", {
    tags: ["OS3"],
  }, async () => {
    const ask = { type: "sentinel-2-l2a", ids: [S2.july], processing: { harmonize: "bandpass_adjusted" } };
    const refused = await problemOf(await full.post("/v1/process", bodyOf({ ...ask, bands: ["red", "B05", "B08"] })));
    expect(refused).toMatchObject({ status: 422, code: "harmonize-unavailable" });
    expect(refused.errors?.map(({ pointer }) => pointer)).toEqual(["/bands/1", "/bands/2"]);
    const { bands } = await process({ ...ask, size: [10, 10] });
    expect(bands.length).toBe(7);
  });

  test("digital numbers have no such level, and lean no such level at all", { tags: ["OS3"] }, async () => {
    const ask = {
      type: "sentinel-2-l2a",
      ids: [S2.july],
      bands: ["red"],
      processing: { units: "DN", harmonize: "bandpass_adjusted" },
    };
    expect(await problemOf(await full.post("/v1/process", bodyOf(ask)))).toMatchObject({
      status: 422,
      code: "harmonize-unavailable",
      errors: [{ pointer: "/input/data/0/processing/harmonize" }],
    });
    const inLean = bodyOf({ ...ask, processing: { harmonize: "bandpass_adjusted" } });
    const refused = await problemOf(await lean.post("/v1/process", inLean));
    expect(refused).toMatchObject({ status: 422, code: "harmonize-unavailable" });
    expect(refused.detail).toContain("none, offset_removed");
  });

  test("schema v1 has every coefficient with its source in full, and none in lean", { tags: ["OS2"] }, async () => {
    const of = async (service: TestService) => (await (await service.get("/v1/schema")).json()).harmonization;
    const { bandpass } = await of(full);
    expect(bandpass.reference).toContain("OLI");
    expect(bandpass.tables).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ collection: "sentinel-2-l2a", platforms: ["sentinel-2a"] }),
        expect.objectContaining({ collection: "landsat-ot-l2", platforms: ["landsat-8", "landsat-9"] }),
      ]),
    );
    for (const { source } of bandpass.tables) expect(source.length).toBeGreaterThan(20);
    expect(await of(lean)).not.toHaveProperty("bandpass");
    expect(await of(lean)).not.toHaveProperty("nbar");
    const levels = async (service: TestService) =>
      (await (await service.get("/v1/collections/sentinel-2-l2a")).json())["svc:harmonize_levels"];
    expect(await levels(full)).toEqual(["none", "offset_removed", "bandpass_adjusted", "nbar"]);
    expect(await levels(lean)).toEqual(["none", "offset_removed"]);
  });
});

describe("the collection optical-sr", () => {
  test("is described with members and common bands, and listed in full alone", { tags: ["OS5"] }, async () => {
    const document = await (await full.get(`/v1/collections/${VIRTUAL}`)).json();
    expect(document).toMatchObject({
      id: VIRTUAL,
      bands: [],
      "svc:virtual": true,
      "svc:members": expect.arrayContaining(["sentinel-2-l2a", "landsat-ot-l2"]),
      "svc:bands_common": expect.arrayContaining(["blue", "green", "red", "nir08", "swir16", "swir22"]),
      "svc:units": ["REFLECTANCE"],
      "svc:default_harmonize": "bandpass_adjusted",
    });
    expect(document["svc:attribution"]).toContain("Copernicus");
    expect(document["svc:attribution"]).toContain("Landsat");
    const { collections } = await (await full.get("/v1/collections")).json();
    expect(collections.map(({ id }: { id: string }) => id)).toContain(VIRTUAL);
    const children = (await (await full.get("/v1")).json()).links.filter(({ rel }: { rel: string }) => rel === "child");
    expect(children.some(({ href }: { href: string }) => href.endsWith(`/collections/${VIRTUAL}`))).toBe(true);
    expect((await lean.get(`/v1/collections/${VIRTUAL}`)).status).toBe(404);
    const inLean = await (await lean.get("/v1/collections")).json();
    expect(inLean.collections.map(({ id }: { id: string }) => id)).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
  });

  test("has the items of its members, newest first, with a link to each one's own", { tags: ["OS6"] }, async () => {
    const ids: string[] = [];
    let path: string | undefined = `/v1/collections/${VIRTUAL}/items?limit=7`;
    const times: string[] = [];
    while (path !== undefined) {
      const page: {
        features: { id: string; collection: string; properties: Record<string, string>; links: Link[] }[];
        links: Link[];
      } = await (await full.get(path)).json();
      for (const { id, collection, properties, links } of page.features) {
        ids.push(id);
        times.push(String(properties.datetime));
        expect(collection).toBe(VIRTUAL);
        expect(properties["svc:harmonization"]).toBe("bandpass_adjusted");
        const own = `/v1/collections/${properties["svc:source_collection"]}/items/${id}`;
        expect(links.find(({ rel }) => rel === "canonical")?.href).toBe(`http://service.test${own}`);
      }
      path = page.links.find(({ rel }) => rel === "next")?.href.replace("http://service.test", "");
    }
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(expect.arrayContaining([S2.july, LANDSAT.july]));
    expect(times.map((time) => Date.parse(time))).toEqual(times.map((time) => Date.parse(time)).sort((a, b) => b - a));
    const one = await (await full.get(`/v1/collections/${VIRTUAL}/items/${LANDSAT.july}`)).json();
    const own = await (await full.get(`/v1/collections/landsat-ot-l2/items/${LANDSAT.july}`)).json();
    expect(one.collection).toBe(VIRTUAL);
    expect({ ...one.assets, thumbnail: undefined }).toEqual({ ...own.assets, thumbnail: undefined });
  });

  test("is not searched without being named, and never beside a member", { tags: ["OS9"] }, async () => {
    const { features } = await (await full.post("/v1/search", { limit: 1000 })).json();
    expect(features.every(({ collection }: { collection: string }) => collection !== VIRTUAL)).toBe(true);
    const named = await (await full.post("/v1/search", { collections: [VIRTUAL], limit: 3 })).json();
    expect(named.features.every(({ collection }: { collection: string }) => collection === VIRTUAL)).toBe(true);
    const get = await full.get(`/v1/search?collections=${VIRTUAL},sentinel-2-l2a`);
    expect(await problemOf(get)).toMatchObject({
      status: 400,
      code: "invalid-parameter",
      errors: [{ pointer: "collections" }],
    });
    const post = await full.post("/v1/search", { collections: ["LOTL2", VIRTUAL] });
    expect(await problemOf(post)).toMatchObject({
      status: 400,
      code: "invalid-body",
      errors: [{ pointer: "/collections" }],
    });
  });

  test("draws previews of scenes of each member", { tags: ["OS10"] }, async () => {
    for (const id of [S2.july, LANDSAT.july]) {
      const response = await full.get(`/v1/collections/${VIRTUAL}/items/${id}/preview.png?max_size=128`);
      expect(response.status).toBe(200);
      expect(opaque(await pixelsOf(response))).toBeGreaterThan(5000);
    }
  });

  test.each(["true-color", "false-color", "ndvi", "ndwi", "moisture"])(
    "draws %s tiles of several sensors",
    { tags: ["OS10"] },
    async (preset) => {
      const tile = `/v1/tiles/${preset}/WebMercatorQuad/8/138/91.png`;
      const window = "datetime=2024-07-06/2024-07-06";
      const response = await full.get(`${tile}?collection=${VIRTUAL}&${window}`);
      expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
      expect(response.headers.get("X-Attribution")).toBe(
        "Contains modified Copernicus Sentinel data 2024; Landsat imagery courtesy of the U.S. Geological Survey, 2024",
      );
      const one = await full.get(`${tile}?collection=landsat-ot-l2&${window}`);
      const all = opaque(await pixelsOf(response));
      expect(all).toBeGreaterThanOrEqual(opaque(await pixelsOf(one)));
      const json = await full.get(`/v1/tiles/${preset}/WebMercatorQuad/tilejson.json?collection=${VIRTUAL}&${window}`);
      expect((await json.json()).attribution).toContain("; Landsat imagery");
      expect((await lean.get(`${tile}?collection=${VIRTUAL}`)).status).toBe(404);
    },
  );

  test("is credited by a line for each producer, with the years of all its satellites", async () => {
    const attribution = [
      "Contains modified Copernicus Sentinel data 2021, 2024",
      "Landsat imagery courtesy of the U.S. Geological Survey, 2021, 2024",
    ];
    const series = await full.get("/v1/timeseries?lon=13.9&lat=45.52&datetime=2021-01-01/2024-12-31&index=ndvi");
    expect(await series.json()).toMatchObject({ attribution });
    expect(series.headers.get("X-Attribution")).toBe(attribution.join("; "));
    const statistics = await full.post("/v1/statistics", {
      input: { bounds: { bbox: [13.89, 45.51, 13.91, 45.53] }, data: [{ type: VIRTUAL }] },
      aggregation: { timeRange: { from: "2024-07-01", to: "2024-07-31" }, aggregationInterval: { of: "P1D" } },
      index: "ndvi",
    });
    expect(await statistics.json()).toMatchObject({
      attribution: attribution.map((line) => line.replace("2021, ", "")),
    });
  });

  test("is processed by common names: a mosaic of sensors, each adjusted by its own coefficients", {
    tags: ["OS10"],
  }, async () => {
    const bbox = [440_000, 5_000_000, 560_000, 5_080_000];
    const mosaic = await process({
      time: { from: "2024-07-06T00:00:00Z", to: "2024-07-06T23:59:59Z" },
      bands: ["nir", "swir16"],
      bbox,
      size: [50, 30],
    });
    expect(mosaic.metadata).toMatchObject({ COLLECTION: VIRTUAL, HARMONIZE: "bandpass_adjusted" });
    expect(mosaic.metadata.ATTRIBUTION).toContain("Copernicus");
    expect(mosaic.metadata.ATTRIBUTION).toContain("; ");
    const ids = (mosaic.metadata.ITEMS ?? "").split(",");
    expect(new Set(ids.map((id) => id.slice(0, 2)))).toEqual(new Set(["S2", "LC"]));
    const each = await Promise.all(
      ids.map((id) => process({ ids: [id], bands: ["nir08", "swir16"], bbox, size: [50, 30] })),
    );
    for (const [k, value] of (mosaic.bands[0] ?? []).entries()) {
      const first = each.find(({ bands }) => bands.some((band) => !Number.isNaN(band[k] ?? Number.NaN)));
      expect(value).toEqual(first?.bands[0]?.[k] ?? Number.NaN);
    }
  });

  test("refuses native names, digital numbers, and levels that no member has", { tags: ["OS11"] }, async () => {
    const refusal = async (ask: Ask) =>
      problemOf(await full.post("/v1/process", bodyOf({ ids: [S2.july], bands: ["red"], ...ask })));
    for (const name of ["B04", "SR_B4", "SCL", "lwir11", "rededge071"]) {
      expect(await refusal({ bands: ["red", name] })).toMatchObject({
        status: 422,
        code: "unknown-band",
        errors: [{ pointer: "/bands/1" }],
      });
    }
    expect(await refusal({ bands: ["nir", "nir08"] })).toMatchObject({ status: 400, code: "invalid-body" });
    expect(await refusal({ processing: { units: "DN" } })).toMatchObject({ status: 422 });
    expect(await refusal({ processing: { harmonize: "none" } })).toMatchObject({
      status: 422,
      code: "harmonize-unavailable",
    });
    expect(await refusal({ ids: ["S2A_none"] })).toMatchObject({ status: 404, code: "not-found" });
  });
});

interface Link {
  readonly rel: string;
  readonly href: string;
}
