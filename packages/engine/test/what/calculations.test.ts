import { describe, expect, test } from "vitest";
import type { Calculation } from "../../src/request.ts";
import { reducersOf } from "../../src/what/calculations.ts";
import { refusalOf } from "./registry.ts";

const OUTPUTS = ["red", "nir/10"];
const ALWAYS = [{ kind: "moments" }, { kind: "extremes" }];

test("an output has its own calculations, else the default ones", () => {
  const percentiles = { kind: "percentiles", at: [50] };
  const of = reducersOf({ default: { percentiles: [50] }, red: { histogram: { bins: [0, 1, 3] } } }, OUTPUTS);
  expect(of("nir/10")).toEqual([...ALWAYS, percentiles]);
  expect(of("red")).toEqual([...ALWAYS, { kind: "histogram", edges: [0, 1, 3] }]);
  expect(reducersOf({}, OUTPUTS)("red")).toEqual(ALWAYS);
});

test("bins whose ends are known have edges; others are made of the values", () => {
  const of = (histogram: Calculation["histogram"]) => reducersOf({ default: { histogram } }, OUTPUTS)("red")[2];
  expect(of({ nBins: 4, lowEdge: 0, highEdge: 1 })).toEqual({ kind: "histogram", edges: [0, 0.25, 0.5, 0.75, 1] });
  expect(of({ binWidth: 0.5, lowEdge: 0, highEdge: 1 })).toEqual({ kind: "histogram", edges: [0, 0.5, 1] });
  expect(of({ binWidth: 0.5 })).toMatchObject({ kind: "histogram", equal: { width: 0.5 } });
});

describe("refused where it stands", () => {
  test.each<[string, Calculation, readonly (string | number)[]]>([
    ["no bins", { histogram: {} }, []],
    ["two kinds of bins", { histogram: { nBins: 2, binWidth: 1 } }, []],
    ["edges beside all edges", { histogram: { bins: [0, 1], lowEdge: 0 } }, []],
    ["edges that do not ascend", { histogram: { bins: [0, 2, 2] } }, ["bins", 2]],
    ["an end before the beginning", { histogram: { nBins: 2, lowEdge: 1, highEdge: 1 } }, ["highEdge"]],
    ["more bins than there may be", { histogram: { binWidth: 1e-9, lowEdge: 0, highEdge: 1 } }, ["binWidth"]],
  ])("%s", (_, calculation, below) => {
    const refused = refusalOf(() => reducersOf({ "nir/10": calculation }, OUTPUTS));
    expect(refused).toMatchObject({ code: "invalid", path: ["into", "calculations", "nir/10", "histogram", ...below] });
  });

  test("calculations of no output", () => {
    expect(refusalOf(() => reducersOf({ blue: {} }, OUTPUTS))).toMatchObject({
      code: "invalid",
      path: ["into", "calculations", "blue"],
    });
  });
});
