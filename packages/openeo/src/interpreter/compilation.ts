import type { Geometry } from "@swath/query";
import { type BandInfo, type Cube, isCube } from "../cube/cube.ts";
import type { Extent, GridRequest } from "../cube/grid-request.ts";
import { type LoadedCollection, type LoadRequest, loadedCube } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import { Expressions } from "../expression/expression.ts";
import type { Argument, GraphNode, ProcessGraph } from "../graph.ts";
import { shown } from "../json.ts";
import { Arguments } from "./arguments.ts";
import { closest } from "./closest.ts";
import { DependsOnFault, type Faults } from "./faults.ts";
import type { Callback, Parameters, Value } from "./values.ts";
import { WORK, Work } from "./work.ts";

/** What a graph is compiled against. */
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
}

/** What a compilation has to know of a collection. */
export interface CollectionInfo {
  readonly bands: readonly BandInfo[];
  /** Names of the bands of a load that names none. */
  readonly defaultBands: readonly string[];
}

/** An area over whose pixels values are reduced. */
export interface ReductionArea {
  /** Number of the geometry among those of its `aggregate_spatial`. */
  readonly geometry: Geometry;
  /** The grid of the cube; where it was not asked for, each area has pixels of its own. */
  readonly grid: GridRequest;
}

/** A load, and what tells it from others, whatever is known of their time steps. */
export interface KeyedLoad extends LoadRequest {
  readonly key: string;
}

/** What a process does. */
export type ProcessFunction = (given: Arguments, compilation: Compilation) => Value;

/** Loads of one graph: collections with different filters. */
const MAX_LOADS = 16;

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
  readonly loads: KeyedLoad[] = [];
  /** Extents of loads that have none of their own: where they are reduced. */
  readonly needed: Extent[][] = [];
  readonly regions: Extent[] = [];
  readonly areas: ReductionArea[] = [];
  readonly context: CompileContext;
  readonly #processes: CompilationParts["processes"];
  readonly #parameters: CompilationParts["parameters"];
  readonly #faults: Faults;
  readonly #checked = new Map<GraphNode, ProcessFunction>();
  readonly #loadNumbers = new Map<string, number>();
  readonly #loadsOf = new Map<LoadedCollection, number>();
  readonly #forced = new Map<number, Cube>();
  readonly #extentKeys = new Map<Extent, string>();
  readonly #regionNumbers = new Map<string, number>();
  readonly #geometries = new Map<unknown, readonly Geometry[]>();

  constructor({ context, processes, parameters, faults }: CompilationParts) {
    this.context = context;
    this.#processes = processes;
    this.#parameters = parameters;
    this.#faults = faults;
  }

  /**
   * The value of a graph's result node.
   *
   * @throws {DependsOnFault} where a fault that it depends on was reported.
   */
  run({ nodes, positions, result }: ProcessGraph, parameters?: Parameters): Value {
    const results: Result[] = [];
    for (const node of nodes) results.push(this.#resultOf(node, { results, positions, parameters }));
    const value = results[positions.get(result) ?? -1];
    if (value === undefined || value === FAULTY) throw new DependsOnFault();
    return value;
  }

  /** The value of a callback for some parameters. */
  call({ graph, parameters }: Callback, given: Readonly<Record<string, Value>>): Value {
    return this.run(graph, { given, outer: parameters });
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

  /** The cube of a value; a collection is loaded now. */
  cube(value: Cube | LoadedCollection): Cube {
    if (isCube(value)) return value;
    const known = this.#loadsOf.get(value);
    if (known !== undefined) return this.#forced.get(known)!;
    const { collection, extents, time, bands } = value.request;
    const names = bands.map(({ name }) => name);
    const key = JSON.stringify([value.source, collection, extents.map((each) => this.#keyOf(each)), time, names]);
    let number = this.#loadNumbers.get(key);
    if (number === undefined) {
      number = this.loads.length;
      if (number === MAX_LOADS) {
        const message = `The graph loads more than ${MAX_LOADS} cubes: each is a search of scenes.`;
        throw new OpenEoError("ProcessGraphComplexity", message);
      }
      this.loads.push({ ...value.request, key });
      this.needed.push([]);
      this.#loadNumbers.set(key, number);
      this.#forced.set(number, loadedCube(number, value.request, this.context.times?.(key), this.expressions));
    }
    this.#loadsOf.set(value, number);
    return this.#forced.get(number)!;
  }

  /** Number of a region of pixels. */
  region(extent: Extent): number {
    const key = this.#keyOf(extent);
    const known = this.#regionNumbers.get(key);
    if (known !== undefined) return known;
    this.#regionNumbers.set(key, this.regions.length);
    return this.regions.push(extent) - 1;
  }

  /** Whether two extents are the same. */
  isSameExtent(a: Extent | undefined, b: Extent | undefined): boolean {
    return a === b || (a !== undefined && b !== undefined && this.#keyOf(a) === this.#keyOf(b));
  }

  /** What is read from GeoJSON, once for each argument that is written. */
  geometries(json: unknown, read: () => readonly Geometry[]): readonly Geometry[] {
    const known = this.#geometries.get(json);
    if (known !== undefined) return known;
    const found = read();
    this.#geometries.set(json, found);
    return found;
  }

  #keyOf(extent: Extent): string {
    const known = this.#extentKeys.get(extent);
    if (known !== undefined) return known;
    const key = JSON.stringify(extent);
    this.spend(WORK.item * (key.length >> 4));
    this.#extentKeys.set(extent, key);
    return key;
  }

  #resultOf(node: GraphNode, frame: Frame): Result {
    if (!this.#faults.keeps) return this.#runNode(node, frame);
    try {
      return this.#runNode(node, frame);
    } catch (error) {
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
        if (value === undefined || value === FAULTY) throw new DependsOnFault();
        return value;
      }
      case "parameter":
        return parameterOf(argument.name, frame.parameters, node);
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
}

/** Stands for the result of a node that has a fault, or depends on one. */
const FAULTY = Symbol("faulty");
type Result = Value | typeof FAULTY;

/** A run of a graph: the results so far, and the parameters. */
interface Frame {
  readonly results: readonly Result[];
  readonly positions: ReadonlyMap<string, number>;
  readonly parameters: Parameters | undefined;
}

function parameterOf(name: string, parameters: Parameters | undefined, node: GraphNode): Value {
  const known: string[] = [];
  for (let at = parameters; at !== undefined; at = at.outer) {
    if (Object.hasOwn(at.given, name)) return at.given[name]!;
    known.push(...Object.keys(at.given));
  }
  const message = `There is no parameter ${shown(name)} here.${closest(name, known)}`;
  throw new OpenEoError("ProcessGraphInvalid", message, { path: node.path });
}
