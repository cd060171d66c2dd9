import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "EncodeError",
      "createGeoTiffWriter",
      "deflateRuns",
      "encodeGeoTiff",
      "memorySink",
      "memorySpool",
      "portableDeflate",
      "portableEncoder",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "createDeflateThread",
      "fileSink",
      "fileSpool",
      "nodeDeflate",
      "nodeEncoder",
    ]
  `);
});
