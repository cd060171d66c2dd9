import { parseExpression } from "@swath/raster";
import { indices } from "@swath/schema/presets";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { What } from "../../src/request.ts";
import { CURVE, FILE, NUMBERS, readProgram } from "../../src/what/band-program.ts";
import { matchOf, refusalOf, registry } from "./registry.ts";

const S2 = matchOf("sentinel-2-l2a");
const LANDSAT = matchOf("landsat-ot-l2");

describe("a request is read alike for files, numbers and curves", () => {
  test("names of bands mean native ones, in their order", () => {
    const { bands, names, outputs, units, harmonize, conversion, validWhere } = readProgram(
      S2,
      { bands: ["red", "B08", "swir16"] },
      NUMBERS,
    );
    expect(bands.map(({ name }) => name)).toEqual(["B04", "B08", "B11"]);
    expect(names).toEqual(["B04", "B08", "B11"]);
    expect(outputs).toEqual([
      { name: "red", expression: "B04", unit: "REFLECTANCE" },
      { name: "B08", expression: "B08", unit: "REFLECTANCE" },
      { name: "swir16", expression: "B11", unit: "REFLECTANCE" },
    ]);
    expect({ units, harmonize, conversion, validWhere }).toEqual({
      units: "REFLECTANCE",
      harmonize: "offset_removed",
      conversion: "physical",
      validWhere: "any-file",
    });
  });

  test("an expression reads each band once, by its native name, unless names are to be the same in several collections", () => {
    const what = { expression: "(nir - red) / (nir + B04)" };
    const alone = readProgram(S2, what, NUMBERS);
    expect(alone.names).toEqual(["B08", "B04"]);
    expect(alone.outputs).toEqual([{ name: "expression", expression: "(B08 - B04) / (B08 + B04)" }]);
    const kept = readProgram(S2, what, CURVE);
    expect(kept.names).toEqual(["nir", "red", "B04"]);
    expect(kept.bands.map(({ name }) => name)).toEqual(["B08", "B04", "B04"]);
    expect(kept.outputs[0]?.expression).toBe(what.expression);
  });

  test.each([
    ["a band alone has its unit", { expression: " lwir11 " }, "KELVIN"],
    ["an index is a plain number", { index: "ndvi" }, "1"],
    ["an expression may have any", { expression: "red * 2" }, undefined],
  ] as const)("%s", (_, what, unit) => {
    for (const use of [NUMBERS, CURVE]) expect(readProgram(LANDSAT, what, use).outputs[0]?.unit).toBe(unit);
  });

  test("every index parses over the names of the program, for each collection that has its bands", () => {
    let read = 0;
    for (const collection of registry.listed) {
      for (const { id } of indices) {
        let programs: ReturnType<typeof readProgram>[];
        try {
          programs = [NUMBERS, CURVE].map((use) => readProgram({ collection }, { index: id }, use));
        } catch {
          // a band or the unit is missing: the refusals are tested below
          continue;
        }
        for (const { names, bands, outputs } of programs) {
          expect(names).toHaveLength(bands.length);
          expect(parseExpression(outputs[0]!.expression, names).inputs).toHaveLength(names.length);
        }
        expect(programs[1]!.bands.map(({ name }) => name)).toEqual(programs[0]!.names);
        read += 1;
      }
    }
    expect(read).toBeGreaterThan(40);
  });

  test("an index has the names of the published list, too", () => {
    for (const use of [NUMBERS, CURVE]) {
      expect(readProgram(S2, { index: "GNDVI" }, use)).toEqual(readProgram(S2, { index: "gndvi" }, use));
      expect(readProgram(S2, { index: "GEMI" }, use)).toEqual(readProgram(S2, { index: "gemi" }, use));
    }
  });

  test("of a collection whose near infrared is another band, indices read that one", () => {
    const hls = registry.collections.find(({ indexBands }) => indexBands.nir !== undefined)!;
    const instead = hls.bands.find(({ commonName }) => commonName === hls.indexBands.nir)!;
    const program = readProgram({ collection: hls }, { index: "ndvi" }, CURVE);
    expect(program.names).toEqual(["nir", "red"]);
    expect(program.bands[0]).toBe(instead);
    expect(readProgram({ collection: hls }, { index: "ndvi" }, NUMBERS).names[0]).toBe(instead.name);
  });

  test("a file without bands has those that its unit and its level allow", () => {
    const kinds = (what: What) => [...new Set(readProgram(LANDSAT, what, FILE).bands.map(({ kind }) => kind))].sort();
    expect(kinds({})).toEqual(["spectral", "thermal"]);
    expect(kinds({ units: "KELVIN" })).toEqual(["thermal"]);
    const { bands, paths } = readProgram(S2, { harmonize: "nbar" }, FILE);
    expect(bands.map(({ name }) => name)).toEqual(["B02", "B03", "B04", "B8A", "B11", "B12"]);
    expect(new Set(paths.map((path) => path.join(".")))).toEqual(new Set(["what.bands"]));
  });

  test("only a file has pseudo bands", () => {
    const what = { bands: ["dataMask"], units: "DN" };
    expect(readProgram(S2, what, FILE).bands[0]?.isPseudo).toBe(true);
    expect(refusalOf(() => readProgram(S2, what, NUMBERS))).toMatchObject({ code: "unknown-band" });
  });

  test.each([
    ["DN", "offset_removed", ["B04", "SCL"], "offset-removed"],
    ["DN", "none", ["B04"], "stored"],
    ["DN", "offset_removed", ["CLD"], "stored"],
    ["REFLECTANCE", "none", ["B04"], "physical"],
  ] as const)("%s at the level %s of %j is %s", (units, harmonize, bands, conversion) => {
    expect(readProgram(S2, { units, harmonize, bands }, FILE).conversion).toBe(conversion);
    expect(readProgram(S2, { units, harmonize, bands }, NUMBERS).conversion).toBe(conversion);
  });

  test("only reflectance and digital numbers are clipped at 0", () => {
    const isClipped = (units: string, bands: readonly string[]) =>
      readProgram(LANDSAT, { units, bands, clipNegative: true }, FILE).clipNegative;
    expect([isClipped("REFLECTANCE", ["red"]), isClipped("DN", ["red"]), isClipped("CELSIUS", ["lwir11"])]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("what cannot be read is refused where it stands", () => {
  test.each<[string, What, typeof FILE, object]>([
    [
      "nothing",
      {},
      NUMBERS,
      {
        code: "invalid",
        path: ["what"],
        detail: expect.stringMatching(/^Expected bands, index or expression, got none/),
      },
    ],
    ["two ways", { bands: ["red"], index: "ndvi" }, NUMBERS, { code: "invalid", path: ["what", "index"] }],
    [
      "another way",
      { index: "ndvi" },
      FILE,
      { code: "invalid", path: ["what", "index"], detail: "Expected bands or expression, got index." },
    ],
    ["bands of a curve", { bands: ["red"] }, CURVE, { code: "invalid", path: ["what", "bands"] }],
    [
      "an unknown band",
      { bands: ["red", "ned"] },
      FILE,
      { code: "unknown-band", path: ["what", "bands", 1], detail: expect.stringContaining('Did you mean "red"?') },
    ],
    ["a band twice", { bands: ["red", "B04"] }, FILE, { code: "invalid", path: ["what", "bands", 1] }],
    ["an unknown index", { index: "ndvl" }, NUMBERS, { code: "invalid", path: ["what", "index"] }],
    [
      "an unknown band of an expression",
      { expression: "red / ned" },
      CURVE,
      { code: "unknown-band", path: ["what", "expression"], detail: expect.stringContaining('"ned"') },
    ],
    [
      "an expression that does not parse",
      { expression: "red +" },
      NUMBERS,
      { code: "invalid", path: ["what", "expression"] },
    ],
    [
      "an expression without a band",
      { expression: "1 + 1" },
      NUMBERS,
      { code: "invalid", path: ["what", "expression"] },
    ],
    ["no unit", { bands: ["red"], units: "METRES" }, FILE, { code: "invalid", path: ["what", "units"] }],
    [
      "a unit that the collection lacks",
      { bands: ["red"], units: "DB" },
      FILE,
      { code: "units-unavailable", path: ["what", "units"] },
    ],
    [
      "a unit that a band lacks",
      { bands: ["red", "SCL"] },
      FILE,
      { code: "units-unavailable", path: ["what", "bands", 1], detail: expect.stringContaining("ask for DN") },
    ],
    [
      "an index of digital numbers",
      { index: "ndvi", units: "DN" },
      NUMBERS,
      { code: "units-unavailable", path: ["what", "units"] },
    ],
    ["no level", { bands: ["red"], harmonize: "much" }, FILE, { code: "invalid", path: ["what", "harmonize"] }],
    [
      "a level of digital numbers",
      { bands: ["red"], units: "DN", harmonize: "nbar" },
      FILE,
      { code: "harmonize-unavailable", path: ["what", "harmonize"] },
    ],
    [
      "a level that a band lacks",
      { bands: ["red", "B05"], harmonize: "nbar" },
      FILE,
      { code: "harmonize-unavailable", path: ["what", "bands", 1] },
    ],
  ])("%s", (_, what, use, expected) => {
    expect(refusalOf(() => readProgram(S2, what, use))).toMatchObject(expected);
  });

  test("a level that the collection lacks", () => {
    const dem = { collection: registry.resolve("dem") };
    const refused = refusalOf(() => readProgram(dem, { bands: ["elevation"], harmonize: "nbar" }, NUMBERS));
    expect(refused).toMatchObject({ code: "harmonize-unavailable", path: ["what", "harmonize"] });
  });

  test("each of several faults has its place", () => {
    const { faults, path } = refusalOf(() => readProgram(S2, { bands: ["ned", "red", "gren"] }, FILE));
    expect(faults.map((fault) => fault.path)).toEqual([
      ["what", "bands", 0],
      ["what", "bands", 2],
    ]);
    expect(path).toEqual(["what", "bands", 0]);
  });

  test("whatever is sent gives a program or a refusal, of a place within the request", () => {
    const word = fc.oneof(
      fc.constantFrom("red", "B04", "nir", "lwir11", "SCL", "dataMask"),
      fc.string({ maxLength: 8 }),
    );
    const what = fc.record(
      {
        bands: fc.array(word, { maxLength: 4 }),
        index: fc.oneof(fc.constantFrom("ndvi", "evi"), fc.string({ maxLength: 8 })),
        expression: fc.oneof(fc.constant("red / nir"), fc.string({ maxLength: 30 })),
        units: fc.constantFrom("DN", "REFLECTANCE", "KELVIN", "x"),
        harmonize: fc.constantFrom("none", "nbar", "bandpass_adjusted", "x"),
      },
      { requiredKeys: [] },
    );
    const base = ["what", "graph", "nodes", "load"];
    fc.assert(
      fc.property(
        what,
        fc.constantFrom(FILE, NUMBERS, CURVE),
        fc.constantFrom(...registry.listed),
        (asked, use, collection) => {
          try {
            const { bands, names, paths } = readProgram({ collection }, asked, use, base);
            expect([names.length, paths.length]).toEqual([bands.length, bands.length]);
          } catch (error) {
            expect(
              refusalOf(() => {
                throw error;
              }).faults.every(({ path }) => base.every((part, i) => path[i] === part)),
            ).toBe(true);
          }
        },
      ),
    );
  });
});
