import { expect, test } from "vitest";
import { parseLandsatMtl } from "../../src/metadata/landsat-mtl.ts";

/** The groups that are read of a Collection 2 document, whose numbers are text. */
const mtl = (groups: object = {}) => ({
  LANDSAT_METADATA_FILE: {
    IMAGE_ATTRIBUTES: { SUN_ELEVATION: "57.08727307" },
    LEVEL1_RADIOMETRIC_RESCALING: {
      REFLECTANCE_MULT_BAND_4: "2.0000E-05",
      REFLECTANCE_ADD_BAND_4: "-0.100000",
      RADIANCE_MULT_BAND_10: "3.3420E-04",
      RADIANCE_ADD_BAND_10: "0.10000",
    },
    LEVEL1_THERMAL_CONSTANTS: { K1_CONSTANT_BAND_10: "774.8853", K2_CONSTANT_BAND_10: "1321.0789" },
    ...groups,
  },
});

test("reflectance is divided by the sine of the sun's elevation", () => {
  // numpy: 2e-5 / sin(radians(57.08727307)), -0.1 / sin(radians(57.08727307))
  const factors = parseLandsatMtl(mtl())?.reflectance("4");
  expect(factors?.scale).toBeCloseTo(2.3823728e-5, 11);
  expect(factors?.offset).toBeCloseTo(-0.11911864, 7);
});

test("thermal bands have radiance and the constants of Planck's law", () => {
  expect(parseLandsatMtl(mtl())?.thermal("10")).toEqual({
    scale: 3.342e-4,
    offset: 0.1,
    brightness: { k1: 774.8853, k2: 1321.0789 },
  });
});

test.each([
  { name: "a band that it lacks", document: mtl(), band: "5" },
  { name: "a night scene", document: mtl({ IMAGE_ATTRIBUTES: { SUN_ELEVATION: "-3.2" } }), band: "4" },
  { name: "no elevation", document: mtl({ IMAGE_ATTRIBUTES: {} }), band: "4" },
  {
    name: "a factor that is no number",
    document: mtl({ LEVEL1_RADIOMETRIC_RESCALING: { REFLECTANCE_MULT_BAND_4: "x", REFLECTANCE_ADD_BAND_4: "0" } }),
    band: "4",
  },
  { name: "another document", document: { type: "Feature" }, band: "4" },
  { name: "no document", document: undefined, band: "4" },
])("there is no reflectance of $name", ({ document, band }) => {
  expect(parseLandsatMtl(document)?.reflectance(band)).toBeUndefined();
});
