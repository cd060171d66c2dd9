import { describe, expect, test } from "vitest";
import {
  bandScaling,
  collections,
  defaultRegistry,
  resolveBand,
  SCENE_FACTORS,
  toNativeAsset,
} from "../../src/index.ts";
import { fixtureItems, fixtures } from "../fixtures.ts";

const WITH = { offset: -0.1, dnOffset: 1000, recipeShift: 0 };
const WITHOUT = { offset: 0, dnOffset: 0, recipeShift: 1000 };

test.each([
  { name: "baseline 02.14", properties: { "s2:processing_baseline": "02.14" }, expected: WITHOUT },
  { name: "baseline 03.01", properties: { "s2:processing_baseline": "03.01" }, expected: WITHOUT },
  { name: "baseline 04.00", properties: { "s2:processing_baseline": "04.00" }, expected: WITH },
  { name: "baseline 05.10", properties: { "s2:processing_baseline": "05.10" }, expected: WITH },
  { name: "baseline 10.00", properties: { "s2:processing_baseline": "10.00" }, expected: WITH },
  { name: "a baseline as a number", properties: { "s2:processing_baseline": 3.01 }, expected: WITHOUT },
  {
    name: "an old date with a new baseline",
    properties: { datetime: "2016-01-01T00:00:00Z", "s2:processing_baseline": "05.00" },
    expected: WITH,
  },
  {
    name: "offset taken out by the host",
    properties: { "s2:processing_baseline": "05.00", "earthsearch:boa_offset_applied": true },
    expected: WITHOUT,
  },
  {
    name: "offset not taken out by the host",
    properties: { "s2:processing_baseline": "05.00", "earthsearch:boa_offset_applied": false },
    expected: WITH,
  },
  {
    name: "only a product name",
    properties: { "s2:product_uri": "S2A_MSIL2A_20200305T103021_N0214_R108_T32TMT_20200305T144237.SAFE" },
    expected: WITHOUT,
  },
  { name: "nothing", properties: {}, expected: WITH },
  { name: "an unreadable baseline", properties: { "s2:processing_baseline": "new" }, expected: WITH },
])("a Sentinel-2 scene with $name", { tags: ["B6"] }, ({ properties, expected }) => {
  expect(bandScaling("sentinel-2-l2a", "B04", properties)).toEqual({ scale: 0.0001, nodata: 0, ...expected });
});

test("class and ancillary bands of Sentinel-2 have no offset whatever the baseline", () => {
  const properties = { "s2:processing_baseline": "05.10" };
  expect(bandScaling("S2L2A", "SCL", properties)).toEqual({
    scale: 1,
    offset: 0,
    dnOffset: 0,
    recipeShift: 0,
    nodata: 0,
  });
  expect(bandScaling("S2L2A", "AOT", properties)).toMatchObject({ scale: 0.001, offset: 0, dnOffset: 0 });
  expect(bandScaling("S2L2A", "CLD", properties).nodata).toBeUndefined();
});

test("Landsat scales with published constants", { tags: ["X14"] }, () => {
  const reflectance = bandScaling("landsat-ot-l2", "red", {});
  expect(reflectance).toEqual({ scale: 0.0000275, offset: -0.2, dnOffset: 0, recipeShift: 0, nodata: 0 });
  const thermal = bandScaling("landsat-ot-l2", resolveBand("landsat-ot-l2", "lwir11"), {});
  expect(thermal).toMatchObject({ scale: 0.00341802, offset: 149, dnOffset: 0 });
  expect(bandScaling("landsat-ot-l2", "QA_PIXEL", {}).nodata).toBe(1);
});

test("a digital number of 704 at baseline 04.00 is reflectance -0.0296 and -296 with the offset removed", () => {
  const { scale, offset, dnOffset } = bandScaling("sentinel-2-l2a", "B01", { "s2:processing_baseline": "04.00" });
  expect(scale * 704 + offset).toBeCloseTo(-0.0296, 10);
  expect(704 - dnOffset).toBe(-296);
});

describe.skipIf(fixtures === undefined)("against recorded items", () => {
  test("the offset agrees with the item where the item is consistent, and follows the flag where it is not", {
    tags: ["B6"],
  }, () => {
    const path = ["stac", "earth-search", "v1", "search-duplicate-scenes-page1.body.json"] as const;
    let applied = 0;
    for (const item of fixtureItems(...path)) {
      const stated = item.assets.red?.["raster:bands"]?.[0]?.offset;
      const { offset, recipeShift } = bandScaling("sentinel-2-l2a", "red", item.properties);
      expect(offset).toBe(0);
      expect(recipeShift).toBe(1000);
      if (stated === -0.1) applied += 1;
    }
    expect(applied).toBe(5);
  });

  test("every reflectance band of ten Collection 1 items has the stated scale and offset", () => {
    for (const item of fixtureItems("stac", "earth-search", "v1", "sentinel-2-c1-l2a.T13TDE-10-items.json")) {
      const collection = defaultRegistry.find(item.collection)?.collection ?? collections["sentinel-2-l2a"];
      for (const [key, asset] of Object.entries(item.assets)) {
        const [raster] = asset["raster:bands"] ?? [];
        const name = toNativeAsset(collection, key);
        if (raster?.scale === undefined || name === undefined) continue;
        expect(bandScaling(collection, name, item.properties)).toMatchObject({
          scale: raster.scale,
          offset: raster.offset,
        });
      }
    }
  });
});

test("a planned item's factors are the scaling of its band", () => {
  const factors = { B4: { scale: 0.5, offset: -2 } };
  expect(bandScaling("landsat-ot-l1", "B4", { [SCENE_FACTORS]: factors })).toMatchObject({ scale: 0.5, offset: -2 });
  expect(bandScaling("landsat-ot-l1", "B5", { [SCENE_FACTORS]: factors })).toMatchObject({ scale: 1, offset: 0 });
});
