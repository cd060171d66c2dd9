import { execFile, execFileSync } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { resolveCrs, transformer } from "@swath/raster";
import { collections } from "@swath/schema";
import { beforeAll, describe, expect, test } from "vitest";
import { sampleOf } from "../../../../test/tools/searches.ts";
import {
  createTruth,
  planScenes,
  REFLECTANCE_BANDS,
  responseOfMsi,
  sensorReflectance,
  TRUTH_CLASSES,
  type Truth,
  type UpstreamItem,
} from "../../src/index.ts";
import { readArchiveInfo, readArchiveItems } from "../../src/node.ts";
import { directionalFactor } from "../../src/pixels/anisotropy.ts";
import { SANDBOX_VERSION } from "../../src/scenes/plan.ts";
import { type ReadTiff, readAsset, readHeader } from "../read-tiff.ts";
import { NOW, sharedArchive } from "../shared-archive.ts";

const run = promisify(execFile);
const toDegrees = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"));
const truth = createTruth({ now: NOW });

const scenes = new Map(planScenes(new Date(NOW)).map((scene) => [scene.id, scene]));

/** Reflectance at a longitude and latitude as the sensor of an item measures it from its direction. */
function measuredBy(item: UpstreamItem, at: Truth, lon: number, lat: number): Truth["reflectance"] {
  const scene = scenes.get(item.id)!;
  const reflectance = Object.fromEntries(
    REFLECTANCE_BANDS.map((band) => [band, at.reflectance[band] * directionalFactor(scene, band, lon, lat)]),
  ) as Truth["reflectance"];
  return isSentinel2(item)
    ? sensorReflectance({ reflectance }, responseOfMsi(String(item.properties.platform)))
    : reflectance;
}

function ndviOf(item: UpstreamItem, at: Truth, lon: number, lat: number): number {
  const { nir, red } = measuredBy(item, at, lon, lat);
  return (nir - red) / (nir + red);
}

let directory = "";
/** All items, and those of Sentinel-2 and Landsat 8 and 9. */
let everything: UpstreamItem[] = [];
let items: UpstreamItem[] = [];
/** The scenes whose pixels are looked at. */
let sampled: readonly UpstreamItem[] = [];
beforeAll(async () => {
  directory = sharedArchive();
  everything = await readArchiveItems(directory);
  items = everything.filter(({ id }) => /^(S2|LC)/.test(id));
  sampled = sampleOf(items, classesOf);
}, 300_000);

function isSentinel2(item: UpstreamItem): boolean {
  return item.collection === "sentinel-2-c1-l2a";
}

/** Places of which there is a scene every few days for years. */
const SERIES = ["33TTL", "192028"];

/** Classes of scenes: the months of a series and the years of its satellites, and each scene that is of none. */
function classesOf({ id, properties: { datetime, platform } }: UpstreamItem): readonly string[] {
  const { place, acquisition } = scenes.get(id)!;
  if (!SERIES.includes(place)) return [id];
  const [year, month] = datetime.split("-");
  return [`${place} ${month}`, `${platform} ${year}`, `${acquisition.baseline}`];
}

function itemWith(text: string): UpstreamItem {
  const found = everything.find(({ id }) => id.includes(text));
  if (found === undefined) throw new Error(`No item with ${text}.`);
  return found;
}

/** Longitude and latitude of the centre of a pixel. */
function centreOf(tiff: ReadTiff, i: number): readonly [number, number] {
  const column = i % tiff.width;
  const row = Math.floor(i / tiff.width);
  const [lon, lat] = toDegrees(
    tiff.origin[0] + (column + 0.5) * tiff.pixel[0],
    tiff.origin[1] + (row + 0.5) * tiff.pixel[1],
  );
  return [lon, lat];
}

/** Some thousand valid pixels spread over an image, always the same. */
function sample(tiff: ReadTiff, count: number): number[] {
  const step = Math.max(1, Math.floor((tiff.width * tiff.height) / count)) | 1;
  const found: number[] = [];
  for (let i = step >> 1; i < tiff.samples.length; i += step) if (tiff.samples[i] !== 0) found.push(i);
  return found;
}

function scalingOf(item: UpstreamItem, key: string): { scale: number; offset: number } {
  return (item.assets[key]!["raster:bands"] as { scale: number; offset: number }[])[0]!;
}

test("the archive holds at most 250 MB and says what it is", async () => {
  const info = await readArchiveInfo(directory);
  const total = readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(directory, name)))
    .reduce((sum, entry) => sum + (entry.isFile() ? entry.size : 0), 0);
  expect(total).toBeLessThan(250e6);
  expect(info).toMatchObject({ version: SANDBOX_VERSION, seed: 20210705, now: NOW, items: everything.length });
});

