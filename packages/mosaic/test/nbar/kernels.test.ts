import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type Angles,
  type KernelWeights,
  kernelReflectance,
  liSparseReciprocal,
  nadirFactor,
  rossThick,
} from "../../src/nbar/kernels.ts";
import { prescribedSunZenith } from "../../src/nbar/sun.ts";

/** Written by kernels.py: the same by numpy. */
const expected = JSON.parse(readFileSync(join(import.meta.dirname, "kernels.json"), "utf8")) as Record<
  string,
  number[]
>;
const count = expected.sunZenith?.length ?? 0;
const value = (name: string, i: number): number => expected[name]?.[i] ?? Number.NaN;
const anglesOf = (i: number): Angles => ({
  sunZenith: value("sunZenith", i),
  sunAzimuth: value("sunAzimuth", i),
  viewZenith: value("viewZenith", i),
  viewAzimuth: value("viewAzimuth", i),
});

const WEIGHTS: Readonly<Record<string, KernelWeights>> = {
  blue: { iso: 0.0774, geo: 0.0079, vol: 0.0372 },
  green: { iso: 0.1306, geo: 0.0178, vol: 0.058 },
  red: { iso: 0.169, geo: 0.0227, vol: 0.0574 },
  nir08: { iso: 0.3093, geo: 0.033, vol: 0.1535 },
  swir16: { iso: 0.343, geo: 0.0453, vol: 0.1154 },
  swir22: { iso: 0.2658, geo: 0.0387, vol: 0.0639 },
};
const ZHANG = [31.0076, -0.1272, 0.01187, 2.4e-5, -9.48e-7, -1.95e-9, 6.15e-11];

describe("as numpy computes them at 1,000 sets of angles, to 1e-9", () => {
  const worst = (name: string, of: (i: number) => number): number =>
    Math.max(...Array.from({ length: count }, (_, i) => Math.abs(of(i) - value(name, i))));
  const kernel =
    (of: typeof rossThick) =>
    (i: number): number =>
      of(value("sunZenith", i), value("viewZenith", i), value("viewAzimuth", i) - value("sunAzimuth", i));

  test("the kernels and the prescribed solar zenith", { tags: ["OS12"] }, () => {
    expect(count).toBe(1000);
    expect(worst("rossThick", kernel(rossThick))).toBeLessThan(1e-9);
    expect(worst("liSparseReciprocal", kernel(liSparseReciprocal))).toBeLessThan(1e-9);
    expect(worst("prescribed", (i) => prescribedSunZenith(ZHANG, value("latitude", i)))).toBeLessThan(1e-9);
  });

  test.each(Object.entries(WEIGHTS))("the c-factors of %s", { tags: ["OS12"] }, (band, weights) => {
    const factor = (i: number) => nadirFactor(weights, anglesOf(i), prescribedSunZenith(ZHANG, value("latitude", i)));
    expect(worst(band, factor)).toBeLessThan(1e-9);
  });
});

test("both kernels are 0 with sun and sensor at the zenith, and do not change when these change places", () => {
  expect(rossThick(0, 0, 0)).toBeCloseTo(0, 15);
  expect(liSparseReciprocal(0, 0, 0)).toBeCloseTo(0, 15);
  for (const kernel of [rossThick, liSparseReciprocal]) {
    expect(kernel(55, 20, 70)).toBeCloseTo(kernel(20, 55, -70), 13);
    expect(kernel(55, 20, 70)).toBeCloseTo(kernel(55, 20, 290), 13);
  }
});

test("the ground is brightest with the sun behind the sensor", () => {
  const red = WEIGHTS.red as KernelWeights;
  const seen = (viewAzimuth: number) =>
    kernelReflectance(red, { sunZenith: 30, sunAzimuth: 150, viewZenith: 10, viewAzimuth });
  expect(seen(150)).toBeGreaterThan(seen(60));
  expect(seen(60)).toBeGreaterThan(seen(330));
});

test("a scene seen from straight above under the prescribed sun stays as it is; near the horizon there is no factor", () => {
  const angles: Angles = { sunZenith: 40, sunAzimuth: 150, viewZenith: 0, viewAzimuth: 99 };
  for (const weights of Object.values(WEIGHTS)) {
    expect(nadirFactor(weights, angles, 40)).toBeCloseTo(1, 14);
    expect(nadirFactor(weights, { ...angles, sunZenith: 86 }, 40)).toBeNaN();
    expect(nadirFactor(weights, angles, 88)).toBeNaN();
    expect(nadirFactor(weights, { ...angles, viewZenith: Number.NaN }, 40)).toBeNaN();
  }
});
