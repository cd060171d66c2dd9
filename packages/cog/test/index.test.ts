import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BlockCache",
      "CogCache",
      "CogError",
      "FileCache",
      "GridContext",
      "HeaderBytes",
      "attachSharedBlocks",
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
      "readWindow",
      "shareBlocks",
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
