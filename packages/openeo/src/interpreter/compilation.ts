import type { Geometry } from "@swath/query";
import { type BandInfo, type Cube, isCube } from "../cube/cube.ts";
import type { GridRequest } from "../cube/grid-request.ts";
import type { LoadedCollection } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import { Expressions } from "../expression/expression.ts";
import { nodesBehind } from "../graph-order.ts";
import { shown } from "../json.ts";
import { WORK, Work } from "../work.ts";
import { Arguments } from "./arguments.ts";
import { closest } from "./closest.ts";
import { DependsOnFault, DependsOnUnknown, type Faults } from "./faults.ts";
import { Loads } from "./loads.ts";
import { findParameter, parameterNames } from "./parameters.ts";
import { SpatialExtents } from "./spatial-extents.ts";
import type { Argument, Callback, GraphNode, Parameters, ProcessGraph, Value } from "./values.ts";

/** The environment that a graph is compiled in. */
export interface CompileContext {
  /** A collection by its id or an alias; `undefined`: there is none. */
  readonly collection: (id: string) => CollectionInfo | undefined;
  /** Names of collections, for messages. */
  readonly collections: readonly string[];
  /**
   * RFC 3339 times of the time steps of a load by its key, ascending, once its scenes have been searched; absent, or
   * `undefined` for a load: they are not known yet.
   */
  readonly times?: (key: string) => readonly string[] | undefined;
  /** Definitions of the process's own parameters, as they were sent: their defaults are taken. */
  readonly parameters?: unknown;
}

/** Facts about a collection that a compilation needs. */
export interface CollectionInfo {
  /** In the order of a load that names none. */
  readonly bands: readonly BandInfo[];
}

/** An area over whose pixels values are reduced. */
export interface ReductionArea {
  readonly geometry: Geometry;
  /** The grid of the cube; where it was not asked for, each area has pixels of its own. */
  readonly grid: GridRequest;
}

/** The function that carries out a process. */
export type ProcessFunction = (given: Arguments, compilation: Compilation) => Value;

export interface CompilationParts {
  readonly context: CompileContext;
  readonly processes: ReadonlyMap<string, ProcessFunction>;
  /** Names of the parameters of a process. */
  readonly parameters: (process: string) => readonly string[];
  readonly faults: Faults;
}

/** Runs a graph on cubes of expressions: what comes out says what has to be read and computed. */
export class Compilation {
  #work = new Work();
  readonly expressions = new Expressions((units) => this.#work.spend(units));
  readonly extents = new SpatialExtents((units) => this.#work.spend(units));
  readonly loads: Loads;
  readonly areas: ReductionArea[] = [];
  /** Grids that `resampled` expressions take values of. */
  readonly grids: GridRequest[] = [];
  readonly context: CompileContext;
  readonly #processes: CompilationParts["processes"];
  readonly #parameters: CompilationParts["parameters"];
  readonly #faults: Faults;
  readonly #checked = new Map<GraphNode, ProcessFunction>();
  readonly #geometries = new Map<unknown, readonly Geometry[]>();

  constructor({ context, processes, parameters, faults }: CompilationParts) {
    this.context = context;
    this.loads = new Loads(this.extents, this.expressions, context.times);
    this.#processes = processes;
    this.#parameters = parameters;
    this.#faults = faults;
  }

  /**
   * Runs the whole graph. Nodes that depend on what is not known yet are left out.
   *
   * @throws {OpenEoError} with the first fault, or where faults are kept, `ProcessGraphComplexity`
   */
  start(graph: ProcessGraph): StartedGraph {
    const parameters: Parameters = { given: {}, defaults: graph.defaults };
    const touched = new Map<string, ReadonlySet<number>>();
    const results = this.#runNodes(graph, parameters, (node) => {
      this.loads.touched = new Set();
      touched.set(node.id, this.loads.touched);
    });
    const behind = nodesBehind(graph.nodes, graph.result);
    this.loads.touched = new Set([...behind].flatMap((id) => [...(touched.get(id) ?? [])]));
    return { result: resultIn(graph, results), hasUnknown: results.includes(UNKNOWN) };
  }

  /** The value of a callback for some parameters. */
  call({ graph, parameters }: Callback, given: Readonly<Record<string, Value>>): Value {
    const results = this.#runNodes(graph, { given, defaults: graph.defaults, outer: parameters });
    const value = resultIn(graph, results);
    if (value === UNKNOWN) throw new DependsOnUnknown();
    if (value === FAULTY) throw new DependsOnFault();
    return value;
  }

  /** The value of a callback that is called when the graph is compiled already: its work is counted by itself. */
  callLater(callback: Callback, given: Readonly<Record<string, Value>>, work: Work): Value {
    this.#work = work;
    return this.call(callback, given);
  }

  /** Counts work: what it throws ends the compilation. */
  spend(units: number): void {
    this.#work.spend(units);
  }

  /** Number of a grid that values are resampled from. */
  gridNumber(grid: GridRequest): number {
    const known = this.grids.indexOf(grid);
    return known < 0 ? this.grids.push(grid) - 1 : known;
  }

  /** The cube of a value; a collection is loaded now. */
  cube(value: Cube | LoadedCollection): Cube {
    return isCube(value) ? value : this.loads.cube(value);
  }