test("NDVI of every class in the sun agrees with truth within 0.005 for both kinds of Sentinel-2 baseline and for Landsat", async () => {
  const kinds = {
    "baseline below 04.00": sampled.filter(
      (i) => String(i.properties["s2:processing_baseline"]) < "04.00" && isSentinel2(i),
    ),
    "baseline from 04.00": sampled.filter(
      (i) => String(i.properties["s2:processing_baseline"]) >= "04.00" && isSentinel2(i),
    ),
    landsat: sampled.filter((i) => !isSentinel2(i)),
  };
  for (const [kind, members] of Object.entries(kinds)) {
    const worst = new Map<string, number>();
    for (const item of members) {
      const nirKey = isSentinel2(item) ? "nir" : "nir08";
      const [red, nir] = await Promise.all([readAsset(directory, item, "red"), readAsset(directory, item, nirKey)]);
      const [redScale, nirScale] = [scalingOf(item, "red"), scalingOf(item, nirKey)];
      for (const i of sample(red, 2500)) {
        const [lon, lat] = centreOf(red, i);
        const at = truth(lon, lat, item.properties.datetime);
        // the response of a sensor is drawn for the ground in the sun, and shadow darkens what it gives
        if (at.cloud > 0 || at.shadow > 0) continue;
        const r = red.samples[i]! * redScale.scale + redScale.offset;
        const n = nir.samples[i]! * nirScale.scale + nirScale.offset;
        worst.set(
          at.class,
          Math.max(worst.get(at.class) ?? 0, Math.abs((n - r) / (n + r) - ndviOf(item, at, lon, lat))),
        );
      }
    }
    // the fire came after the last scene of an old baseline
    const seen = TRUTH_CLASSES.filter((name) => name !== "burned" || kind !== "baseline below 04.00");
    expect([...worst.keys()].sort(), kind).toEqual(seen.sort());
    for (const [name, error] of worst) expect(error, `${kind}, ${name}`).toBeLessThan(0.005);
  }
}, 120_000);

test("every spectral band of a cloudless pixel is the truth's reflectance, to the rounding of its digital number", async () => {
  for (const item of [itemWith("T33TUL_20210705"), itemWith("T33TVL_20240704"), itemWith("191028_20240705")]) {
    for (const [key, asset] of Object.entries(item.assets)) {
      if (!(asset.roles as string[]).includes("reflectance")) continue;
      const { scale, offset } = scalingOf(item, key);
      const tiff = await readAsset(directory, item, key);
      for (const i of sample(tiff, 200)) {
        const [lon, lat] = centreOf(tiff, i);
        const at = truth(lon, lat, item.properties.datetime);
        if (at.cloud > 0 || at.shadow > 0) continue;
        const band = key as keyof typeof at.reflectance;
        expect(
          Math.abs(tiff.samples[i]! * scale + offset - measuredBy(item, at, lon, lat)[band]),
          `${item.id} ${key}`,
        ).toBeLessThan(scale * 0.51);
      }
    }
  }
});

test("scenes of recent days and of March 2021 are as bright as their sensors see the ground from their side", async () => {
  const march = itemWith("T33TVL_20210319");
  const recent = items.filter((item) => {
    const scene = scenes.get(item.id)!;
    return scene.acquisition.directional === true && scene.place === "33TVL";
  });
  expect(recent.map(({ id }) => id)).toContain(march.id);
  let [least, most] = [2, 0];
  for (const item of [...recent, itemWith("LC09_L2SP_190028_2026")]) {
    for (const key of ["blue", "green", "red", "nir08", "swir16", "swir22", "coastal"] as const) {
      const { scale, offset } = scalingOf(item, key);
      const tiff = await readAsset(directory, item, key);
      for (const i of sample(tiff, 200)) {
        const [lon, lat] = centreOf(tiff, i);
        const at = truth(lon, lat, item.properties.datetime);
        if (at.cloud > 0 || at.shadow > 0) continue;
        const seen = measuredBy(item, at, lon, lat)[key];
        // factors are rounded to multiples of 1/2048
        const tolerance = scale * 0.51 + (1.1 * at.reflectance[key]) / 4096;
        expect(Math.abs(tiff.samples[i]! * scale + offset - seen), `${item.id} ${key}`).toBeLessThan(tolerance);
        const factor = directionalFactor(scenes.get(item.id)!, key, lon, lat);
        if (key === "coastal") expect(factor).toBe(1);
        [least, most] = [Math.min(least, factor), Math.max(most, factor)];
      }
    }
  }
  expect(most / least).toBeGreaterThan(1.05);
});

