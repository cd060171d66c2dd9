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
      "computedAngles",
      "convertBand",
      "fillNodata",
      "harmonizeRaster",
      "harmonizeScene",
      "hashKey",
      "kernelReflectance",
      "liSparseReciprocal",
      "maskExclude",
      "multiplyByFactors",
      "nadirFactor",
      "nadirFactors",
      "nodePositions",
      "nodesOver",
      "planKey",
      "polygonSpans",
      "prescribedSunZenith",
      "rasterizePolygon",
      "removeOffset",
      "restrictRaster",
      "rossThick",
      "selectScenes",
      "sortScenes",
      "sunPosition",
      "toPhysical",
      "trackView",
      "valueTable",
    ]
  `);
});
