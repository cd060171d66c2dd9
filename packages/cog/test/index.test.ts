import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BlockCache",
      "CogCache",
      "CogError",
      "GridContext",
      "httpSource",
      "joinBlocks",
      "leaveBlocks",
      "levelFor",
      "memorySource",
      "mergeRanges",
      "openCog",
      "portableCodecs",
      "readGrid",
      "readGrids",
      "readWindow",
      "releasePlans",
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
