import type { Cube, Dimension, Label } from "./cube/cube.ts";
import { isCube } from "./cube/cube.ts";
import type { Extent, GridRequest } from "./cube/grid-request.ts";
import { isLoaded } from "./cube/load.ts";
import { PROCESS_DEFINITIONS } from "./definitions/definitions.ts";
import { OpenEoError } from "./errors.ts";
import { type Expression, inOrder } from "./expression/expression.ts";
import { parseGraph } from "./graph.ts";
import { Compilation, type CompileContext, type KeyedLoad, type ReductionArea } from "./interpreter/compilation.ts";
import { DependsOnFault, type Faults, KeptFaults, THROWN } from "./interpreter/faults.ts";
import { toJson, type Value } from "./interpreter/values.ts";
import { labelsAt } from "./processes/masks.ts";
import { PROCESS_FUNCTIONS } from "./processes/processes.ts";
import type { ResultFormat } from "./processes/save.ts";

/** What a graph reads and computes. */
export interface CubePlan {
  /** All loads of the graph; a load of which neither values nor labels are needed is not `used`. */
  readonly loads: readonly PlannedLoad[];
  /** Extents that `region` expressions name by their number. */
  readonly regions: readonly Extent[];
  /** Areas that `reduced` expressions name by their number. */
  readonly areas: readonly ReductionArea[];
  readonly result: PlannedResult;
}

/** A load of a plan: a collection, its time steps and bands, and where its scenes are searched. */
export interface PlannedLoad extends KeyedLoad {
  /** Where scenes are searched: the extent of the load, or of what its cube is reduced over. */
  readonly searched: readonly Extent[];
  readonly used: boolean;
}

/** What a graph gives: pixels of a grid, or numbers. */
export type PlannedResult =
  /** Values for each pixel of a grid, one band a combination of labels. */
  | {
      readonly kind: "raster";
      readonly format: "GTiff" | "PNG" | "JPEG";
      readonly grid: GridRequest & { readonly extent: Extent };
      readonly bands: readonly { readonly name: string; readonly value: Expression }[];
    }
  /** Numbers for each combination of labels. */
  | {
      readonly kind: "numbers";
      readonly format: "JSON" | "CSV";
      readonly dimensions: readonly Dimension[];
      readonly cells: readonly Expression[];
    }
  /** JSON that needs no pixels. */
  | { readonly kind: "json"; readonly value: unknown };

const PARAMETERS = new Map(PROCESS_DEFINITIONS.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)]));

/** Faults of one graph that are found. */
const MAX_FAULTS = 20;

/**
 * Compiles a process graph whole: nodes, links, arguments, callbacks, dimensions and labels. Before the scenes of a load
 * are searched one time step stands for all; with `times` the plan is complete.
 *
 * @param graph `process_graph` as it was sent
 * @throws {OpenEoError} with the first fault, and where it is.
 */
export function compileGraph(graph: unknown, context: CompileContext): CubePlan {
  return compile(graph, context, THROWN);
}

/**
 * What is wrong with a process graph: the faults of all nodes that do not depend on another one with a fault, at most 20.
 *
 * @param graph `process_graph` as it was sent
 */
export function findFaults(graph: unknown, context: CompileContext): readonly OpenEoError[] {
  const faults = new KeptFaults(MAX_FAULTS);
  try {
    compile(graph, context, faults);
  } catch (error) {
    if (error instanceof OpenEoError) return [...faults.found, error];
    if (!(error instanceof DependsOnFault)) throw error;
  }
  return faults.found;
}

function compile(graph: unknown, context: CompileContext, faults: Faults): CubePlan {
  const parsed = parseGraph(graph, faults);
  if (parsed === undefined) throw new DependsOnFault();
  const parameters = (process: string): readonly string[] => PARAMETERS.get(process) ?? [];
  const compilation = new Compilation({ context, processes: PROCESS_FUNCTIONS, parameters, faults });
  const value = compilation.run(parsed);
  const { result, isOpen } = resultOf(value, compilation);
  const read = readLoads(result);
  const { regions, areas, needed } = compilation;
  const loads = compilation.loads.map((request, i) => {
    const extent = request.extents.at(-1);
    const searched = extent === undefined ? needed[i]! : [extent];
    const used = read.has(i) || (isOpen && searched.length > 0);
    if (searched.length > 0 || !used) return { ...request, searched, used };
    const message = `load_collection of ${request.collection} needs a spatial_extent, or a filter of its cube that bounds it.`;
    throw new OpenEoError("ProcessParameterInvalid", message);
  });
  return { loads, regions, areas, result };
}

