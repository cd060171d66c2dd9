import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import * as z from "zod";
import { checkGenerated, generatedJson, generatedModules } from "../../scripts/generated-files.ts";
import { defaultRegistry, HARMONIZE_LEVELS, SCHEMA_VERSION, SchemaDocument, UNIT_IDS } from "../../src/index.ts";

const shipped = (name: string) => readFileSync(join(import.meta.dirname, "../..", "json", name), "utf8");

test("a generated file that differs from its sources is named, with the command that writes it", async () => {
  expect(() => checkGenerated({ ...generatedModules(), "json/schema-v1.json": "{}" })).toThrow(
    "Not what its sources give: packages/schema/json/schema-v1.json. Run: npx pnpm --filter @swath/schema generate",
  );
  expect(Object.keys(await generatedJson())).toContain("json/schema-v1.json");
});

test("the document has the members of the decisions and fits its model", { tags: ["Q5", "Q14"] }, () => {
  const document: unknown = JSON.parse(defaultRegistry.schemaDocument());
  expect(SchemaDocument.strict().parse(document)).toEqual(document);
  expect(document).toMatchObject({
    "svc:schemaVersion": SCHEMA_VERSION,
    common_names: {
      red: { "sentinel-2-l2a": "B04", "landsat-ot-l2": "SR_B4" },
      nir: { "sentinel-2-l2a": "B08", "landsat-ot-l2": "SR_B5" },
      nir08: { "sentinel-2-l2a": "B8A", "landsat-ot-l2": "SR_B5" },
      lwir11: { "landsat-ot-l2": "ST_B10" },
    },
    mask: {
      // what decisions of the interface list
      default_exclude: ["nodata", "saturated_defective", "cloud", "cloud_shadow", "cirrus"],
      sources: { scl: { 0: "nodata", 7: "unclassified", 11: "snow_ice" } },
    },
    collections: {
      "sentinel-2-l2a": { mask_source: "scl" },
      "optical-sr": { mask_source: ["scl", "qa_pixel", "fmask"] },
    },
  });
  const { units, harmonization, bands } = defaultRegistry.schemaData();
  expect(Object.keys(units)).toEqual([...UNIT_IDS]);
  expect(Object.keys(harmonization.levels)).toEqual([...HARMONIZE_LEVELS]);
  expect(Object.values(bands).map((list) => list.length)).toEqual([17, 19, 19, 19, 1, 20, 4, 13, 11, 9, 6, 13, 0]);
});

test("the bytes are the same each time and the data may be changed by its owner", () => {
  const first = defaultRegistry.schemaDocument();
  const data = defaultRegistry.schemaData();
  data.bands["sentinel-2-l2a"]?.pop();
  data.units.DN.title = "changed";
  expect(defaultRegistry.schemaDocument()).toBe(first);
});

test("the shipped JSON Schema accepts the shipped document and refuses a broken one", () => {
  const schema = z.fromJSONSchema(JSON.parse(shipped("schema-v1.schema.json")));
  const document = JSON.parse(shipped("schema-v1.json"));
  expect(schema.safeParse(document).success).toBe(true);
  document.mask.classes[2] = "clouds";
  expect(schema.safeParse(document).success).toBe(false);
});
