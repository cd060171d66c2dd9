import { expect, test } from "vitest";

test("the package exports what it promises", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CatalogError",
      "createArchiveCatalog",
      "createMergedCatalog",
      "createNeighbourhoodSearch",
      "createUpstreamCatalog",
      "createVirtualCatalog",
      "toServiceItem",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "openArchive",
    ]
  `);
});
