import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { BitFlagsMask } from "../../src/file/mask-file.ts";
import {
  CloudMask,
  collections,
  keepTable,
  type MaskClass,
  maskClassOf,
  maskCode,
  maskTable,
} from "../../src/index.ts";
import { maskClassesOf } from "../../src/values/mask-sources.ts";
import { MASK_CLASSES } from "../../src/vocabulary.ts";
import { fixtureItems, fixtures } from "../fixtures.ts";

const qaPixel = collections["landsat-ot-l2"].mask as BitFlagsMask;

const SCL: readonly MaskClass[] = [
  "nodata",
  "saturated_defective",
  "dark_terrain_shadow",
  "cloud_shadow",
  "clear",
  "clear",
  "water",
  "unclassified",
  "cloud",
  "cloud",
  "cirrus",
  "snow_ice",
];

test.each(SCL.map((expected, value) => ({ value, expected })))(
  "SCL $value is $expected",
  { tags: ["Q7"] },
  ({ value, expected }) => {
    expect(maskClassOf("scl", value)).toBe(expected);
  },
);

// QA_PIXEL of MSS has fill, cloud and the confidence of clouds alone, as items of Planetary Computer say in classification:bitfields
test.each<{ value: number; expected: MaskClass }>([
  { value: 0, expected: "unclassified" },
  { value: 0b01_0000_0000, expected: "unclassified" },
  { value: 21_824, expected: "unclassified" },
  { value: 1, expected: "nodata" },
  { value: 0b1000, expected: "cloud" },
  { value: 0b11_0000_1000, expected: "cloud" },
])("QA_PIXEL $value of MSS is $expected", ({ value, expected }) => {
  const { mask } = collections["landsat-mss-l1"];
  expect(maskClassesOf(mask as BitFlagsMask, value)).toEqual([expected]);
  expect(keepTable(mask as BitFlagsMask, ["cloud"])[value]).toBe(expected === "unclassified" ? 1 : 0);
});

test("SCL 7 is what the setting says, and values beyond 11 are unclassified", { tags: ["Q6"] }, () => {
  expect(maskClassOf("scl", 7, { scl7: "cloud" })).toBe("cloud");
  expect(maskClassOf("scl", 7, { scl7: "clear" })).toBe("clear");
  expect(maskClassOf("scl", 12)).toBe("unclassified");
});

// values that occur in real scenes, with what their bits say (USGS LSDS-1619)
test.each<{ value: number; classes: MaskClass[] }>([
  { value: 1, classes: ["nodata"] },
  { value: 21824, classes: ["clear"] },
  { value: 21952, classes: ["water"] },
  { value: 22280, classes: ["cloud"] },
  { value: 23888, classes: ["cloud_shadow"] },
  { value: 22018, classes: ["cloud", "cloud_adjacent"] },
  { value: 24082, classes: ["cloud", "cloud_shadow", "cloud_adjacent"] },
  { value: 30048, classes: ["snow_ice"] },
  { value: 55052, classes: ["cloud", "cirrus"] },
  { value: 56854, classes: ["cloud", "cloud_shadow", "cirrus", "cloud_adjacent"] },
])("QA_PIXEL $value is $classes", { tags: ["Q7"] }, ({ value, classes }) => {
  expect(maskClassesOf("qa_pixel", value)).toEqual(classes);
  expect(maskClassOf("qa_pixel", value)).toBe(classes[0]);
});

test("every value, under every setting, gives classes that its collection lists and no other", () => {
  const settings = ([undefined, "unclassified", "cloud", "clear"] as const).flatMap((scl7) =>
    ([undefined, "low", "medium", "high"] as const).map((cloudConfidence) => ({ scl7, cloudConfidence })),
  );
  for (const { mask, maskCapabilities: listed } of Object.values(collections)) {
    if (mask === undefined) continue;
    for (const each of settings) {
      const given = new Set(maskTable(mask, each));
      expect([...given].filter((code) => !listed.includes(MASK_CLASSES[code] as MaskClass))).toEqual([]);
      for (const value of [0, 1, 12, 255, 65_535, ...Array.from({ length: 300 }, (_, i) => i * 211)]) {
        expect(listed).toEqual(expect.arrayContaining(maskClassesOf(mask, value, each)));
      }
    }
  }
  // QA_PIXEL has no class "unclassified": neither clear nor anything else is no observation
  expect(maskClassOf("qa_pixel", 0)).toBe("nodata");
  expect(keepTable("qa_pixel", [])[0]).toBe(0);
});

