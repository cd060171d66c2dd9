import type { Item } from "@swath/catalog";
import { type CubePlan, compileGraph } from "@swath/openeo";
import { cubeCollection } from "../../src/what/cube-bands.ts";
import type { LoadedTimes } from "../../src/when/cube-items.ts";
import { matchOf, registry } from "../what/registry.ts";

/** The time steps of a load: the items of each label, first on top. */
export type Steps = Readonly<Record<string, readonly Item[]>>;

/** The nodes of a process graph. */
export type Graph = Readonly<Record<string, { readonly process_id: string; readonly arguments: object }>>;

/** Compiles a graph whose loads all have the same time steps, and gives these as the loads of its plan. */
export function planOf(
  graph: Graph,
  steps: Steps,
): { readonly plan: CubePlan; readonly loads: readonly LoadedTimes[] } {
  const plan = compileGraph(graph, {
    collection: (id) => {
      const match = registry.find(id);
      return match === undefined ? undefined : cubeCollection(match);
    },
    collections: [],
    times: () => Object.keys(steps),
  });
  return { plan, loads: plan.loads.map((load) => loadedTimes(load, steps)) };
}

/** The time steps of a load of a plan. */
function loadedTimes(load: CubePlan["loads"][number], steps: Steps): LoadedTimes {
  return {
    load,
    collection: cubeCollection(matchOf(load.collection)),
    steps: Object.entries(steps).map(([label, items]) => ({ label, items })),
  };
}

/** A load of Sentinel-2 in a box of degrees, west, south, east and north; further arguments stand before it. */
export const loadNode = (
  [west, south, east, north]: readonly number[],
  bands: readonly string[],
  more: object = {},
) => ({
  process_id: "load_collection",
  arguments: {
    id: "sentinel-2-l2a",
    spatial_extent: { west, south, east, north },
    temporal_extent: ["2024-03-01", "2024-05-01"],
    bands,
    ...more,
  },
});

/** The node that saves the cube of another as the result. */
export const saveNode = (from: string, format = "GTiff") => ({
  process_id: "save_result",
  arguments: { data: { from_node: from }, format },
  result: true,
});

/** Reduces a dimension of the cube of another node by a reducer. */
export const reduceNode = (from: string, dimension: string, reducer: string) => ({
  process_id: "reduce_dimension",
  arguments: {
    data: { from_node: from },
    dimension,
    reducer: {
      process_graph: { r: { process_id: reducer, arguments: { data: { from_parameter: "data" } }, result: true } },
    },
  },
});
