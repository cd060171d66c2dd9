import fc from "fast-check";
import { expect, test } from "vitest";
import { divideTime, intervalOf, readTimeRange } from "../../src/when/intervals.ts";

const range = (from: string, to: string) => readTimeRange({ from, to });

function days(from: string, to: string, of?: string): string[] {
  const { intervals } = divideTime(range(from, to), of, 400);
  return intervals.map(({ from: start }) => new Date(start).toISOString().slice(0, 10));
}

test.each([
  ["one", "2024-01-01", "2024-01-20", undefined, ["2024-01-01"]],
  ["days", "2024-02-28", "2024-03-01", "P1D", ["2024-02-28", "2024-02-29", "2024-03-01"]],
  ["a short last one", "2024-01-01", "2024-01-25", "P10D", ["2024-01-01", "2024-01-11", "2024-01-21"]],
  ["weeks", "2024-01-01", "2024-01-15", "P1W", ["2024-01-01", "2024-01-08", "2024-01-15"]],
  [
    "months from their last day",
    "2024-01-31",
    "2024-04-30",
    "P1M",
    ["2024-01-31", "2024-02-29", "2024-03-31", "2024-04-30"],
  ],
  ["years", "2020-02-29", "2022-06-01", "P1Y", ["2020-02-29", "2021-02-28", "2022-02-28"]],
  ["a month and a day", "2024-01-01", "2024-03-05", "P1M1D", ["2024-01-01", "2024-02-02", "2024-03-03"]],
])("%s", (_, from, to, of, expected) => {
  expect(days(from, to, of)).toEqual(expected);
});

test("a range that ends where an interval would begin has no interval of that moment alone", () => {
  expect(days("2024-01-01T00:00:00Z", "2024-03-01T00:00:00Z", "P1M")).toEqual(["2024-01-01", "2024-02-01"]);
  expect(days("2024-01-01T00:00:00Z", "2024-01-01T00:00:00Z", "P1M")).toEqual(["2024-01-01"]);
});

test("intervals follow each other without gaps, and each moment is in the one that holds it", { tags: ["ST6"] }, () => {
  const moment = fc.integer({ min: 0, max: 3_000_000_000 }).map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(
      moment,
      moment,
      fc.constantFrom("P1D", "P10D", "P1M", "P3M", "P1Y", "PT6H"),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (a, b, of, share) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        const text = (time: number): string => new Date(time).toISOString();
        const { intervals } = divideTime(range(text(from), text(to)), of, 400);
        expect(intervals[0]?.from).toBe(from);
        for (const [i, { from: start }] of intervals.entries()) if (i > 0) expect(start).toBe(intervals[i - 1]?.to);
        const last = intervals.at(-1)!;
        const time = Math.floor(from + share * (last.to - from));
        const { from: start, to: end } = intervals[intervalOf(intervals, time)]!;
        expect(time >= start && (time < end || end === last.to)).toBe(true);
      },
    ),
  );
});
