import { OpenEoError } from "./errors.ts";
import type { Faults } from "./interpreter/faults.ts";
import type { Argument, GraphNode, Path } from "./interpreter/values.ts";
import { shown } from "./json.ts";

/**
 * The nodes, each after those that it takes results of (Kahn 1962, "Topological sorting of large networks"). Nodes that
 * wait for one with a fault are left out.
 *
 * @param ids of all nodes of the graph, those with faults included
 * @param path of the graph
 */
export function inOrderOfLinks(
  nodes: readonly GraphNode[],
  ids: ReadonlySet<string>,
  path: Path,
  faults: Faults,
): readonly GraphNode[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const waitsFor = new Map<string, number>();
  const followers = new Map<string, GraphNode[]>();
  const faulty: string[] = [...ids].filter((id) => !byId.has(id));
  for (const node of nodes) {
    const links = linksOfNode(node);
    for (const link of links) {
      if (!ids.has(link)) {
        const message = `Node ${shown(node.id)} takes the result of ${shown(link)}, which does not exist.`;
        faults.report(new OpenEoError("ProcessGraphInvalid", message, { path: node.path }));
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
  // a node that waits for one with a fault has none of its own
  const waiting = new Set(faulty);
  for (const id of waiting) for (const follower of followers.get(id) ?? []) waiting.add(follower.id);
  const stuck = nodes.filter(({ id }) => (waitsFor.get(id) ?? 0) > 0 && !waiting.has(id)).map(({ id }) => shown(id));
  if (stuck.length > 0) {
    const message = `Nodes wait for each other in a cycle, among them ${stuck.slice(0, 5).join(", ")}.`;
    faults.report(new OpenEoError("ProcessGraphInvalid", message, { path }));
  }
  return ordered;
}

/** Ids of a node and of all nodes that it takes results of, by way of others too. */
export function nodesBehind(nodes: readonly GraphNode[], id: string): ReadonlySet<string> {
  const behind = new Set([id]);
  // each node comes after those that it takes results of
  for (const node of [...nodes].reverse()) {
    if (behind.has(node.id)) for (const link of linksOfNode(node)) behind.add(link);
  }
  return behind;
}

const linksOfNode = (node: GraphNode): ReadonlySet<string> =>
  new Set(node.arguments.flatMap((argument) => [...linksOf(argument)]));

/** Nodes that an argument takes results of; those in callbacks are of other graphs. */
function* linksOf(argument: Argument): Generator<string> {
  if (argument.kind === "node") yield argument.id;
  else if (argument.kind === "array") for (const item of argument.items) yield* linksOf(item);
  else if (argument.kind === "object") for (const item of argument.members.values()) yield* linksOf(item);
}
