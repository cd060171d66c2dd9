import fc from "fast-check";
import { expect, test } from "vitest";
import { PERIODS, periodOf, periodsBetween } from "../../../src/processes/time/periods.ts";

test.each([
  ["hour", "2024-07-03T10:07:41Z", "2024-07-03-10"],
  ["day", "2024-02-29T23:59:59Z", "2024-060"],
  ["week", "2024-12-30T00:00:00Z", "2025-01"],
  ["week", "2021-01-03T12:00:00Z", "2020-53"],
  ["dekad", "2024-01-10T00:00:00Z", "2024-01"],
  ["dekad", "2024-02-29T00:00:00Z", "2024-06"],
  ["month", "2024-12-31T23:00:00Z", "2024-12"],
  ["season", "2023-12-01T00:00:00Z", "2024-djf"],
  ["season", "2024-02-29T00:00:00Z", "2024-djf"],
  ["season", "2024-11-30T00:00:00Z", "2024-son"],
  ["tropical-season", "2023-11-01T00:00:00Z", "2024-ndjfma"],
  ["tropical-season", "2024-10-31T00:00:00Z", "2024-mjjaso"],
  ["year", "2024-07-03T00:00:00Z", "2024"],
  ["decade", "2029-12-31T00:00:00Z", "2020"],
  ["decade-ad", "2020-12-31T00:00:00Z", "2011"],
] as const)("the %s of %s is %s", (period, time, label) => {
  expect(periodOf(Date.parse(time), period).label).toBe(label);
});

test("periods hold their time, follow each other without gaps, and have labels of their own", () => {
  const time = fc.date({ min: new Date("1985-01-01"), max: new Date("2035-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(time, fc.integer({ min: 0, max: 400 }), fc.constantFrom(...PERIODS), (date, days, period) => {
      const first = date.getTime();
      const last = first + days * 86_400_000;
      const spans = periodsBetween(first, last, period, 20_000) ?? [];
      expect(spans[0]!.start <= first && first < spans[0]!.end).toBe(true);
      expect(spans.at(-1)!.start <= last && last < spans.at(-1)!.end).toBe(true);
      spans.slice(1).forEach((span, i) => {
        expect(span.start).toBe(spans[i]!.end);
      });
      expect(new Set(spans.map(({ label }) => label)).size).toBe(spans.length);
    }),
  );
});

test("more periods than may be are none", () => {
  expect(periodsBetween(0, 1e12, "hour", 4000)).toBeUndefined();
});
