import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNeighbourhoodSearch } from "@swath/catalog";
import { openArchive } from "@swath/catalog/node";
import { inlineRenderer } from "@swath/engine/node";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { sampleOf } from "../../../../test/tools/searches.ts";
import { makeFixtureArchive, type UpstreamItem, upstreamItems } from "../tools/fixture-archive.ts";
import {
  gdalCogFaults,
  gdalInfo,
  gdalPixels,
  gdalRasterize,
  gdalWarp,
  hasCogCheck,
  hasGdal,
  type WarpTarget,
} from "../tools/gdal.ts";
import { LEAN, type TestService, testService } from "../tools/harness.ts";
import { rowRules } from "../tools/row-rules.ts";
import { FIXTURE_CASES, SANDBOX_CASES, type TruthCase } from "./process-cases.ts";

const fixtures = process.env.SWATH_FIXTURES;
/** Share of pixels that may differ: centres exactly on an edge, where rounding decides. */
const TIES = 0.001;
const LONG = 120_000;

let work: string;
const written: string[] = [];
const worst = { share: 0, name: "none" };

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), "swath-truth-"));
});
afterAll(() => rm(work, { recursive: true, force: true }));

/** Numbers of a band written down once more, from the producers' documents. */
function scaling(
  band: string,
  properties: Readonly<Record<string, unknown>>,
): { scale: number; offset: number; removed: number } {
  if (band === "ST_B10") return { scale: 0.00341802, offset: 149, removed: 0 };
  if (band.startsWith("SR_")) return { scale: 0.0000275, offset: -0.2, removed: 0 };
  if (!/^B\d/.test(band)) return { scale: 1, offset: 0, removed: 0 };
  const isNew = Number(properties["s2:processing_baseline"]) >= 4;
  return { scale: 0.0001, offset: isNew ? -0.1 : 0, removed: isNew ? 1000 : 0 };
}

function fileOf(item: UpstreamItem | undefined, band: string, directory: string): string {
  const found = Object.values(item?.assets ?? {}).find(({ href }) =>
    new RegExp(`(^|[/_-])${band}(-60m.c1-layout)?\\.tiff?$`, "i").test(href),
  );
  const across = Object.values(item?.assets ?? {}).find(({ href }) => href.includes(`${band}-across`));
  const href = (found ?? across)?.href;
  if (href === undefined) throw new Error(`${item?.id} has no file for ${band}`);
  return join(directory, href);
}

/** Returns the expected pixels, from GDAL's stored numbers: the first scene with data in any band takes the pixel. */
async function expectedPixels(truth: TruthCase, target: WarpTarget, directory: string): Promise<Float64Array[]> {
  const items = await upstreamItems(directory);
  const count = target.width * target.height;
  const inside = truth.polygon === undefined ? undefined : await gdalRasterize(await polygonFile(truth), target, work);
  const nodata = truth.type === "Float32" ? Number.NaN : truth.type === "Int16" ? -32768 : 0;
  const expected = truth.bands.map(() => new Float64Array(count).fill(nodata));
  const taken = new Uint8Array(count);
  for (const id of truth.scenes) {
    const item = items.get(id);
    const stored = await Promise.all(truth.bands.map((band) => gdalWarp(fileOf(item, band, directory), target, work)));
    // the one band whose nodata its files do not name; alone it keeps every stored number
    const empty = truth.bands.map((band) => (band === "QA_PIXEL" && truth.scenes.length > 1 ? 1 : 0));
    const scalings = truth.bands.map((band) => scaling(band, item?.properties ?? {}));
    for (let i = 0; i < count; i++) {
      if (taken[i] === 1 || inside?.[i] === 0) continue;
      if (stored.every((values, b) => values[i] === 0 || values[i] === empty[b])) continue;
      taken[i] = 1;
      for (const [b, its] of scalings.entries()) {
        (expected[b] as Float64Array)[i] = outputValue(truth, Number(stored[b]?.[i]), its, nodata);
      }
    }
  }
  return expected;
}

function outputValue(
  truth: TruthCase,
  dn: number,
  { scale, offset, removed }: ReturnType<typeof scaling>,
  nodata: number,
): number {
  if (dn === 0) return nodata;
  if (truth.units === "REFLECTANCE") {
    const value = dn * scale + offset;
    return Math.fround(truth.clipNegative === true ? Math.max(0, value) : value);
  }
  if (truth.type !== "Int16") return dn;
  return truth.clipNegative === true ? Math.max(0, dn - removed) : dn - removed;
}