/** Numbers of the loads that values of a result are computed of. */
function readLoads(result: PlannedResult): ReadonlySet<number> {
  if (result.kind === "json") return new Set();
  const roots = result.kind === "raster" ? result.bands.map(({ value }) => value) : reducedOf(result.cells);
  const inputs = inOrder(roots).flatMap((each) => (each.kind === "input" ? [each.input.load] : []));
  return new Set(inputs);
}

/** What is reduced over areas for some numbers. */
function reducedOf(cells: readonly Expression[]): readonly Expression[] {
  return inOrder(cells).flatMap((each) => (each.kind === "reduced" ? [each.of] : []));
}

/** A result; open: labels of it are those of loads, which are not known yet. */
interface OpenResult {
  readonly result: PlannedResult;
  readonly isOpen: boolean;
}

function resultOf(value: Value, compilation: Compilation): OpenResult {
  if (typeof value === "object" && value?.kind === "saved") {
    const { data, format } = value;
    return cubeResult(data as Cube, format as ResultFormat);
  }
  if (isCube(value) || isLoaded(value)) {
    const cube = compilation.cube(value);
    return cubeResult(cube, cube.grid === undefined ? "JSON" : "GTiff");
  }
  const json = toJson(value);
  if (json !== undefined) return { result: { kind: "json", value: json }, isOpen: true };
  throw new OpenEoError("ProcessGraphInvalid", "Expected a result node that gives a data cube, labels or a number.");
}

function cubeResult({ dimensions, cells, grid }: Cube, format: ResultFormat): OpenResult {
  const count = dimensions.reduce((product, { labels }) => product * labels.length, 1);
  const isRaster = format === "GTiff" || format === "PNG" || format === "JPEG";
  if (isRaster !== (grid !== undefined)) {
    const message = isRaster
      ? `${format} holds cubes with x and y: save this one as JSON or CSV.`
      : `${format} holds what was aggregated over space: save this cube as GTiff, PNG or JPEG, or use aggregate_spatial.`;
    throw new OpenEoError("FormatUnsuitable", message);
  }
  const isOpen = dimensions.some((dimension) => dimension.isOpen);
  if (count === 0 || cells.length < count) {
    const empty = dimensions.find(({ labels }) => labels.length === 0)?.name;
    const where = empty === undefined ? "" : ` in the dimension "${empty}"`;
    throw new OpenEoError("NoDataAvailable", `The filters of the graph leave no label${where}.`);
  }
  if (!isRaster || grid === undefined) {
    const numbers = { format: isRaster ? ("JSON" as const) : format, dimensions, cells: cells.slice(0, count) };
    return { result: { kind: "numbers", ...numbers }, isOpen };
  }
  const { extent } = grid;
  if (extent === undefined) {
    const message = "The cube has no bounds: give load_collection a spatial_extent, or use filter_bbox.";
    throw new OpenEoError("ProcessParameterInvalid", message);
  }
  const bands = cells.slice(0, count).map((cell, i) => ({ name: nameOf(dimensions, i), value: cell }));
  if (format !== "GTiff" && !isOpen && count !== 1 && count !== 3) {
    const names = dimensions.map(({ name, labels }) => `${labels.length} in "${name}"`).join(" and ");
    const message = `${format} holds one band or three, the cube has ${count} (${names}): reduce it first.`;
    throw new OpenEoError("FormatUnsuitable", message);
  }
  return { result: { kind: "raster", format, grid: { ...grid, extent }, bands }, isOpen };
}

/** Labels of a cell, joined: the name of its band in a file. */
function nameOf(dimensions: readonly Dimension[], cell: number): string {
  const positions = labelsAt(dimensions, cell);
  const labels = dimensions.map(({ labels: all }, i): Label => all[positions[i]!]!);
  return labels.length === 0 ? "value" : labels.join("_");
}
