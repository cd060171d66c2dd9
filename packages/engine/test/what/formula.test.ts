import { evaluateExpression, parseExpression } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readFormula } from "../../src/what/formula.ts";
import { matchOf, refusalOf } from "./registry.ts";

const S2 = matchOf("sentinel-2-l2a").collection;
const LANDSAT = matchOf("landsat-ot-l2").collection;
const EXPRESSION = ["what", "expression"];
const read = (expression: string, keepsNames = false) => readFormula(S2, { expression }, EXPRESSION, { keepsNames });

/** Published formulas: Rouse et al. 1974; Huete et al. 2002; McFeeters 1996; Gao 1996 by the narrow near infrared. */
test.each([
  ["ndvi", ["B08", "B04"], { B08: 0.5, B04: 0.1 }, 0.4 / 0.6],
  ["evi", ["B08", "B04", "B02"], { B08: 0.5, B04: 0.1, B02: 0.05 }, (2.5 * 0.4) / (0.5 + 0.6 - 0.375 + 1)],
  ["ndwi", ["B03", "B08"], { B03: 0.2, B08: 0.1 }, 0.1 / 0.3],
  ["moisture", ["B8A", "B11"], { B8A: 0.4, B11: 0.2 }, 0.2 / 0.6],
] as const)("%s of Sentinel-2 reads %j and computes what was published", (index, names, values, expected) => {
  const formula = readFormula(S2, { index }, ["what", "index"], {});
  expect(formula.names).toEqual(names);
  expect(formula.bands.map(({ name }) => name)).toEqual(names);
  expect(formula.outputs).toEqual([{ name: index, expression: expect.any(String), unit: "1" }]);
  expect(formula.validWhere).toBe("every-file");
  const samples = formula.names.map((name) => Float64Array.of((values as Record<string, number>)[name]!));
  const parsed = parseExpression(formula.outputs[0]!.expression, formula.names);
  const { values: computed } = evaluateExpression(parsed, samples, Uint8Array.of(1), new Float64Array(1));
  expect(computed[0]).toBeCloseTo(expected, 9);
});

test("a band that several names mean is read once, by its native name; names that are kept each stand for it", () => {
  const alone = read("(nir08 - red) / (B8A + B04)");
  expect(alone).toMatchObject({ names: ["B8A", "B04"], path: EXPRESSION, paths: [EXPRESSION, EXPRESSION] });
  expect(alone.outputs[0]).toEqual({ name: "expression", expression: "(B8A - B04) / (B8A + B04)" });
  const kept = read("(nir08 - red) / (B8A + B04)", true);
  expect(kept.names).toEqual(["nir08", "red", "B8A", "B04"]);
  expect(kept.bands.map(({ name }) => name)).toEqual(["B8A", "B04", "B8A", "B04"]);
  expect(kept.outputs[0]?.expression).toBe("(nir08 - red) / (B8A + B04)");
});

test("the words of functions stay, and numbers with an exponent are no bands", () => {
  const { outputs, names } = read("sqrt(red) * 1e3 + max(nir, 2)");
  expect(names).toEqual(["B04", "B08"]);
  expect(outputs[0]?.expression).toBe("sqrt(B04) * 1e3 + max(B08, 2)");
});

describe("what is refused at its own place", () => {
  test.each<[string, string, string, string]>([
    ["an unknown name", "red - rot", "unknown-band", 'called "rot"'],
    ["a name of another sensor", "red - lwir11", "unknown-band", 'called "lwir11"'],
    ["one that is nearly right", "(reed - nir) / 2", "unknown-band", 'Did you mean "red"?'],
    ["a pseudo band", "dataMask * red", "unknown-band", 'called "dataMask"'],
    ["no band", "1 + 2", "invalid", "Expected an expression with at least one band."],
    ["an unknown word beyond many known ones", `${"red + ".repeat(50)}blau`, "unknown-band", 'called "blau"'],
  ])("%s", (_, expression, code, words) => {
    const refusal = refusalOf(() => read(expression));
    expect(refusal).toMatchObject({ code, path: EXPRESSION });
    expect(refusal.detail).toContain(words);
  });

  test.each(["red -", "(red", "red ** ", "red; nir", "", "1 < ", "red nir", "\u0000"])(
    "what does not parse: %j",
    (expression) => {
      expect(refusalOf(() => read(expression))).toMatchObject({ code: "invalid", path: EXPRESSION });
    },
  );

  test("an index that is not known, and one whose band a collection lacks", () => {
    const path = ["what", "index"];
    expect(refusalOf(() => readFormula(S2, { index: "ndvy" }, path, {}))).toMatchObject({ code: "invalid", path });
    const { index, refused } = ["ndre", "ndre1", "ndci", "cire"]
      .map((each) => ({ index: each, refused: tried(() => readFormula(LANDSAT, { index: each }, path, {})) }))
      .find(({ refused: found }) => found?.code === "unknown-band")!;
    expect(index).toBeDefined();
    expect(refused).toMatchObject({ code: "unknown-band", path });
  });

  const tried = (work: () => unknown) => {
    try {
      return refusalOf(work);
    } catch {
      return undefined;
    }
  };
});

test("a rewritten expression parses over the program's own names, and reads all of them", () => {
  const name = fc.constantFrom("red", "nir", "nir08", "B8A", "B04", "blue", "swir16", "B12", "green");
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { depthSize: "small" },
      name,
      fc.tuple(tie("tree"), fc.constantFrom("+", "-", "*", "/"), tie("tree")).map(([a, op, b]) => `(${a} ${op} ${b})`),
      tie("tree").map((each) => `abs(${each})`),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.boolean(), (expression, keepsNames) => {
      const { names, outputs, bands } = read(expression, keepsNames);
      const { inputs } = parseExpression(outputs[0]!.expression, names);
      expect(new Set(inputs).size).toBe(names.length);
      expect(bands).toHaveLength(names.length);
      expect(new Set(names).size).toBe(names.length);
    }),
  );
});
