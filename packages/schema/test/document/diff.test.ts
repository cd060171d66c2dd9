import { expect, test } from "vitest";
import { diffSchemas, formatDiff } from "../../src/document/diff.ts";
import { defaultRegistry, type SchemaDocument } from "../../src/index.ts";

function changed(change: (schema: SchemaDocument) => void, version = "1.0.0"): SchemaDocument {
  const schema = defaultRegistry.schemaData();
  schema["svc:schemaVersion"] = version;
  change(schema);
  return schema;
}

function band(schema: SchemaDocument, name: string) {
  const found = schema.bands["sentinel-2-l2a"]?.find((each) => each.name === name);
  if (found === undefined) throw new Error(name);
  return found;
}

test("a schema and itself do not differ, in whatever order their entries stand", () => {
  const shuffled = changed((schema) => {
    schema.bands["sentinel-2-l2a"]?.reverse();
    schema.collections["sentinel-2-l2a"]?.aliases.reverse();
    schema.indices.reverse();
    band(schema, "B08").aliases?.reverse();
  });
  expect(diffSchemas(defaultRegistry.schemaData(), shuffled)).toMatchObject({
    changes: [],
    needs: "none",
    versionFits: true,
  });
});

test.each<{ name: string; change: (schema: SchemaDocument) => void; path: string }>([
  {
    name: "a band that is gone",
    change: (schema) => void schema.bands["sentinel-2-l2a"]?.splice(3, 1),
    path: "bands/sentinel-2-l2a/B04",
  },
  {
    name: "an alias of a band that is gone",
    change: (schema) => void band(schema, "B08").aliases?.shift(),
    path: "bands/sentinel-2-l2a/B08/aliases/B8",
  },
  {
    name: "another scale",
    change: (schema) => {
      band(schema, "AOT").scale = 0.01;
    },
    path: "bands/sentinel-2-l2a/AOT/scale",
  },
  {
    name: "nodata where all was data",
    change: (schema) => {
      band(schema, "CLD").nodata = 0;
    },
    path: "bands/sentinel-2-l2a/CLD/nodata",
  },
  {
    name: "a common name that leads elsewhere",
    change: (schema) => {
      schema.common_names.nir = { ...schema.common_names.nir, "sentinel-2-l2a": "B8A" };
    },
    path: "common_names/nir/sentinel-2-l2a",
  },
  {
    name: "a collection alias that is gone",
    change: (schema) => void schema.collections["sentinel-2-l2a"]?.aliases.shift(),
    path: "collections/sentinel-2-l2a/aliases/S2L2A",
  },
  {
    name: "an alias that means fewer scenes",
    change: (schema) => {
      const alias = schema.collections["landsat-ot-l2"]?.aliases.find(({ id }) => id === "LOTL2");
      if (alias !== undefined) alias.filter = "platform = 'landsat-9'";
    },
    path: "collections/landsat-ot-l2/aliases/LOTL2/filter",
  },
  {
    name: "another class for an SCL value",
    change: (schema) => {
      Object.assign(schema.mask.sources.scl ?? {}, { 2: "cloud_shadow" });
    },
    path: "mask/sources/scl/2",
  },
  {
    name: "another formula",
    change: (schema) => {
      const ndvi = schema.indices.find(({ id }) => id === "ndvi");
      if (ndvi !== undefined) ndvi.expression = "nir / red";
    },
    path: "indices/ndvi/expression",
  },
  {
    name: "another default",
    change: (schema) => {
      const collection = schema.collections["sentinel-2-l2a"];
      if (collection !== undefined) collection.default_harmonize = "none";
    },
    path: "collections/sentinel-2-l2a/default_harmonize",
  },
])("$name breaks, and needs a new major version", ({ change, path }) => {
  const diff = diffSchemas(defaultRegistry.schemaData(), changed(change, "1.1.0"));
  expect(diff.changes.filter(({ level }) => level === "breaking").map((each) => each.path)).toEqual([path]);
  expect(diff).toMatchObject({ needs: "major", versionFits: false });
  expect(diffSchemas(defaultRegistry.schemaData(), changed(change, "2.0.0")).versionFits).toBe(true);
});

test("a class inserted before others moves their numbers and breaks", () => {
  const diff = diffSchemas(
    defaultRegistry.schemaData(),
    changed((schema) => void schema.mask.classes.splice(1, 0, "water")),
  );
  expect(diff.needs).toBe("major");
});

test("new names are additions and need a minor version", () => {
  const diff = diffSchemas(
    defaultRegistry.schemaData(),
    changed((schema) => {
      band(schema, "B04").aliases?.push("rot");
      schema.collections["sentinel-2-l2a"]?.aliases.push({ id: "S2", source: "someone", group: "other" });
    }, "1.1.0"),
  );
  expect(diff.changes).toEqual([
    { level: "addition", kind: "added", path: "bands/sentinel-2-l2a/B04/aliases/rot" },
    { level: "addition", kind: "added", path: "collections/sentinel-2-l2a/aliases/S2" },
  ]);
  expect(diff).toMatchObject({ needs: "minor", versionFits: true });
});

test("other texts are notes and need a patch version", () => {
  const diff = diffSchemas(
    defaultRegistry.schemaData(),
    changed((schema) => {
      band(schema, "B04").description = "Red light";
    }),
  );
  expect(diff).toMatchObject({ needs: "patch", versionFits: false });
  expect(formatDiff(diff)).toBe(
    'note changed: bands/sentinel-2-l2a/B04/description ("Red" -> "Red light")\n' +
      "1.0.0 -> 1.0.0: needs a patch version; the version does not rise enough\n",
  );
});

test("documents of any shape are compared", () => {
  expect(diffSchemas({}, [])).toMatchObject({ needs: "none" });
  expect(diffSchemas(null, defaultRegistry.schemaData()).changes.length).toBeGreaterThan(0);
});
