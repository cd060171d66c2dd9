import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  type CurvePoint,
  fillLinear,
  findSeasons,
  type MannKendall,
  mannKendall,
  type Season,
  smoothSavitzkyGolay,
  smoothWhittaker,
  theilSen,
} from "../src/index.ts";
import { hasValue } from "../src/points.ts";
import { erfc } from "../src/trend/erfc.ts";

/** The output of `truth/curves.py`, by numpy and scipy. */
interface Truth {
  readonly cases: readonly ({
    readonly name: string;
    readonly lambda: number;
    readonly window: number;
    readonly order: number;
    readonly threshold: number;
    /** Index of the first value: that of the first number of each curve. */
    readonly from: number;
    readonly linear: readonly number[];
    readonly whittaker: readonly number[];
    readonly savitzkyGolay: readonly number[];
    readonly seasons: readonly Season[];
  } & Trends)[];
  readonly tied: readonly Trends[];
  readonly erfc: readonly (readonly [number, number])[];
}

interface Trends {
  readonly points: readonly (readonly [time: number, value: number | null])[];
  readonly theilSen: readonly [slope: number, intercept: number, low: number, high: number];
  readonly mannKendall: MannKendall;
}

const PYTHON = "/usr/bin/python3";
const SCRIPT = join(import.meta.dirname, "truth/curves.py");
const recorded = JSON.parse(readFileSync(join(import.meta.dirname, "truth/curves.json"), "utf8")) as Truth;

function hasScipy(): boolean {
  try {
    execFileSync(PYTHON, ["-c", "import numpy, scipy.signal, scipy.stats"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

const pointsOf = ({ points }: Trends): CurvePoint[] => points.map(([time, value]) => ({ time, value }));

/** The largest difference, as a share of the largest number. */
function difference(found: readonly (number | null | undefined)[], expected: readonly number[]): number {
  expect(found).toHaveLength(expected.length);
  const scale = Math.max(...expected.map(Math.abs)) || 1;
  return Math.max(...expected.map((value, i) => Math.abs((found[i] ?? Number.NaN) - value))) / scale;
}

function expectCurve(found: readonly (number | null)[], expected: readonly number[], from: number): void {
  const to = from + expected.length;
  expect(found.every((value, i) => (value === null) === (i < from || i >= to))).toBe(true);
  expect(difference(found.slice(from, to), expected)).toBeLessThan(1e-9);
}

async function expectTrends(trends: Trends): Promise<void> {
  const points = pointsOf(trends);
  const { slope, intercept, confidence } = await theilSen(points);
  expect(difference([slope, intercept, ...(confidence ?? [])], trends.theilSen)).toBeLessThan(1e-9);
  const { s, z, p } = mannKendall(points);
  expect(s).toBe(trends.mannKendall.s);
  expect(z).toBeCloseTo(trends.mannKendall.z, 10);
  expect(Math.abs(p - trends.mannKendall.p)).toBeLessThanOrEqual(1e-9 * trends.mannKendall.p);
}

function expectSeasons(found: readonly Season[], expected: readonly Season[]): void {
  expect(found).toHaveLength(expected.length);
  for (const [i, season] of expected.entries()) {
    for (const name of ["peakValue", "base", "amplitude"] as const) {
      expect(Math.abs(found[i]![name] - season[name])).toBeLessThanOrEqual(1e-9 * Math.abs(season.peakValue));
    }
    expect(found[i]!.peak).toBe(season.peak);
    for (const name of ["start", "end"] as const) {
      const [own, other] = [found[i]![name], season[name]];
      expect(own === null).toBe(other === null);
      // a thousandth of a second, in five days
      if (own !== null && other !== null) expect(Math.abs(own - other)).toBeLessThan(1);
    }
  }
}

async function expectTruth({ cases, tied }: Truth): Promise<void> {
  for (const each of cases) {
    const points = pointsOf(each);
    const { from, lambda, window, order } = each;
    expectCurve(fillLinear(points), each.linear, from);
    const smooth = smoothWhittaker(points, lambda);
    expectCurve(smooth, each.whittaker, from);
    expectCurve(smoothSavitzkyGolay(points, { window, order }), each.savitzkyGolay, from);
    const curve = points.map(({ time }, i) => ({ time, value: smooth[i] ?? null })).filter(hasValue);
    expectSeasons(findSeasons(curve, each.threshold), each.seasons);
    await expectTrends(each);
  }
  for (const each of tied) await expectTrends(each);
}

describe.each(recorded.cases)("of $name", (each) => {
  const points = pointsOf(each);
  const { from } = each;

  test("gaps are filled as numpy.interp does", () => {
    expectCurve(fillLinear(points), each.linear, from);
  });

  test("Whittaker's method gives what a direct solution of its equations does", () => {
    expectCurve(smoothWhittaker(points, each.lambda), each.whittaker, from);
  });

  test("Savitzky's and Golay's method gives what scipy's savgol_filter does, ends included", () => {
    expectCurve(smoothSavitzkyGolay(points, each), each.savitzkyGolay, from);
  });

  test("seasons are those of scipy's find_peaks and peak_widths", () => {
    const smooth = smoothWhittaker(points, each.lambda);
    const curve = points.map(({ time }, i) => ({ time, value: smooth[i] ?? null })).filter(hasValue);
    expectSeasons(findSeasons(curve, each.threshold), each.seasons);
  });

  test("the trend is that of scipy's theilslopes, its test that of numpy and kendalltau", async () => {
    await expectTrends(each);
  });
});

test("the recorded curves have seasons with both ends, and such as begin or end above the threshold", () => {
  const seasons = recorded.cases.flatMap((each) => each.seasons);
  const isOpen = ({ start, end }: Season): boolean => start === null || end === null;
  expect(seasons.filter((season) => !isOpen(season)).length).toBeGreaterThan(10);
  expect(seasons.filter(isOpen).length).toBeGreaterThan(0);
});

test.each(recorded.tied)("trends of values and times with ties are those of scipy and numpy (%#)", async (each) => {
  await expectTrends(each);
});

test("erfc is scipy's, to 13 digits", () => {
  for (const [x, expected] of recorded.erfc) expect(Math.abs(erfc(x) / expected - 1)).toBeLessThan(1e-13);
});

test.skipIf(!hasScipy())("scipy says the same of curves that are not recorded", async () => {
  const { PROPERTY_SEED } = process.env;
  const seed = PROPERTY_SEED === "random" ? String(Math.floor(Math.random() * 1e9)) : (PROPERTY_SEED ?? "2");
  const options = { encoding: "utf8", maxBuffer: 16_777_216 } as const;
  await expectTruth(JSON.parse(execFileSync(PYTHON, [SCRIPT, seed], options)) as Truth);
});
