import { expect, test } from "vitest";
import { type CompileContext, compileGraph, findFaults, OpenEoError } from "../../src/index.ts";

const BANDS = ["B1", "B2"].map((name) => ({ name, gsd: 10 }));
const CONTEXT: CompileContext = {
  collection: (id) => (id === "s2" ? { bands: BANDS } : undefined),
  collections: ["s2"],
};
const from = (id: string) => ({ from_node: id });
const load = (more: Readonly<Record<string, unknown>> = {}) => ({
  process_id: "load_collection",
  arguments: {
    id: "s2",
    spatial_extent: { west: 13, south: 45, east: 13.1, north: 45.1 },
    temporal_extent: null,
    ...more,
  },
});
const x = { from_parameter: "x" };

/** Code and place of each fault. */
const faultsOf = (graph: unknown): readonly string[] =>
  findFaults(graph, CONTEXT).map(({ code, path }) => `${code} ${path.join("/")}`);

test("a graph without faults has none", () => {
  expect(faultsOf({ load: { ...load(), result: true } })).toEqual([]);
});

test("each node that has a fault of its own is named, what depends on it is not", () => {
  const graph = {
    lost: load({ id: "none" }),
    depends: { process_id: "ndvi", arguments: { data: from("lost") } },
    load: load(),
    apply: {
      process_id: "apply",
      arguments: {
        data: from("load"),
        process: {
          process_graph: {
            a: { process_id: "nothing", arguments: {} },
            b: { process_id: "add", arguments: { x, y: "1" } },
            c: { process_id: "add", arguments: { x: from("a"), y: from("b") }, result: true },
          },
        },
      },
    },
    reduce: { process_id: "reduce_dimension", arguments: { data: from("load"), dimension: "time", Reducer: null } },
    unread: { process_id: 7, arguments: {} },
    dangling: { process_id: "add", arguments: { x: from("nowhere"), y: 1 } },
    one: { process_id: "add", arguments: { x: from("two"), y: 1 } },
    two: { process_id: "add", arguments: { x: from("one"), y: 1 } },
    save: { process_id: "save_result", arguments: { data: from("apply"), format: "netCDF" }, result: true },
  };
  expect(faultsOf(graph)).toEqual([
    "ProcessGraphInvalid unread/process_id",
    "ProcessGraphInvalid dangling",
    "ProcessGraphInvalid ",
    "CollectionNotFound lost/arguments/id",
    "ProcessUnsupported apply/arguments/process/process_graph/a/process_id",
    "ProcessParameterInvalid apply/arguments/process/process_graph/b/arguments/y",
    "ProcessParameterUnsupported reduce/arguments/Reducer",
    "ProcessParameterRequired reduce/arguments/reducer",
  ]);
  // to compute it the first one is enough
  expect(() => compileGraph(graph, CONTEXT)).toThrow(OpenEoError);
});

test("the result of a graph is looked at where the graph has no other fault", () => {
  const graph = { load: { ...load({ spatial_extent: null }), result: true } };
  expect(faultsOf(graph)).toEqual(["ProcessParameterInvalid load"]);
});

test("there are 20 at most, each with a message of bounded length", () => {
  const long = "n".repeat(5000);
  const nodes = Array.from({ length: 50 }, (_, i) => [`n${i}`, load({ id: long })] as const);
  const found = findFaults({ ...Object.fromEntries(nodes), load: { ...load(), result: true } }, CONTEXT);
  expect(found).toHaveLength(20);
  expect(Math.max(...found.map(({ message }) => message.length))).toBeLessThanOrEqual(1001);
});
