import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "COVERAGE_TOLERANCE",
      "MosaicInputError",
      "OFFSET_REMOVED_NODATA",
      "SceneMismatchError",
      "SceneReadError",
      "SceneUnreadableError",
      "bitTable",
      "classify",
      "composeMosaic",
      "convertBand",
      "fillNodata",
      "harmonizeRaster",
      "harmonizeScene",
      "hashKey",
      "maskExclude",
      "planKey",
      "rasterizePolygon",
      "removeOffset",
      "restrictRaster",
      "selectScenes",
      "sortScenes",
      "toPhysical",
      "valueTable",
    ]
  `);
});
