import type { Item } from "@swath/catalog";
import { describe, expect, test } from "vitest";
import { filesOf } from "../../src/job/extraction-files.ts";
import { extractionScenes, planExtraction, readExtraction } from "../../src/job/extraction-plan.ts";
import type { SceneMetadata } from "../../src/read/read-metadata.ts";
import type { ExtractionRequest } from "../../src/request.ts";
import { itemOf } from "../items/items.ts";
import { COLORADO, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf, registry } from "../what/registry.ts";
import { refusalOf } from "../where/refusal-of.ts";

const S2 = "sentinel-2-l2a";
const { collection } = matchOf(S2);
const BBOX = [-105.2, 40, -105.1, 40.1];
const TRIANGLE = {
  type: "Polygon",
  coordinates: [
    [
      [-105.2, 40],
      [-105.1, 40],
      [-105.15, 40.1],
      [-105.2, 40],
    ],
  ],
};
/** The metadata of collections whose items say it all. */
const PLAIN: SceneMetadata = { complete: (item) => item, factors: new Map() };

function requestOf(more: Partial<{ [K in keyof ExtractionRequest]: object }> = {}): ExtractionRequest {
  return {
    where: { kind: "area", bbox: BBOX, frame: { width: 64, height: 48, crs: "EPSG:32613" }, ...more.where },
    when: { collections: [S2], time: "2024-04-01/2024-04-30", ...more.when },
    what: { bands: ["red"], ...more.what },
    into: { kind: "geotiff", ...more.into },
  };
}
const specOf = (more: Parameters<typeof requestOf>[0] = {}) => readExtraction(requestOf(more), registry);
const planned = (items: readonly Item[], more: Parameters<typeof requestOf>[0] = {}) =>
  planExtraction(extractionScenes(specOf(more), items), PLAIN);

describe.skipIf(fixtures === undefined)("a file of recorded scenes", () => {
  const items = recordedItems(COLORADO).slice(0, 2);

  test("reads the bands that were asked for, of each scene in the order of the mosaic", () => {
    const { job, filename } = planned(items, { what: { bands: ["nir", "red"] } });
    expect(job.bands).toEqual(["B08", "B04"]);
    expect(job.scenes.map(({ read }) => read.files.map(({ href }) => href.split("/").slice(-2).join("/")))).toEqual([
      ["S2A_T13TDE_20240422T174753_L2A/B08.tif", "S2A_T13TDE_20240422T174753_L2A/B04.tif"],
      ["S2B_T13TDE_20240420T175329_L2A/B08.tif", "S2B_T13TDE_20240420T175329_L2A/B04.tif"],
    ]);
    expect(job.scenes.map(({ datetime }) => datetime?.slice(0, 10))).toEqual(["2024-04-22", "2024-04-20"]);
    expect(filename).toBe("sentinel-2-l2a_2024-04-22.tif");
    expect(planned(items.toReversed()).filename).toBe("sentinel-2-l2a_2024-04-20.tif");
  });

  /** Baseline 05.10 of `s2:processing_baseline`: ESA adds 1000 to digital numbers; reflectance is (DN - 1000) / 10,000. */
  test.each([
    ["REFLECTANCE", "float32", { kind: "physical", scale: 0.0001, offset: -0.1, nodata: 0 }, Number.NaN],
    ["DN", "int16", { kind: "offset-removed", dnOffset: 1000, nodata: 0 }, -32_768],
  ])("in %s has %s samples, without the 1000 that ESA adds", (units, sampleType, conversion, nodata) => {
    const { job } = planned(items, { what: { bands: ["red"], units } });
    expect(job).toMatchObject({ sampleType, nodata, units, harmonize: "offset_removed", collection: S2 });
    expect(job.scenes[0]?.read.files[0]).toMatchObject({
      nodata: 0,
      conversion: expect.objectContaining(shown(conversion)),
    });
  });

  /** A conversion without what one kind of it does not say. */
  const shown = ({ nodata: _, ...rest }: { nodata: number }) => rest;
});

