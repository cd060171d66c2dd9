import { findBand, SCENE_FACTORS } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { lacksFactors, sceneFactorsOf, withSceneFactors } from "../../src/metadata/scene-factors.ts";
import { itemOf } from "../items/items.ts";
import { fixtures, recorded } from "../items/recorded.ts";
import { matchOf } from "../what/registry.ts";

const LEVEL_1 = matchOf("landsat-ot-l1").collection;
const bandOf = (name: string) => findBand(LEVEL_1, name)!;
const MTL =
  "cog/landsat-c2-l2/LC08_L2SP_001062_20201031_20201106_02_T2/LC08_L2SP_001062_20201031_20201106_02_T2_MTL.json";

/** An item whose files are named as those of the archive, by which their bands are found in the document. */
function landsatItem(platform = "LC08") {
  const item = itemOf(LEVEL_1);
  const assets = Object.entries(item.assets).map(([name, asset]) => [
    name,
    { ...asset, href: `https://example.org/${platform}_L1TP_001062_20201031_20201106_02_T2_${name}.TIF` },
  ]);
  return { ...item, assets: Object.fromEntries(assets) as typeof item.assets };
}

describe.skipIf(fixtures === undefined)("by a recorded document of Landsat 8", () => {
  const item = withSceneFactors(landsatItem(), LEVEL_1, recorded(MTL));

  /*
   * Python: float(REFLECTANCE_MULT_BAND_4) / sin(radians(SUN_ELEVATION)) and the same of REFLECTANCE_ADD_BAND_4, for the sun at
   * 64.45083205° (USGS LSDS-1822, section 5).
   */
  test("reflectance is by the elevation of the sun, radiance of thermal bands as it stands", () => {
    const { B4, B10 } = sceneFactorsOf(item)!;
    expect(B4?.scale).toBeCloseTo(2.216_765_255_180_513_6e-5, 15);
    expect(B4?.offset).toBeCloseTo(-0.110_838_262_759_025_68, 12);
    expect(B4).not.toHaveProperty("brightness");
    expect(B10).toEqual({ scale: 3.342e-4, offset: 0.1, brightness: { k1: 774.8853, k2: 1321.0789 } });
  });

  test("every band of light and heat has its factors, and classes have none", () => {
    const factors = sceneFactorsOf(item)!;
    for (const band of LEVEL_1.bands) {
      const needs = band.kind === "spectral" || band.kind === "thermal";
      expect([band.name, Object.hasOwn(factors, band.name)]).toEqual([band.name, needs]);
      expect(lacksFactors(item, LEVEL_1, band)).toBe(false);
    }
  });

  test("the item that was given stays as it was", () => {
    const own = landsatItem();
    const copy = structuredClone(own);
    withSceneFactors(own, LEVEL_1, recorded(MTL));
    expect(own).toEqual(copy);
  });

  test("a band whose file the item lacks, or whose name says nothing, has no factors", () => {
    const { B4: _, ...others } = landsatItem().assets;
    const strange = { ...others, B5: { href: "https://example.org/near-infrared.tif" } };
    const found = withSceneFactors({ ...landsatItem(), assets: strange }, LEVEL_1, recorded(MTL));
    expect(Object.keys(sceneFactorsOf(found)!)).not.toContain("B4");
    expect([lacksFactors(found, LEVEL_1, bandOf("B4")), lacksFactors(found, LEVEL_1, bandOf("B5"))]).toEqual([
      true,
      true,
    ]);
    expect(lacksFactors(found, LEVEL_1, bandOf("B6"))).toBe(false);
  });
});

test.each([
  ["none", undefined],
  ["an empty one", {}],
  ["one of another kind", { LANDSAT_METADATA_FILE: [] }],
  ["text", "MTL"],
])("with %s as its document a scene has no factors, and lacks those of light and heat", (_, document) => {
  const item = withSceneFactors(landsatItem(), LEVEL_1, document);
  expect(sceneFactorsOf(item)).toEqual({});
  const lacking = LEVEL_1.bands.filter((band) => lacksFactors(item, LEVEL_1, band)).map(({ kind }) => kind);
  expect(new Set(lacking)).toEqual(new Set(["spectral", "thermal"]));
});

test("collections whose items carry their factors need no document", () => {
  for (const id of ["sentinel-2-l2a", "landsat-ot-l2"]) {
    const { collection } = matchOf(id);
    const item = itemOf(collection);
    for (const band of collection.bands) expect(lacksFactors(item, collection, band)).toBe(false);
    expect(sceneFactorsOf(withSceneFactors(item, collection, undefined))).toEqual({});
  }
});

test("bands of Landsat 7 whose name in the document has a gain are found by their file", () => {
  const { collection } = matchOf("landsat-etm-l1");
  const item = itemOf(collection);
  const [low] = collection.bands.filter(({ kind }) => kind === "thermal");
  const assets = { [low!.name]: { href: "https://example.org/LE07_L1TP_021030_20100109_02_T1_B6_VCID_1.TIF" } };
  const document = {
    LANDSAT_METADATA_FILE: {
      IMAGE_ATTRIBUTES: { SUN_ELEVATION: "30.0" },
      LEVEL1_RADIOMETRIC_RESCALING: {
        RADIANCE_MULT_BAND_6_VCID_1: "6.7087E-02",
        RADIANCE_ADD_BAND_6_VCID_1: "-0.06709",
      },
      LEVEL1_THERMAL_CONSTANTS: { K1_CONSTANT_BAND_6_VCID_1: "666.09", K2_CONSTANT_BAND_6_VCID_1: "1282.71" },
    },
  };
  const found = withSceneFactors({ ...item, assets }, collection, document);
  expect(found.properties[SCENE_FACTORS]).toEqual({
    [low!.name]: { scale: 0.067_087, offset: -0.067_09, brightness: { k1: 666.09, k2: 1282.71 } },
  });
});
