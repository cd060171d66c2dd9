import { expect, test } from "vitest";
import { type CompileContext, type CubePlan, compileGraph, findFaults, type OpenEoError } from "../../../src/index.ts";

const BANDS = ["B1", "B2"].map((name) => ({ name, gsd: 10 }));
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS }),
  collections: ["s2"],
};
const from = (id: string) => ({ from_node: id });
const data = { from_parameter: "data" };
const node = (process_id: string, args: Readonly<Record<string, unknown>>) => ({ process_id, arguments: args });
const callback = (nodes: Readonly<Record<string, object>>) => {
  const [last = ""] = Object.keys(nodes).slice(-1);
  return { process_graph: { ...nodes, [last]: { ...nodes[last], result: true } } };
};
const reducer = (id: string, more: object = {}) => callback({ only: node(id, { data, ...more }) });
const EXTENT = { west: 13, south: 45, east: 13.1, north: 45.1 };
const load = (year: number, more: object = {}) =>
  node("load_collection", {
    id: "s2",
    spatial_extent: EXTENT,
    temporal_extent: [`${year}-06-01`, `${year}-09-01`],
    bands: ["B1"],
    ...more,
  });
/** The last node gives the result. */
const graphOf = (nodes: Readonly<Record<string, object>>) => callback(nodes).process_graph;

/** The dates of each summer: four of 2023, three of 2024. */
const DATES: Readonly<Record<string, readonly string[]>> = {
  2023: ["06-03", "06-28", "07-23", "08-17"].map((day) => `2023-${day}T10:00:00Z`),
  2024: ["06-02", "07-12", "08-21"].map((day) => `2024-${day}T10:00:00Z`),
};

/** The plan once all loads are known that are searched, and how many rounds of searches that took. */
function searched(graph: unknown): { readonly plan: CubePlan; readonly rounds: number } {
  const found = new Map<string, readonly string[]>();
  for (let rounds = 0; ; rounds++) {
    const plan = compileGraph(graph, { ...CONTEXT, times: (key) => found.get(key) });
    const open = plan.loads.filter(({ key, used }) => used && !found.has(key));
    if (open.length === 0) return { plan, rounds };
    for (const { key, time, searched: extents } of open) {
      expect(extents).not.toEqual([]);
      const all = Object.values(DATES).flat();
      const [start, end] = time;
      found.set(
        key,
        all.filter((date) => Date.parse(date) >= (start ?? 0) && Date.parse(date) < (end ?? Number.MAX_VALUE)),
      );
    }
  }
}

const valuesOf = (graph: unknown): unknown => {
  const { result } = searched(graph).plan;
  return result.kind === "raster" ? result.bands.map(({ value }) => value) : result;
};
const bandsOf = (graph: unknown): unknown => {
  const { result } = searched(graph).plan;
  return result.kind === "raster" ? result.bands.map(({ name }) => name) : result;
};
const reduced = (process: object, cube = "load") =>
  node("reduce_dimension", { data: from(cube), dimension: "t", reducer: process });
/** The same number at every pixel of the extent. */
const constant = (value: number) => [
  { operation: "if", operands: [{ kind: "region" }, { kind: "constant", value }, { value: Number.NaN }] },
];

test("the number of dates is that of the scenes, though no pixel of them is needed", { tags: ["OE16"] }, () => {
  const graph = graphOf({ load: load(2023), count: reduced(reducer("count", { condition: true })) });
  expect(valuesOf(graph)).toMatchObject(constant(4));
});

test("the sum of a constant over t is as many times the constant as there are dates", { tags: ["OE16"] }, () => {
  const five = node("apply", {
    data: from("load"),
    process: callback({ five: node("if", { value: true, accept: 5 }) }),
  });
  expect(valuesOf(graphOf({ load: load(2024), five, sum: reduced(reducer("sum"), "five") }))).toMatchObject(
    constant(15),
  );
});

test("a number made of how many dates there are is known where arguments need one", () => {
  const scale = callback({
    n: node("count", { data, condition: true }),
    first: node("first", { data }),
    scaled: node("linear_scale_range", { x: from("first"), inputMin: 1, inputMax: from("n"), outputMax: from("n") }),
  });
  const graph = graphOf({ load: load(2024), reduce: reduced(scale) });
  expect(findFaults(graph, CONTEXT)).toEqual([]);
  expect(searched(graph).plan.result.kind).toBe("raster");
});

