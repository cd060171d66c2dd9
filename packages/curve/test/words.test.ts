import { expect, test } from "vitest";
import { curveWords, describeCurve } from "../src/index.ts";

const points = Array.from({ length: 36 }, (_, month) => ({
  time: Date.UTC(2021, month, 15),
  value: 0.5 - 0.3 * Math.cos((month / 6) * Math.PI) + 0.1 * month,
}));
const ALL = { smooth: { method: "linear" }, trend: "theil-sen", season: { threshold: 0.5 } } as const;

test("a description in words has a line for each part, with days and rounded numbers", async () => {
  const falling = points.map((point) => ({
    ...point,
    value: 0.5 - 0.3 * Math.cos((new Date(point.time).getUTCMonth() / 6) * Math.PI),
  }));
  expect(curveWords(await describeCurve(falling, ALL))).toEqual([
    "Smoothed by linear: 36 values.",
    expect.stringMatching(
      /^Trend: [+-]?[\d.e-]+ a year \(95 %: -[\d.]+ to [\d.]+\), Mann-Kendall p 0\.\d+: not told from chance\.$/,
    ),
    "Season 1 of 3 (threshold 0.5): 2021-04-15 to 2021-10-15, peak 0.8 on 2021-07-15, amplitude 0.6.",
    "Season 2 of 3 (threshold 0.5): 2022-04-15 to 2022-10-15, peak 0.8 on 2022-07-15, amplitude 0.6.",
    "Season 3 of 3 (threshold 0.5): 2023-04-15 to 2023-10-15, peak 0.8 on 2023-07-15, amplitude 0.6.",
  ]);
  expect(curveWords(await describeCurve(points, { trend: "theil-sen" }))[0]).toMatch(
    /^Trend: \+1\.\d+ a year .*: a trend\.$/,
  );
});

test("too little is said in words too, and nothing of what was not asked for", async () => {
  expect(curveWords(await describeCurve([], ALL))).toEqual([
    "Smoothed by linear: No observation has a value.",
    "Trend: No two values differ in time.",
    "Seasons: The curve does not rise and fall within the interval.",
  ]);
  expect(curveWords({})).toEqual([]);
});
