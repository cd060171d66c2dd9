import fc from "fast-check";
import { expect, test } from "vitest";
import { daysOf, monthName, monthOf, monthsBetween } from "../src/account/months.ts";
import { roughUnits, unitsOf, unitText } from "../src/account/usage/unit-text.ts";
import { roundUp, usageBars } from "../src/account/usage/usage-bars.ts";

test("months and days are those of UTC", () => {
  expect(monthOf(Date.UTC(2026, 10, 30, 23, 59))).toBe("2026-11");
  expect(monthsBetween(Date.UTC(2026, 10, 30), Date.UTC(2027, 1, 1))).toEqual([
    "2027-02",
    "2027-01",
    "2026-12",
    "2026-11",
  ]);
  expect(monthsBetween(Date.UTC(2026, 10, 30), Date.UTC(2026, 9, 1))).toEqual(["2026-10"]);
  expect(["2026-02", "2028-02", "2026-11", "2026-12"].map((month) => daysOf(month).length)).toEqual([28, 29, 30, 31]);
  expect(daysOf("2026-11").at(-1)).toBe("2026-11-30");
  expect(monthName("2026-11")).toBe("November 2026");
});

test.each([
  [0, "0 units"],
  [0.005, "0.005 units"],
  [0.0417, "0.0417 units"],
  [1, "1 unit"],
  [1.3333, "1.3333 units"],
  [9987.5, "9,987.5 units"],
  [10_000, "10,000 units"],
])("%d is written %s", (units, text) => {
  expect(unitsOf(units)).toBe(text);
});

test("an axis ends at or a little above its largest value", () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-4, max: 1e6, noNaN: true }), (value) => {
      const top = roundUp(value);
      // to two digits, since an edge is written with no more
      expect(top).toBeGreaterThanOrEqual(value * (1 - 1e-12));
      expect(top).toBeLessThanOrEqual(value * 1.4);
    }),
  );
  expect([0.1, 0.25, 12.5, 527, 333.3, 1000].map(roundUp)).toEqual([0.1, 0.3, 16, 600, 400, 1000]);
});

test("the bars of a month have a day each, in its share of the axis, whatever days the answer has", {
  tags: ["AC22"],
}, () => {
  const { bars, top, pace } = usageBars(
    "2026-11",
    [
      { date: "2026-11-03", units: 500, requests: 2000 },
      { date: "2026-11-01", units: 250, requests: 1 },
      { date: "2026-10-31", units: 9000, requests: 1 },
    ],
    10_000,
  );
  expect(bars).toHaveLength(30);
  expect(bars.filter(({ units }) => units > 0)).toEqual([
    { date: "2026-11-01", units: 250, requests: 1, height: 0.5 },
    { date: "2026-11-03", units: 500, requests: 2000, height: 1 },
  ]);
  expect([top, pace]).toEqual([500, 10_000 / 30]);
});

test.each([
  { name: "no use at all", units: 0, limit: 10_000, top: 0.1 },
  { name: "far below the pace, which is off the axis", units: 3, limit: 10_000, top: 3 },
  { name: "near the pace, which is on it", units: 100, limit: 10_000, top: 400 },
  { name: "no limit", units: 100, limit: null, top: 100 },
])("the axis of $name ends at $top", ({ units, limit, top }) => {
  const bars = usageBars("2026-11", units === 0 ? [] : [{ date: "2026-11-09", units, requests: 1 }], limit);
  expect(bars.top).toBe(top);
  expect(bars.pace === undefined).toBe(limit === null);
});

test("units are written exactly, and roughly with three digits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2_000_000_000 }), (steps) => {
      const units = steps / 10_000;
      expect(Number(unitText(units).replaceAll(",", ""))).toBe(units);
      const rough = Number(roughUnits(units).replaceAll(",", ""));
      expect(Math.abs(rough - units)).toBeLessThanOrEqual(units * 0.005);
    }),
  );
});
