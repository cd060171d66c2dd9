import { expect, test } from "vitest";

test("the package exports what it promises", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CatalogError",
      "RecentScenes",
      "UpstreamWatch",
      "countItems",
      "createArchiveCatalog",
      "createMergedCatalog",
      "createNeighbourhoodSearch",
      "createUpstreamCatalog",
      "createVirtualCatalog",
      "pagesOf",
      "sortItems",
      "toServiceItem",
      "watchedCatalog",
    ]
  `);
  expect(Object.keys(await import("../src/documents/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "QUERYABLES_REL",
      "SCHEMA_JSON",
      "SORTABLES_REL",
      "aggregationEntry",
      "aggregationsOf",
      "countsDocument",
      "foundCollections",
      "parseCollectionSearch",
      "queryablesDocument",
      "sortablesDocument",
    ]
  `);
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Extents",
      "openArchive",
      "pageTokens",
    ]
  `);
  expect(Object.keys(await import("../src/overpasses.ts")).sort()).toMatchInlineSnapshot(`
    [
      "itemKey",
      "newestOf",
      "overpassesAt",
      "overpassesOf",
      "sensorOf",
      "toProcessing",
    ]
  `);
  expect(Object.keys(await import("../src/stored.ts")).sort()).toMatchInlineSnapshot(`
    [
      "createStoredCatalog",
      "factsOf",
      "searchedProperties",
    ]
  `);
});