async function polygonFile(truth: TruthCase): Promise<string> {
  const path = join(work, `${Math.random().toString(36).slice(2)}.geojson`);
  const { bounds } = (truth.body as { input: { bounds: { properties?: { crs?: string } } } }).input;
  const epsg = /(\d+)$/.exec(truth.crs)?.[1];
  const source = /EPSG.*?(\d+)$/.exec(bounds.properties?.crs ?? "")?.[1] ?? "4326";
  const crs = { type: "name", properties: { name: `urn:ogc:def:crs:EPSG::${source}` } };
  const feature = { type: "Feature", properties: {}, geometry: truth.polygon };
  await writeFile(
    path,
    JSON.stringify({ type: "FeatureCollection", ...(source === "4326" ? {} : { crs }), features: [feature] }),
  );
  if (source === epsg) return path;
  const moved = path.replace(".geojson", ".gpkg");
  const { execFileSync } = await import("node:child_process");
  execFileSync("ogr2ogr", ["-q", "-segmentize", "0.001", "-t_srs", truth.crs, moved, path]);
  return moved;
}

async function fetchFile(service: TestService, response: Response): Promise<Uint8Array> {
  if (response.status === 200) return new Uint8Array(await response.arrayBuffer());
  expect(response.status, await response.clone().text()).toBe(303);
  const { pathname, search } = new URL(response.headers.get("Location") ?? "");
  const file = await service.request(`${pathname}${search}`);
  expect(file.status).toBe(200);
  return new Uint8Array(await file.arrayBuffer());
}

async function compare(service: TestService, truth: TruthCase, directory: string): Promise<void> {
  const response = await service.post("/v1/process", truth.body);
  const path = join(work, `${written.length}.tif`);
  await writeFile(path, await fetchFile(service, response));
  written.push(path);
  const info = await gdalInfo(path);
  const [width, height] = info.size;
  if (truth.width > 0) expect([width, height]).toEqual([truth.width, truth.height]);
  expect(info.bands.map(({ description }) => description)).toEqual(truth.bands);
  expect(new Set(info.bands.map(({ type }) => type))).toEqual(new Set([truth.type]));
  const [west = 0, pixelWidth = 0, , north = 0, , pixelHeight = 0] = info.geoTransform;
  const bounds = [west, north + pixelHeight * height, west + pixelWidth * width, north];
  const target: WarpTarget = { crs: truth.crs, bounds, width, height };
  const expected = await expectedPixels(truth, target, directory);
  const actual = await gdalPixels(path, work);
  let different = 0;
  let data = 0;
  for (let i = 0; i < width * height; i++) {
    let [differs, isData] = [false, false];
    for (let b = 0; b < truth.bands.length; b++) {
      const [is, should] = [actual[b]?.[i], expected[b]?.[i]];
      if (is !== should && !Object.is(is, should)) differs = true;
      if (should !== expected[b]?.[0]) isData = true;
    }
    if (differs) different++;
    if (isData) data++;
  }
  const share = different / (width * height);
  if (share > worst.share) Object.assign(worst, { share, name: truth.name });
  expect(share, `${different} of ${width * height} pixels differ`).toBeLessThanOrEqual(TIES);
  if (width * height > 1) expect(data).toBeGreaterThan(0);
  const used = info.metadata[""]?.ITEMS?.split(",") ?? [];
  expect(truth.scenes).toEqual(expect.arrayContaining(used));
  expect(response.headers.get("X-Scenes-Used")).toBe(String(used.length));
}

/** Names what a case is about: its sensor, how many scenes and which bands, its values, grid and outline. */
function classesOf({
  scenes,
  bands,
  units,
  harmonize,
  clipNegative,
  type,
  crs,
  width,
  height,
  polygon,
  body,
}: TruthCase) {
  const sensor = scenes[0]?.slice(0, 2);
  const { input, output } = body as {
    readonly input: { readonly data: readonly { readonly dataFilter: object }[] };
    readonly output: { readonly resx?: number; readonly sampleType?: string };
  };
  const isOld = Number(/_(\d{4})/.exec(scenes[0] ?? "")?.[1]) < 2022;
  const grid = output.resx !== undefined ? "resolution" : width === 0 ? "no size" : "size";
  return [
    `${sensor}, ${scenes.length} scenes`,
    `${sensor}, ${units} ${harmonize} ${type}, clipped: ${clipNegative}, old: ${isOld}`,
    ...bands.filter((band) => !/^(SR_)?B\d/.test(band)),
    `${sensor}, ${new Set(bands.map((band) => /(B01|B09|B05|B8A|B1[12])/.test(band))).size} pixel sizes`,
    `${sensor}, ${crs}`,
    `${grid}${width * height === 1 ? ", one pixel" : ""}`,
    ...Object.keys(input.data[0]!.dataFilter),
    ...(output.sampleType === undefined ? [] : [output.sampleType]),
    ...(polygon === undefined ? [] : [polygon.type]),
  ];
}

