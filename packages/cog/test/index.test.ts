import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BlockCache",
      "COG_RULES",
      "CogCache",
      "CogError",
      "FileCache",
      "GridContext",
      "HeaderBytes",
      "attachSharedBlocks",
      "checkLayout",
      "closeDefaultGridContext",
      "detachSharedBlocks",
      "httpSource",
      "levelFor",
      "memorySource",
      "mergeRanges",
      "openCog",
      "portableCodecs",
      "readCompared",
      "readGrid",
      "readGrids",
      "readLayout",
      "readWindow",
      "shareBlocks",
      "validateCog",
    ]
  `);
});

test("the Node entry exports these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "fileSource",
      "nodeCodecs",
      "s3Source",
    ]
  `);
});
