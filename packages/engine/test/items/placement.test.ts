import type { Item } from "@swath/catalog";
import { describe, expect, test } from "vitest";
import { assetFact, placementOf } from "../../src/items/placement.ts";
import { fixtures, recorded } from "./recorded.ts";

/** A recorded document's item as the archive wrote it; of several the first one of the collection. */
function itemIn(path: string, collection?: string): Item {
  const document = recorded(path) as { readonly features?: Item[]; readonly response?: { readonly body: Item } };
  const all = Array.isArray(document) ? document : (document.features ?? [document.response?.body ?? document]);
  return (all as Item[]).find((each) => collection === undefined || each.collection === collection)!;
}

/** The grids are what the archives write of their files; GDAL reads the same corners from those that are at hand. */
describe.skipIf(fixtures === undefined)("recorded items say where their pixels are", () => {
  test.each<[string, string, string, string | undefined, string, number[]]>([
    [
      "Earth Search, by asset",
      "stac/earth-search/v1/sentinel-2-c1-l2a.T13TDE-10-items.json",
      "red",
      undefined,
      "EPSG:32613",
      [10, 0, 399_960, 0, -10, 4_500_000],
    ],
    [
      "the same at 20 m",
      "stac/earth-search/v1/sentinel-2-c1-l2a.T13TDE-10-items.json",
      "swir16",
      undefined,
      "EPSG:32613",
      [20, 0, 399_960, 0, -20, 4_500_000],
    ],
    [
      "Landsat, by item",
      "stac/earth-search/v1/search-two-collections-page1.body.json",
      "red",
      "landsat-c2-l2",
      "EPSG:32613",
      [30, 0, 449_085, 0, -30, 4_581_915],
    ],
    [
      "Copernicus Data Space, by proj:code",
      "stac/stac-1.1/cdse-sentinel-2-l2a.item.json",
      "B04_10m",
      undefined,
      "EPSG:32633",
      [10, 0, 399_960, 0, -10, 5_600_040],
    ],
    [
      "Digital Earth Australia, by nine numbers of an asset that differ from its item's",
      "live/digital-earth-australia/item-ga_s2am_ard_3.json",
      "nbart_red",
      undefined,
      "EPSG:32749",
      [10, 0, 600_000, 0, -10, 7_200_040],
    ],
    [
      "USGS, in polar coordinates, which requests cannot name",
      "live/usgs/item-landsat-c2l2-sr-polar-1.0.0-beta.2.json",
      "SR_B4.TIF",
      undefined,
      "EPSG:3031",
      [1164.15, 0, 857_085, 0, -1150.649_999_999_999_9, -127_485],
    ],
  ])("%s", (_, path, asset, collection, crs, transform) => {
    expect(placementOf(itemIn(path, collection), asset)).toEqual({ crs, transform });
  });
});

const item = (properties: object, asset: object = {}): Item =>
  ({ id: "a", assets: { B04: asset }, properties }) as unknown as Item;
const TRANSFORM = [10, 0, 300_000, 0, -10, 5_100_000];

test("an asset's fact stands before the item's; a missing asset has those of the item", () => {
  const both = item({ gsd: 20 }, { gsd: 10 });
  expect([assetFact(both, "B04", "gsd"), assetFact(both, "B05", "gsd"), assetFact(both, undefined, "gsd")]).toEqual([
    10, 20, 20,
  ]);
  expect(assetFact(item({}), "B04", "gsd")).toBeUndefined();
});

test.each<[string, object, object | undefined]>([
  ["numbers as text", { "proj:transform": TRANSFORM.map(String) }, { crs: "EPSG:32633", transform: TRANSFORM }],
  ["a code in proj:code, which stands before proj:epsg", { "proj:code": "EPSG:3857" }, { crs: "EPSG:3857" }],
  ["a CRS that is unknown here", { "proj:epsg": 999_999 }, { crs: "EPSG:999999" }],
  ["a CRS of another authority", { "proj:code": "IAU_2015:30100" }, undefined],
  ["no CRS", { "proj:epsg": null }, undefined],
  ["five numbers", { "proj:transform": TRANSFORM.slice(1) }, undefined],
  ["eight numbers", { "proj:transform": [...TRANSFORM, 0, 0] }, undefined],
  ["words", { "proj:transform": [...TRANSFORM.slice(1), "x"] }, undefined],
  ["no list", { "proj:transform": { length: 6 } }, undefined],
])("%s: the place is as it should be", (_, facts, place) => {
  const found = placementOf(item({ "proj:epsg": 32_633, "proj:transform": TRANSFORM, ...facts }), "B04");
  if (place === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(place);
});
