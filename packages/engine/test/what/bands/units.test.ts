import { findBand } from "@swath/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FILE, readProgram } from "../../../src/what/band-program.ts";
import { checkUnits, hasUnit, sharedUnit, unitOfBand } from "../../../src/what/bands/units.ts";
import { matchOf, refusalOf, registry } from "../registry.ts";

const PATH = ["what", "units"];
const KINDS = ["spectral", "thermal", "elevation", "backscatter", "class", "bits", "ancillary"] as const;

/** The units of the interface by what a band holds: digital numbers are given of every band, of classes nothing else. */
test.each<[(typeof KINDS)[number], string[]]>([
  ["spectral", ["DN", "REFLECTANCE"]],
  ["thermal", ["DN", "REFLECTANCE", "KELVIN", "CELSIUS"]],
  ["elevation", ["DN", "METERS"]],
  ["backscatter", ["DN", "LINEAR_POWER", "DB"]],
  ["class", ["DN"]],
  ["bits", ["DN"]],
  ["ancillary", ["DN"]],
])("a %s band is given in %j and nothing else", (kind, units) => {
  const all = [
    "DN",
    "REFLECTANCE",
    "KELVIN",
    "CELSIUS",
    "METERS",
    "LINEAR_POWER",
    "DB",
    "FURLONGS",
    "",
    "__proto__",
    "constructor",
  ];
  expect(all.filter((unit) => hasUnit({ kind }, unit))).toEqual(units);
});

test("temperatures beside reflectance are in kelvin, and stay in what they were asked for in", () => {
  expect(KINDS.map((kind) => unitOfBand({ kind }, "REFLECTANCE"))).toEqual([
    "REFLECTANCE",
    "KELVIN",
    ...Array.from({ length: 5 }, () => "REFLECTANCE"),
  ]);
  expect(unitOfBand({ kind: "thermal" }, "CELSIUS")).toBe("CELSIUS");
  expect(unitOfBand({ kind: "thermal" }, "DN")).toBe("DN");
});

test.each<[string, (typeof KINDS)[number][], string]>([
  ["temperatures alone", ["thermal", "thermal"], "KELVIN"],
  ["reflectance alone", ["spectral"], "REFLECTANCE"],
  ["both", ["thermal", "spectral"], "REFLECTANCE"],
  ["no band", [], "REFLECTANCE"],
])(
  "the unit that bands share, asked for REFLECTANCE: of %s it is that of all, or what was asked for",
  (_, kinds, unit) => {
    expect(
      sharedUnit(
        kinds.map((kind) => ({ kind })),
        "REFLECTANCE",
      ),
    ).toBe(unit);
  },
);

describe("units of a request", () => {
  const { collection } = matchOf("landsat-ot-l2");
  const asked = (...names: string[]) => ({
    collection,
    bands: names.map((name) => findBand(collection, name)!),
    paths: names.map((_, i) => ["what", "bands", i]),
  });

  test("that the collection does not have are unavailable, and words that are none are invalid", () => {
    expect(refusalOf(() => checkUnits(asked("red"), "METERS", PATH))).toMatchObject({
      code: "units-unavailable",
      path: PATH,
      detail: expect.stringMatching(/^Expected REFLECTANCE or .*, got "METERS"\.$/),
    });
    for (const units of ["reflectance", "", "toString"]) {
      expect(refusalOf(() => checkUnits(asked("red"), units, PATH))).toMatchObject({ code: "invalid", path: PATH });
    }
  });

  test("that are names of every object are refused too, where bands are left to the service", () => {
    for (const units of ["__proto__", "constructor", "toString"]) {
      const refusal = refusalOf(() => readProgram({ collection }, { units }, FILE));
      expect(refusal).toMatchObject({ code: "invalid", path: PATH });
    }
  });

  test("that bands lack are refused at each of these bands, with those that they have", () => {
    const { code, path, faults } = refusalOf(() => checkUnits(asked("red", "lwir11", "QA_PIXEL"), "KELVIN", PATH));
    expect([code, path]).toEqual(["units-unavailable", ["what", "bands", 0]]);
    expect(faults).toEqual([
      {
        path: ["what", "bands", 0],
        detail: "SR_B4 of landsat-ot-l2 cannot be given as KELVIN: ask for REFLECTANCE or DN.",
      },
      { path: ["what", "bands", 2], detail: "QA_PIXEL of landsat-ot-l2 cannot be given as KELVIN: ask for DN." },
    ]);
  });

  test("are accepted or refused, and what is refused names units that are accepted", () => {
    const collections = registry.listed.filter(({ virtual }) => virtual === undefined);
    fc.assert(
      fc.property(fc.constantFrom(...collections), fc.nat(), fc.nat(), (own, which, unit) => {
        const band = own.bands[which % own.bands.length]!;
        const units = own.processUnits[unit % own.processUnits.length]!;
        const given = { collection: own, bands: [band], paths: [["what", "bands", 0]] };
        let detail = "";
        try {
          checkUnits(given, units, PATH);
        } catch (error) {
          detail = (error as Error).message;
        }
        const others = /: ask for (.*)\.$/.exec(detail)?.[1]?.split(" or ") ?? [];
        for (const other of others) expect(() => checkUnits(given, other, PATH)).not.toThrow();
        if (band.kind === "class" || band.kind === "bits") expect(detail === "").toBe(units === "DN");
      }),
    );
  });
});
