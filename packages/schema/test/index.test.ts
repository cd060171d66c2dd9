import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "Alias",
      "Band",
      "COLLECTION_IDS",
      "COLLECTION_NAMES",
      "CloudMask",
      "CollectionId",
      "DATA_TYPES",
      "DataType",
      "HARMONIZE_LEVELS",
      "HarmonizeLevel",
      "LIVE_COLLECTION_IDS",
      "MASK_CLASSES",
      "MASK_SOURCES",
      "MOSAICKING_ORDERS",
      "MaskClass",
      "MaskSource",
      "MosaickingOrder",
      "PATH_ID",
      "PSEUDO_BANDS",
      "Preset",
      "PseudoBand",
      "QA_PIXEL_BITS",
      "QA_PIXEL_CONFIDENCES",
      "Recipe",
      "SCHEMA_VERSION",
      "SCL_CLASSES",
      "SchemaCollection",
      "SchemaDocument",
      "SchemaError",
      "UNIT_IDS",
      "Unit",
      "attributionFor",
      "bandScaling",
      "collections",
      "defaultBands",
      "findBand",
      "findByUpstream",
      "findCollection",
      "findPreset",
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
