import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "CloudMask",
      "CollectionId",
      "DEFAULT_EXCLUDED",
      "HARMONIZE_LEVELS",
      "HarmonizeLevel",
      "MOSAICKING_SORTS",
      "MaskClass",
      "MosaickingOrder",
      "PATH_ID",
      "SCENE_FACTORS",
      "SCHEMA_VERSION",
      "SchemaDocument",
      "SchemaError",
      "UNIT_IDS",
      "Unit",
      "attributionFor",
      "bandOfCommonName",
      "bandScaling",
      "collections",
      "createRegistry",
      "defaultBands",
      "defaultRegistry",
      "fileOfBand",
      "findBand",
      "hasSceneFactors",
      "isUnit",
      "keepTable",
      "maskClassOf",
      "maskCode",
      "maskTable",
      "namesOfBand",
      "resolveBand",
      "resolveCollection",
      "sourceCollection",
      "suggest",
      "toNativeAsset",
      "toUpstreamAsset",
      "units",
    ]
  `);
});

test("the check subpath exports these names", async () => {
  expect(Object.keys(await import("../src/check/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "checkText",
      "formatFindings",
    ]
  `);
});

test("the diff subpath exports these names", async () => {
  expect(Object.keys(await import("../src/document/diff.ts")).sort()).toMatchInlineSnapshot(`
    [
      "diffSchemas",
      "formatDiff",
    ]
  `);
});

test("the files subpath exports these names", async () => {
  expect(Object.keys(await import("../src/files.ts")).sort()).toMatchInlineSnapshot(`
    [
      "BUILT_IN_FILES",
      "BUILT_IN_PRESETS",
      "CollectionFile",
      "CollectionFileError",
      "PresetFile",
      "UpstreamKindFile",
      "VirtualCollectionFile",
      "checkFileNames",
      "findPattern",
      "isVirtualFile",
      "parseAnyCollectionFile",
      "parseCollectionFile",
      "readPresetFiles",
      "readServiceFiles",
      "templateParts",
      "withArchived",
    ]
  `);
});

test("the harmonization subpath exports these names", async () => {
  expect(Object.keys(await import("../src/harmonization.ts")).sort()).toMatchInlineSnapshot(`
    [
      "AngleSource",
      "BandAdjustment",
      "BandpassTable",
      "KernelWeights",
      "NadirTable",
      "PRESCRIBED_SUN_ZENITH",
      "bandAdjustment",
      "isAdjustable",
      "nadirAdjustment",
    ]
  `);
});

test("the models subpath exports these names", async () => {
  expect(Object.keys(await import("../src/models.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Alias",
      "Band",
      "Calculation",
      "DataType",
      "MaskSource",
      "PseudoBand",
      "toAlias",
      "toBand",
    ]
  `);
});

test("the presets subpath exports these names", async () => {
  expect(Object.keys(await import("../src/presets.ts")).sort()).toMatchInlineSnapshot(`
    [
      "COLORMAPS",
      "INDEX_PRESETS",
      "Preset",
      "Recipe",
      "ShownRecipe",
      "commonIndices",
      "derivedRecipe",
      "indices",
      "resolveIndex",
      "shownRecipe",
    ]
  `);
});

test("the upstreams subpath exports these names", async () => {
  expect(Object.keys(await import("../src/upstreams.ts")).sort()).toMatchInlineSnapshot(`
    [
      "UPSTREAM_KINDS",
      "fallbackOf",
      "findUpstreamKind",
      "upstreamCollections",
      "upstreamKindOf",
    ]
  `);
});
