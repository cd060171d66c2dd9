import fc from "fast-check";
import { expect, test } from "vitest";
import {
  type CompileContext,
  type CubePlan,
  compileGraph,
  compileProgram,
  findFaults,
  OpenEoError,
} from "../src/index.ts";
import { runProgram } from "../src/program.ts";
import {
  type Archive,
  computeEagerly,
  type EagerCube,
  EagerEmpty,
  EagerFault,
  type EagerGraph,
  type EagerNode,
  namesOf,
  PIXELS,
} from "./eager.ts";

const BANDS = ["B1", "B2", "B3"];
const ARCHIVE: Archive = {
  dates: ["2023-06-03", "2023-06-28", "2023-07-23", "2024-06-12", "2024-07-02", "2024-08-21"].map(
    (day) => `${day}T10:00:00Z`,
  ),
  // small whole numbers, exact in any order of additions; a sixth is no data
  value: (date, band, pixel) => {
    const seed = (Date.parse(date) / 86_400_000) * 7 + Number(band.slice(1)) * 13 + pixel * 5;
    return seed % 6 < 1 ? Number.NaN : Math.floor(seed) % 17;
  },
};
const CONTEXT: CompileContext = {
  collection: () => ({ bands: BANDS.map((name) => ({ name, gsd: 10 })) }),
  collections: ["s2"],
};

const EXTENT = { west: 13, south: 45, east: 13.1, north: 45.1 };
const data = { from_parameter: "data" };
const x = { from_parameter: "x" };
const from = (id: string) => ({ from_node: id });
const run = (process_id: string, args: Readonly<Record<string, unknown>>): EagerNode => ({
  process_id,
  arguments: args,
});
const callback = (nodes: EagerGraph) => {
  const last = Object.keys(nodes).at(-1) ?? "";
  return { process_graph: { ...nodes, [last]: { ...nodes[last]!, result: true } } };
};

const EXTENTS = [
  ["2023-01-01", "2024-01-01"],
  ["2024-01-01", "2025-01-01"],
  ["2023-07-01", "2024-07-15"],
  ["2023-06-01", null],
] as const;
const reducers = fc.constantFrom(
  ...["sum", "mean", "max", "first", "count"].map((id) => callback({ only: run(id, { data }) })),
  callback({ n: run("count", { data, condition: true }) }),
  callback({
    n: run("count", { data, condition: true }),
    s: run("sum", { data }),
    both: run("add", { x: from("n"), y: from("s") }),
  }),
  callback({ second: run("array_element", { data, index: 1 }) }),
);
const processes = fc.constantFrom(
  callback({ five: run("if", { value: true, accept: 5 }) }),
  callback({ nothing: run("if", { value: false, accept: 5 }) }),
  callback({ twice: run("multiply", { x, y: 2 }) }),
  callback({ above: run("gt", { x, y: 8 }), kept: run("if", { value: from("above"), accept: x }) }),
);
const resolver = callback({ sum: run("add", { x, y: { from_parameter: "y" } }) });

/** Adds nodes to a graph; `pick` gives the id of one that is there and gives a cube. */
type Grow = (pick: (choice: number) => string, id: string) => Readonly<Record<string, EagerNode>>;
const choice = fc.nat(1000);
const load = fc.tuple(fc.constantFrom(...EXTENTS), fc.subarray(BANDS, { minLength: 1 })).map(
  ([temporal_extent, bands]): Grow =>
    (_, id) => ({ [id]: run("load_collection", { id: "s2", spatial_extent: EXTENT, temporal_extent, bands }) }),
);
const one = (process_id: string, more: fc.Arbitrary<Readonly<Record<string, unknown>>>): fc.Arbitrary<Grow> =>
  fc.tuple(choice, more).map(
    ([at, given]): Grow =>
      (pick, id) => ({ [id]: run(process_id, { data: from(pick(at)), ...given }) }),
  );
const dimension = fc.constantFrom("t", "t", "bands");
const steps: fc.Arbitrary<Grow> = fc.oneof(
  load,
  one("apply", fc.record({ process: processes })),
  one("reduce_dimension", fc.record({ dimension, reducer: reducers })),
  one("filter_temporal", fc.record({ extent: fc.constantFrom(...EXTENTS) })),
  one("filter_bands", fc.record({ bands: fc.subarray(BANDS, { minLength: 1 }) })),
  one("aggregate_temporal_period", fc.record({ period: fc.constant("month"), reducer: reducers })),
  one("add_dimension", fc.record({ name: fc.constant("v"), label: fc.constantFrom("a", "b") })),
  one("drop_dimension", fc.record({ name: fc.constantFrom("v", "t", "bands") })),
  fc.tuple(choice, choice, fc.boolean()).map(
    ([a, b, resolves]): Grow =>
      (pick, id) => ({
        [id]: run("merge_cubes", {
          cube1: from(pick(a)),
          cube2: from(pick(b)),
          ...(resolves ? { overlap_resolver: resolver } : {}),
        }),
      }),
  ),
  // a filter by a label of a cube
  fc.tuple(choice, choice, fc.nat(2)).map(
    ([a, b, index]): Grow =>
      (pick, id) => ({
        [`${id}-labels`]: run("dimension_labels", { data: from(pick(a)), dimension: "t" }),
        [`${id}-label`]: run("array_element", { data: from(`${id}-labels`), index }),
        [id]: run("filter_temporal", { data: from(pick(b)), extent: [from(`${id}-label`), null] }),
      }),
  ),
);
const graphs = fc.tuple(load, fc.array(steps, { minLength: 1, maxLength: 9 })).map(([first, rest]): EagerGraph => {
  const cubes: string[] = [];
  const nodes: Record<string, EagerNode> = {};
  [first, ...rest].forEach((grow, i) => {
    Object.assign(
      nodes,
      grow((at) => cubes[at % cubes.length]!, `n${i}`),
    );
    cubes.push(`n${i}`);
  });
  const last = cubes.at(-1) ?? "";
  return withoutDead({ ...nodes, [last]: { ...nodes[last]!, result: true } }, last);
});

