import { OpenEoError } from "./errors.ts";
import { isObject, type JsonObject, member, shown } from "./json.ts";

/** A process graph: nodes in an order in which each comes after those that it takes results of. */
export interface ProcessGraph {
  readonly nodes: readonly GraphNode[];
  /** Id of the node whose result is that of the graph. */
  readonly result: string;
}

export interface GraphNode {
  readonly id: string;
  readonly processId: string;
  readonly arguments: ReadonlyMap<string, Argument>;
  /** Of the node in the whole graph, for errors. */
  readonly path: readonly (string | number)[];
}

/** An argument as it is written. */
export type Argument =
  | { readonly kind: "literal"; readonly value: string | number | boolean | null }
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
 * @throws {OpenEoError} `ProcessGraphInvalid`, or `ProcessGraphComplexity` for more than 1,000 nodes, callbacks in
 *   callbacks beyond 8 and arguments beyond 32 levels.
 */
export function parseGraph(value: unknown): ProcessGraph {
  return new GraphReader().graph(value, [], 0);
}

type Path = readonly (string | number)[];

class GraphReader {
  #nodes = 0;
  #values = 0;

  graph(value: unknown, path: Path, depth: number): ProcessGraph {
    if (!isObject(value)) throw invalid(`Expected an object of nodes, got ${shown(value)}.`, path);
    if (depth > MAX_CALLBACKS) throw tooComplex(`callbacks in callbacks beyond ${MAX_CALLBACKS} levels`, path);
    const ids = Object.keys(value);
    if (ids.length === 0) throw invalid("Expected at least one node, got none.", path);
    this.#nodes += ids.length;
    if (this.#nodes > MAX_NODES) throw tooComplex(`more than ${MAX_NODES} nodes`, path);
    const nodes = ids.map((id) => this.#node(id, value[id], [...path, id], depth));
    const results = ids.filter((id) => (value[id] as JsonObject).result === true);
    const [result] = results;
    if (result === undefined || results.length > 1) {
      const got = results.length === 0 ? "none" : results.map((id) => `"${id}"`).join(", ");
      throw invalid(`Expected exactly one node with "result": true, got ${got}.`, path);
    }
    return { nodes: inOrder(nodes, path), result };
  }

  #node(id: string, value: unknown, path: Path, depth: number): GraphNode {
    if (!isObject(value)) throw invalid(`Expected a node as an object, got ${shown(value)}.`, path);
    const processId = member(value, "process_id");
    if (typeof processId !== "string" || !/^\w{1,128}$/.test(processId)) {
      throw invalid(`Expected process_id as the id of a process, got ${shown(processId)}.`, [...path, "process_id"]);
    }
    const namespace = member(value, "namespace");
    if (namespace !== undefined && namespace !== null && namespace !== "backend") {
      throw new OpenEoError("ProcessUnsupported", `There are no processes in the namespace ${shown(namespace)}.`, {
        path: [...path, "namespace"],
      });
    }
    const result = member(value, "result");
    if (result !== undefined && result !== null && typeof result !== "boolean") {
      throw invalid(`Expected result as a boolean, got ${shown(result)}.`, [...path, "result"]);
    }
    const given = member(value, "arguments");
    if (!isObject(given))
      throw invalid(`Expected arguments as an object, got ${shown(given)}.`, [...path, "arguments"]);
    const entries = Object.entries(given).map(
      ([name, argument]) => [name, this.#argument(argument, [...path, "arguments", name], depth, 0)] as const,
    );
    return { id, processId, arguments: new Map(entries), path };
  }

  #argument(value: unknown, path: Path, callbacks: number, depth: number): Argument {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw tooComplex(`arguments of more than ${MAX_VALUES} values`, path);
    if (depth > MAX_DEPTH) throw tooComplex(`arguments of more than ${MAX_DEPTH} levels`, path);
    if (Array.isArray(value)) {
      const items = value.map((item, i) => this.#argument(item, [...path, i], callbacks, depth + 1));
      return { kind: "array", items };
    }
    if (!isObject(value)) return { kind: "literal", value: value as string | number | boolean | null };
    const node = member(value, "from_node");
    if (node !== undefined) return { kind: "node", id: reference(value, "from_node", node, path) };
    const parameter = member(value, "from_parameter");
    if (parameter !== undefined) {
      return { kind: "parameter", name: reference(value, "from_parameter", parameter, path) };
    }
    const graph = member(value, "process_graph");
    if (graph !== undefined) {
      return { kind: "callback", graph: this.graph(graph, [...path, "process_graph"], callbacks + 1) };
    }
    const members = Object.entries(value).map(
      ([name, each]) => [name, this.#argument(each, [...path, name], callbacks, depth + 1)] as const,
    );
    return { kind: "object", members: new Map(members) };
  }
}

function reference(value: JsonObject, name: string, target: unknown, path: Path): string {
  if (typeof target !== "string") throw invalid(`Expected ${name} as text, got ${shown(target)}.`, [...path, name]);
  if (Object.keys(value).length > 1) throw invalid(`Expected ${name} alone in its object.`, path);
  return target;
}

/** Nodes that an argument takes results of; those in callbacks are of other graphs. */
function* linksOf(argument: Argument): Generator<string> {
  if (argument.kind === "node") yield argument.id;
  else if (argument.kind === "array") for (const item of argument.items) yield* linksOf(item);
  else if (argument.kind === "object") for (const item of argument.members.values()) yield* linksOf(item);
}

/** The nodes, each after those that it takes results of (Kahn 1962, "Topological sorting of large networks"). */
function inOrder(nodes: readonly GraphNode[], path: Path): readonly GraphNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waitsFor = new Map<string, number>();
  const followers = new Map<string, GraphNode[]>();
  for (const node of nodes) {
    const links = new Set([...node.arguments.values()].flatMap((argument) => [...linksOf(argument)]));
    for (const link of links) {
      if (!byId.has(link)) {
        throw invalid(`Node "${node.id}" takes the result of "${link}", which does not exist.`, node.path);
      }
      followers.set(link, [...(followers.get(link) ?? []), node]);
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
  if (ordered.length === nodes.length) return ordered;
  const stuck = nodes.filter(({ id }) => (waitsFor.get(id) ?? 0) > 0).map(({ id }) => `"${id}"`);
  throw invalid(`Nodes wait for each other in a cycle, among them ${stuck.slice(0, 5).join(", ")}.`, path);
}

const invalid = (message: string, path: Path): OpenEoError => new OpenEoError("ProcessGraphInvalid", message, { path });

const tooComplex = (what: string, path: Path): OpenEoError =>
  new OpenEoError("ProcessGraphComplexity", `The process graph has ${what}.`, { path });
