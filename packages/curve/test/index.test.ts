import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CurveError",
      "checkThreshold",
      "curveDrawing",
      "curveWords",
      "describeCurve",
      "fillLinear",
      "findSeasons",
      "mannKendall",
      "smoothSavitzkyGolay",
      "smoothSettings",
      "smoothWhittaker",
      "theilSen",
      "trendAt",
    ]
  `);
});
