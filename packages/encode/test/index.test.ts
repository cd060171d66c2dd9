import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "EncodeError",
      "createEncodeContext",
      "createGeoTiffWriter",
      "createPortableEncoder",
      "defaultEncodeContext",
      "deflateRuns",
      "encodeGeoTiff",
      "encodePng",
      "makeBlock",
      "memorySink",
      "memorySpool",
      "portableDeflate",
      "portableEncoder",
      "writeGeoTiffByBlocks",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "createNodeEncoder",
      "fileSink",
      "fileSpool",
      "nodeDeflate",
      "nodeEncoder",
    ]
  `);
});
