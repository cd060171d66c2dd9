import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "EncodeError",
      "createGeoTiffWriter",
      "deflateRuns",
      "encodeGeoTiff",
      "joinGeoTiffParts",
      "makeBlock",
      "memorySink",
      "planGeoTiffParts",
      "portableEncoder",
      "writeGeoTiffByBlocks",
      "writeGeoTiffPart",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "createNodeEncoder",
      "decodePng",
      "fileSink",
      "fileSpool",
      "nodeDeflate",
      "nodeEncoder",
    ]
  `);
});
