import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AccountsParts } from "@swath/accounts";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { startJobRunner } from "@swath/store/jobs";
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { holdTimers } from "../../../../test/tools/held-timers.ts";
import { ProblemError } from "../../src/errors/problems.ts";
import { runnerParts } from "../../src/service/job-kinds.ts";
import { memoryQueue } from "../process/memory-queue.ts";
import { type UpstreamItem, upstreamItems } from "../tools/fixture-archive.ts";
import { gdalInfo, gdalPixels, gdalWarp, hasGdal, type WarpTarget } from "../tools/gdal.ts";
import { KEY, LEAN, NOW, sandboxServices } from "../tools/harness.ts";
import { opaque, pixelsOf } from "../tools/images.ts";
import { legacyFixtures, REAL_LANDSAT, REAL_SENTINEL_2 } from "./legacy-fixtures.ts";
import { type LegacyService, legacyService, ORIGIN } from "./legacy-service.ts";

const fixtures = process.env.SWATH_FIXTURES;
const S2 = "sentinel-2-c1-l2a";
const LANDSAT = "landsat-c2-l2";
const DOWNLOADS = "/legacy/tiles/downloads";
const WEST = "S2B_T33TUL_20240704T100211_L2A";
const EAST = "S2B_T33TVL_20240704T100211_L2A";
const CLOUDY = "S2A_T33TUL_20240706T095331_L2A";
const OLD = "S2A_T33TUL_20210705T100211_L2A";
const LANDSAT_ITEM = "LC08_L2SP_191028_20240705_02_T1";
/** Fields, water and the seam of two Sentinel-2 tiles. */
const SEAM = [13.68, 45.46, 13.8, 45.53] as const;
const FIELDS = [13.2, 45.45, 13.3, 45.52] as const;
/** Share of pixels that may differ: centres exactly on an edge, where rounding decides. */
const TIES = 0.001;

interface DownloadAnswer {
  readonly files: {
    readonly url: string;
    readonly filename: string;
    readonly bytes: number;
    readonly bands?: string[];
    readonly scales?: (number | null)[];
    readonly offsets?: (number | null)[];
    readonly band?: string;
    readonly scale?: number | null;
    readonly offset?: number | null;
    readonly dtype: string;
    readonly nodata: number | "nan" | null;
    readonly valid_fraction?: number;
    readonly items_used?: string[];
  }[];
  readonly preview?: {
    readonly url: string;
    readonly width: number;
    readonly height: number;
    readonly valid_fraction: number;
  };
  readonly items_used: string[];
  readonly items_considered: string[];
  readonly width: number;
  readonly height: number;
  readonly crs: string;
  readonly bounds: number[];
  readonly transform: number[];
  readonly resolution: number[];
  readonly units: string;
  readonly harmonize: string;
  readonly clamp: boolean;
  readonly output: string;
  readonly seconds: number;
  readonly expires_in: number;
  readonly [member: string]: unknown;
}

