import { OpenEoError } from "./errors.ts";
import { inOrderOfLinks } from "./graph-order.ts";
import { type Faults, THROWN } from "./interpreter/faults.ts";
import type { Argument, GraphNode, Path, ProcessGraph, Value } from "./interpreter/values.ts";
import { isObject, type JsonObject, member, shown } from "./json.ts";

/** Nodes of a graph, those of its callbacks included. */
export const MAX_NODES = 1000;
/** The deepest nesting of callbacks in callbacks. */
const MAX_CALLBACKS = 8;
/** The deepest nesting of arrays and objects in an argument. */
const MAX_DEPTH = 32;
/** Numbers, texts, arrays and objects of all arguments. */
const MAX_VALUES = 200_000;

/** A process as a client sends it: a graph, and the parameters that may be given to it. */
export interface SentProcess {
  readonly graph: unknown;
  /** Definitions of parameters, each with a `name` and perhaps a `default`. */
  readonly parameters?: unknown;
}

/**
 * Reads a process: the shape of its nodes, links, cycles and bounds, and defaults of its parameters. The processes of
 * the nodes and the types of their arguments are not checked.
 *
 * @returns `undefined` where the graph itself has a fault that was reported.
 * @throws {OpenEoError} `ProcessGraphComplexity` for more than 1,000 nodes, callbacks in callbacks beyond 8 and arguments
 *   beyond 32 levels. `ProcessGraphInvalid` faults are reported.
 */
export function parseGraph({ graph, parameters }: SentProcess, faults: Faults = THROWN): ProcessGraph | undefined {
  return new GraphReader(faults).graph(graph, parameters, undefined, 0);
}

/** The place of a value in the graph: its own name or number, and the place that it is in. */
interface Place {
  readonly outer: Place | undefined;
  readonly key: string | number;
}

function pathOf(place: Place | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = place; at !== undefined; at = at.outer) path.unshift(at.key);
  return path;
}