describe.skipIf(!hasGdal)("the pixels of an extraction are those of gdalwarp -r near -et 0", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await testService();
  });

  const rules = rowRules(
    {
      X5: [
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A as REFLECTANCE offset_removed in EPSG:3857 500x400 in a polygon",
        "B04 of S2A_T33TUL_20210705T100211_L2A over S2B_T33TVL_20240704T100211_L2A as DN offset_removed in EPSG:32633 at 150 in a polygon",
      ],
      X11: [
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A over S2B_T33TVL_20240704T100211_L2A as REFLECTANCE offset_removed in EPSG:3857 600x600",
        "B04,B03,B02 of S2B_T33TVL_20240704T100211_L2A over S2B_T33TUL_20240704T100211_L2A as DN offset_removed in EPSG:32633 at 100",
      ],
      X14: [
        "SR_B4,ST_B10 of LC08_L2SP_191028_20240705_02_T1 as REFLECTANCE offset_removed in EPSG:32633 at 300",
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A as REFLECTANCE offset_removed in EPSG:3857 256x256",
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A as DN none in EPSG:32633 at 100",
      ],
      X15: [
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A as DN offset_removed in http://www.opengis.net/def/crs/OGC/1.3/CRS84 333x211",
        "B04,B03,B02 of S2A_T33TUL_20210705T100211_L2A as DN offset_removed in EPSG:4326 300x300",
        "B04,B03,B02 of S2A_T33TUL_20210705T100211_L2A over S2B_T33TVL_20240704T100211_L2A as DN offset_removed in EPSG:3857 500x500",
      ],
      X17: [
        "B04,B03,B02 of S2A_T33TUL_20240706T095331_L2A as REFLECTANCE offset_removed clipped in EPSG:3857 500x500",
        "B02 of S2A_T33TUL_20240706T095331_L2A as DN offset_removed clipped in EPSG:4326 256x256",
      ],
      X20: [
        "B04,B03,B02 of S2B_T33TUL_20240704T100211_L2A as REFLECTANCE offset_removed in EPSG:3857 256x256",
        "B11,B12 of S2B_T33TUL_20240704T100211_L2A as REFLECTANCE offset_removed in EPSG:32633 1500x1400",
        "SR_B4,SR_B5 of LC08_L2SP_191028_20240705_02_T1 as REFLECTANCE offset_removed in EPSG:3857 256x256",
      ],
      X26: [
        "B04 of S2B_T33TUL_20240704T100211_L2A as DN none FLOAT32 in http://www.opengis.net/def/crs/EPSG/0/3857 900x900",
        "B04,B03,B02 of S2A_T33TUL_20210705T100211_L2A as DN none UINT16 in EPSG:3857 256x256",
      ],
    },
    SANDBOX_CASES.map(({ name }) => name),
  );

  const cases = sampleOf(SANDBOX_CASES, (truth) => [...classesOf(truth), ...rules(truth.name)]);
  for (const truth of cases) {
    test(truth.name, { tags: ["X18", ...rules(truth.name)], timeout: LONG }, () =>
      compare(service, truth, inject("sandbox")),
    );
  }

  describe.skipIf(fixtures === undefined)("over real scenes", () => {
    let real: TestService;
    let directory: string;
    beforeAll(async () => {
      directory = join(work, "archive");
      await makeFixtureArchive(fixtures ?? "", directory);
      const catalog = await openArchive(directory, { registry: LEAN.registry });
      const sources = { archiveDirectory: directory, assetHosts: [], s3: { region: "us-west-2" } };
      real = await testService({
        catalog,
        tileScenes: createNeighbourhoodSearch(catalog),
        renderer: inlineRenderer({ blockCacheBytes: 64 << 20, sources }),
      });
    }, LONG);

    for (const truth of sampleOf(FIXTURE_CASES, ({ scenes, units }) => [
      scenes[0]!,
      `${scenes[0]!.slice(0, 2)} ${units}`,
    ])) {
      test(truth.name, { timeout: LONG }, () => compare(real, truth, directory));
    }
  });

  test.skipIf(!hasCogCheck)(
    "GDAL's validation finds no fault in any of these files",
    { tags: ["X27"], timeout: LONG },
    async () => {
      expect(written.length).toBeGreaterThanOrEqual(cases.length);
      const faults = await gdalCogFaults(written);
      expect(Object.keys(faults)).toHaveLength(written.length);
      expect(Object.entries(faults).filter(([, each]) => each.length > 0)).toEqual([]);
      console.info(
        `${written.length} requests compared; most differing pixels: ${(worst.share * 100).toFixed(4)} % (${worst.name})`,
      );
    },
  );
});