let sandbox: LegacyService;
let work: string;
beforeAll(async () => {
  sandbox = await legacyService();
  work = await mkdtemp(join(tmpdir(), "swath-downloads-"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

async function download(service: LegacyService, body: unknown): Promise<DownloadAnswer> {
  const response = await service.post(DOWNLOADS, body);
  const answer = (await response.json()) as DownloadAnswer;
  expect([response.status, answer]).toEqual([200, answer]);
  return answer;
}

/** Fetches a file by its link, as a client without a key does. */
async function fetched(
  service: LegacyService,
  { url, filename, bytes }: DownloadAnswer["files"][number],
): Promise<string> {
  const response = await service.request(url);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, expect.stringMatching(/^image\/tiff/)]);
  const content = Buffer.from(await response.arrayBuffer());
  expect(content.length).toBe(bytes);
  const path = join(work, `${Math.random().toString(36).slice(2)}-${filename}`);
  await writeFile(path, content);
  return path;
}

interface Wanted {
  readonly units?: "DN" | "REFLECTANCE";
  readonly harmonize?: "none" | "offset_removed";
  readonly clamp?: boolean;
}

/** Numbers of a band written down once more, from the producers' documents. */
function constants(item: UpstreamItem, band: string): { scale: number; offset: number; removed: number } {
  if (band === "lwir11") return { scale: 0.00341802, offset: 149, removed: 0 };
  if (band === "scl") return { scale: 1, offset: 0, removed: 0 };
  if (item.id.startsWith("L")) return { scale: 0.0000275, offset: -0.2, removed: 0 };
  const isNew = Number(item.properties["s2:processing_baseline"]) >= 4;
  return { scale: 0.0001, offset: isNew ? -0.1 : 0, removed: isNew ? 1000 : 0 };
}

function value(stored: number, item: UpstreamItem, band: string, { units, harmonize, clamp }: Wanted): number {
  const { scale, offset, removed } = constants(item, band);
  const floor = (number: number): number => (clamp === true ? Math.max(0, number) : number);
  if (units === "REFLECTANCE") return Math.fround(floor(stored * scale + offset));
  return harmonize === "offset_removed" && !item.id.startsWith("L") ? floor(stored - removed) : stored;
}

/** Pixels of files on grids: several downloads are of the same. */
const warped = new Map<string, ReturnType<typeof gdalWarp>>();

function warp(path: string, target: WarpTarget): ReturnType<typeof gdalWarp> {
  const name = JSON.stringify([path, target]);
  const found = warped.get(name) ?? gdalWarp(path, target, work);
  warped.set(name, found);
  return found;
}

/**
 * Returns the expected pixels of the files, from gdalwarp: the first scene with data in any of the file's bands takes
 * the pixel.
 */
async function expected(
  directory: string,
  scenes: readonly string[],
  bands: readonly string[],
  target: WarpTarget,
  wanted: Wanted,
  nodata: number,
): Promise<Float64Array[]> {
  const items = await upstreamItems(directory);
  const out = bands.map(() => new Float64Array(target.width * target.height).fill(nodata));
  const taken = new Uint8Array(target.width * target.height);
  for (const id of scenes) {
    const item = items.get(id);
    if (item === undefined) throw new Error(`There is no ${id}.`);
    const stored = await Promise.all(bands.map((band) => warp(join(directory, item.assets[band]?.href ?? ""), target)));
    for (let i = 0; i < taken.length; i++) {
      if (taken[i] === 1 || stored.every((values) => values[i] === 0)) continue;
      taken[i] = 1;
      bands.forEach((band, b) => {
        const number = Number(stored[b]?.[i]);
        (out[b] as Float64Array)[i] = number === 0 ? nodata : value(number, item, band, wanted);
      });
    }
  }
  return out;
}

const NUMBER_TYPES: Readonly<Record<string, string>> = { uint16: "UInt16", int16: "Int16", float32: "Float32" };

/** Reads every file back with GDAL and holds it against the answer and against gdalwarp. */
async function checkFiles(
  service: LegacyService,
  answer: DownloadAnswer,
  directory: string,
  scenes: readonly string[],
  wanted: Wanted,
): Promise<void> {
  const { crs, bounds, width, height } = answer;
  const target = { crs, bounds, width, height };
  for (const file of answer.files) {
    const path = await fetched(service, file);
    const bands = file.bands ?? [file.band ?? ""];
    const info = await gdalInfo(path);
    expect(info.size).toEqual([width, height]);
    const [c, a, b, f, d, e] = info.geoTransform as [number, number, number, number, number, number];
    [a, b, c, d, e, f].forEach((each, i) => {
      expect(each).toBeCloseTo(answer.transform[i] ?? Number.NaN, 8);
    });
    expect(info.coordinateSystem?.wkt).toContain(`ID["EPSG",${crs.replace("EPSG:", "")}]`);
    expect(info.bands.map((band) => band.description)).toEqual(bands);
    const nodata = file.nodata === "nan" ? Number.NaN : (file.nodata ?? 0);
    for (const [i, band] of info.bands.entries()) {
      expect(band.type).toBe(NUMBER_TYPES[file.dtype]);
      expect(band.noDataValue).toBe(file.nodata === "nan" ? "NaN" : file.nodata);
      expect(band.scale ?? 1).toBeCloseTo(file.scales?.[i] ?? file.scale ?? 1, 12);
      expect(band.offset ?? 0).toBeCloseTo(file.offsets?.[i] ?? file.offset ?? 0, 12);
    }
    const pixels = await gdalPixels(path, work);
    const truth = await expected(directory, scenes, bands, target, wanted, nodata);
    for (const [i, values] of truth.entries()) {
      let different = 0;
      let filled = 0;
      values.forEach((number, k) => {
        const got = Number(pixels[i]?.[k]);
        if (!Object.is(got, number)) different += 1;
        if (!Object.is(got, nodata)) filled += 1;
      });
      expect(different / values.length).toBeLessThanOrEqual(TIES);
      if (file.valid_fraction !== undefined) expect(file.valid_fraction).toBeCloseTo(filled / values.length, 12);
    }
  }
}

describe.skipIf(!hasGdal)("what is downloaded is what gdalwarp reads", () => {
  const one = { collection: S2, item: WEST, bbox: FIELDS, bands: ["red", "nir"], resolution: 20 };

  test.each([
    { name: "one scene as stored", body: one, scenes: [WEST] },
    {
      name: "one scene in degrees",
      body: { ...one, crs: "EPSG:4326", resolution: undefined, resolution_deg: 0.0004 },
      scenes: [WEST],
    },
    {
      name: "one scene in web mercator by size",
      body: { ...one, crs: "EPSG:3857", resolution: undefined, size: { width: 300 } },
      scenes: [WEST],
    },
    { name: "offset removed", body: { ...one, harmonize: "offset_removed" }, scenes: [WEST] },
    {
      name: "offset removed and clamped",
      body: { ...one, bbox: SEAM, bands: ["nir", "swir16"], harmonize: "offset_removed", clamp: true },
      scenes: [WEST],
    },
    { name: "reflectance", body: { ...one, units: "REFLECTANCE" }, scenes: [WEST] },
    {
      name: "reflectance, clamped",
      body: { ...one, bbox: SEAM, bands: ["nir", "swir22"], units: "REFLECTANCE", clamp: true },
      scenes: [WEST],
    },
    { name: "a scene without the offset", body: { ...one, item: OLD, harmonize: "offset_removed" }, scenes: [OLD] },
    { name: "one file a band", body: { ...one, output: "per_band", bands: ["red", "scl"] }, scenes: [WEST] },
    {
      name: "a mosaic as given",
      body: { ...one, item: undefined, items: [EAST, WEST], order: "as_given", bbox: SEAM },
      scenes: [EAST, WEST],
    },
    {
      name: "a mosaic, least cloudy first",
      body: { ...one, item: undefined, items: [CLOUDY, WEST], bbox: SEAM },
      scenes: [WEST, CLOUDY],
    },
    {
      name: "a mosaic of files by band",
      body: { ...one, item: undefined, items: [WEST, EAST], bbox: SEAM, output: "per_band", units: "REFLECTANCE" },
      scenes: [WEST, EAST],
    },
    {
      name: "Landsat as stored",
      body: { collection: LANDSAT, item: LANDSAT_ITEM, bbox: FIELDS, bands: ["red", "nir08"], resolution: 30 },
      scenes: [LANDSAT_ITEM],
    },
    {
      name: "Landsat in physical units",
      body: {
        collection: LANDSAT,
        item: LANDSAT_ITEM,
        bbox: FIELDS,
        bands: ["red", "lwir11"],
        resolution: 60,
        units: "REFLECTANCE",
        clamp: true,
      },
      scenes: [LANDSAT_ITEM],
    },
  ])("$name", { tags: ["Y15", "Y18"] }, async ({ body, scenes }) => {
    const answer = await download(sandbox, body);
    expect(answer).toMatchObject({
      units: (body as Wanted).units ?? "DN",
      harmonize: (body as Wanted).harmonize ?? "none",
      clamp: (body as Wanted).clamp ?? false,
      output: (body as { output?: string }).output ?? "multiband",
      expires_in: 3600,
      items_considered: scenes,
    });
    expect(scenes).toEqual(expect.arrayContaining(answer.items_used));
    expect(answer.items_used.length).toBeGreaterThan(0);
    expect(answer.resolution[0]).toBeCloseTo((Number(answer.bounds[2]) - Number(answer.bounds[0])) / answer.width, 9);
    await checkFiles(sandbox, answer, inject("sandbox"), scenes, body as Wanted);
  });

  test("a window takes every scene over the box of the clearest scene's platform", {
    tags: ["Y15", "Y16"],
  }, async () => {
    const body = { collection: S2, datetime: "2024-07-01/2024-07-31", bbox: SEAM, bands: ["red"], resolution: 20 };
    const answer = await download(sandbox, body);
    // the scenes of the sixth are of another platform, and cloudier
    expect([...answer.items_considered].sort()).toEqual([WEST, EAST]);
    await checkFiles(sandbox, answer, inject("sandbox"), answer.items_considered, {});
  });

  describe.skipIf(fixtures === undefined)("of real scenes", () => {
    let directory: string;
    let real: LegacyService;
    beforeAll(async () => {
      directory = await legacyFixtures(fixtures ?? "");
      real = await legacyService({
        catalog: await openArchive(directory, { registry: LEAN.registry }),
        archiveDirectory: directory,
        renderer: inlineRenderer({
          blockCacheBytes: 64 * 1_048_576,
          sources: { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } },
        }),
      });
    });
    afterAll(() => rm(directory, { recursive: true, force: true }));

    test.each([
      {
        collection: S2,
        item: REAL_SENTINEL_2,
        bbox: [-11.6, 24.6, -11.2, 25],
        bands: ["red", "nir08", "swir16"],
        resolution: 150,
      },
      {
        collection: S2,
        item: REAL_SENTINEL_2,
        bbox: [-11.6, 24.6, -11.2, 25],
        bands: ["coastal"],
        units: "REFLECTANCE",
        crs: "EPSG:4326",
        size: [200, 200],
      },
      {
        collection: S2,
        item: REAL_SENTINEL_2,
        bbox: [-11.6, 24.6, -11.2, 25],
        bands: ["blue"],
        harmonize: "offset_removed",
        clamp: true,
        output: "per_band",
        resolution: 100,
      },
      {
        collection: LANDSAT,
        item: REAL_LANDSAT,
        bbox: [-65.8, -3.5, -64.8, -2.5],
        bands: ["red", "nir08"],
        units: "REFLECTANCE",
        clamp: true,
        resolution: 600,
      },
      {
        collection: LANDSAT,
        item: REAL_LANDSAT,
        bbox: [-66.1, -3.5, -64.8, -2.5],
        bands: ["lwir11", "green"],
        output: "per_band",
        crs: "EPSG:3857",
        size: 400,
      },
    ])("$collection $bands", { tags: ["Y15"] }, async (body) => {
      const answer = await download(real, body);
      await checkFiles(real, answer, directory, [body.item], body as Wanted);
    });
  });
});

test("a multiband answer repeats its one file, and one by band does not", { tags: ["Y18"] }, async () => {
  const body = { collection: S2, item: WEST, bbox: FIELDS, bands: ["red", "nir"], resolution: 100 };
  const whole = await download(sandbox, body);
  expect(Object.keys(whole).sort()).toEqual(
    [
      ...[
        "bands",
        "bounds",
        "bytes",
        "clamp",
        "crs",
        "dtype",
        "expires_in",
        "filename",
        "files",
        "harmonize",
        "height",
      ],
      ...["items_considered", "items_used", "nodata", "offsets", "output", "resolution", "scales", "seconds"],
      ...["transform", "units", "url", "width"],
    ].sort(),
  );
  const [file] = whole.files;
  expect(whole).toMatchObject(file ?? {});
  expect(file).toEqual({
    url: expect.stringContaining(`${ORIGIN}/v1/results/`),
    filename: "sentinel-2-c1-l2a_2024-07-04.tif",
    bytes: expect.any(Number),
    bands: ["red", "nir"],
    scales: [0.0001, 0.0001],
    offsets: [-0.1, -0.1],
    dtype: "uint16",
    nodata: 0,
  });
  const parts = await download(sandbox, { ...body, output: "per_band" });
  expect(parts).not.toHaveProperty("url");
  expect(parts.files.map(({ band }) => band)).toEqual(["red", "nir"]);
  for (const part of parts.files) {
    expect(part).toEqual({
      url: expect.any(String),
      filename: `sentinel-2-c1-l2a_2024-07-04_${part.band}.tif`,
      bytes: expect.any(Number),
      band: part.band,
      scale: 0.0001,
      offset: -0.1,
      dtype: "uint16",
      nodata: 0,
      valid_fraction: 1,
      items_used: [WEST],
    });
  }
});

test("0 is a value of cloud probability: its own file has no nodata, and one with other bands has none either", async () => {
  const body = { collection: "sentinel-2-c1-l2a", item: CLOUDY, bbox: FIELDS, bands: ["red", "cloud"], size: 64 };
  const parts = await download(sandbox, { ...body, output: "per_band" });
  expect(parts.files.map(({ band, nodata }) => [band, nodata])).toEqual([
    ["red", 0],
    ["cloud", null],
  ]);
  expect((await download(sandbox, body)).files.map(({ nodata }) => nodata)).toEqual([null]);
});

test("without bands every spectral one is read, without a size pixels as fine as the finest", {
  tags: ["Y19"],
}, async () => {
  const box = [13.24, 45.48, 13.245, 45.484];
  const s2 = await download(sandbox, { collection: S2, item: WEST, bbox: box });
  expect(s2.files[0]?.bands).toEqual(
    "coastal blue green red rededge1 rededge2 rededge3 nir nir08 nir09 swir16 swir22".split(" "),
  );
  expect(s2.crs).toBe("EPSG:32633");
  expect(s2.resolution.map((each) => Math.round(each * 1e6) / 1e6)).toEqual([10, 10]);
  const landsat = await download(sandbox, { collection: LANDSAT, item: LANDSAT_ITEM, bbox: box });
  expect(landsat.resolution.map((each) => Math.round(each * 1e6) / 1e6)).toEqual([30, 30]);
  // the box is covered
  const [west = 0, , east = 0] = landsat.bounds;
  expect(east - west).toBeGreaterThan(385);
});

test("a preview is a true-colour PNG of the same box", { tags: ["Y17"] }, async () => {
  const body = { collection: S2, items: [WEST], bbox: SEAM, bands: ["red"], resolution: 100, preview: { width: 96 } };
  const { preview, bounds } = await download(sandbox, body);
  if (preview === undefined) throw new Error("Expected a preview.");
  const response = await sandbox.request(preview.url);
  expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "image/png"]);
  const image = await pixelsOf(response);
  expect([image.width, image.height]).toEqual([preview.width, preview.height]);
  const [minX = 0, minY = 0, maxX = 0, maxY = 0] = bounds;
  expect(preview.height).toBe(Math.round((96 * (maxY - minY)) / (maxX - minX)));
  expect(preview.valid_fraction).toBeCloseTo(opaque(image) / (image.width * image.height), 12);
  expect(preview.valid_fraction).toBeGreaterThan(0.1);
  if (!hasGdal) return;
  const items = await upstreamItems(inject("sandbox"));
  const target = { crs: "EPSG:32633", bounds, width: preview.width, height: preview.height };
  const red = await gdalWarp(join(inject("sandbox"), items.get(WEST)?.assets.visual?.href ?? ""), target, work);
  let sum = 0;
  red.forEach((each, i) => {
    sum += image.data[i * 4 + 3] === 0 ? 0 : Math.abs(each - (image.data[i * 4] ?? 0));
  });
  // the image is smoothed, gdalwarp's is not
  expect(sum / red.length).toBeLessThan(6);
});

