import { type CompileContext, type CubePlan, compileGraph, findFaults, type OpenEoError } from "@swath/openeo";
import { ProblemError } from "@swath/problem";
import { cubeCollection } from "../../plan/cube-bands.ts";
import type { LoadedTimes } from "../../plan/cube-items.ts";
import { type CubeWork, planCube } from "../../plan/cube-plan.ts";
import { attributionOf } from "../../plan/image-plan.ts";
import type { SkippedScene } from "../../render/reduce-job.ts";
import type { Services } from "../../services.ts";
import { computeNumbers } from "./numbers.ts";
import { writeRaster } from "./raster.ts";
import { searchTimes } from "./search.ts";

export type OpenEoServices = Pick<Services, "catalog" | "registry" | "renderer" | "results" | "now">;

/** Scenes that all loads of a graph may match. */
const MAX_ITEMS = 5000;

export interface OpenEoOptions {
  readonly signal: AbortSignal;
  /** Units that the result may cost; absent: any. */
  readonly budget?: number | undefined;
  /** Called once with the units that the result costs, before any pixel is read. */
  readonly admit: (units: number) => Promise<void>;
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

function contextOf({ registry }: Pick<Services, "registry">): CompileContext {
  return {
    collection: (id) => {
      const match = registry.find(id);
      return match === undefined ? undefined : cubeCollection(match);
    },
    collections: [...registry.names],
  };
}

/** Validates a process graph whole, without a search: the faults of all nodes that do not depend on another one with a fault. */
export function validateGraph(services: Pick<Services, "registry">, graph: unknown): readonly OpenEoError[] {
  return findFaults(graph, contextOf(services));
}

/**
 * Computes a process graph: validates it, searches the scenes of its loads, plans what is read of them, and runs that.
 *
 * @throws {OpenEoError} with what is wrong with the graph.
 * @throws {ProblemError} `budget-exceeded`; `not-found` where no scene matches; `output-too-large`; `render-timeout`; what
 *   searching and reading throw. A scene that can never be read is left out and named.
 */
export async function computeGraph(
  services: OpenEoServices,
  graph: unknown,
  { signal, budget, admit }: OpenEoOptions,
): Promise<OpenEoResult> {
  const context = contextOf(services);
  const { plan, loads, cube } = await planGraph(services, graph, context, { signal });
  if (budget !== undefined && cube.units > budget) {
    const unitsEstimated = Math.ceil(cube.units * 10_000) / 10_000;
    const detail = `The result would cost ${unitsEstimated} units, the budget is ${budget}.`;
    throw new ProblemError("budget-exceeded", detail, { members: { unitsEstimated } });
  }
  await admit(cube.units);
  const result = await run(services, plan, cube, { signal });
  const skipped = [...cube.missing, ...result.skipped];
  if (result.used.size === 0 && skipped[0] !== undefined) {
    if ("resultId" in result.content) await services.results.remove(result.content.resultId);
    throw nothingRead(skipped[0], result.skipped.length > 0);
  }
  const attribution = loads.flatMap((load, i) => {
    const items = cube.items[i]!.filter(({ id }) => result.used.has(id));
    return load === undefined || items.length === 0
      ? []
      : attributionOf(load.collection.match.collection, items).split("; ");
  });
  return { ...result, attribution: [...new Set(attribution)], skipped };
}

/**
 * Searches the scenes of a graph, and decides what is read of them.
 *
 * @throws {ProblemError} `invalid-process-graph` for areas that have no pixels in their CRS; what searching throws.
 */
async function planGraph(
  services: OpenEoServices,
  graph: unknown,
  context: CompileContext,
  options: Pick<OpenEoOptions, "signal">,
) {
  try {
    const { plan, loads } = await searchLoads(services, graph, context, options);
    return { plan, loads, cube: await planCube(plan, loads, options) };
  } catch (error) {
    // areas are those of other requests, which have them in another place
    if (!(error instanceof ProblemError) || error.code !== "invalid-body") throw error;
    const detail = error.errors?.[0]?.detail ?? error.message;
    throw new ProblemError("invalid-process-graph", detail, {
      errors: [{ pointer: "/process/process_graph", detail }],
      members: { openeoCode: "ProcessParameterInvalid" },
      cause: error,
    });
  }
}

/**
 * Searches the loads of which values or labels are needed, and compiles the graph with their time steps; what is used may turn out
 * then: labels that one cube has and another lacks.
 */
async function searchLoads(
  services: OpenEoServices,
  graph: unknown,
  context: CompileContext,
  { signal }: Pick<OpenEoOptions, "signal">,
): Promise<{ readonly plan: CubePlan; readonly loads: readonly (LoadedTimes | undefined)[] }> {
  const found = new Map<string, LoadedTimes>();
  let left = MAX_ITEMS;
  for (;;) {
    const times = (key: string) => found.get(key)?.steps.map(({ label }) => label);
    const plan = compileGraph(graph, { ...context, times });
    const open = plan.loads.filter(({ key, used }) => used && !found.has(key));
    if (open.length === 0) return { plan, loads: plan.loads.map(({ key }) => found.get(key)) };
    for (const load of open) {
      const loaded = await searchTimes(services, load, { signal, maxItems: Math.max(1, left) });
      left -= loaded.steps.reduce((sum, { items }) => sum + items.length, 0);
      if (loaded.steps.length === 0) throw noData(loaded);
      found.set(load.key, loaded);
    }
  }
}

function run(
  services: OpenEoServices,
  { result }: CubePlan,
  { work }: CubeWork,
  options: { readonly signal: AbortSignal },
) {
  if (result.kind === "raster" && work.kind === "raster") return writeRaster(services, result, work, options);
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
function nothingRead({ id, reason }: SkippedScene, isUpstream: boolean): ProblemError {
  const detail = `No scene could be read: of ${id}, ${reason}.`;
  return new ProblemError(isUpstream ? "upstream-unavailable" : "unknown-band", detail);
}

function noData({ load }: LoadedTimes): ProblemError {
  const detail = `There is no scene of ${load.collection} in the extent and time that the graph loads.`;
  return new ProblemError("not-found", detail, { members: { openeoCode: "NoDataAvailable" } });
}
