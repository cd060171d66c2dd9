import { expect, test } from "vitest";

test("the package exports what it promises", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CatalogError",
      "OVERPASS_MS",
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
      "overpassesOf",
      "satellitesOf",
      "searchedProperties",
      "sensorOf",
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
