import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CurvePoint,
  describeCurve,
  fillLinear,
  findSeasons,
  mannKendall,
  smoothSavitzkyGolay,
  smoothWhittaker,
  theilSen,
  trendAt,
} from "../src/index.ts";
import { hasValue } from "../src/points.ts";

const DAY = 86_400_000;
const gap = fc.constantFrom(null, Number.NaN, Number.POSITIVE_INFINITY);
const digits = fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10);
const value = fc.oneof(digits, digits, fc.double({ min: -1, max: 1, noNaN: true }), gap);
/** Curves with gaps, ties and times that several observations share. */
const curve = fc.array(fc.record({ days: fc.integer({ min: 0, max: 9 }), value }), { maxLength: 60 }).map((steps) => {
  let time = Date.UTC(2020, 0, 1);
  return steps.map((step): CurvePoint => {
    time += step.days * DAY;
    return { time, value: step.value };
  });
});
const ALL = {
  smooth: { method: "whittaker", lambda: 5 },
  trend: "theil-sen",
  season: { threshold: 0.3 },
} as const;
const line = (points: readonly CurvePoint[]): CurvePoint[] =>
  points.map((point) => (hasValue(point) ? { ...point, value: 2 + (point.time - Date.UTC(2020, 0, 1)) / DAY } : point));

describe("of any curve", () => {
  test("every number is finite or null, and the points stay as they are", async () => {
    await fc.assert(
      fc.asyncProperty(curve, async (points) => {
        const before = structuredClone(points);
        const text = JSON.stringify(await describeCurve(points, ALL), (_, each: unknown) => {
          if (typeof each === "number") expect(each).toSatisfy(Number.isFinite);
          return each;
        });
        expect(text).toContain("reference");
        expect(points).toEqual(before);
      }),
    );
  });

  test("no method gives a value before the first one or after the last one, and linear keeps those that there are", () => {
    fc.assert(
      fc.property(curve, (points) => {
        const [first, last] = [points.findIndex(hasValue), points.findLastIndex(hasValue)];
        const filled = fillLinear(points);
        const others = [smoothWhittaker(points, 3), smoothSavitzkyGolay(points, { window: 5, order: 2 })];
        for (const values of [filled, ...others]) {
          expect(values).toHaveLength(points.length);
          expect(values.every((each, i) => each === null || (i >= first && i <= last))).toBe(true);
        }
        for (const [i, point] of points.entries()) if (hasValue(point)) expect(filled[i]).toBe(point.value);
      }),
    );
  });

  test("a straight line has its own slope, and smoothing leaves it where observations are at equal steps", async () => {
    await fc.assert(
      fc.asyncProperty(curve, async (points) => {
        const straight = line(points);
        const found = await theilSen(straight);
        if (found.slope === null) return;
        expect(found.slope).toBeCloseTo(365.25, 8);
        for (const { time, value: own } of straight.filter(hasValue)) expect(trendAt(found, time)).toBeCloseTo(own, 8);
        const even = line(points.map((point, i) => ({ ...point, time: Date.UTC(2020, 0, 1 + 5 * i) })));
        for (const values of [smoothWhittaker(even, 100), smoothSavitzkyGolay(even, { window: 3, order: 1 })]) {
          const kept = even.filter((point, i) => hasValue(point) && values[i] !== null);
          expect(values.filter((each, i) => each !== null && hasValue(even[i]!)).map((each) => each ?? 0)).toEqual(
            kept.map((point) => expect.closeTo(point.value ?? 0, 7)),
          );
        }
      }),
    );
  });

  test("falling is rising upside down, for the trend as for its test", async () => {
    await fc.assert(
      fc.asyncProperty(curve, async (points) => {
        const turned = points.map((point) => ({ ...point, value: hasValue(point) ? -point.value : null }));
        const [up, down] = [await theilSen(points), await theilSen(turned)];
        if (up.slope !== null) expect(down.slope).toBeCloseTo(-up.slope, 9);
        expect(mannKendall(turned).s + mannKendall(points).s).toBe(0);
        expect(mannKendall(turned).p).toBe(mannKendall(points).p);
      }),
    );
  });

  test("the order of observations of one time changes no trend", async () => {
    await fc.assert(
      fc.asyncProperty(curve, async (points) => {
        expect(await theilSen(points.toReversed())).toEqual(await theilSen(points));
        expect(mannKendall(points.toReversed())).toEqual(mannKendall(points));
      }),
    );
  });

  test("seasons follow each other, and each lies around its peak", () => {
    fc.assert(
      fc.property(curve, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (points, threshold) => {
        let before = Number.NEGATIVE_INFINITY;
        let reached: number | undefined;
        for (const season of findSeasons(points.filter(hasValue), threshold)) {
          const { start, peak, end, base, amplitude, peakValue, reach } = season;
          expect(reach[0]).toBe(reached ?? reach[0]);
          reached = reach[1];
          expect(start ?? reach[0]).toBeGreaterThanOrEqual(reach[0]);
          expect(end ?? reach[1]).toBeLessThanOrEqual(reach[1]);
          expect(amplitude).toBeGreaterThan(0);
          expect(base + amplitude).toBeCloseTo(peakValue, 12);
          expect(start ?? peak).toBeLessThanOrEqual(peak);
          expect(end ?? peak).toBeGreaterThanOrEqual(peak);
          expect(start ?? peak).toBeGreaterThanOrEqual(before);
          before = end ?? peak;
        }
      }),
    );
  });
});