class GraphReader {
  readonly #faults: Faults;
  #nodes = 0;
  #values = 0;

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  graph(value: unknown, parameters: unknown, place: Place | undefined, depth: number): ProcessGraph | undefined {
    if (!isObject(value)) return this.#invalid(`Expected an object of nodes, got ${shown(value)}.`, place);
    if (depth > MAX_CALLBACKS) throw tooComplex(`callbacks in callbacks beyond ${MAX_CALLBACKS} levels`, place);
    const ids = Object.keys(value);
    if (ids.length === 0) return this.#invalid("Expected at least one node, got none.", place);
    this.#nodes += ids.length;
    if (this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} nodes`, place);
    const nodes = ids.flatMap((id) => this.#node(id, value[id], { outer: place, key: id }, depth) ?? []);
    const results = ids.filter((id) => isObject(value[id]) && value[id].result === true);
    const [result] = results;
    if (result === undefined || results.length > 1) {
      const got = results.length === 0 ? "none" : results.slice(0, 5).map(shown).join(", ");
      return this.#invalid(`Expected exactly one node with "result": true, got ${got}.`, place);
    }
    const ordered = inOrderOfLinks(nodes, new Set(ids), pathOf(place), this.#faults);
    const defaults = this.#defaults(parameters, place, depth);
    return { nodes: ordered, positions: new Map(ordered.map(({ id }, i) => [id, i])), result, defaults };
  }

  /** Defaults of the parameters of a process; an optional parameter without one is null. */
  #defaults(parameters: unknown, place: Place | undefined, depth: number): ReadonlyMap<string, Value> {
    const defaults = new Map<string, Value>();
    if (parameters === undefined || parameters === null) return defaults;
    if (!Array.isArray(parameters)) {
      this.#invalid(`Expected parameters as an array, got ${shown(parameters)}.`, place);
      return defaults;
    }
    for (const definition of parameters as readonly unknown[]) {
      const name = isObject(definition) ? member(definition, "name") : undefined;
      if (!isObject(definition) || typeof name !== "string" || !/^\w{1,128}$/.test(name)) {
        this.#invalid(`Expected parameters with names of letters, digits and _, got ${shown(name)}.`, place);
        continue;
      }
      const written = member(definition, "default");
      if (written === undefined && member(definition, "optional") !== true) continue;
      const at: Place = { outer: place, key: name };
      const read = this.#argument(written ?? null, at, "default", depth, 0);
      const value = read === undefined ? undefined : valueOfDefault(read);
      if (value !== undefined) defaults.set(name, value);
      else this.#invalid(`Expected a default of the parameter "${name}" that takes nothing from nodes.`, place);
    }
    return defaults;
  }

  #invalid(message: string, place: Place | undefined, ...more: readonly string[]): undefined {
    this.#faults.report(new OpenEoError("ProcessGraphInvalid", message, { path: [...pathOf(place), ...more] }));
  }

  #node(id: string, value: unknown, place: Place, depth: number): GraphNode | undefined {
    if (!isObject(value)) return this.#invalid(`Expected a node as an object, got ${shown(value)}.`, place);
    const processId = member(value, "process_id");
    if (typeof processId !== "string" || !/^\w{1,128}$/.test(processId)) {
      return this.#invalid(`Expected process_id as the id of a process, got ${shown(processId)}.`, place, "process_id");
    }
    const namespace = member(value, "namespace");
    if (namespace !== undefined && namespace !== null && namespace !== "backend") {
      const message = `There are no processes in the namespace ${shown(namespace)}.`;
      const path = [...pathOf(place), "namespace"];
      this.#faults.report(new OpenEoError("ProcessUnsupported", message, { path }));
      return undefined;
    }
    const result = member(value, "result");
    if (result !== undefined && result !== null && typeof result !== "boolean") {
      return this.#invalid(`Expected result as a boolean, got ${shown(result)}.`, place, "result");
    }
    const given = member(value, "arguments");
    if (!isObject(given))
      return this.#invalid(`Expected arguments as an object, got ${shown(given)}.`, place, "arguments");
    const at: Place = { outer: place, key: "arguments" };
    const names = Object.keys(given);
    const found = names.map((name) => this.#argument(given[name], at, name, depth, 0));
    const args = found.filter((argument) => argument !== undefined);
    if (args.length < found.length) return undefined;
    return { id, processId, names, arguments: args, path: pathOf(place) };
  }

  /** `undefined`: it has a fault that was reported. */
  #argument(
    value: unknown,
    outer: Place,
    key: string | number,
    callbacks: number,
    depth: number,
  ): Argument | undefined {
    this.#count(1, { outer, key });
    if (typeof value !== "object" || value === null) return { kind: "literal", value: value as Primitive };
    const place = { outer, key };
    if (depth > MAX_DEPTH) throw tooComplex(`arguments of more than ${MAX_DEPTH} levels`, place);
    if (Array.isArray(value)) return this.#array(value, place, callbacks, depth);
    const object = value as JsonObject;
    const node = member(object, "from_node");
    if (node !== undefined) {
      const id = this.#reference(object, "from_node", node, place);
      return id === undefined ? undefined : { kind: "node", id };
    }
    const parameter = member(object, "from_parameter");
    if (parameter !== undefined) {
      const name = this.#reference(object, "from_parameter", parameter, place);
      return name === undefined ? undefined : { kind: "parameter", name };
    }
    const inner = member(object, "process_graph");
    if (inner !== undefined) {
      const within: Place = { outer: place, key: "process_graph" };
      const graph = this.graph(inner, member(object, "parameters"), within, callbacks + 1);
      return graph === undefined ? undefined : { kind: "callback", graph };
    }
    return this.#object(object, place, callbacks, depth);
  }

  #count(values: number, place: Place): void {
    this.#values += values;
    if (this.#values > MAX_VALUES) throw tooComplex(`arguments of more than ${MAX_VALUES} values`, place);
  }

  #array(json: readonly unknown[], place: Place, callbacks: number, depth: number): Argument | undefined {
    if (json.every(isPrimitive)) {
      this.#count(json.length, place);
      return { kind: "literal", value: { kind: "array", items: json, json } };
    }
    const found = json.map((item, i) => this.#argument(item, place, i, callbacks, depth + 1));
    const items = found.filter((item) => item !== undefined);
    if (items.length < found.length) return undefined;
    const literals = items.flatMap((item) => (item.kind === "literal" ? [item.value] : []));
    if (literals.length < items.length) return { kind: "array", items };
    return { kind: "literal", value: { kind: "array", items: literals, json } };
  }

  #object(json: JsonObject, place: Place, callbacks: number, depth: number): Argument | undefined {
    const members = new Map<string, Argument>();
    const literals = new Map<string, Value>();
    const names = Object.keys(json);
    for (const name of names) {
      const found = this.#argument(json[name], place, name, callbacks, depth + 1);
      if (found === undefined) return undefined;
      members.set(name, found);
      if (found.kind === "literal") literals.set(name, found.value);
    }
    if (literals.size < names.length) return { kind: "object", members };
    return { kind: "literal", value: { kind: "object", members: literals, json } };
  }

  #reference(value: JsonObject, name: string, target: unknown, place: Place): string | undefined {
    if (typeof target !== "string")
      return this.#invalid(`Expected ${name} as text, got ${shown(target)}.`, place, name);
    if (Object.keys(value).length > 1) return this.#invalid(`Expected ${name} alone in its object.`, place);
    return target;
  }
}

/** The value of a default; `undefined` where it takes results of nodes, or other parameters. */
function valueOfDefault(argument: Argument): Value | undefined {
  switch (argument.kind) {
    case "literal":
      return argument.value;
    case "callback":
      return { kind: "callback", graph: argument.graph, parameters: undefined };
    case "array": {
      const items = argument.items.map(valueOfDefault);
      const known = items.filter((item) => item !== undefined);
      return known.length < items.length ? undefined : { kind: "array", items: known };
    }
    case "object": {
      const members = [...argument.members].map(([name, each]) => [name, valueOfDefault(each)] as const);
      const known = members.flatMap(([name, each]) => (each === undefined ? [] : [[name, each] as const]));
      return known.length < members.length ? undefined : { kind: "object", members: new Map(known) };
    }
    default:
      return undefined;
  }
}

type Primitive = string | number | boolean | null;

const isPrimitive = (value: unknown): value is Primitive => typeof value !== "object" || value === null;

const tooComplex = (what: string, place: Place | undefined): OpenEoError =>
  new OpenEoError("ProcessGraphComplexity", `The process graph has ${what}.`, { path: pathOf(place) });
