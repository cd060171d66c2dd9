import type { Item } from "@swath/catalog";
import { type CloudMask, createRegistry, fileOfBand, findBand, keepTable, MaskClass } from "@swath/schema";
import { BUILT_IN_FILES } from "@swath/schema/files";
import fc from "fast-check";
import { expect, test } from "vitest";
import { maskRead } from "../../src/read/mask.ts";
import { classNumbersTable } from "../../src/run/scene/class-numbers.ts";
import { ruleTable } from "../../src/run/scene/read-mask.ts";
import { knownBands } from "../../src/what/bands/bands.ts";
import { maskSettings, undetectableClasses } from "../../src/what/cloud-mask.ts";

const registry = createRegistry(BUILT_IN_FILES);
const masked = registry.collections.filter(({ mask }) => mask !== undefined);

function readOf(collection: (typeof masked)[number], settings: CloudMask) {
  const { asset } = fileOfBand(findBand(collection, collection.maskBand ?? "")!);
  const read = maskRead({ assets: { [asset]: { href: "archive:mask.tif" } } } as unknown as Item, collection, settings);
  if (read === undefined) throw new Error(`${collection.id} has no mask.`);
  return read;
}

test.each(masked.map((collection) => [collection.id, collection] as const))(
  "%s: values are masked exactly where the pseudo band `mask` is 1",
  { tags: ["ST12"] },
  (_, collection) => {
    const band = knownBands(collection, { hasPseudo: true }).find("mask");
    if (band?.derived === undefined) throw new Error("Expected a pseudo band.");
    const dropped = ruleTable(readOf(collection, maskSettings(undefined)).drop);
    const stored = keepTable(collection.mask!, []).length;
    expect(dropped.slice(0, stored)).toEqual(classNumbersTable(band.derived).slice(0, stored));
  },
);

const SETTINGS: readonly CloudMask[] = [
  { exclude: [] },
  { exclude: ["cloud"], scl7: "cloud" },
  { exclude: ["clear"], scl7: "clear" },
  { exclude: ["cloud"], cloudConfidence: "low" },
  { exclude: ["cloud", "snow_ice"], cloudConfidence: "high" },
  { exclude: ["water", "cloud_adjacent", "dark_terrain_shadow", "unclassified"] },
];

test.each(SETTINGS.map((settings) => [JSON.stringify(settings), settings] as const))(
  "with %s the rule that travels to the render threads is the table of the schema, and small",
  { tags: ["ST12"] },
  (_, settings) => {
    for (const collection of masked) {
      const { exclude = [], ...rest } = settings;
      const { drop } = readOf(collection, settings);
      const keep = keepTable(collection.mask!, exclude, rest);
      expect([collection.id, ruleTable(drop).slice(0, keep.length)]).toEqual([
        collection.id,
        keep.map((each) => 1 - each),
      ]);
      expect(JSON.stringify(drop).length).toBeLessThan(1500);
    }
  },
);

test("clouds grow on sources that do not mark their surroundings, and on no others", { tags: ["ST12"] }, () => {
  for (const collection of masked) {
    const { dilate } = readOf(collection, { exclude: ["cloud", "cirrus"], dilate_m: 120 });
    const hasBuffer = collection.maskCapabilities.includes("cloud_adjacent");
    expect([collection.id, dilate?.meters]).toEqual([collection.id, hasBuffer ? undefined : 120]);
  }
  const sentinel = readOf(registry.resolve("sentinel-2-l2a"), { exclude: ["cloud", "cirrus"], dilate_m: 120 });
  // cirrus is dropped and does not grow, and neither do shadows that are kept
  expect(sentinel.dilate?.around).toEqual({ kind: "values", values: [8, 9] });
});

test("classes that the source of a collection cannot detect are undetectable, by collection, but for nodata", {
  tags: ["ST12"],
}, () => {
  const mask = maskSettings({ exclude: ["nodata", "saturated_defective", "cloud_adjacent", "cloud", "cirrus"] });
  const ids = ["sentinel-2-l2a", "landsat-ot-l2", "landsat-tm-l2", "dem", "sentinel-2-l2a"];
  const collections = ids.map((id) => registry.resolve(id));
  expect(undetectableClasses(mask, collections)).toEqual({
    "sentinel-2-l2a": ["cloud_adjacent"],
    "landsat-ot-l2": ["saturated_defective"],
    "landsat-tm-l2": ["saturated_defective", "cirrus"],
    dem: ["saturated_defective", "cloud_adjacent", "cloud", "cirrus"],
  });
  expect(undetectableClasses(maskSettings({ exclude: ["nodata"] }), collections)).toEqual({});
});

test("no class that a source cannot detect drops a value of it", { tags: ["ST12"] }, () => {
  for (const collection of masked) {
    const kept = keepTable(collection.mask!, []);
    for (const name of MaskClass.options.filter((each) => !collection.maskCapabilities.includes(each))) {
      expect([collection.id, name, keepTable(collection.mask!, [name])]).toEqual([collection.id, name, kept]);
    }
  }
});

const settings = fc.record(
  {
    exclude: fc.uniqueArray(fc.constantFrom(...MaskClass.options)),
    scl7: fc.constantFrom("unclassified", "cloud", "clear"),
    cloudConfidence: fc.constantFrom("low", "medium", "high"),
    dilate_m: fc.constantFrom(0, 60),
  },
  { requiredKeys: [] },
);

test.each(["sentinel-2-l2a", "landsat-ot-l2"])("the rule of a cloud mask of %s drops what its table drops", (id) => {
  const collection = registry.resolve(id);
  const item = { assets: { [collection.maskBand ?? ""]: { href: "archive:mask.tif" } } } as unknown as Item;
  fc.assert(
    fc.property(settings, (mask) => {
      const read = maskRead(item, collection, mask as never);
      if (read === undefined || collection.mask === undefined) throw new Error("Expected a mask.");
      const { exclude = [], dilate_m: _, ...how } = mask;
      const table = keepTable(collection.mask, exclude, how as never);
      const dropped = ruleTable(read.drop);
      expect(table.every((kept, value) => kept === 1 - dropped[value]!)).toBe(true);
    }),
    { numRuns: 60 },
  );
});
