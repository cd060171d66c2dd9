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
      "harmonizeScene",
      "hashKey",
      "maskExclude",
      "planKey",
      "polygonSpans",
      "rasterizeLines",
      "rasterizePoints",
      "rasterizePolygon",
      "removeOffset",
      "restrictRaster",
      "selectScenes",
      "toPhysical",
    ]
  `);
});

test("its ./nbar exports exactly these names", async () => {
  expect(Object.keys(await import("../src/nbar/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "computedAngles",
      "multiplyByFactors",
      "nadirFactor",
      "nadirFactors",
      "nodesOver",
      "prescribedSunZenith",
      "sunPosition",
      "trackView",
    ]
  `);
});
