import { expect, test } from "vitest";
import { syntheticItems } from "../../src/index.ts";

test("twelve thousand items are unique, the same for a seed, and over the whole world", () => {
  const items = syntheticItems(12_000, 5);
  expect(new Set(items.map(({ collection, id }) => `${collection}/${id}`)).size).toBe(12_000);
  expect(syntheticItems(3, 5)).toEqual(items.slice(0, 3));
  const crossing = items.filter(({ bbox }) => bbox[0]! > bbox[2]!);
  expect(crossing.length).toBeGreaterThan(200);
  expect(crossing.every(({ geometry }) => geometry.type === "MultiPolygon")).toBe(true);
  for (const { bbox, geometry } of items) {
    const numbers = (geometry.coordinates as readonly unknown[]).flat(4) as number[];
    const lons = numbers.filter((_, i) => i % 2 === 0);
    const lats = numbers.filter((_, i) => i % 2 === 1);
    expect(
      Math.max(...lons) <= 180 && Math.min(...lons) >= -180 && Math.max(...lats) < 90 && Math.min(...lats) > -90,
    ).toBe(true);
    expect(bbox).toHaveLength(4);
  }
  const instants = new Set(items.map(({ properties }) => properties.datetime));
  expect(instants.size).toBeLessThan(11_000);
});
