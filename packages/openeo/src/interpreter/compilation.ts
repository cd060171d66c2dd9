import type { Geometry } from "@swath/query";
import { type BandInfo, type Cube, isCube } from "../cube/cube.ts";
import type { Extent, GridRequest } from "../cube/grid-request.ts";
import { type LoadedCollection, type LoadRequest, loadedCube } from "../cube/load.ts";
import { OpenEoError } from "../errors.ts";
import { Expressions } from "../expression/expression.ts";
import type { Argument, GraphNode, ProcessGraph } from "../graph.ts";
import { Arguments } from "./arguments.ts";
import { closest } from "./closest.ts";
import type { Callback, Value } from "./values.ts";

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
/** Work of one compilation: items of arrays that callbacks are given, and nodes that are run, each time. */
const MAX_WORK = 2_000_000;
/** Work of running a node: it takes as long as handing over so many items. */
const NODE_WORK = 16;

/** Runs a graph on cubes of expressions: what comes out says what has to be read and computed. */
export class Compilation {
  readonly expressions = new Expressions();
  readonly loads: KeyedLoad[] = [];
  /** Extents of loads that have none of their own: where they are reduced. */
  readonly needed: Extent[][] = [];
  readonly regions: Extent[] = [];
  readonly areas: ReductionArea[] = [];
  readonly context: CompileContext;
  readonly #processes: ReadonlyMap<string, ProcessFunction>;
  readonly #parameters: (process: string) => readonly string[];
  readonly #loadNumbers = new Map<string, number>();
  readonly #forced = new Map<number, Cube>();
  #work = 0;

  constructor(
    context: CompileContext,
    processes: ReadonlyMap<string, ProcessFunction>,
    parameters: (process: string) => readonly string[],
  ) {
    this.context = context;
    this.#processes = processes;
    this.#parameters = parameters;
  }

  /** The value of a graph's result node. */
  run(graph: ProcessGraph, parameters: ReadonlyMap<string, Value>): Value {
    const results = new Map<string, Value>();
    for (const node of graph.nodes) results.set(node.id, this.#runNode(node, results, parameters));
    return results.get(graph.result)!;
  }

  /** The value of a callback for some parameters. */
  call({ graph, parameters }: Callback, given: Readonly<Record<string, Value>>): Value {
    for (const value of Object.values(given)) {
      if (typeof value === "object" && value?.kind === "array") this.#spend(value.items.length);
    }
    return this.run(graph, new Map([...parameters, ...Object.entries(given)]));
  }

  /** The cube of a value; a collection is loaded now. */
  cube(value: Cube | LoadedCollection): Cube {
    if (isCube(value)) return value;
    const { collection, extents, time, bands } = value.request;
    const key = JSON.stringify([value.source, collection, extents, time, bands.map(({ name }) => name)]);
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
    }
    let cube = this.#forced.get(number);
    if (cube === undefined) {
      cube = loadedCube(number, value.request, this.context.times?.(key), this.expressions);
      this.#forced.set(number, cube);
    }
    return cube;
  }

  /** Number of a region of pixels. */
  region(extent: Extent): number {
    const key = JSON.stringify(extent);
    const known = this.regions.findIndex((region) => JSON.stringify(region) === key);
    if (known >= 0) return known;
    this.regions.push(extent);
    return this.regions.length - 1;
  }

  #spend(work: number): void {
    this.#work += work;
    if (this.#work <= MAX_WORK) return;
    const message = "The graph runs too many processes, or on too many values: ask for less time, or fewer bands.";
    throw new OpenEoError("ProcessGraphComplexity", message);
  }

  #runNode(node: GraphNode, results: ReadonlyMap<string, Value>, parameters: ReadonlyMap<string, Value>): Value {
    this.#spend(NODE_WORK);
    const { processId } = node;
    const process = this.#processes.get(processId);
    if (process === undefined) {
      const message = `There is no process "${processId}" here.${closest(processId, [...this.#processes.keys()])}`;
      throw new OpenEoError("ProcessUnsupported", message, { path: [...node.path, "process_id"] });
    }
    const known = this.#parameters(processId);
    const unknown = [...node.arguments.keys()].find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const message = `${processId} takes ${known.join(", ")}, not "${unknown}".${closest(unknown, known)}`;
      const path = [...node.path, "arguments", unknown];
      throw new OpenEoError("ProcessParameterUnsupported", message, { path });
    }
    const values = new Map<string, Value>();
    for (const [name, argument] of node.arguments) values.set(name, this.#valueOf(argument, results, parameters, node));
    try {
      return process(new Arguments(this, node, values), this);
    } catch (error) {
      if (!(error instanceof OpenEoError) || error.path.length > 0) throw error;
      throw new OpenEoError(error.code, `${processId}: ${error.message}`, { path: node.path, cause: error });
    }
  }

  #valueOf(
    argument: Argument,
    results: ReadonlyMap<string, Value>,
    parameters: ReadonlyMap<string, Value>,
    node: GraphNode,
  ): Value {
    switch (argument.kind) {
      case "literal":
        return argument.value;
      case "node":
        return results.get(argument.id)!;
      case "parameter": {
        const value = parameters.get(argument.name);
        if (value !== undefined) return value;
        const message = `There is no parameter "${argument.name}" here.${closest(argument.name, [...parameters.keys()])}`;
        throw new OpenEoError("ProcessGraphInvalid", message, { path: node.path });
      }
      case "callback":
        return { kind: "callback", graph: argument.graph, parameters };
      case "array":
        return {
          kind: "array",
          items: argument.items.map((item) => this.#valueOf(item, results, parameters, node)),
        };
      case "object": {
        const members = [...argument.members].map(
          ([name, each]) => [name, this.#valueOf(each, results, parameters, node)] as const,
        );
        return { kind: "object", members: new Map(members) };
      }
    }
  }
}