/** The graph of the nodes that the last one depends on, and of loads: other nodes are faults of the graph where they have one. */
function withoutDead(nodes: EagerGraph, last: string): EagerGraph {
  const behind = new Set([last]);
  for (const id of behind) {
    for (const [, link = ""] of JSON.stringify(nodes[id]!.arguments).matchAll(/"from_node":"(n[^"]*)"/g)) {
      if (nodes[link] !== undefined) behind.add(link);
    }
  }
  const kept = Object.entries(nodes).filter(([id, node]) => behind.has(id) || node.process_id === "load_collection");
  return Object.fromEntries(kept);
}

const datesOf = ([start, end]: readonly (number | null)[]): readonly string[] =>
  ARCHIVE.dates.filter((date) => Date.parse(date) >= (start ?? 0) && Date.parse(date) < (end ?? Number.MAX_VALUE));

/** The plan of a graph of which the loads are searched that the result depends on, and no other. */
function searchedPlan(graph: EagerGraph): CubePlan {
  const found = new Map<string, readonly string[]>();
  for (;;) {
    const plan = compileGraph(graph, { ...CONTEXT, times: (key) => found.get(key) });
    const open = plan.loads.filter(({ key, used }) => used && !found.has(key));
    if (open.length === 0) return plan;
    for (const { key, time } of open) {
      const dates = datesOf(time);
      if (dates.length === 0) throw new OpenEoError("NoDataAvailable", "No scene.");
      found.set(key, dates);
    }
  }
}

/** The plan of a graph of which all loads are known from the start: the nodes hold the times. */
function knownPlan(graph: EagerGraph): CubePlan {
  const times = (key: string): readonly string[] => {
    const [, , , time] = JSON.parse(key) as [unknown, unknown, unknown, readonly (number | null)[]];
    return datesOf(time);
  };
  return compileGraph(graph, { ...CONTEXT, times });
}

async function valuesOf({ result, loads }: CubePlan): Promise<Record<string, readonly number[]>> {
  if (result.kind !== "raster") throw new TypeError(result.kind);
  const found: Record<string, readonly number[]> = {};
  const program = compileProgram(
    result.bands.map(({ value }) => value),
    ({ load: number, time }) => Date.parse(datesOf(loads[number]!.time)[time]!) + number / 1000,
  );
  await runProgram(program, {
    count: PIXELS,
    allocate: () => new Float64Array(PIXELS),
    load: async (number, time, bands, into) => {
      const { bands: own, time: extent } = loads[number]!;
      const date = datesOf(extent)[time]!;
      for (const [i, { band }] of bands.entries()) {
        into[i]!.set([0, 1, 2].map((pixel) => ARCHIVE.value(date, own[band]!.name, pixel)));
      }
    },
    region: () => new Uint8Array(PIXELS).fill(1),
    emit: (output, values) => {
      found[result.bands[output]!.name] = [...values];
    },
  });
  return found;
}

function eagerValues(graph: EagerGraph): Record<string, readonly number[]> | "refused" | "empty" {
  try {
    const cube = computeEagerly(graph, ARCHIVE) as EagerCube;
    return Object.fromEntries(namesOf(cube).map((name, i) => [name, cube.cells[i]!]));
  } catch (error) {
    if (error instanceof EagerFault) return "refused";
    if (error instanceof EagerEmpty) return "empty";
    throw error;
  }
}

async function attempt(plan: () => CubePlan): Promise<Record<string, readonly number[]> | "refused"> {
  try {
    return await valuesOf(plan());
  } catch (error) {
    if (error instanceof OpenEoError) return "refused";
    throw error;
  }
}

test("a graph whose loads are searched as they are needed gives what it gives when all are known, and what arrays give", {
  tags: ["OE16"],
}, async () => {
  let computed = 0;
  await fc.assert(
    fc.asyncProperty(graphs, async (graph) => {
      const expected = eagerValues(graph);
      const searched = await attempt(() => searchedPlan(graph));
      if (expected === "empty") return;
      expect(searched).toEqual(expected);
      if (expected === "refused") return;
      computed += 1;
      expect(await attempt(() => knownPlan(graph))).toEqual(expected);
      // what can be computed has no fault before a scene is searched
      expect(() => compileGraph(graph, CONTEXT)).not.toThrow();
      expect(findFaults(graph, CONTEXT)).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(computed).toBeGreaterThan(60);
});
