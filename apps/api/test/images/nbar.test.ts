import type { Catalog, Item } from "@swath/catalog";
import { CogError, memorySource, openCog, readWindow, type Source } from "@swath/cog";
import { createAngleReader, MAX_METADATA_BYTES } from "@swath/engine/files";
import { type Angles, nadirFactor, prescribedSunZenith, sunPosition, trackView } from "@swath/mosaic/nbar";
import { type Raster, resolveCrs, transformer } from "@swath/raster";
import { resolveBand, resolveCollection } from "@swath/schema";
import { nadirAdjustment, PRESCRIBED_SUN_ZENITH } from "@swath/schema/harmonization";
import { beforeAll, describe, expect, test } from "vitest";
import { type DrawnAngles, granuleDocument } from "../own/granule-document.ts";
import { LANDSAT, S2 } from "../process/process-cases.ts";
import { FULL, sandboxServices, type TestService, testService } from "../tools/harness.ts";

const SENTINEL = "sentinel-2-l2a";
const WRS2 = { inclination: 98.2, altitude: 705, orbits: 233, days: 16, firstPath: -64.6 };
/** Angles of a granule that lean over the tile as real ones do. */
const DRAWN: DrawnAngles = {
  sun: (x, y) => [27 + (y - 4_990_200) * 8e-6, 150 + (x - 300_000) * 2e-5],
  view: (x) => [9 - (x - 300_000) * 6e-5, 105 + (x - 300_000) * 1e-5],
};
const TUL = [300_000, 5_100_000] as const;
const BAND_IDS = [1, 2, 3, 8, 11, 12];

/** Documents by address, and which were read. */
interface Documents {
  readonly read: string[];
  readonly sourceFor: (href: string) => Source;
}

function documents(texts: Readonly<Record<string, string | Error>>): Documents {
  const read: string[] = [];
  return {
    read,
    sourceFor: (href) => {
      read.push(href);
      const text = texts[href];
      if (typeof text === "string") return memorySource(new TextEncoder().encode(text), href);
      return { key: href, read: () => Promise.reject(text ?? new CogError("not-found", "There is none.")) };
    },
  };
}

/** The archive's catalog with this address as the granule metadata of each Sentinel-2 item; `undefined`: none has any. */
function withMetadata(catalog: Catalog, href: ((item: Item) => string) | undefined): Catalog {
  const changed = (item: Item): Item => {
    const { granule_metadata: _, ...assets } = item.assets;
    const isSentinel = item.properties.platform?.toString().startsWith("sentinel-2") === true;
    const own = isSentinel && href !== undefined ? { granule_metadata: { href: href(item) } } : {};
    return { ...item, assets: { ...assets, ...own } };
  };
  return {
    ...catalog,
    search: async (query, options) => {
      const page = await catalog.search(query, options);
      return { ...page, items: page.items.map(changed) };
    },
    item: async (collection, id, options) => {
      const item = await catalog.item(collection, id, options);
      return item === undefined ? undefined : changed(item);
    },
  };
}

async function serviceWith(
  href: ((item: Item) => string) | undefined,
  { sourceFor }: Pick<Documents, "sourceFor">,
): Promise<TestService> {
  const { catalog } = await sandboxServices({ registry: FULL.registry });
  const angles = createAngleReader(sourceFor);
  return testService({ catalog: withMetadata(catalog, href), angles }, { profile: FULL });
}

interface Ask {
  readonly type?: string;
  readonly ids: readonly string[];
  readonly bands?: readonly string[];
  readonly processing?: object;
  readonly crs?: string;
  readonly bbox?: readonly number[];
}

function bodyOf({
  type = SENTINEL,
  ids,
  bands,
  processing = { harmonize: "nbar" },
  crs = "EPSG:32633",
  bbox = [355_000, 5_030_000, 375_000, 5_050_000],
}: Ask): object {
  return {
    input: { bounds: { bbox, properties: { crs } }, data: [{ type, dataFilter: { ids }, processing }] },
    ...(bands === undefined ? {} : { bands }),
    output: { crs, width: 100, height: 100 },
  };
}