test("Landsat 5 and 7 hold what ETM+ sees of the truth, and harmonizing them gives the truth back", async () => {
  for (const item of [itemWith("LT05_L2SP_191028"), itemWith("LE07_L2SP_191028")]) {
    for (const key of ["blue", "green", "red", "nir08", "swir16", "swir22"] as const) {
      const { scale, offset } = scalingOf(item, key);
      const tiff = await readAsset(directory, item, key);
      let seen = 0;
      for (const i of sample(tiff, 200)) {
        const at = truth(...centreOf(tiff, i), item.properties.datetime);
        if (at.cloud > 0 || at.shadow > 0) continue;
        const value = tiff.samples[i]! * scale + offset;
        expect(Math.abs(value - sensorReflectance(at, "etm")[key]), `${item.id} ${key}`).toBeLessThan(scale * 0.51);
        // OLI = 0.0061 + 0.9047 × ETM+ for red (Roy et al. 2016)
        if (key === "red") expect(0.0061 + 0.9047 * value).toBeCloseTo(at.reflectance.red, 4);
        seen++;
      }
      expect(seen).toBeGreaterThan(50);
    }
  }
});

test("HLS holds the truth's reflectance, elevation its height and Sentinel-1 its backscatter", async () => {
  const checks = [
    {
      id: "HLS.L30.T33TUL.2024",
      key: "B05",
      value: (at: ReturnType<typeof truth>) => at.reflectance.nir08,
      by: 5.1e-5,
    },
    {
      id: "HLS.S30.T33TUL.2024",
      key: "B8A",
      value: (at: ReturnType<typeof truth>) => at.reflectance.nir08,
      by: 5.1e-5,
    },
    {
      id: "HLS.S30.T33TUL.2024",
      key: "B05",
      value: (at: ReturnType<typeof truth>) => at.reflectance.rededge1,
      by: 5.1e-5,
    },
    { id: "20240703T051129", key: "vv", value: (at: ReturnType<typeof truth>) => at.backscatter.vv, by: 1e-6 },
    { id: "20240703T051129", key: "vh", value: (at: ReturnType<typeof truth>) => at.backscatter.vh, by: 1e-6 },
    { id: "N46_00_E013", key: "data", value: (at: ReturnType<typeof truth>) => at.elevation, by: 0 },
  ];
  for (const { id, key, value, by } of checks) {
    const item = itemWith(id);
    const tiff = await readAsset(directory, item, key);
    const scale = id.startsWith("HLS") ? 0.0001 : 1;
    let seen = 0;
    for (const i of sample(tiff, 300)) {
      const stored = tiff.samples[i]!;
      if (stored === -9999 || stored === -32_768) continue;
      const place =
        key === "data"
          ? ([
              tiff.origin[0] + ((i % tiff.width) + 0.5) * tiff.pixel[0],
              tiff.origin[1] + (Math.floor(i / tiff.width) + 0.5) * tiff.pixel[1],
            ] as const)
          : centreOf(tiff, i);
      const at = truth(...place, item.properties.datetime);
      if (scale !== 1 && (at.cloud > 0 || at.shadow > 0)) continue;
      expect(Math.abs(stored * scale - value(at)), `${id} ${key}`).toBeLessThanOrEqual(by + 1e-9);
      seen++;
    }
    expect(seen, `${id} ${key}`).toBeGreaterThan(50);
  }
});

test("SCL and QA_PIXEL agree with the truth about clouds, shadows, snow and water", async () => {
  for (const item of sampled) {
    const masks = await readAsset(directory, item, isSentinel2(item) ? "scl" : "qa_pixel");
    for (const i of sample(masks, 1500)) {
      const value = masks.samples[i]!;
      if (!isSentinel2(item) && value === 1) continue;
      const [lon, lat] = centreOf(masks, i);
      const at = truth(lon, lat, item.properties.datetime);
      const expected =
        at.cloud >= 0.25
          ? "cloud"
          : at.cloud > 0
            ? "haze"
            : at.shadow > 0
              ? "shadow"
              : at.class === "snow"
                ? "snow"
                : at.class === "water"
                  ? "water"
                  : "land";
      const scl: Record<number, string> = {
        3: "shadow",
        4: "land",
        5: "land",
        6: "water",
        7: "haze",
        8: "cloud",
        9: "cloud",
        11: "snow",
      };
      const qa =
        value & 8
          ? "cloud"
          : value & 2
            ? "haze"
            : value & 16
              ? "shadow"
              : value & 32
                ? "snow"
                : value & 128
                  ? "water"
                  : "land";
      expect(isSentinel2(item) ? scl[value] : qa, `${item.id} at ${lon}, ${lat}`).toBe(expected);
    }
  }
});