test("the grid is what was asked for, and only a polygon clips it", () => {
  const { job } = planned([itemOf(collection)]);
  expect(job.grid).toMatchObject({ crs: "EPSG:32613", width: 64, height: 48 });
  expect(job).not.toHaveProperty("clip");
  const clipped = planned([itemOf(collection)], { where: { bbox: undefined, geometry: TRIANGLE } }).job;
  expect(clipped.clip).toEqual({ polygon: TRIANGLE, crs: "EPSG:4326" });
});

test("a file has the UTM zone of the scene on top, else that of the middle of the area", () => {
  const gridOf = (properties: Readonly<Record<string, unknown>>) =>
    planned([itemOf(collection, { properties })], {
      where: { frame: { nativeCrs: true, resx: 10, resy: 10, exact: true } },
    }).job.grid;
  expect(gridOf({ "proj:epsg": 32612 })).toMatchObject({
    crs: "EPSG:32612",
    transform: [10, 0, expect.any(Number), 0, -10, expect.any(Number)],
  });
  expect(gridOf({ "proj:code": "EPSG:32614" }).crs).toBe("EPSG:32614");
  expect(gridOf({ "proj:code": "EPSG:3031" }).crs).toBe("EPSG:32613");
  const large = { where: { frame: { nativeCrs: true, width: 30_000, height: 2 } } };
  expect(refusalOf(() => planned([itemOf(collection)], large))).toMatchObject({ code: "output-too-large" });
});

test("files by band have the number for no data that their own band has", () => {
  const files = filesOf(
    planned([itemOf(collection)], {
      what: { bands: ["red", "cloud"], units: "DN", harmonize: "none" },
      into: { files: "per-band" },
    }),
  );
  expect(files.map(({ job }) => [job.bands, job.nodata])).toEqual([
    [["B04"], 0],
    [["CLD"], undefined],
  ]);
  expect(files.map(({ job }) => job.scenes[0]?.read.files.length)).toEqual([1, 1]);
});

test("files of expressions read all bands, each for its own", () => {
  const what = { bands: undefined, expression: "B08/B04;B03-B04;B02" };
  const files = filesOf(planned([itemOf(collection)], { what, into: { files: "per-band" } }));
  expect(files.map(({ filename, job }) => [filename.split("_").slice(1).join("_"), job.math?.expressions])).toEqual([
    ["2024-07-04_expression_1.tif", [expect.any(String)]],
    ["2024-07-04_expression_2.tif", [expect.any(String)]],
    ["2024-07-04_expression_3.tif", [expect.any(String)]],
  ]);
  expect(files.map(({ job }) => job.scenes[0]?.read.files.length)).toEqual([4, 4, 4]);
});

test("a scene without a time gives a file without a date", () => {
  const item = itemOf(collection, { properties: { datetime: null } });
  expect(planned([item]).filename).toBe("sentinel-2-l2a_undated.tif");
});

test("scenes are read with what their documents say of them", () => {
  const items = ["a", "b"].map((id) => itemOf(collection, { id }));
  const complete = (item: Item): Item => ({ ...item, id: `${item.id} with factors` });
  const scenes = extractionScenes(specOf(), items);
  expect(scenes.toRead).toMatchObject([{ items, nadir: [] }]);
  const { job, items: read } = planExtraction(scenes, { ...PLAIN, complete });
  expect(read.map(({ id }) => id)).toEqual(["a with factors", "b with factors"]);
  expect(job.scenes.map(({ read: own }) => own.id)).toEqual(["a with factors", "b with factors"]);
});

