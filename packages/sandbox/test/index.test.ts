import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "REFLECTANCE_BANDS",
      "TRUTH_CLASSES",
      "VALLEY",
      "createStacHandler",
      "createTruth",
      "planScenes",
      "responseOfMsi",
      "sensorReflectance",
      "syntheticItems",
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