describe("too little", () => {
  const one: CurvePoint[] = [{ time: 0, value: 1 }];
  const alike = [...one, ...one, ...one];

  test.each([
    ["no observation", []],
    ["gaps alone", [{ time: 0, value: null }]],
    ["one observation", one],
  ])("%s gives null and says why", async (_, points) => {
    const { smooth, trend, season } = await describeCurve(points, ALL);
    expect(smooth).toMatchObject({
      values: points.map(() => null),
      reason: "Fewer than two observations have a value.",
    });
    expect(trend).toMatchObject({ slope: null, intercept: null, confidence: null, mannKendall: { s: 0, p: 1 } });
    expect(trend?.reason).toBe("No two values differ in time.");
    expect(season).toMatchObject({ seasons: [], reason: "The curve does not rise and fall within the interval." });
  });

  test("observations of one time have no trend, and a window needs as many as it has", async () => {
    const smooth = { method: "savitzky-golay", window: 5 } as const;
    const described = await describeCurve(alike, { ...ALL, smooth });
    expect(described.trend).toMatchObject({ slope: null, count: 3, mannKendall: { p: 1 } });
    expect(described.smooth).toMatchObject({ values: [null, null, null], window: 5, order: 2 });
    expect(described.smooth?.reason).toBe("Fewer than 5 observations lie between the first value and the last.");
  });

  test("two summits as high as each other with a shallow dip between are one season", () => {
    const points = [0, 5, 9, 8.9, 9, 5, 0].map((each, i) => ({ time: i, value: each }));
    expect(findSeasons(points, 0.5)).toMatchObject([{ start: 0.9, peak: 2, end: 5.1, amplitude: 9 }]);
  });

  test("values that a double just holds give null where their sums do not fit", async () => {
    const huge = [-1.7e308, 1.7e308, -1.7e308].map((each, i) => ({ time: i * DAY, value: each }));
    const { smooth, season } = await describeCurve(huge, ALL);
    const { trend } = await describeCurve(huge.slice(1), ALL);
    expect(trend).toMatchObject({ slope: null, reason: "The slope does not fit into a number of 64 bits." });
    expect(season?.seasons).toEqual([]);
    expect(smooth?.values.every((each) => each === null || Number.isFinite(each))).toBe(true);
  });
});

test("of 10,000 observations the trend is found in parts, of which a pause can end each", async () => {
  const points = Array.from({ length: 10_000 }, (_, i) => ({
    time: i * DAY,
    value: Math.round(Math.sin(i) * 50) / 50 + i / 1e4,
  }));
  let pauses = 0;
  const { slope, count } = await theilSen(points, { pause: async () => (pauses += 1) });
  expect(count).toBe(10_000);
  expect(slope).toBeCloseTo(365.25 / 1e4, 4);
  // 50 million pairs a pass, 100,000 a part
  expect(pauses).toBeGreaterThanOrEqual(490);
  const ended = new Error("Nobody waits any more.");
  await expect(theilSen(points, { pause: () => Promise.reject(ended) })).rejects.toBe(ended);
});
