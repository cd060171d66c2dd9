import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Asset, Item } from "@swath/catalog";
import { describe, expect, test } from "vitest";
import { assetFile } from "../../src/items/asset-file.ts";

const fixtures = process.env.SWATH_FIXTURES;
const recorded = (path: string): Item => JSON.parse(readFileSync(join(fixtures ?? "", "live", path), "utf8"));

const item = (asset: Asset, properties: object = {}): Item =>
  ({ id: "a", assets: { B04: asset }, properties }) as unknown as Item;

describe.skipIf(fixtures === undefined)("JPEG 2000 files of recorded items", () => {
  test("of Earth Search lie where the asset and the item say", () => {
    const { features } = recorded("earth-search/items-sentinel-2-l1c-limit-1.json") as unknown as { features: Item[] };
    expect(assetFile(features[0]!, "red")).toEqual({
      href: "s3://sentinel-s2-l1c/tiles/27/V/WK/2024/2/6/0/B04.jp2",
      jp2: { placement: { crs: "EPSG:32627", transform: [10, 0, 499_980, 0, -10, 7_000_020] } },
    });
  });

  test("of Copernicus Data Space lie where the asset says", { tags: ["JP2"] }, () => {
    const exchange = recorded("cdse/item-sentinel-2-l2a-2020-N0500.json") as unknown as { response: { body: Item } };
    const found = exchange.response.body;
    const { href, "proj:code": crs, "proj:transform": transform } = found.assets.B04_10m!;
    expect(href).toMatch(/^s3:\/\/eodata\/.*_B04_10m\.jp2$/i);
    expect(assetFile(found, "B04_10m")).toEqual({
      href,
      jp2: { placement: { crs, transform: (transform as number[]).slice(0, 6) } },
    });
  });
});

test.each([
  { name: "a GeoTIFF", asset: { href: "https://a/B04.tif", type: "image/tiff; application=geotiff" }, isJp2: false },
  { name: "a file without a type", asset: { href: "https://a/B04.tif" }, isJp2: false },
  { name: "a JPEG 2000 by its type", asset: { href: "https://a/B04", type: "image/jp2" }, isJp2: true },
  { name: "one by its name", asset: { href: "https://a/B04.JP2?token=x.tif" }, isJp2: true },
  { name: "a GeoTIFF with a strange name", asset: { href: "https://a/B04.jp2", type: "image/tiff" }, isJp2: false },
])("$name is told", ({ asset, isJp2 }) => {
  expect(assetFile(item(asset), "B04")).toEqual({ href: asset.href, ...(isJp2 ? { jp2: {} } : {}) });
});

test("a place that is not whole is none", () => {
  const asset = { href: "a.jp2", type: "image/jp2", "proj:transform": [10, 0, "x", 0, -10, 5] };
  expect(assetFile(item(asset, { "proj:epsg": 32633 }), "B04")).toEqual({ href: "a.jp2", jp2: {} });
  expect(assetFile(item(asset), "B05")).toBeUndefined();
});