describe("what is refused", () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const good = { collection: S2, item: WEST, bbox: FIELDS, bands: ["red"], resolution: 100 };
  const post = (body: unknown): Promise<Response> => sandbox.post(DOWNLOADS, body);

  test.each([
    { what: "an unknown band", body: { ...good, bands: ["purple"] }, says: "Unknown bands: purple" },
    { what: "a band requested twice", body: { ...good, bands: ["red", "B04"] }, says: "twice" },
    { what: "an unknown crs", body: { ...good, crs: "EPSG:9999" }, says: "EPSG:9999" },
    { what: "a box that misses the scene", body: { ...good, bbox: [10, 10, 11, 11] }, says: "misses" },
    { what: "classes as reflectance", body: { ...good, bands: ["scl"], units: "REFLECTANCE" }, says: "DN" },
  ])("$what is a 400", { tags: ["Y23"] }, async ({ body, says }) => {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ detail: expect.stringContaining(says) });
  });

  test.each([
    { what: "no scenes in the window", body: { ...good, item: undefined, datetime: "2019-01-01/2019-02-01" } },
    { what: "an unknown item", body: { ...good, item: "nothing" } },
  ])("$what is a 404", { tags: ["Y24"] }, async ({ body }) => {
    const response = await post(body);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ detail: expect.any(String) });
  });

  test("more than 150 million values at once are a 413 with the numbers", { tags: ["Y25"] }, async () => {
    const response = await post({ ...good, resolution: undefined, size: [15_000, 10_001] });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      detail: expect.stringContaining("150,015,000"),
      limits: { maxOutputValues: 150_000_000, requestedOutputValues: 150_015_000 },
    });
    const job = await sandbox.post(`${DOWNLOADS}/jobs`, {
      ...good,
      resolution: undefined,
      size: [20_000, 20_000],
      bands: ["red", "nir"],
    });
    expect(await job.json()).toMatchObject({
      limits: { maxOutputValues: 600_000_000, requestedOutputValues: 800_000_000 },
    });
  });

  test.each([
    ["by size", { resolution: undefined, size: [20_001, 10] }, { requestedWidth: 20_001, requestedHeight: 10 }],
    ["by one side", { resolution: undefined, size: 9_007_199_254_740_991 }, { requestedWidth: 9_007_199_254_740_991 }],
    ["by members", { resolution: undefined, size: { height: 30_000 } }, { requestedHeight: 30_000 }],
    ["by resolution", { resolution: 0.01 }, {}],
  ])("a side of more than 20,000 pixels, %s, is a 413 with the numbers", { tags: ["Y33"] }, async (_, part, limits) => {
    for (const path of [DOWNLOADS, `${DOWNLOADS}/jobs`]) {
      const response = await sandbox.post(path, { ...good, ...part });
      const body = await response.json();
      expect([response.status, body]).toMatchObject([
        413,
        { limits: { maxOutputWidth: 20_000, maxOutputHeight: 20_000, ...limits } },
      ]);
      expect(body.detail).toContain("20,000 a side");
    }
  });

  test("more than six scenes of the platform in the window are a 413 with the numbers", { tags: ["Y25"] }, async () => {
    const { catalog } = await sandboxServices();
    const crowded = await legacyService({
      catalog: {
        ...catalog,
        search: async (query, options) => {
          const page = await catalog.search({ ...query, limit: 1 }, options);
          const [first] = page.items;
          return {
            items:
              first === undefined ? [] : Array.from({ length: 7 }, (_, i) => ({ ...first, id: `${first.id}${i}` })),
          };
        },
      },
    });
    const response = await crowded.post(DOWNLOADS, { ...good, item: undefined, datetime: "2024-07-01/2024-07-31" });
    expect(response.status).toBe(413);
    expect(await response.json()).toEqual({
      detail: expect.stringContaining("7 scenes of sentinel-2b"),
      limits: { maxScenes: 6, matchedScenes: 7 },
    });
  });

  test("a preview of a box too tall for its width is a 413 with the numbers", async () => {
    const tall = { ...good, bbox: [13.2, 45.1, 13.21, 45.9], preview: { width: 2500 } };
    const response = await post(tall);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ limits: { maxPreviewPixels: 12_500_000 } });
  });

  test("a scene that lacks a band is a 422 that names both", { tags: ["Y26"] }, async () => {
    const { catalog } = await sandboxServices();
    const lacking = await legacyService({
      catalog: {
        ...catalog,
        item: async (collection, id, options) => {
          const item = await catalog.item(collection, id, options);
          if (item === undefined) return undefined;
          const { B04: _, visual: __, ...assets } = item.assets;
          return { ...item, assets };
        },
      },
    });
    const response = await lacking.post(DOWNLOADS, good);
    expect(response.status).toBe(422);
    expect(await response.json()).toEqual({
      detail: { code: "band-unavailable", band: "red", item: WEST, message: expect.any(String) },
    });
    const image = await lacking.post(DOWNLOADS, { ...good, bands: ["nir"], preview: { width: 64 } });
    expect(image.status).toBe(422);
    expect(await image.json()).toMatchObject({ detail: { code: "band-unavailable", band: "visual" } });
  });

  test.each([
    { what: "no collection", body: { ...good, collection: undefined }, loc: ["body", "collection"], type: "missing" },
    {
      what: "another collection",
      body: { ...good, collection: "cop-dem-glo-30" },
      loc: ["body", "collection"],
      type: "literal_error",
    },
    { what: "no box", body: { ...good, bbox: undefined }, loc: ["body", "bbox"], type: "missing" },
    { what: "a box of three", body: { ...good, bbox: [1, 2, 3] }, loc: ["body", "bbox"] },
    { what: "seven items", body: { ...good, item: undefined, items: [..."abcdefg"] }, loc: ["body", "items"] },
    { what: "an item and a window", body: { ...good, datetime: "2024-07-01/2024-07-31" }, loc: ["body"] },
    { what: "neither item nor window", body: { ...good, item: undefined }, loc: ["body"] },
    { what: "no time", body: { ...good, item: undefined, datetime: "yesterday" }, loc: ["body", "datetime"] },
    { what: "two sizes", body: { ...good, size: 10 }, loc: ["body"] },
    { what: "metres of degrees", body: { ...good, crs: "EPSG:4326" }, loc: ["body", "resolution"] },
    {
      what: "degrees of metres",
      body: { ...good, crs: "EPSG:3857", resolution: undefined, resolution_deg: 1 },
      loc: ["body", "resolution_deg"],
    },
    { what: "an unknown unit", body: { ...good, units: "RADIANCE" }, loc: ["body", "units"], type: "literal_error" },
    { what: "an unknown output", body: { ...good, output: "zip" }, loc: ["body", "output"] },
    {
      what: "a preview that is too wide",
      body: { ...good, preview: { width: 2501 } },
      loc: ["body", "preview", "width"],
    },
    {
      what: "a preview that is too narrow",
      body: { ...good, preview: { width: 63 } },
      loc: ["body", "preview", "width"],
    },
    { what: "no JSON", body: "{", loc: ["body", 0], type: "json_invalid" },
  ])("$what is a 422 in FastAPI's shape", { tags: ["Y26"] }, async ({ body, loc, type = expect.any(String) }) => {
    const response = await post(body);
    expect(response.status).toBe(422);
    const { detail } = (await response.json()) as { detail: unknown[] };
    expect(detail).toContainEqual(
      expect.objectContaining({ type, loc, msg: expect.any(String), input: expect.anything() }),
    );
    // the words are the service's own
    expect(JSON.stringify(detail)).not.toMatch(
      /Invalid (input|option)|Too (small|big)|received|Unexpected|property name/,
    );
  });

  test("a missing or wrong key is a plain 403", { tags: ["Y21"] }, async () => {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const response = await sandbox.request(DOWNLOADS, { method: "POST", headers, body: JSON.stringify(good) });
      expect([response.status, await response.json()]).toEqual([403, { message: "Forbidden" }]);
    }
  });

  test("a key over its limits is a plain 429 on both hosts", { tags: ["Y22"] }, async () => {
    const limits: AccountsParts["limits"] = {
      admit: async () => {
        throw new ProblemError("rate-limited", "Too fast.", { retryAfter: 1 });
      },
    };
    const busy = await legacyService({ limits });
    for (const response of [await busy.post(DOWNLOADS, good), await busy.get("/legacy/stac/search")]) {
      expect([response.status, response.headers.get("Retry-After")]).toEqual([429, "1"]);
      expect(await response.json()).toEqual({ message: "Too Many Requests" });
    }
  });

  test("a renderer that fails is a 502, one that is too slow a 504", { tags: ["Y27"] }, async () => {
    const { renderer } = await sandboxServices();
    const broken = await legacyService({
      renderer: { ...renderer, extract: () => Promise.reject(new Error("a fault")) },
    });
    const failed = await broken.post(DOWNLOADS, good);
    expect([failed.status, await failed.json()]).toEqual([502, { detail: "The service failed on this request." }]);
    const deadlineMs = 27_001;
    const { deadline } = holdTimers({ deadline: deadlineMs });
    const slow = await legacyService({
      http: { deadlineMs },
      renderer: {
        ...renderer,
        extract: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
            deadline.pass();
          }),
      },
    });
    const late = await slow.post(DOWNLOADS, good);
    expect([late.status, await late.json()]).toEqual([504, { detail: "No answer within 27.001 s." }]);
  });

  test("a scene that cannot be read fails a download that names it, and is left out of a window", {
    tags: ["Y27"],
  }, async () => {
    const { renderer } = await sandboxServices();
    const partly = await legacyService({
      renderer: {
        ...renderer,
        extract: (job, options) =>
          job.scenes.some(({ read }) => read.id === WEST)
            ? Promise.resolve({ kind: "unreadable", scene: WEST, reason: "no such file" })
            : renderer.extract(job, options),
      },
    });
    const named = await partly.post(DOWNLOADS, good);
    expect([named.status, await named.json()]).toEqual([502, { detail: expect.stringContaining(WEST) }]);
    const window = { ...good, item: undefined, datetime: "2024-07-01/2024-07-31", bbox: SEAM };
    expect((await download(partly, window)).items_considered).toEqual([EAST]);
  });
});

