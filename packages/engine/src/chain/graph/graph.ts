import { type CompileContext, type CubePlan, compileGraph, findFaults, OpenEoError } from "@swath/openeo";
import { type CubeWork, planCube } from "../../job/cube-plan.ts";
import { attributionOf } from "../../job/image-plan.ts";
import type { EngineParts } from "../../parts.ts";
import { Refusal } from "../../refusal.ts";
import type { GraphRequest } from "../../request.ts";
import type { SkippedScene } from "../../run/compute/compute-job.ts";
import { cubeCollection } from "../../what/cube-bands.ts";
import type { LoadedTimes } from "../../when/cube-items.ts";
import { keyOf, type Prepared } from "../prepared.ts";
import { computeNumbers } from "./graph-numbers.ts";
import { writeRaster } from "./graph-raster.ts";
import { searchTimes } from "./graph-search.ts";

/** The parts that computing a process graph needs. */
export type OpenEoServices = Pick<EngineParts, "catalog" | "registry" | "renderer" | "results" | "now">;

/** Scenes that all loads of a graph may match. */
const MAX_ITEMS = 5000;
/** Searches for one graph: twice as many as it may load cubes, since labels of one may say where another is needed. */
const MAX_SEARCHES = 32;

/** A process graph as a client sends it, and the definitions of its parameters, whose defaults are taken. */
export interface SentGraph {
  readonly graph: unknown;
  readonly parameters?: unknown;
}

/** A result: bytes, or a file of the result store that its reader removes. */
export interface OpenEoResult {
  readonly mediaType: string;
  readonly content:
    | { readonly bytes: Uint8Array<ArrayBuffer> }
    | { readonly resultId: string; readonly path: string; readonly size: number };
  readonly filename: string;
  readonly attribution: readonly string[];
  /** Scenes that can never be read, left out. */
  readonly skipped: readonly SkippedScene[];
}

function contextOf({ registry }: Pick<EngineParts, "registry">): CompileContext {
  return {
    collection: (id) => {
      const match = registry.find(id);
      return match === undefined ? undefined : cubeCollection(match);
    },
    collections: [...registry.names],
  };
}

/** Validates a process graph whole, without a search: the faults of all nodes that do not depend on another one with a fault. */
export function validateGraph(
  services: Pick<EngineParts, "registry">,
  { graph, parameters }: SentGraph,
): readonly OpenEoError[] {
  return findFaults(graph, { ...contextOf(services), parameters });
}

/**
 * Searches the scenes of a process graph: validates it, searches the scenes that it loads, and plans their reads. A
 * scene that can never be read is left out and named.
 *
 * @throws {OpenEoError} with what is wrong with the graph.
 * @throws {Refusal} `budget-exceeded`; `not-found` where no scene matches; `output-too-large`; `invalid`, with the path of a
 *   node, for areas that have no pixels in their CRS; {CatalogError}
 */
export async function prepareGraph(
  services: OpenEoServices,
  request: GraphRequest,
  options: { readonly signal: AbortSignal },
): Promise<Prepared<OpenEoResult>> {
  const { nodes: graph, parameters } = request.what.graph ?? { nodes: undefined };
  const { plan, loads } = await searchLoads(services, { graph, parameters }, options);
  const cube = await planCube(plan, loads, options);
  checkBudget(cube.units, request.into.budget);
  return {
    units: cube.units,
    // the window of a graph may be anything that its nodes compute
    isSettled: false,
    key: () => keyOf(request, cube.items.flat()),
    async run({ signal }) {
      const result = await run(services, plan, cube, { signal });
      const skipped = [...cube.missing, ...result.skipped];
      if (result.used.size === 0 && skipped[0] !== undefined) {
        if ("resultId" in result.content) await services.results.remove(result.content.resultId);
        throw nothingRead(skipped[0], result.skipped.length > 0);
      }
      const attribution = loads.flatMap((load, i) => {
        const items = cube.items[i]!.filter(({ id }) => result.used.has(id));
        const own = load?.collection.match.collection;
        return own === undefined || items.length === 0 ? [] : attributionOf(own, items).split("; ");
      });
      return { ...result, attribution: [...new Set(attribution)], skipped };
    },
  };
}

/** @throws {Refusal} `budget-exceeded` with what the result would cost. */
function checkBudget(units: number, budget = Number.POSITIVE_INFINITY): void {
  if (units <= budget) return;
  const unitsEstimated = Math.ceil(units * 10_000) / 10_000;
  const detail = `The result would cost ${unitsEstimated} ${unitsEstimated === 1 ? "unit" : "units"}, the budget is ${budget}.`;
  throw new Refusal("budget-exceeded", ["into", "budget"], detail, { facts: { unitsEstimated }, faults: [] });
}

/**
 * Searches the loads that the result depends on, and compiles the graph with their time steps, until all are known: labels of
 * one may say what is loaded of another, or where.
 *
 * @throws {OpenEoError} `ProcessGraphComplexity` where that takes more searches than a graph may need.
 */
async function searchLoads(
  services: OpenEoServices,
  { graph, parameters }: SentGraph,
  { signal }: { readonly signal: AbortSignal },
): Promise<{ readonly plan: CubePlan; readonly loads: readonly (LoadedTimes | undefined)[] }> {
  const context = contextOf(services);
  const found = new Map<string, { readonly place: string; readonly loaded: LoadedTimes }>();
  const times = (key: string) => found.get(key)?.loaded.steps.map(({ label }) => label);
  let left = MAX_ITEMS;
  let searches = 0;
  for (;;) {
    const plan = compileGraph(graph, { ...context, parameters, times });
    const open = plan.loads.flatMap((load) => {
      const place = JSON.stringify(load.searched);
      return load.used && load.searched.length > 0 && found.get(load.key)?.place !== place ? [{ load, place }] : [];
    });
    if (open.length === 0) return { plan, loads: plan.loads.map(({ key }) => found.get(key)?.loaded) };
    searches += open.length;
    if (searches > MAX_SEARCHES) {
      const message = "What the graph loads depends on the labels of too many other loads.";
      throw new OpenEoError("ProcessGraphComplexity", message);
    }
    for (const { load, place } of open) {
      const options = { signal, maxItems: Math.max(1, left) };
      const loaded = await searchTimes(services, load, options);
      left -= loaded.steps.reduce((sum, { items }) => sum + items.length, 0);
      if (loaded.steps.length === 0) throw noData(loaded);
      found.set(load.key, { place, loaded });
    }
  }
}

function run(
  services: OpenEoServices,
  { result, resultNode }: CubePlan,
  { work }: CubeWork,
  options: { readonly signal: AbortSignal },
) {
  if (result.kind === "raster" && work.kind === "raster")
    return writeRaster(services, { result, resultNode }, work, options);
  if (result.kind === "numbers" && work.kind === "numbers") return computeNumbers(services, result, work, options);
  const bytes = new TextEncoder().encode(JSON.stringify(result.kind === "json" ? result.value : null));
  return {
    mediaType: "application/json",
    content: { bytes },
    filename: "result.json",
    used: new Set<string>(),
    skipped: [],
  };
}

/** Not one scene could be read: an answer without data would look as if there were none. */
function nothingRead({ id, reason }: SkippedScene, isUpstream: boolean): Refusal {
  const detail = `No scene could be read: of ${id}, ${reason}.`;
  return new Refusal(isUpstream ? "upstream-unavailable" : "unknown-band", [], detail);
}

function noData({ load: { collection, path } }: LoadedTimes): OpenEoError {
  const message = `There is no scene of ${collection} in the extent and time that the graph loads.`;
  return new OpenEoError("NoDataAvailable", message, { path });
}
