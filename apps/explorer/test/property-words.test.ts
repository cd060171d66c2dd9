import { expect, test } from "vitest";
import { mediaTypeName, propertyGroups } from "../src/scenes/property-words.ts";

const textOf = (properties: Record<string, unknown>): readonly string[] =>
  propertyGroups(properties).flatMap(({ label, rows }) => rows.map((row) => `${label}: ${row.label} ${row.text}`));

test.each([
  ["view:sun_azimuth", 152.33817, "View Geometry: Sun azimuth 152.3°"],
  ["eo:cloud_cover", 0.003124, "Electro-Optical: Cloud cover 0.003124 %"],
  ["proj:epsg", 32633, "Projection: EPSG code EPSG:32633"],
  ["proj:shape", [10980, 10980], "Projection: Image dimensions 10980 × 10980"],
  ["gsd", 10, "General: GSD 10 m"],
  ["datetime", "2024-07-04T10:07:31.024Z", "General: Time of data 2024-07-04, 10:07:31 UTC"],
  ["datetime", "a while ago", "General: Time of data a while ago"],
  ["instruments", ["msi"], "General: Instruments msi"],
  ["landsat:wrs_path", "191", "Landsat: WRS path 191"],
  ["s2:mgrs_tile", "33TUL", "Sentinel-2: MGRS tile 33TUL"],
  ["s2:vegetation_percentage", 41.23456, "Sentinel-2: Vegetation percentage 41.23 %"],
  ["earthsearch:boa_offset_applied", true, "Earth Search: BOA offset applied yes"],
  ["processing:software", { sen2cor: "2.11", swath: "0.1" }, "Processing: Software sen2cor 2.11, swath 0.1"],
  ["providers", [{ name: "ESA", roles: ["producer"] }], 'General: Providers [{"name":"ESA","roles":["producer"]}]'],
  ["no-one:has_this", 7, "No one: Has this 7"],
  ["constructor", "x", "General: Constructor x"],
  ["__proto__:toString", "x", "Proto: ToString x"],
])("%s of %s is told as %3$s", (name, value, words) => {
  expect(textOf(Object.fromEntries([[name, value]]))).toEqual([words]);
});

test("properties of the core come first, then those of extensions by their names; those without a value are left out", () => {
  const groups = propertyGroups({ "view:azimuth": 1, "eo:cloud_cover": 2, platform: "sentinel-2a", gsd: null });
  expect(groups.map(({ label }) => label)).toEqual(["General", "Electro-Optical", "View Geometry"]);
});

test.each([
  ["image/tiff; application=geotiff; profile=cloud-optimized", "GeoTIFF (cloud-optimized)"],
  ["image/tiff; application=geotiff", "GeoTIFF"],
  ["image/jp2", "JPEG 2000"],
  ["application/x-unheard", "application/x-unheard"],
  ["toString", "toString"],
])("the media type %s is told as %s", (type, name) => {
  expect(mediaTypeName(type)).toBe(name);
});
