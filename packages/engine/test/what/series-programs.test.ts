import { expect, test } from "vitest";
import { seriesPrograms } from "../../src/what/series-programs.ts";
import { matchOf, refusalOf } from "./registry.ts";

const [S2, LANDSAT, OPTICAL] = ["sentinel-2-l2a", "landsat-ot-l2", "optical-sr"].map(matchOf) as [
  ReturnType<typeof matchOf>,
  ReturnType<typeof matchOf>,
  ReturnType<typeof matchOf>,
];

test("collections share the names of an index, and have their own bands of these", () => {
  const { index, expression, names, unit, harmonize, path, byCollection } = seriesPrograms([S2, LANDSAT], {
    index: "ndvi",
  });
  expect({ index, names, unit, harmonize, path }).toEqual({
    index: "ndvi",
    names: ["nir", "red"],
    unit: "1",
    harmonize: "offset_removed",
    path: ["what", "index"],
  });
  expect(expression).toBe("(nir - red) / (nir + red)");
  expect([...byCollection.values()].map(({ bands }) => bands.map(({ name }) => name))).toEqual([
    ["B08", "B04"],
    ["SR_B5", "SR_B4"],
  ]);
});

test("the default level is that of the collection, or where several have others offset_removed", () => {
  expect(seriesPrograms([OPTICAL], { index: "ndvi" }).harmonize).toBe("bandpass_adjusted");
  expect(seriesPrograms([OPTICAL, S2], { index: "ndvi" }).harmonize).toBe("offset_removed");
  expect(seriesPrograms([S2, LANDSAT], { expression: "nir08 - red", harmonize: "nbar" }).harmonize).toBe("nbar");
});

test("a band alone has its unit, and each name has one", () => {
  const { unit, bandUnits } = seriesPrograms([LANDSAT], { expression: "lwir11" });
  expect([unit, bandUnits]).toEqual(["KELVIN", { lwir11: "KELVIN" }]);
  expect(seriesPrograms([LANDSAT], { expression: "lwir11 - red" })).not.toHaveProperty("unit");
});

test("names that are in other units elsewhere are no one series", () => {
  const thermal = { ...LANDSAT.collection, bands: LANDSAT.collection.bands.map((band) => ({ ...band })) };
  const red = thermal.bands.find(({ commonName }) => commonName === "red")!;
  Object.assign(red, { kind: "thermal" });
  const refused = refusalOf(() => seriesPrograms([S2, { collection: thermal }], { expression: "red" }));
  expect(refused).toMatchObject({ code: "units-unavailable", path: ["what", "expression"] });
  expect(refused.detail).toContain("REFLECTANCE in sentinel-2-l2a, and in KELVIN in landsat-ot-l2");
});

test("a name that one of the collections lacks is refused", () => {
  const refused = refusalOf(() => seriesPrograms([LANDSAT, S2], { expression: "lwir11" }));
  expect(refused).toMatchObject({ code: "unknown-band", path: ["what", "expression"] });
  expect(refused.detail).toContain("sentinel-2-l2a");
});
