import fc from "fast-check";
import { expect, test } from "vitest";
import { createTruth, TRUTH_CLASSES } from "../src/index.ts";
import { truthAt } from "../src/truth.ts";

const lon = fc.double({ min: 12.5, max: 15, noNaN: true });
const lat = fc.double({ min: 45.1, max: 46, noNaN: true });

test("truth is a function of position, day and seed", () => {
  const again = createTruth();
  fc.assert(
    fc.property(lon, lat, (x, y) => {
      expect(again(x, y, "2024-07-06T10:00:00Z")).toEqual(truthAt(x, y, "2024-07-06"));
    }),
    { numRuns: 200 },
  );
  const other = createTruth({ seed: 1 });
  expect([13, 13.1, 13.2, 13.3, 13.4].map((x) => other(x, 45.6).ndvi)).not.toEqual(
    [13, 13.1, 13.2, 13.3, 13.4].map((x) => truthAt(x, 45.6).ndvi),
  );
});

test("reflectance is between 0 and 1, NDVI follows from it, and classes differ as they do in nature", () => {
  const byClass = new Map<string, number[]>();
  fc.assert(
    fc.property(lon, lat, (x, y) => {
      const { class: name, reflectance, ndvi, cloud, shadow } = truthAt(x, y);
      expect(TRUTH_CLASSES).toContain(name);
      for (const value of Object.values(reflectance)) expect(value > 0 && value < 1.5).toBe(true);
      expect(ndvi).toBe((reflectance.nir - reflectance.red) / (reflectance.nir + reflectance.red));
      expect(reflectance.nir).toBe(reflectance.nir08);
      expect([cloud, shadow]).toEqual([0, 0]);
      byClass.set(name, [...(byClass.get(name) ?? []), ndvi]);
    }),
    { numRuns: 3000, seed: 4 },
  );
  const mean = (name: string): number => {
    const all = byClass.get(name) ?? [Number.NaN];
    return all.reduce((sum, value) => sum + value, 0) / all.length;
  };
  expect(mean("water")).toBeLessThan(0);
  expect(mean("built_up")).toBeLessThan(0.25);
  expect(mean("crop")).toBeGreaterThan(0.4);
  expect(mean("forest")).toBeGreaterThan(0.75);
});

test("fields are greener in summer than in winter, and the snow line is lower in winter", () => {
  const at = (date: string) =>
    Array.from({ length: 400 }, (_, i) => truthAt(12.6 + 0.006 * i, 45.5 + 0.0014 * i, date));
  const mean = (values: number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [summer, winter] = [at("2024-07-04"), at("2024-01-04")];
  expect(mean(summer.map(({ ndvi }) => ndvi))).toBeGreaterThan(mean(winter.map(({ ndvi }) => ndvi)) + 0.1);
  const snow = (truths: typeof summer): number => truths.filter((t) => t.class === "snow").length;
  expect(snow(winter)).toBeGreaterThanOrEqual(snow(summer));
});

test("a shadow is northwest of its cloud", () => {
  let east = 0;
  let both = 0;
  for (let i = 0; i < 20_000; i++) {
    const [x, y] = [12.6 + 0.013 * (i % 160), 45.2 + 0.006 * Math.floor(i / 160)];
    const here = truthAt(x, y, "2024-07-06");
    if (here.shadow < 0.6 || here.cloud > 0) continue;
    both++;
    if ([1, 2, 3, 4, 5].some((n) => truthAt(x + 0.008 * n, y - 0.0085 * n, "2024-07-06").cloud > 0.5)) east++;
  }
  expect(both).toBeGreaterThan(20);
  expect(east / both).toBeGreaterThan(0.9);
});
