import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BlockCache",
      "CogError",
      "FileCache",
      "GridContext",
      "closeDefaultGridContext",
      "httpSource",
      "levelFor",
      "memorySource",
      "openCog",
      "readGrid",
      "readGrids",
      "readWindow",
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

test("entries with a subject of their own export these names", async () => {
  expect(Object.keys(await import("../src/bytes.ts")).sort()).toMatchInlineSnapshot(`
    [
      "HeaderBytes",
      "mergeRanges",
      "readCompared",
    ]
  `);
  expect(Object.keys(await import("../src/threads.ts")).sort()).toMatchInlineSnapshot(`
    [
      "attachSharedBlocks",
      "detachSharedBlocks",
      "shareBlocks",
    ]
  `);
  expect(Object.keys(await import("../src/validate/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "validateCog",
    ]
  `);
});