test("what depends on the number of dates is not judged before it is known, all else is", () => {
  const scale = callback({
    n: node("count", { data, condition: true }),
    first: node("first", { data }),
    scaled: node("linear_scale_range", { x: from("first"), inputMin: 7, inputMax: from("n") }),
  });
  const nodes = { load: load(2024), lost: node("ndvi", { data: from("load"), red: "B9", nir: "B1" }) };
  const graph = graphOf({ ...nodes, reduce: reduced(scale) });
  expect(findFaults(graph, CONTEXT).map(({ code }) => code)).toEqual(["RedBandAmbiguous"]);
  expect(() => searched(graphOf({ load: load(2024), reduce: reduced(scale) }))).toThrow("inputMin below inputMax");
});

test("cubes of different dates are merged without a resolver: two summers as one series", { tags: ["OE16"] }, () => {
  const graph = graphOf({
    later: load(2024),
    earlier: load(2023),
    merge: node("merge_cubes", { cube1: from("later"), cube2: from("earlier") }),
  });
  expect(findFaults(graph, CONTEXT)).toEqual([]);
  expect(bandsOf(graph)).toEqual([...DATES[2023]!, ...DATES[2024]!].map((date) => `${date}_B1`));
});

test("cubes of the same dates need a resolver, and that is known before they are searched where it is one cube", () => {
  const merge = node("merge_cubes", { cube1: from("one"), cube2: from("two") });
  const missing = expect.objectContaining({ code: "OverlapResolverMissing" }) as OpenEoError;
  const twice = graphOf({ one: load(2024), two: load(2024), merge });
  expect(findFaults(twice, CONTEXT)).toEqual([]);
  expect(() => searched(twice)).toThrow(missing);
  const same = graphOf({
    one: load(2024),
    two: node("ndvi", { data: from("one"), red: "B1", nir: "B1", target_band: "B1x" }),
    merge,
  });
  expect(findFaults(same, CONTEXT)).toEqual([missing]);
});

test("merged dimensions that both differ are refused once that is known", () => {
  const graph = graphOf({
    one: load(2023, { bands: ["B2"] }),
    two: load(2024),
    merge: node("merge_cubes", { cube1: from("one"), cube2: from("two") }),
  });
  expect(findFaults(graph, CONTEXT)).toEqual([]);
  expect(() => searched(graph)).toThrow("more than one dimension has different labels: t, bands");
});

test("labels may say what is loaded next: each load is searched for the time it has then", () => {
  const label = (id: string, index: number) => node("array_element", { data: from(id), index });
  const graph = graphOf({
    one: load(2023),
    labels: node("dimension_labels", { data: from("one"), dimension: "t" }),
    second: label("labels", 1),
    last: label("labels", 3),
    two: load(2023, { temporal_extent: [from("second"), from("last")] }),
    dates: node("dimension_labels", { data: from("two"), dimension: "t" }),
  });
  expect(findFaults(graph, CONTEXT)).toEqual([]);
  expect(searched(graph)).toMatchObject({
    rounds: 2,
    plan: { result: { kind: "json", value: DATES[2023]!.slice(1, 3) } },
  });
});

test("a load that nothing of the result depends on is not searched", () => {
  const graph = graphOf({ other: load(2023), mean: reduced(reducer("mean"), "other"), load: load(2024) });
  expect(searched(graph).plan.loads.map(({ used }) => used)).toEqual([false, true]);
});

test("labels of a load without bounds cannot be known", () => {
  const graph = graphOf({
    load: load(2024, { spatial_extent: null }),
    labels: node("dimension_labels", { data: from("load"), dimension: "t" }),
  });
  expect(() => searched(graph)).toThrow("needs a spatial_extent");
  expect(findFaults(graph, CONTEXT).map(({ code }) => code)).toEqual(["ProcessParameterInvalid"]);
});

test("a load without bounds is searched where its numbers are, though none of its pixels is read", () => {
  const graph = graphOf({
    load: load(2024, { spatial_extent: null }),
    n: reduced(reducer("count", { condition: true })),
    aggregate: node("aggregate_spatial", {
      data: from("n"),
      geometries: { type: "Point", coordinates: [13.05, 45.05] },
      reducer: reducer("mean"),
    }),
  });
  const { plan, rounds } = searched(graph);
  expect([rounds, plan.loads.map(({ searched: extents }) => extents.length)]).toEqual([1, [1]]);
});
