import { expect, test } from "vitest";

test("the package exports what it promises", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CatalogError",
      "UpstreamWatch",
      "createArchiveCatalog",
      "createMergedCatalog",
      "createNeighbourhoodSearch",
      "createStoredCatalog",
      "createUpstreamCatalog",
      "createVirtualCatalog",
      "factsOf",
      "itemKey",
      "newestOf",
      "overpassesAt",
      "overpassesOf",
      "pagesOf",
      "searchedProperties",
      "sensorOf",
      "sortItems",
      "toProcessing",
      "toServiceItem",
      "watchedCatalog",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "openArchive",
    ]
  `);
});
