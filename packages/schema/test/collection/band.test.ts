import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CollectionSchema, collections, resolveBand } from "../../src/index.ts";
import { Band, toBand } from "../../src/models.ts";
import { schemas } from "../fixtures.ts";

const all: readonly CollectionSchema[] = Object.values(collections);
const bands = all.flatMap((collection) => collection.bands);

test("a band has the keys of the specification and the prefixed ones of STAC 1.1", { tags: ["B4", "B7"] }, () => {
  expect(toBand(resolveBand("sentinel-2-l2a", "red"))).toEqual({
    name: "B04",
    common_name: "red",
    description: "Red",
    aliases: ["B4", "B04_10m"],
    center_wavelength: 0.6646,
    full_width_half_max: 0.031,
    gsd: 10,
    data_type: "uint16",
    scale: 0.0001,
    offset: -0.1,
    offset_rule: expect.stringContaining("s2:processing_baseline"),
    nodata: 0,
    unit: "REFLECTANCE",
    cross_sensor: true,
    "eo:common_name": "red",
    "eo:center_wavelength": 0.6646,
    "eo:full_width_half_max": 0.031,
    "raster:scale": 0.0001,
    "raster:offset": -0.1,
    "raster:spatial_resolution": 10,
  });
});

test("unknown members are omitted, never null", { tags: ["B5"] }, () => {
  for (const band of bands) {
    const document = toBand(band);
    expect(Object.values(document)).not.toContain(null);
    expect(Object.values(document)).not.toContain(undefined);
    expect(Band.strict().parse(document)).toEqual(document);
  }
  expect(Object.keys(toBand(resolveBand("landsat-ot-l2", "QA_RADSAT")))).not.toContain("nodata");
});

describe.skipIf(schemas === undefined)("against the published eo 2.0.0 schema", () => {
  test("every common name is one of the extension's", () => {
    const text = readFileSync(join(schemas ?? "", "ext", "eo", "v2.0.0", "schema.json"), "utf8");
    const schema = JSON.parse(text) as { definitions: { "eo:common_name": { enum: string[] } } };
    for (const { commonName } of bands) {
      if (commonName !== undefined) expect(schema.definitions["eo:common_name"].enum).toContain(commonName);
    }
  });
});
