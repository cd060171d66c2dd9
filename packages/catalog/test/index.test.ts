import { expect, test } from "vitest";

test("the package exports what it promises", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CatalogError",
      "QUERYABLES_REL",
      "RecentScenes",
      "SCHEMA_JSON",
      "SORTABLES_REL",
      "UpstreamWatch",
      "aggregationEntry",
      "aggregationsOf",
      "countItems",
      "countsDocument",
      "coverageText",
      "createArchiveCatalog",
      "createMergedCatalog",
      "createNeighbourhoodSearch",
      "createStoredCatalog",
      "createUpstreamCatalog",
      "createVirtualCatalog",
      "factsOf",
      "foundCollections",
      "itemKey",
      "newestOf",
      "overpassesAt",
      "overpassesOf",
      "pagesOf",
      "parseCollectionSearch",
      "queryablesDocument",
      "searchedProperties",
      "sensorOf",
      "sortItems",
      "sortablesDocument",
      "toProcessing",
      "toServiceItem",
      "watchedCatalog",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Extents",
      "openArchive",
      "pageTokens",
    ]
  `);
});
