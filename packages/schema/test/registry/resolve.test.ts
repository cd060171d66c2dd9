import fc from "fast-check";
import { expect, test } from "vitest";
import {
  collections,
  defaultRegistry,
  findBand,
  namesOfBand,
  resolveBand,
  resolveCollection,
  SchemaError,
  suggest,
} from "../../src/index.ts";
import { resolveIndex } from "../../src/presets.ts";
import { COLLECTION_NAMES } from "../../src/registry/default-registry.ts";

function failure(act: () => unknown): SchemaError {
  try {
    act();
  } catch (error) {
    if (error instanceof SchemaError) return error;
  }
  throw new Error("expected a SchemaError");
}

test("every name of a band leads to it", { tags: ["B3"] }, () => {
  for (const collection of Object.values(collections)) {
    for (const band of collection.bands) {
      for (const name of namesOfBand(band)) expect(resolveBand(collection.id, name)).toBe(band);
    }
  }
});

test("the same common name leads to each sensor's own band", { tags: ["B2"] }, () => {
  expect(resolveBand("sentinel-2-l2a", "nir08").name).toBe("B8A");
  expect(resolveBand("LOTL2", "nir08").name).toBe("SR_B5");
  expect(resolveBand("landsat-c2-l2", "nir").name).toBe("SR_B5");
  expect(resolveBand("S2L2A", "nir").name).toBe("B08");
});

test.each([
  { collection: "sentinel-2-l2a", name: "b04", meant: "B04" },
  { collection: "sentinel-2-l2a", name: "B8a", meant: "B8A" },
  { collection: "sentinel-2-l2a", name: "swir_16", meant: "swir16" },
  { collection: "landsat-ot-l2", name: "SRB4", meant: "SR_B4" },
  { collection: "landsat-ot-l2", name: "QA-PIXEL", meant: "QA_PIXEL" },
  { collection: "landsat-ot-l2", name: "OLI_4B", meant: "OLI_B4" },
  { collection: "landsat-ot-l2", name: "SR_QA_AERO", meant: "SR_QA_AEROSOL" },
])("$name in $collection is refused with $meant suggested", ({ collection, name, meant }) => {
  const error = failure(() => resolveBand(collection, name));
  expect(error).toMatchObject({ code: "unknown-band", given: name });
  expect(error.suggestions[0]).toBe(meant);
  expect(error.message).toContain(`Did you mean "${meant}"?`);
});

test("an unknown collection, preset or index says which was probably meant", () => {
  expect(failure(() => resolveCollection("sentinel-2-l2")).suggestions[0]).toBe("sentinel-2-l2a");
  expect(failure(() => resolveCollection("naip"))).toMatchObject({ code: "unknown-collection" });
  expect(failure(() => defaultRegistry.resolvePreset("true-colour")).suggestions).toEqual(["true-color"]);
  expect(failure(() => resolveIndex("ndv")).suggestions[0]).toBe("ndvi");
  expect(resolveIndex("ndmi").id).toBe("moisture");
  const listed = ["EVI", "GNDVI", "NBR", "MNDWI", "NDMI", "NDREI", "GEMI", "BAI", "BaI", "MSR705", "mSR705"];
  expect(listed.map((name) => resolveIndex(name).id)).toEqual(
    "evi gndvi nbr mndwi moisture ndre gemi bai-burn bai-soil msr705-2008 msr705-2002".split(" "),
  );
});

test("names of the language's own objects are no names of the schema", () => {
  fc.assert(
    fc.property(fc.constantFrom("toString", "constructor", "__proto__", "hasOwnProperty"), (name) => {
      expect(findBand("sentinel-2-l2a", name)).toBeUndefined();
      expect(failure(() => resolveCollection(name)).code).toBe("unknown-collection");
    }),
  );
});

test("an upstream collection leads to the live one", () => {
  const found = (name: string) => defaultRegistry.findByUpstream(name).map(({ id }) => id);
  expect(found("sentinel-2-c1-l2a")).toContain("sentinel-2-l2a");
  expect(found("landsat-c2-l2")).toContain("landsat-ot-l2");
  expect(found("naip")).toEqual([]);
});

test("a suggestion is always one of the candidates, and an exact name comes first", () => {
  fc.assert(
    fc.property(fc.string(), (given) => {
      for (const name of suggest(given, COLLECTION_NAMES)) expect(COLLECTION_NAMES).toContain(name);
    }),
  );
  for (const name of COLLECTION_NAMES) expect(suggest(name, COLLECTION_NAMES)[0]).toBe(name);
});
