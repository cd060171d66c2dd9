import { ProcessGraph, ProcessRegistry } from "@openeo/js-processgraphs";
import { PROCESS_DEFINITIONS } from "@swath/openeo";
import { expect, test } from "vitest";
import { GRAPHS as FIRST, type Graph } from "./graphs.ts";
import { MORE_GRAPHS } from "./more-graphs.ts";

const GRAPHS: Readonly<Record<string, Graph>> = { ...FIRST, ...MORE_GRAPHS };

/** openEO's own validator of graphs, with the definitions that are served here. */
async function faultsOf(graph: Graph): Promise<readonly string[]> {
  const registry = new ProcessRegistry(structuredClone(PROCESS_DEFINITIONS));
  const parsed = new ProcessGraph({ process_graph: structuredClone(graph) }, registry);
  const errors = await parsed.validate(false);
  return errors.getAll().map((error: Error) => error.message);
}

test.each(Object.keys(GRAPHS))("%s is valid for openEO's own validator", { tags: ["OE3"] }, async (name) => {
  expect(await faultsOf(GRAPHS[name]!)).toEqual([]);
});

test("what it refuses by these definitions is refused here too", async () => {
  const graph = {
    load: {
      process_id: "load_collection",
      arguments: { id: 5, spatial_extent: null, temporal_extent: null },
      result: true,
    },
  } as const;
  expect(await faultsOf(graph as unknown as Graph)).not.toEqual([]);
});