async function rasterOf(response: Response): Promise<Raster & { readonly metadata: Readonly<Record<string, string>> }> {
  expect(response.status, response.status === 200 ? "" : await response.clone().text()).toBe(200);
  const cog = await openCog(memorySource(new Uint8Array(await response.arrayBuffer())));
  const { width, height } = cog.grid;
  return { ...(await readWindow(cog, 0, { x: 0, y: 0, width, height })), metadata: cog.metadata };
}

const problemOf = async (response: Response) =>
  (await response.json()) as { status: number; code: string; detail: string };

/** Largest difference of values at `nbar` from those at `bandpass_adjusted` × the c-factor of each pixel's centre. */
function worstOf(
  nbar: Raster,
  bandpass: Raster,
  bands: readonly { readonly collection: string; readonly name: string }[],
  anglesAt: (x: number, y: number) => Angles,
): { readonly worst: number; readonly compared: number; readonly spread: number } {
  const { grid } = nbar;
  const [a, , c, , e, f] = grid.transform;
  const toUtm = transformer(grid.crs, resolveCrs("EPSG:32633"));
  const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
  let [worst, compared, least, most] = [0, 0, 2, 0];
  for (const [b, { collection, name }] of bands.entries()) {
    const adjustment = nadirAdjustment(resolveCollection(collection), resolveBand(collection, name));
    if (adjustment?.kind !== "kernels") throw new Error(`${name} has no weights.`);
    for (let i = 0; i < grid.width * grid.height; i += 7) {
      const before = bandpass.bands[b]?.[i] ?? Number.NaN;
      const after = nbar.bands[b]?.[i] ?? Number.NaN;
      expect(Number.isNaN(after)).toBe(Number.isNaN(before));
      if (Number.isNaN(before)) continue;
      const [x, y] = toUtm(a * ((i % grid.width) + 0.5) + c, e * (Math.floor(i / grid.width) + 0.5) + f);
      const [, latitude] = toDegrees(x, y);
      const target = prescribedSunZenith(PRESCRIBED_SUN_ZENITH.coefficients, latitude);
      const factor = nadirFactor(adjustment.weights, anglesAt(x, y), target);
      worst = Math.max(worst, Math.abs(after - before * factor));
      [least, most, compared] = [Math.min(least, factor), Math.max(most, factor), compared + 1];
    }
  }
  return { worst, compared, spread: most - least };
}

const landsatAngles = (path: number, datetime: string) => {
  const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
  const viewAt = trackView(WRS2, path);
  return (x: number, y: number): Angles => {
    const [longitude, latitude] = toDegrees(x, y);
    const sun = sunPosition(Date.parse(datetime), longitude, latitude);
    const view = viewAt(longitude, latitude);
    return { sunZenith: sun.zenith, sunAzimuth: sun.azimuth, viewZenith: view.zenith, viewAzimuth: view.azimuth };
  };
};

const drawnAngles = (x: number, y: number): Angles => {
  const [sunZenith, sunAzimuth] = DRAWN.sun(x, y);
  const [viewZenith = Number.NaN, viewAzimuth = Number.NaN] = DRAWN.view(x, y) ?? [];
  return { sunZenith, sunAzimuth, viewZenith, viewAzimuth };
};

const KNOWN = { "archive:granule.xml": granuleDocument(TUL, DRAWN, BAND_IDS) };
let service: TestService;

beforeAll(async () => {
  service = await serviceWith(() => "archive:granule.xml", documents(KNOWN));
});

