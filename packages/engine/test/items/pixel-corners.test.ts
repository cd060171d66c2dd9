import { resolveCollection } from "@swath/schema";
import { expect, test } from "vitest";
import { coarsestResolution, pixelCorners } from "../../src/items/pixel-corners.ts";
import { NUMBERS, readProgram } from "../../src/what/band-program.ts";
import { itemOf } from "./items.ts";

const collection = resolveCollection("sentinel-2-l2a");
const program = readProgram({ collection }, { bands: ["B04", "B11"] }, NUMBERS);
const PLACED = { "proj:epsg": 32633, "proj:transform": [10, 0, 300_000, 0, -10, 5_100_000] };

test("the coarsest band decides; of a virtual collection that of any member", () => {
  expect(coarsestResolution(program)).toBe(20);
  const virtual = { collection: resolveCollection("optical-sr") };
  expect(coarsestResolution(readProgram(virtual, { bands: ["red"] }, NUMBERS))).toBe(30);
});

test("an asset says more than its item, and a file without both says nothing", () => {
  const item = itemOf(collection, { properties: PLACED });
  const own = { ...item.assets.B11!, "proj:transform": [20, 0, 300_000, 0, -20, 5_100_000, 0, 0, 1] };
  const corners = pixelCorners([{ ...item, assets: { ...item.assets, B11: own } }], program);
  expect(corners.map(({ crs, x, y, resolution }) => [crs.name, x, y, resolution])).toEqual([
    ["EPSG:32633", 300_000, 5_100_000, [10, 10]],
    ["EPSG:32633", 300_000, 5_100_000, [20, 20]],
  ]);
  expect(pixelCorners([itemOf(collection)], program)).toEqual([]);
});

test.each([
  ["a CRS that requests cannot name", { "proj:epsg": 3035 }],
  ["pixels that are turned", { "proj:transform": [10, 1, 0, 1, -10, 0] }],
  ["a transform that is none", { "proj:transform": "10" }],
])("%s has no corners", (_, facts) => {
  expect(pixelCorners([itemOf(collection, { properties: { ...PLACED, ...facts } })], program)).toEqual([]);
});
