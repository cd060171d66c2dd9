import type { Cube, Dimension, Label } from "./cube/cube.ts";
import { isCube } from "./cube/cube.ts";
import { boundOf, type SpatialExtent } from "./cube/grid-request.ts";
import { isLoaded } from "./cube/load.ts";
import { PROCESS_DEFINITIONS } from "./definitions/definitions.ts";
import { OpenEoError } from "./errors.ts";
import { parseGraph } from "./graph.ts";
import { Compilation, type CompileContext, FAULTY, UNKNOWN } from "./interpreter/compilation.ts";
import { DependsOnFault, type Faults, KeptFaults, THROWN } from "./interpreter/faults.ts";
import type { KeyedLoad } from "./interpreter/loads.ts";
import { withinExtents } from "./interpreter/on-grid.ts";
import { isExpression, toJson, type Value } from "./interpreter/values.ts";
import {
  type PlannedArea,
  type PlannedGrid,
  type PlannedResult,
  plannedGrids,
  withResolution,
} from "./planned-grids.ts";
import { PROCESS_FUNCTIONS } from "./processes/processes.ts";
import type { ResultFormat } from "./processes/save.ts";
import { labelsAt } from "./processes/space/masks.ts";

/** The reads and computations of a graph. */
export interface CubePlan {
  /** All loads of the graph. */
  readonly loads: readonly PlannedLoad[];
  /** Extents that `region` expressions name by their number. */
  readonly regions: readonly SpatialExtent[];
  /** Areas that `reduced` expressions name by their number. */
  readonly areas: readonly PlannedArea[];
  /** Grids that `resampled` expressions name by their number. */
  readonly grids: readonly PlannedGrid[];
  readonly result: PlannedResult;
  /** Id of the node that gives it. */
  readonly resultNode: string;
}

/** A load of a plan: a collection, its time steps and bands, and where its scenes are searched. */
export interface PlannedLoad extends KeyedLoad {
  /**
   * The extents that are searched for scenes: the extent of the load, or of the areas that its cube is reduced over.
   */
  readonly searched: readonly SpatialExtent[];
  /** Whether the result depends on it: its time steps have to be known, though perhaps none of its pixels is read. */
  readonly used: boolean;
}

const PARAMETERS = new Map(PROCESS_DEFINITIONS.map(({ id, parameters }) => [id, parameters.map(({ name }) => name)]));

/** Faults of one graph that are found. */
const MAX_FAULTS = 20;

/**
 * Compiles a process graph whole: nodes, links, arguments, callbacks, dimensions and labels. The plan is complete once the
 * times of all loads are known that are `used`; before, one time step of a load stands for all, and what depends on how many
 * there are is left out.
 *
 * @param graph `process_graph` as it was sent
 * @throws {OpenEoError} with the first fault, and where it is.
 */
export function compileGraph(graph: unknown, context: CompileContext): CubePlan {
  return compile(graph, context, THROWN);
}

/**
 * Returns the faults of a process graph: those of all nodes that do not depend on another node with a fault, at most
 * 20.
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
  const parsed = parseGraph({ graph, parameters: context.parameters }, faults);
  if (parsed === undefined) throw new DependsOnFault();
  const parameters = (process: string): readonly string[] => PARAMETERS.get(process) ?? [];
  const compilation = new Compilation({ context, processes: PROCESS_FUNCTIONS, parameters, faults });
  const { result: value, hasUnknown } = compilation.start(parsed);
  if (value === FAULTY) throw new DependsOnFault();
  const result =
    value === UNKNOWN ? ({ kind: "unknown" } as const) : atNode(parsed.result, () => resultOf(value, compilation));
  const { loads, extents } = compilation;
  const planned = loads.all.map((load, i): PlannedLoad => {
    return { ...load, searched: loads.searched(i), used: loads.touched.has(i) };
  });
  // nodes that are not known yet may bound a load, once others are
  const isWaiting =
    hasUnknown && planned.some(({ searched, used }, i) => used && searched.length > 0 && !loads.isKnown(i));
  const unbounded = planned.find(({ used, searched }) => used && searched.length === 0);
  if (unbounded !== undefined && !isWaiting) {
    const message = `load_collection of ${unbounded.collection} needs a spatial_extent, or a filter of its cube that bounds it.`;
    throw new OpenEoError("ProcessParameterInvalid", message, {
      path: [...unbounded.path, "arguments", "spatial_extent"],
    });
  }
  return {
    loads: planned,
    regions: extents.regions,
    ...plannedGrids(result, compilation),
    result,
    resultNode: parsed.result,
  };
}

/** Runs a part of the work on a node: its faults are those of the node. */
function atNode<T>(node: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof OpenEoError) || error.path.length > 0) throw error;
    throw new OpenEoError(error.code, error.message, { path: [node], cause: error });
  }
}

function resultOf(value: Value, compilation: Compilation): PlannedResult {
  if (typeof value === "object" && value?.kind === "saved") {
    const { data, format } = value;
    return cubeResult(data as Cube, format as ResultFormat, compilation);
  }
  if (isCube(value) || isLoaded(value)) {
    const cube = compilation.cube(value);
    return cubeResult(cube, cube.grid === undefined ? "JSON" : "GTiff", compilation);
  }
  const json = toJson(value);
  if (json !== undefined) return { kind: "json", value: json };
  if (isExpression(value) && compilation.expressions.isUnknown(value)) return { kind: "unknown" };
  throw new OpenEoError("ProcessGraphInvalid", "Expected a result node that gives a data cube, labels or a number.");
}

function cubeResult({ dimensions, cells, grid }: Cube, format: ResultFormat, compilation: Compilation): PlannedResult {
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
    return { kind: "numbers", format: isRaster ? "JSON" : format, dimensions, cells: cells.slice(0, count) };
  }
  if (boundOf(grid) === undefined) {
    const message = "The cube has no bounds: give load_collection a spatial_extent, or use filter_bbox.";
    throw new OpenEoError("ProcessParameterInvalid", message);
  }
  const values = withinExtents(cells.slice(0, count), grid, compilation);
  const bands = values.map((value, i) => ({ name: nameOf(dimensions, i), value }));
  if (format !== "GTiff" && !isOpen && count !== 1 && count !== 3) {
    const names = dimensions.map(({ name, labels }) => `${labels.length} in "${name}"`).join(" and ");
    const message = `${format} holds one band or three, the cube has ${count} (${names}): reduce it first.`;
    throw new OpenEoError("FormatUnsuitable", message);
  }
  return { kind: "raster", format, grid: withResolution(grid, values, compilation.loads), bands };
}

/** Labels of a cell, joined: the name of its band in a file. */
function nameOf(dimensions: readonly Dimension[], cell: number): string {
  const positions = labelsAt(dimensions, cell);
  const labels = dimensions.map(({ labels: all }, i): Label => all[positions[i]!]!);
  return labels.length === 0 ? "value" : labels.join("_");
}
