import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "DEFAULT_SEED",
      "REFLECTANCE_BANDS",
      "SANDBOX_VERSION",
      "TRUTH_CLASSES",
      "VALLEY",
      "createStacHandler",
      "createTruth",
      "directionalFactor",
      "planScenes",
      "responseOfMsi",
      "sensorReflectance",
      "syntheticItems",
      "truthAt",
    ]
  `);
});

test("its node part exports exactly these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "createUpstreamHandler",
      "makeSandbox",
      "readArchiveInfo",
      "readArchiveItems",
      "serveUpstream",
    ]
  `);
});
