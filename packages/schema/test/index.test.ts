import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Alias",
      "BUILT_IN_FILES",
      "BUILT_IN_PRESETS",
      "Band",
      "COLLECTION_IDS",
      "COLLECTION_NAMES",
      "CloudMask",
      "CollectionFile",
      "CollectionFileError",
      "CollectionId",
      "DATA_TYPES",
      "DataType",
      "HARMONIZE_LEVELS",
      "HarmonizeLevel",
      "Hillshade",
      "LIVE_COLLECTION_IDS",
      "MASK_CLASSES",
      "MOSAICKING_ORDERS",
      "MaskClass",
      "MaskSource",
      "MosaickingOrder",
      "OffsetRule",
      "PATH_ID",
      "PSEUDO_BANDS",
      "Preset",
      "PresetFile",
      "PseudoBand",
      "Recipe",
      "SCHEMA_VERSION",
      "SchemaCollection",
      "SchemaDocument",
      "SchemaError",
      "UNIT_IDS",
      "Unit",
      "UpstreamName",
      "attributionFor",
      "bandScaling",
      "collectionFileFaults",
      "collectionJsonSchema",
      "collections",
      "createRegistry",
      "defaultBands",
      "defaultRegistry",
      "fileOfBand",
      "findBand",
      "findByUpstream",
      "findCollection",
      "findPattern",
      "findPreset",
      "formatFault",
      "harmonization",
      "hasPhysicalUnits",
      "indices",
      "isUnit",
      "keepTable",
      "maskClassOf",
      "maskClassesOf",
      "maskCode",
      "maskTable",
      "namesOfBand",
      "parseCollectionFile",
      "presets",
      "resolveBand",
      "resolveCollection",
      "resolveIndex",
      "resolvePreset",
      "schemaData",
      "schemaDocument",
      "schemaJsonSchema",
      "suggest",
      "toAlias",
      "toBand",
      "toNativeAsset",
      "toUpstreamAsset",
      "units",
      "upstreamCollections",
    ]
  `);
});

test("the check subpath exports these names", async () => {
  expect(Object.keys(await import("../src/check/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "RULES",
      "checkText",
      "countOf",
      "formatFindings",
    ]
  `);
});

test("the diff subpath exports these names", async () => {
  expect(Object.keys(await import("../src/diff.ts")).sort()).toMatchInlineSnapshot(`
    [
      "diffSchemas",
      "formatDiff",
    ]
  `);
});