describe("jobs", () => {
  const body = {
    collection: S2,
    items: [WEST],
    bbox: FIELDS,
    bands: ["red", "nir"],
    resolution: 100,
    output: "per_band",
  };

  test("a download in the background ends with the answer of a download", { tags: ["Y20"] }, async () => {
    const parts = await sandboxServices({ jobs: memoryQueue(() => NOW.getTime()) });
    const service = await legacyService(parts);
    const accepted = await service.post(`${DOWNLOADS}/jobs`, { ...body, preview: { width: 64 } });
    const job = (await accepted.json()) as {
      id: string;
      status: string;
      url: string;
      links: { rel: string; href: string }[];
    };
    expect(accepted.status).toBe(202);
    expect(accepted.headers.get("Location")).toBe(job.url);
    expect(job).toEqual({
      id: expect.any(String),
      status: "queued",
      url: `${ORIGIN}${DOWNLOADS}/jobs/${job.id}`,
      links: [{ rel: "self", href: job.url, type: "application/json" }],
    });
    const waiting = await service.get(job.url);
    expect(await waiting.json()).toMatchObject({ id: job.id, status: "queued", result: null, error: null });
    // jobs of this host are none of the other's
    expect((await service.get(`/v1/process/jobs/${job.id}`)).status).toBe(404);
    const runner = startJobRunner(runnerParts(parts), { pollMs: 10 });
    let done: { status: string; created: string; updated: string; result: DownloadAnswer | null; error: unknown };
    do {
      await new Promise((resume) => setTimeout(resume, 20));
      done = (await (await service.get(job.url)).json()) as typeof done;
    } while (done.status === "queued" || done.status === "running");
    await runner.stop();
    expect(done).toMatchObject({ status: "done", error: null, created: NOW.toISOString(), updated: NOW.toISOString() });
    const { seconds: _, ...answer } = done.result as DownloadAnswer;
    const { seconds: __, ...direct } = await download(service, { ...body, preview: { width: 64 } });
    const masked = (value: unknown): string => JSON.stringify(value).replace(/"url":"[^"]+"/g, '"url":""');
    expect(masked(answer)).toBe(masked(direct));
    for (const { url } of answer.files) expect((await service.request(url)).status).toBe(200);
  });

  test("a job that fails says why", { tags: ["Y20"] }, async () => {
    const own = await sandboxServices();
    const parts = {
      ...own,
      jobs: memoryQueue(() => NOW.getTime()),
      renderer: {
        ...own.renderer,
        extract: async () => ({ kind: "unreadable" as const, scene: WEST, reason: "no such file" }),
      },
    };
    const service = await legacyService(parts);
    const { url } = (await (await service.post(`${DOWNLOADS}/jobs`, body)).json()) as { url: string };
    const runner = startJobRunner(runnerParts(parts), { pollMs: 10 });
    await expect
      .poll(async () => (await (await service.get(url)).json()) as unknown)
      .toMatchObject({
        status: "failed",
        result: null,
        error: { detail: expect.stringContaining("no such file") },
      });
    await runner.stop();
  });

  test("what is wrong with a job is said at once, and unknown jobs are a 404", { tags: ["Y24"] }, async () => {
    const wrong = await sandbox.post(`${DOWNLOADS}/jobs`, { ...body, bands: ["purple"] });
    expect(wrong.status).toBe(400);
    const unknown = await sandbox.get(`${DOWNLOADS}/jobs/nothing`);
    expect([unknown.status, await unknown.json()]).toEqual([404, { detail: expect.any(String) }]);
  });

  test("GET /downloads is a 405", async () => {
    const response = await sandbox.request(DOWNLOADS, { headers: { "x-api-key": KEY } });
    expect([response.status, response.headers.get("Allow")]).toEqual([405, "POST, OPTIONS"]);
  });
});