test("cloud confidence decides what counts as cloud", { tags: ["Q6"] }, () => {
  // 22018: dilated cloud, medium cloud confidence, cloud bit not set
  expect(maskClassOf("qa_pixel", 22018, { cloudConfidence: "high" })).toBe("cloud_adjacent");
  expect(maskClassOf("qa_pixel", 22018, { cloudConfidence: "medium" })).toBe("cloud");
  // 21824: clear land has low cloud confidence
  expect(maskClassOf("qa_pixel", 21824, { cloudConfidence: "low" })).toBe("cloud");
  expect(maskClassOf("qa_pixel", 22280, { cloudConfidence: "high" })).toBe("cloud");
});

test("tables hold what the function says, for every value that can be stored", () => {
  const scl = maskTable("scl");
  const qa = maskTable("qa_pixel");
  expect([scl.length, qa.length]).toEqual([256, 65_536]);
  fc.assert(
    fc.property(fc.nat(65_535), (value) => {
      expect(qa[value]).toBe(maskCode(maskClassOf("qa_pixel", value)));
      expect(scl[value & 255]).toBe(maskCode(maskClassOf("scl", value & 255)));
    }),
  );
});

test("a pixel goes when any of its classes is excluded, and nodata always goes", () => {
  const dropped: MaskClass[] = ["cirrus"];
  const keep = keepTable("qa_pixel", dropped);
  expect(keep[55052]).toBe(0);
  expect(keep[22280]).toBe(1);
  expect(keep[1]).toBe(0);
  fc.assert(
    fc.property(fc.nat(65_535), fc.subarray([...MASK_CLASSES]), (value, exclude) => {
      const classes = maskClassesOf("qa_pixel", value);
      const expected = classes.some((name) => name === "nodata" || exclude.includes(name)) ? 0 : 1;
      expect(keepTable("qa_pixel", exclude)[value]).toBe(expected);
    }),
    { numRuns: 10 },
  );
});

test("a source gives no class that it is said not to detect", { tags: ["C11"] }, () => {
  const found = { scl: new Set<MaskClass>(), qa_pixel: new Set<MaskClass>() };
  for (let value = 0; value <= 11; value++) found.scl.add(maskClassOf("scl", value));
  for (const { bit } of qaPixel.bits) found.qa_pixel.add(maskClassOf("qa_pixel", 1 << bit));
  expect([...found.scl].sort()).toEqual([...collections["sentinel-2-l2a"].maskCapabilities].sort());
  expect([...found.qa_pixel].sort()).toEqual([...collections["landsat-ot-l2"].maskCapabilities].sort());
});

test("settings name each class at most once and buffer at most 600 m", { tags: ["Q6"] }, () => {
  expect(CloudMask.safeParse({ exclude: ["cloud", "cirrus"], dilate_m: 600, scl7: "clear" }).success).toBe(true);
  expect(CloudMask.safeParse({ exclude: ["cloud", "cloud"] }).success).toBe(false);
  expect(CloudMask.safeParse({ dilate_m: 601 }).success).toBe(false);
  expect(CloudMask.safeParse({ clouds: [] }).success).toBe(false);
});

describe.skipIf(fixtures === undefined)("against the bit fields of a recorded Landsat item", () => {
  test("bits and confidences are where the item says", () => {
    const path = ["stac", "usgs", "landsat-c2-l2.LC09_L2SP_010065_20220129_02_T1.json"] as const;
    const fields = fixtureItems(...path)[0]?.assets.qa_pixel?.["classification:bitfields"] ?? [];
    const names: Readonly<Record<string, string>> = {
      nodata: "fill",
      cloud_adjacent: "dilated_cloud",
      snow_ice: "snow",
    };
    for (const { bit, class: name } of qaPixel.bits) {
      expect(fields).toContainEqual(expect.objectContaining({ name: names[name] ?? name, offset: bit, length: 1 }));
    }
    for (const { bits, class: name } of qaPixel.confidences ?? []) {
      const field = `${names[name] ?? name}_confidence`;
      expect(fields).toContainEqual(expect.objectContaining({ name: field, offset: bits[0], length: 2 }));
    }
  });
});
