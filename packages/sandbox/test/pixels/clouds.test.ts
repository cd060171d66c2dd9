import { expect, test } from "vitest";
import { createSky } from "../../src/sensors/clouds.ts";

test.each([
  { name: "the country", west: 399_960, pixel: 100, northing: 5_050_050 },
  { name: "the valley", west: 283_800, pixel: 10, northing: 5_070_005 },
  { name: "the edge of the valley's margin", west: 280_000, pixel: 100, northing: 5_070_050 },
])("a row of clouds over $name is the clouds over its pixels", ({ west, pixel, northing }) => {
  const sky = createSky(7, 20_000, 0.4);
  const row = new Uint8Array(500);
  sky.cloudRow(west, pixel, northing, row);
  expect(new Set(row).size).toBeGreaterThan(1);
  expect([...row]).toEqual(Array.from(row, (_, i) => sky.cloud(west + (i + 0.5) * pixel, northing)));
});
