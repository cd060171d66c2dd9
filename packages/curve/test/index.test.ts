import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CURVE_LIMITS",
      "CURVE_REFERENCES",
      "CurveError",
      "SEASON_PROMINENCE",
      "SMOOTH_METHODS",
      "TREND_YEAR",
      "checkCurveOptions",
      "checkThreshold",
      "curveDrawing",
      "curveWords",
      "describeCurve",
      "erfc",
      "fillLinear",
      "findPeaks",
      "findSeasons",
      "mannKendall",
      "parseSmooth",
      "smoothSavitzkyGolay",
      "smoothSettings",
      "smoothWhittaker",
      "theilSen",
      "trendAt",
    ]
  `);
});
