import { OpenEoError } from "./errors.ts";
import { type Faults, THROWN } from "./interpreter/faults.ts";
import type { Value } from "./interpreter/values.ts";
import { isObject, type JsonObject, member, shown } from "./json.ts";

/** A process graph: nodes in an order in which each comes after those that it takes results of. */
export interface ProcessGraph {
  readonly nodes: readonly GraphNode[];
  /** Position of each node by its id; nodes with faults have none. */
  readonly positions: ReadonlyMap<string, number>;
  /** Id of the node whose result is that of the graph. */
  readonly result: string;
}

/** One process and what it is given. */
export interface GraphNode {
  readonly id: string;
  readonly processId: string;
  /** Names of the arguments, in their order. */
  readonly names: readonly string[];
  readonly arguments: readonly Argument[];
  /** Of the node in the whole graph, for errors. */
  readonly path: Path;
}

/** An argument as it is written; a `literal` is the same whenever the node is run. */
export type Argument =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "node"; readonly id: string }
  | { readonly kind: "parameter"; readonly name: string }
  | { readonly kind: "callback"; readonly graph: ProcessGraph }
  | { readonly kind: "array"; readonly items: readonly Argument[] }
  | { readonly kind: "object"; readonly members: ReadonlyMap<string, Argument> };

/** Nodes of a graph, those of its callbacks included. */
export const MAX_NODES = 1000;
/** How deep callbacks may be in callbacks. */
const MAX_CALLBACKS = 8;
/** How deep arrays and objects may be in an argument. */
const MAX_DEPTH = 32;
/** Numbers, texts, arrays and objects of all arguments. */
const MAX_VALUES = 200_000;

/**
 * Reads a process graph: the shape of its nodes, links, cycles and bounds. What the processes are and take is not
 * looked at.
 *
 * @returns `undefined` where the graph itself has a fault that was reported.
 * @throws {OpenEoError} `ProcessGraphComplexity` for more than 1,000 nodes, callbacks in callbacks beyond 8 and arguments
 *   beyond 32 levels. `ProcessGraphInvalid` faults are reported.
 */
export function parseGraph(value: unknown, faults: Faults = THROWN): ProcessGraph | undefined {
  return new GraphReader(faults).graph(value, undefined, 0);
}

type Path = readonly (string | number)[];

/** Where a value is in the graph: its own name or number, and where it is in. */
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

  graph(value: unknown, place: Place | undefined, depth: number): ProcessGraph | undefined {
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
    const ordered = this.#inOrder(nodes, new Set(ids), place);
    return { nodes: ordered, positions: new Map(ordered.map(({ id }, i) => [id, i])), result };
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
      const graph = this.graph(inner, { outer: place, key: "process_graph" }, callbacks + 1);
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

  /**
   * The nodes, each after those that it takes results of (Kahn 1962, "Topological sorting of large networks"). Nodes that
   * wait for one with a fault are left out.
   */
  #inOrder(nodes: readonly GraphNode[], ids: ReadonlySet<string>, place: Place | undefined): readonly GraphNode[] {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const waitsFor = new Map<string, number>();
    const followers = new Map<string, GraphNode[]>();
    const faulty: string[] = [...ids].filter((id) => !byId.has(id));
    for (const node of nodes) {
      const links = new Set(node.arguments.flatMap((argument) => [...linksOf(argument)]));
      for (const link of links) {
        if (!ids.has(link)) {
          const message = `Node ${shown(node.id)} takes the result of ${shown(link)}, which does not exist.`;
          this.#faults.report(new OpenEoError("ProcessGraphInvalid", message, { path: node.path }));
          faulty.push(node.id);
        }
        const others = followers.get(link);
        if (others === undefined) followers.set(link, [node]);
        else others.push(node);
      }
      waitsFor.set(node.id, links.size);
    }
    const ordered = nodes.filter(({ id }) => waitsFor.get(id) === 0);
    for (let i = 0; i < ordered.length; i++) {
      for (const follower of followers.get(ordered[i]!.id) ?? []) {
        const left = (waitsFor.get(follower.id) ?? 0) - 1;
        waitsFor.set(follower.id, left);
        if (left === 0) ordered.push(follower);
      }
    }
    // what waits for a node with a fault has none of its own
    const waiting = new Set(faulty);
    for (const id of waiting) for (const follower of followers.get(id) ?? []) waiting.add(follower.id);
    const stuck = nodes.filter(({ id }) => (waitsFor.get(id) ?? 0) > 0 && !waiting.has(id)).map(({ id }) => shown(id));
    if (stuck.length > 0) {
      this.#invalid(`Nodes wait for each other in a cycle, among them ${stuck.slice(0, 5).join(", ")}.`, place);
    }
    return ordered;
  }
}

type Primitive = string | number | boolean | null;

const isPrimitive = (value: unknown): value is Primitive => typeof value !== "object" || value === null;

/** Nodes that an argument takes results of; those in callbacks are of other graphs. */
function* linksOf(argument: Argument): Generator<string> {
  if (argument.kind === "node") yield argument.id;
  else if (argument.kind === "array") for (const item of argument.items) yield* linksOf(item);
  else if (argument.kind === "object") for (const item of argument.members.values()) yield* linksOf(item);
}

const tooComplex = (what: string, place: Place | undefined): OpenEoError =>
  new OpenEoError("ProcessGraphComplexity", `The process graph has ${what}.`, { path: pathOf(place) });
