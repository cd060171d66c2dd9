import { expect, test } from "vitest";
import { curveDrawing, describeCurve, trendAt } from "../src/index.ts";

const points = Array.from({ length: 24 }, (_, month) => ({
  time: Date.UTC(2022, month, 15),
  value: 0.5 - 0.3 * Math.cos((month / 6) * Math.PI),
}));
const ENDS = [Date.UTC(2022, 0, 1), Date.UTC(2024, 0, 1)] as const;

test("a description is drawn as its smoothed curve, its trend from end to end, and its seasons from start to end", async () => {
  const described = await describeCurve(points, {
    smooth: { method: "whittaker", lambda: 1 },
    trend: "theil-sen",
    season: { threshold: 0.5 },
  });
  const { smooth, trend, season } = described;
  const { lines, spans } = curveDrawing(points, described, ENDS);
  expect(lines).toEqual([
    { name: "whittaker", points: points.map(({ time }, i) => ({ time, value: smooth?.values[i] })), isDashed: false },
    { name: "trend", points: ENDS.map((time) => ({ time, value: trend && trendAt(trend, time) })), isDashed: true },
  ]);
  expect(spans).toEqual(season?.seasons.map(({ start, end }) => ({ from: start, to: end })));
  expect(spans).toHaveLength(2);
});

test("a season that is open reaches to its foot, and nothing is drawn of what was not asked for", async () => {
  const cut = points.slice(4, 20);
  const { spans } = curveDrawing(cut, await describeCurve(cut, { season: { threshold: 0.5 } }), ENDS);
  expect(spans[0]?.from).toBe(cut[0]?.time);
  expect(curveDrawing(points, {}, ENDS)).toEqual({ lines: [], spans: [] });
});