test("neighbouring tiles hold the same ground where they overlap", async () => {
  const items = [itemWith("T33TUL_20240706"), itemWith("T33TVL_20240706")] as const;
  const [west, east] = await Promise.all([
    readAsset(directory, items[0], "red"),
    readAsset(directory, items[1], "red"),
  ]);
  // 399,960 − 300,000 is no whole number of 100 m pixels: the truth decides, not equality of pixels
  let shared = 0;
  for (let row = 5; row < 1098; row += 50) {
    for (let column = 2; column < 96; column += 7) {
      const i = row * east.width + column;
      const [lon, lat] = centreOf(east, i);
      const at = truth(lon, lat, "2024-07-06");
      const j = row * west.width + Math.floor((east.origin[0] + (column + 0.5) * 100 - west.origin[0]) / 100);
      const there = centreOf(west, j);
      const near = truth(...there, "2024-07-06");
      if (at.cloud > 0 || near.cloud > 0 || at.shadow > 0 || near.shadow > 0) continue;
      expect(east.samples[i]! / 10_000 - 0.1).toBeCloseTo(measuredBy(items[1], at, lon, lat).red, 3);
      expect(west.samples[j]! / 10_000 - 0.1).toBeCloseTo(measuredBy(items[0], near, ...there).red, 3);
      shared++;
    }
  }
  expect(shared).toBeGreaterThan(100);
});

test("an item's shape and transform are those of its files", async () => {
  for (const item of items) {
    for (const [key, asset] of Object.entries(item.assets)) {
      const tiff = await readHeader(directory, item, key);
      const shape = asset["proj:shape"] ?? item.properties["proj:shape"];
      const transform = (asset["proj:transform"] ?? item.properties["proj:transform"]) as number[];
      expect(shape, `${item.id} ${key}`).toEqual([tiff.height, tiff.width]);
      expect(transform).toEqual([tiff.pixel[0], 0, tiff.origin[0], 0, tiff.pixel[1], tiff.origin[1]]);
      if (key !== "red" && key !== "scl" && key !== "qa_pixel") break;
    }
  }
});

test("every band of schema v1 is there under the upstream's key, but for Landsat's intermediate ST and aerosol files", () => {
  for (const id of ["sentinel-2-l2a", "landsat-ot-l2"] as const) {
    const { bands, upstream } = collections[id];
    const { assets } = items.find(({ collection }) => collection === upstream.collection)!;
    const keys = new Map(Object.entries(upstream.assets).map(([key, native]) => [native, key]));
    const missing = bands.map(({ name }) => name).filter((name) => assets[keys.get(name) ?? ""] === undefined);
    expect(missing.filter((name) => !/^(SR_QA_AEROSOL|ST_(?!B10).*)$/.test(name))).toEqual([]);
  }
});

test("the newest scenes follow the day of the archive, and each tile has one nearly without clouds among them", () => {
  for (const place of ["T33TUL", "T33TVL", "_191028_", "_190028_"]) {
    const recent = items.filter(
      ({ id, properties }) => id.includes(place) && Date.parse(NOW) - Date.parse(properties.datetime) < 20 * 86_400_000,
    );
    const covers = recent.map(({ properties }) => properties["eo:cloud_cover"] as number);
    expect(Math.min(...covers), place).toBeLessThan(1);
  }
});

test("several scenes are part nodata, as at the edge of a swath", () => {
  const empty = items.map(({ properties }) => properties["s2:nodata_pixel_percentage"] as number).filter((p) => p > 30);
  expect(empty.length).toBeGreaterThanOrEqual(4);
});

const hasGdal = ((): boolean => {
  try {
    execFileSync("gdalinfo", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasGdal)("GDAL", () => {
  test("reads the files as COGs with predictor 2, nodata, scale, offset and overviews", async () => {
    const path = join(directory, itemWith("T33TUL_20240704").assets.red!.href);
    const info = JSON.parse((await run("gdalinfo", ["-json", path])).stdout);
    expect(info.metadata.IMAGE_STRUCTURE).toMatchObject({ LAYOUT: "COG", COMPRESSION: "DEFLATE", PREDICTOR: "2" });
    expect(info.geoTransform).toEqual([300000, 100, 0, 5100000, 0, -100]);
    expect(info.stac["proj:epsg"]).toBe(32633);
    expect(info.bands[0]).toMatchObject({
      description: "B04",
      noDataValue: 0,
      scale: 0.0001,
      offset: -0.1,
      type: "UInt16",
    });
    expect(info.bands[0].overviews[0].size).toEqual([549, 549]);
    const qa = join(directory, itemWith("191028_20240705").assets.qa_pixel!.href);
    const qaInfo = JSON.parse((await run("gdalinfo", ["-json", qa])).stdout);
    expect(qaInfo.bands[0].noDataValue).toBeUndefined();
  });
});
