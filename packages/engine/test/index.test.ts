import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Refusal",
    ]
  `);
});

test("its ./results exports exactly these names", async () => {
  expect(Object.keys(await import("../src/result/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "factsOfAll",
      "legendOf",
      "seriesCsv",
      "seriesOfFeaturesCsv",
      "skippedDetail",
      "statisticsCsv",
      "statisticsOfFeaturesCsv",
      "statisticsRows",
      "statisticsText",
      "toCsvText",
    ]
  `);
});

test("its ./search exports exactly these names", async () => {
  expect(Object.keys(await import("../src/search.ts")).sort()).toMatchInlineSnapshot(`
    [
      "SEARCH_UNITS",
      "aliasFilter",
      "collectionOf",
      "collectionsOf",
      "cubeCollection",
      "didYouMean",
      "presetNamed",
      "previewRecipe",
      "scopedQuery",
      "searchNames",
      "unknownCollection",
      "upstreamFault",
      "upstreamProblem",
      "upstreamsNamed",
      "withDays",
    ]
  `);
});

test("its ./files exports exactly these names", async () => {
  expect(Object.keys(await import("../src/files.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CredentialError",
      "HostError",
      "MAX_METADATA_BYTES",
      "TrafficCount",
      "anglesOfBand",
      "assetFile",
      "createAngleReader",
      "createFileAccess",
      "createSharedAccess",
      "credentialFault",
      "credentialVariables",
      "hasFilesOf",
      "paceStates",
      "readGranuleMetadata",
      "refusalOfRead",
      "sceneDocuments",
      "unavailable",
    ]
  `);
});

test("its ./node exports exactly these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toMatchInlineSnapshot(`
    [
      "ObservedGroups",
      "OwnThread",
      "RenderPool",
      "getItem",
      "inlineRenderer",
      "openEngine",
      "prepare",
      "validateGraph",
    ]
  `);
});

test("its ./node/files exports exactly these names", async () => {
  expect(Object.keys(await import("../src/node-files.ts")).sort()).toMatchInlineSnapshot(`
    [
      "checkFile",
      "createSources",
      "folderHref",
      "folderSource",
      "openFile",
    ]
  `);
});

test("its ./node/images exports exactly these names", async () => {
  expect(Object.keys(await import("../src/chain/images/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "FinishedImages",
      "ImageCache",
      "LowZooms",
      "MEDIA_TYPES",
      "RENDER_VERSION",
      "SharedImages",
      "findImage",
      "finishImage",
      "readTileSet",
    ]
  `);
});

test("its ./node/jobs exports exactly these names", async () => {
  expect(Object.keys(await import("../src/node-jobs.ts")).sort()).toMatchInlineSnapshot(`
    [
      "DISPLAY",
      "FILE_CAPS",
      "MAX_TILE_SCENES",
      "SceneUnreadable",
      "areaOf",
      "displayScene",
      "errorOfPart",
      "failureOfPart",
      "fileFacts",
      "footprintOf",
      "gridSpec",
      "makeFilePart",
      "meetsArea",
      "planImage",
      "planPreview",
      "readCrs",
      "styleOf",
      "writeResult",
    ]
  `);
});
