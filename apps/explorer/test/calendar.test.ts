import fc from "fast-check";
import { expect, test } from "vitest";
import { addMonths, dayAfterKey, daysOfMonth, sameDayIn, weeksOf } from "../src/calendar/month.ts";
import { byDay } from "../src/days/by-day.ts";

test("a month is in weeks that begin on Monday", () => {
  // February 2024 as `cal -m 2 2024` prints it
  expect(weeksOf("2024-02").map((week) => week.map((day) => day?.slice(8) ?? "  ").join(" "))).toEqual([
    "         01 02 03 04",
    "05 06 07 08 09 10 11",
    "12 13 14 15 16 17 18",
    "19 20 21 22 23 24 25",
    "26 27 28 29         ",
  ]);
  expect(weeksOf("2021-02")).toHaveLength(4);
  expect(daysOfMonth("2023-12")).toEqual({ from: "2023-12-01", to: "2023-12-31" });
});

test("every month has each of its days once, in order", () => {
  fc.assert(
    fc.property(fc.integer({ min: -2000, max: 2000 }), (months) => {
      const month = addMonths("2024-01", months);
      const days = weeksOf(month).flatMap((week) => week.filter((day) => day !== undefined));
      const { from, to } = daysOfMonth(month);
      expect(days[0]).toBe(from);
      expect(days.at(-1)).toBe(to);
      expect([...new Set(days)].sort()).toEqual(days);
    }),
  );
});

test.each([
  ["ArrowLeft", "2024-02-29"],
  ["ArrowRight", "2024-03-02"],
  ["ArrowUp", "2024-02-23"],
  ["ArrowDown", "2024-03-08"],
  ["Home", "2024-02-26"],
  ["End", "2024-03-03"],
  ["PageUp", "2024-02-01"],
  ["PageDown", "2024-04-01"],
  ["Shift+PageUp", "2023-03-01"],
  ["Shift+PageDown", "2025-03-01"],
  ["Tab", undefined],
])("from 1 March 2024, a Friday, %s goes to %s", (keys, day) => {
  expect(dayAfterKey("2024-03-01", keys.replace("Shift+", ""), keys.startsWith("Shift"))).toBe(day);
});

test("a month with fewer days has its last one in place of those it lacks", () => {
  expect(sameDayIn("2024-01-31", 1)).toBe("2024-02-29");
  expect(sameDayIn("2024-02-29", 12)).toBe("2025-02-28");
});

test("scenes are counted by day, with their mean cloud", () => {
  const scene = (datetime: string, platform?: string, cloud?: number) => ({
    properties: { datetime, platform, "eo:cloud_cover": cloud },
  });
  const days = byDay([
    scene("2024-07-04T10:02:11Z", "sentinel-2b", 10),
    scene("2024-07-04T23:59:59.9Z", "landsat-8", 40),
    scene("2024-07-06T10:02:11Z"),
  ]);
  expect([...days.values()]).toEqual([
    { day: "2024-07-04", scenes: 2, cloud: 25, platforms: ["landsat-8", "sentinel-2b"] },
    { day: "2024-07-06", scenes: 1, platforms: [] },
  ]);
});