describe("bands that are left to the service", () => {
  const whole = itemOf(collection, { id: "whole" });
  const partial = itemOf(collection, { id: "partial", without: ["B01", "B09"] });

  test("are those that every scene has", () => {
    const asked = { what: { bands: undefined } };
    const all = planned([whole], asked).job.bands;
    expect(all).toEqual(["B01", "B02", "B03", "B04", "B05", "B06", "B07", "B08", "B8A", "B09", "B11", "B12"]);
    expect(planned([whole, partial], asked).job.bands).toEqual(all.filter((name) => !["B01", "B09"].includes(name)));
  });

  test("that a request names are refused where a scene lacks them", () => {
    const refusal = refusalOf(() => planned([whole, partial], { what: { bands: ["B04", "B09"] } }));
    expect(refusal).toMatchObject({ code: "unknown-band", path: ["what", "bands", 1] });
  });

  test("count for the size of the file once it is known which there are", () => {
    // 2,500 × 2,500 pixels of 12 bands are 75 million values; of three scenes more than 200 million are read
    const caps = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };
    const size = { where: { frame: { width: 2500, height: 2500 } }, what: { bands: undefined }, into: { caps } };
    const items = [whole, whole, whole].map((item, i) => ({ ...item, id: String(i) }));
    const refusal = refusalOf(() => extractionScenes(specOf(size), items));
    expect(refusal).toMatchObject({
      code: "output-too-large",
      path: [],
      limits: { maxValuesTimesScenes: 200_000_000, requestedValuesTimesScenes: 225_000_000 },
    });
    expect(() => extractionScenes(specOf(size), items.slice(0, 2))).not.toThrow();
    const fewer = items.map((item) => itemOf(collection, { id: item.id, without: ["B01", "B09"] }));
    expect(() => extractionScenes(specOf(size), fewer)).not.toThrow();
  });
});

test("a file may be as large as its request says, or as files may be", () => {
  const large = { where: { frame: { width: 10_000, height: 10_000 } } };
  const caps = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };
  expect(refusalOf(() => specOf({ ...large, into: { caps } }))).toMatchObject({
    code: "output-too-large",
    limits: { maxOutputWidth: 2500, requestedWidth: 10_000 },
  });
  expect(specOf(large).grid?.width).toBe(10_000);
  const ids = Array.from({ length: 30 }, (_, i) => `S2A_${i}`);
  const refusal = refusalOf(() => specOf({ ...large, when: { time: undefined, ids } }));
  expect(refusal.limits).toEqual({ maxValuesTimesScenes: 2_400_000_000, requestedValuesTimesScenes: 3_000_000_000 });
});

test.each<[string, Parameters<typeof requestOf>[0], string, (string | number)[]]>([
  ["no collection", { when: { collections: [] } }, "invalid", ["when", "collections"]],
  ["two collections", { when: { collections: [S2, "landsat-ot-l2"] } }, "invalid", ["when", "collections"]],
  ["an unknown one", { when: { collections: ["sentinel-9"] } }, "unknown-collection", ["when", "collections", 0]],
  ["an index", { what: { bands: undefined, index: "ndvi" } }, "invalid", ["what", "index"]],
  ["an unknown band", { what: { bands: ["red", "rot"] } }, "unknown-band", ["what", "bands", 1]],
  ["samples that are too narrow", { into: { sampleType: "UINT16" } }, "invalid", ["into", "sampleType"]],
  ["a box that is none", { where: { bbox: [1, 2, 3] } }, "invalid", ["where", "bbox"]],
  ["one size alone", { where: { frame: { width: 3 } } }, "invalid", ["where", "frame", "height"]],
  ["neither a time nor ids", { when: { time: undefined } }, "invalid", ["when"]],
  ["both", { when: { ids: ["a"] } }, "invalid", ["when"]],
  ["an order beside ids", { when: { time: undefined, ids: ["a"], order: "leastCC" } }, "invalid", ["when", "order"]],
  [
    "one platform beside ids",
    { when: { time: undefined, ids: ["a"], samePlatform: true } },
    "invalid",
    ["when", "samePlatform"],
  ],
  [
    "names of bands that are left to the service",
    { what: { bands: undefined }, into: { bandNames: ["a"] } },
    "invalid",
    ["into", "bandNames"],
  ],
  ["more names than bands", { into: { bandNames: ["a", "b"] } }, "invalid", ["into", "bandNames"]],
  [
    "one name twice",
    { what: { bands: ["red", "nir"] }, into: { bandNames: ["a", "a"] } },
    "invalid",
    ["into", "bandNames"],
  ],
  [
    "a CRS beside that of the scene",
    { where: { frame: { crs: "EPSG:4326", nativeCrs: true } } },
    "invalid",
    ["where", "frame", "crs"],
  ],
  ["a time that is none", { when: { time: "2024-13-01" } }, "invalid", ["when", "time"]],
])("%s is refused before a search", (_, more, code, path) => {
  expect(refusalOf(() => specOf(more))).toMatchObject({ code, path });
});
