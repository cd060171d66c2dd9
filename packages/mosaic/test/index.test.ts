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
      "orderScenes",
      "planKey",
      "rasterizePolygon",
      "removeOffset",
      "restrictRaster",
      "selectScenes",
      "toPhysical",
      "valueTable",
    ]
  `);
});
