import { bandOfCommonName, findBand } from "@swath/schema";
import { describe, expect, test } from "vitest";
import {
  adjustmentLevel,
  checkAdjustable,
  checkLevel,
  defaultLevel,
  hasLevel,
} from "../../../src/what/bands/levels.ts";
import { matchOf, refusalOf, registry } from "../registry.ts";

const PATH = ["what", "harmonize"];
const collectionOf = (id: string) => matchOf(id).collection;

test.each([
  ["none", false, false],
  ["offset_removed", false, false],
  ["bandpass_adjusted", true, false],
  ["nbar", true, true],
])("%s brings values to the reference sensor: %s, and to nadir view: %s", (level, isAdjusted, isNadir) => {
  expect(adjustmentLevel(level)).toEqual({ isAdjusted, isNadir });
});

test("the default is without the offset where one sensor has one, and of a virtual collection its own", () => {
  expect(defaultLevel(collectionOf("sentinel-2-l2a"))).toBe("offset_removed");
  expect(defaultLevel(collectionOf("landsat-ot-l2"))).toBe("offset_removed");
  expect(defaultLevel(collectionOf("landsat-ot-l1"))).toBe("none");
  expect(defaultLevel(collectionOf("optical-sr"))).toBe("bandpass_adjusted");
  for (const collection of registry.listed) expect(collection.harmonizeLevels).toContain(defaultLevel(collection));
});

/**
 * Bands of Sentinel-2 for which HLS v1.4 has no coefficients are the red edges, the broad near infrared, B09 and classes; Roy
 * et al. 2016 have no weights of the aerosol band B01 either.
 */
test.each([
  ["bandpass_adjusted", ["B01", "B02", "B03", "B04", "B8A", "B11", "B12"]],
  ["nbar", ["B02", "B03", "B04", "B8A", "B11", "B12"]],
])("bands of Sentinel-2 at the level %s are %j", (level, names) => {
  const collection = collectionOf("sentinel-2-l2a");
  const has = collection.bands.filter((band) => hasLevel(collection, band, adjustmentLevel(level)));
  expect(has.map(({ name }) => name)).toEqual(names);
});

test("a band of a virtual collection has a level where each member's band of this name has it", () => {
  const optical = collectionOf("optical-sr");
  for (const level of ["bandpass_adjusted", "nbar"].map(adjustmentLevel)) {
    for (const band of optical.virtual!.bands) {
      const everywhere = optical.virtual!.members.every((member) => {
        const own = bandOfCommonName(member, band.name);
        return own !== undefined && hasLevel(member, own, level);
      });
      expect([band.name, hasLevel(optical, band, level)]).toEqual([band.name, everywhere]);
    }
    // red and the narrow near infrared are the reason why there is such a collection
    for (const name of ["red", "nir08"]) expect(hasLevel(optical, findBand(optical, name)!, level)).toBe(true);
  }
});

describe("a level is refused", () => {
  test("as invalid where it is none, with those of the collection", () => {
    for (const level of ["NBAR", "", "constructor"]) {
      expect(refusalOf(() => checkLevel(collectionOf("landsat-ot-l1"), level, PATH))).toMatchObject({
        code: "invalid",
        path: PATH,
        detail: `Expected none, got "${level}".`,
      });
    }
  });

  test("as unavailable where the collection lacks it", () => {
    expect(refusalOf(() => checkLevel(collectionOf("landsat-ot-l1"), "nbar", PATH))).toMatchObject({
      code: "harmonize-unavailable",
      path: PATH,
      detail: 'landsat-ot-l1 has the levels none, not "nbar".',
    });
    for (const collection of registry.listed) {
      for (const level of collection.harmonizeLevels) expect(() => checkLevel(collection, level, PATH)).not.toThrow();
    }
  });
});

describe("adjusted values", () => {
  const collection = collectionOf("sentinel-2-l2a");
  const asked = (...names: string[]) => ({
    collection,
    bands: names.map((name) => findBand(collection, name)!),
    paths: names.map((_, i) => ["what", "bands", i]),
  });

  test("are of reflectance alone, not of digital numbers", () => {
    const refused = refusalOf(() => checkAdjustable(asked("red"), "DN", adjustmentLevel("nbar"), PATH));
    expect(refused).toMatchObject({ code: "harmonize-unavailable", path: PATH });
    expect(refused.detail).toContain("nbar is one of REFLECTANCE");
    expect(() => checkAdjustable(asked("red"), "DN", adjustmentLevel("offset_removed"), PATH)).not.toThrow();
  });

  test("of bands without coefficients are refused at each of these bands", () => {
    const { code, faults } = refusalOf(() =>
      checkAdjustable(asked("red", "nir", "rededge071"), "REFLECTANCE", adjustmentLevel("bandpass_adjusted"), PATH),
    );
    expect(code).toBe("harmonize-unavailable");
    expect(faults).toEqual([
      { path: ["what", "bands", 1], detail: "B08 of sentinel-2-l2a has no coefficients of bandpass_adjusted." },
      { path: ["what", "bands", 2], detail: "B05 of sentinel-2-l2a has no coefficients of bandpass_adjusted." },
    ]);
  });
});