describe("nbar is bandpass_adjusted × c-factor of each pixel", () => {
  const both = async (ask: Omit<Ask, "processing">) => {
    const [nbar, bandpass] = await Promise.all(
      ["nbar", "bandpass_adjusted"].map(async (harmonize) =>
        rasterOf(await service.post("/v1/process", bodyOf({ ...ask, processing: { harmonize } }))),
      ),
    );
    return { nbar: nbar!, bandpass: bandpass! };
  };

  test.each([
    ["in its own projection", "EPSG:32633", [355_000, 5_030_000, 375_000, 5_050_000]],
    ["in Web Mercator", "EPSG:3857", [1_460_000, 5_680_000, 1_490_000, 5_710_000]],
  ])("of Sentinel-2, by the angles of the granule metadata, %s", { tags: ["OS12"] }, async (_name, crs, bbox) => {
    const bands = ["B02", "B03", "B04", "B8A", "B11", "B12"];
    const { nbar, bandpass } = await both({ ids: [S2.july], bands, crs, bbox });
    expect(nbar.metadata.HARMONIZE).toBe("nbar");
    const named = bands.map((name) => ({ collection: SENTINEL, name }));
    const { worst, compared, spread } = worstOf(nbar, bandpass, named, drawnAngles);
    expect(compared).toBeGreaterThan(5000);
    expect(spread).toBeGreaterThan(0.01);
    // of a reflectance of 0.5 that is a factor off by 4e-5
    expect(worst).toBeLessThan(2e-5);
  });

  test("of Landsat, by the sun at the item's time and the orbit of its path", { tags: ["OS12"] }, async () => {
    const collection = "landsat-ot-l2";
    const bands = ["SR_B2", "SR_B3", "SR_B4", "SR_B5", "SR_B6", "SR_B7"];
    const { catalog } = await sandboxServices({ registry: FULL.registry });
    const item = await catalog.item(collection, LANDSAT.july);
    const { nbar, bandpass } = await both({ type: collection, ids: [LANDSAT.july], bands });
    const angles = landsatAngles(191, item?.properties.datetime ?? "");
    const { worst, compared } = worstOf(
      nbar,
      bandpass,
      bands.map((name) => ({ collection, name })),
      angles,
    );
    expect(compared).toBeGreaterThan(5000);
    expect(worst).toBeLessThan(2e-5);
  });

  test("of optical-sr, by each scene's own angles", { tags: ["OS15"] }, async () => {
    const ids = [S2.july, LANDSAT.july];
    const one = await rasterOf(await service.post("/v1/process", bodyOf({ ids: [S2.july], bands: ["red"] })));
    const mosaic = await rasterOf(
      await service.post("/v1/process", bodyOf({ type: "optical-sr", ids, bands: ["red"] })),
    );
    expect(mosaic.bands[0]).toEqual(one.bands[0]);
    const all = await rasterOf(await service.post("/v1/process", bodyOf({ type: "optical-sr", ids })));
    expect(all.bands).toHaveLength(6);
  });

  test("of surface temperature nothing: it stays", { tags: ["OS12"] }, async () => {
    const { nbar, bandpass } = await both({ type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["lwir11"] });
    expect(nbar.bands[0]).toEqual(bandpass.bands[0]);
  });

  test("also in statistics", { tags: ["OS15"] }, async () => {
    const [west, south, east, north] = [355_000, 5_030_000, 375_000, 5_050_000];
    const answer = await service.post("/v1/statistics", {
      input: {
        bounds: { bbox: [west, south, east, north], properties: { crs: "EPSG:32633" } },
        data: [{ type: SENTINEL }],
      },
      aggregation: { timeRange: { from: "2024-07-04", to: "2024-07-04" }, resx: 200, resy: 200 },
      bands: ["B04"],
      harmonize: "nbar",
      cloudMask: { exclude: [] },
    });
    expect(answer.status, await answer.clone().text()).toBe(200);
    const { data } = (await answer.json()) as { data: { outputs: Record<string, { stats: { mean: number } }> }[] };
    const { bands } = await rasterOf(await service.post("/v1/process", bodyOf({ ids: [S2.july], bands: ["B04"] })));
    const values = [...(bands[0] ?? [])].filter((each) => !Number.isNaN(each));
    const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
    expect(Math.abs((data[0]?.outputs.B04?.stats.mean ?? Number.NaN) - mean)).toBeLessThan(1e-6);
  });
});