  /** Returns the geometries of a GeoJSON argument; each argument is read once. */
  geometries(json: unknown, read: () => readonly Geometry[]): readonly Geometry[] {
    const known = this.#geometries.get(json);
    if (known !== undefined) return known;
    const found = read();
    this.#geometries.set(json, found);
    return found;
  }

  #runNodes(
    { nodes, positions }: ProcessGraph,
    parameters: Parameters,
    onNode: (node: GraphNode) => void = () => {},
  ): readonly Result[] {
    const results: Result[] = [];
    for (const node of nodes) {
      onNode(node);
      results.push(this.#resultOf(node, { results, positions, parameters }));
    }
    return results;
  }

  #resultOf(node: GraphNode, frame: Frame): Result {
    try {
      return this.#runNode(node, frame);
    } catch (error) {
      if (error instanceof DependsOnUnknown) return UNKNOWN;
      if (!this.#faults.keeps) throw error;
      if (error instanceof OpenEoError && error.code !== "ProcessGraphComplexity") this.#faults.report(error);
      else if (!(error instanceof DependsOnFault)) throw error;
      return FAULTY;
    }
  }

  #runNode(node: GraphNode, frame: Frame): Value {
    this.spend(WORK.node);
    const process = this.#checked.get(node) ?? this.#check(node);
    const values = node.arguments.map((argument) => this.#valueOf(argument, frame, node));
    try {
      const value = process(new Arguments(this, node, values), this);
      if (isCube(value)) this.spendCells(value);
      return value;
    } catch (error) {
      if (!(error instanceof OpenEoError) || error.path.length > 0) throw error;
      throw new OpenEoError(error.code, `${node.processId}: ${error.message}`, { path: node.path, cause: error });
    }
  }

  /** Counts the work of looking at all cells of a cube. */
  spendCells({ cells, dimensions }: Pick<Cube, "cells" | "dimensions">): void {
    this.spend(WORK.cell * cells.length * (1 + dimensions.length));
  }

  /** The process of a node, whose arguments it has. */
  #check(node: GraphNode): ProcessFunction {
    const { processId } = node;
    const process = this.#processes.get(processId);
    if (process === undefined) {
      const message = `There is no process "${processId}" here.${closest(processId, [...this.#processes.keys()])}`;
      throw new OpenEoError("ProcessUnsupported", message, { path: [...node.path, "process_id"] });
    }
    const known = this.#parameters(processId);
    for (const name of node.names) {
      if (known.includes(name)) continue;
      const message = `${processId} takes ${known.join(", ")}, not ${shown(name)}.${closest(name, known)}`;
      const path = [...node.path, "arguments", name];
      this.#faults.report(new OpenEoError("ProcessParameterUnsupported", message, { path }));
    }
    this.#checked.set(node, process);
    return process;
  }

  #valueOf(argument: Argument, frame: Frame, node: GraphNode): Value {
    switch (argument.kind) {
      case "literal":
        return argument.value;
      case "node": {
        const value = frame.results[frame.positions.get(argument.id) ?? -1];
        if (value === UNKNOWN) throw new DependsOnUnknown();
        if (value === undefined || value === FAULTY) throw new DependsOnFault();
        return value;
      }
      case "parameter":
        return this.#parameterOf(argument.name, frame, node);
      case "callback":
        return { kind: "callback", graph: argument.graph, parameters: frame.parameters };
      case "array":
        this.spend(WORK.item * argument.items.length);
        return { kind: "array", items: argument.items.map((item) => this.#valueOf(item, frame, node)) };
      case "object": {
        this.spend(WORK.item * argument.members.size);
        const members = [...argument.members].map(([name, each]) => [name, this.#valueOf(each, frame, node)] as const);
        return { kind: "object", members: new Map(members) };
      }
    }
  }

  #parameterOf(name: string, { parameters }: Frame, node: GraphNode): Value {
    const found = findParameter(name, parameters);
    if (found !== undefined) return found;
    // the caller of the process may give it: a graph that is examined alone has no fault by that
    if (this.#faults.keeps) throw new DependsOnUnknown();
    const message = `The parameter ${shown(name)} has no value and no default.${closest(name, parameterNames(parameters))}`;
    throw new OpenEoError("ProcessParameterMissing", message, { path: node.path });
  }
}

/** The result of running a graph. */
export interface StartedGraph {
  readonly result: Result;
  /** Whether nodes were left out, since they depend on what is not known yet. */
  readonly hasUnknown: boolean;
}

/** Stands for the result of a node that has a fault, or depends on one. */
export const FAULTY = Symbol("faulty");
/** Stands for the result of a node that depends on what is not known yet. */
export const UNKNOWN = Symbol("unknown");
type Result = Value | typeof FAULTY | typeof UNKNOWN;

/** A run of a graph: the results so far, and the parameters. */
interface Frame {
  readonly results: readonly Result[];
  readonly positions: ReadonlyMap<string, number>;
  readonly parameters: Parameters;
}

function resultIn({ positions, result }: ProcessGraph, results: readonly Result[]): Result {
  const position = positions.get(result);
  return position === undefined ? FAULTY : results[position]!;
}