test("a request without bands gets those that have weights", async () => {
  const { metadata, bands } = await rasterOf(await service.post("/v1/process", bodyOf({ ids: [S2.july] })));
  expect([bands.length, metadata.UNITS]).toEqual([6, "REFLECTANCE"]);
});

test("collections list the level", { tags: ["OS15"] }, async () => {
  for (const id of [SENTINEL, "landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2", "optical-sr"]) {
    const collection = (await (await service.get(`/v1/collections/${id}`)).json()) as Record<string, unknown>;
    expect(collection["svc:harmonize_levels"], id).toContain("nbar");
  }
});

test("the angles of an item are read once, and by one request where several ask at the same time", {
  tags: ["OS13"],
}, async () => {
  const { read, sourceFor } = documents(KNOWN);
  const own = await serviceWith(() => "archive:granule.xml", { sourceFor });
  const ask = bodyOf({ ids: [S2.july], bands: ["B04"] });
  await Promise.all([1, 2, 3].map(() => own.post("/v1/process", ask)));
  await own.post("/v1/process", bodyOf({ ids: [S2.july], bands: ["B03"] }));
  expect(read).toEqual(["archive:granule.xml"]);
  await own.post(
    "/v1/process",
    bodyOf({ ids: [S2.july], bands: ["B03"], processing: { harmonize: "bandpass_adjusted" } }),
  );
  expect(read).toHaveLength(1);
});

describe("nbar is refused", () => {
  const ask = bodyOf({ ids: [S2.july], bands: ["B04"] });

  test("with digital numbers, and for bands without weights", { tags: ["OS14"] }, async () => {
    for (const refused of [
      bodyOf({ ids: [S2.july], bands: ["B04"], processing: { units: "DN", harmonize: "nbar" } }),
      bodyOf({ ids: [S2.july], bands: ["B04", "B05"] }),
      bodyOf({ ids: [S2.july], bands: ["coastal"] }),
      bodyOf({ type: "landsat-ot-l2", ids: [LANDSAT.july], bands: ["coastal"] }),
    ]) {
      const problem = await problemOf(await service.post("/v1/process", refused));
      expect([problem.status, problem.code]).toEqual([422, "harmonize-unavailable"]);
      expect(problem.detail).toContain("nbar");
    }
  });

  test.each([
    ["422: an item has no granule metadata", undefined, {}, 422],
    ["422: the metadata has no sun angles", "a", { a: "<a><b/></a>" }, 422],
    ["422: the metadata has no angles of the band", "a", { a: granuleDocument(TUL, DRAWN, [1, 2]) }, 422],
    [
      "422: no detector saw the ground",
      "a",
      { a: granuleDocument(TUL, { ...DRAWN, view: () => undefined }, [3]) },
      422,
    ],
    ["503: the metadata is absent from the archive", "a", {}, 503],
    ["503: the archive does not answer", "a", { a: new CogError("unavailable", "No answer.") }, 503],
    ["503: the metadata is no XML", "a", { a: "no xml" }, 503],
    [
      "503: the metadata is too large",
      "a",
      { a: `${KNOWN["archive:granule.xml"]}${" ".repeat(MAX_METADATA_BYTES)}` },
      503,
    ],
  ] as const)("with %s", { tags: ["OS14"] }, async (_name, href, texts, status) => {
    const own = await serviceWith(href === undefined ? undefined : () => href, documents(texts));
    const problem = await problemOf(await own.post("/v1/process", ask));
    expect([problem.status, problem.code]).toEqual([
      status,
      status === 422 ? "harmonize-unavailable" : "upstream-unavailable",
    ]);
    expect(problem.detail).toContain(S2.july);
    // other levels need no angles
    const other = bodyOf({ ids: [S2.july], bands: ["B04"], processing: { harmonize: "bandpass_adjusted" } });
    expect((await own.post("/v1/process", other)).status).toBe(200);
  });
});
