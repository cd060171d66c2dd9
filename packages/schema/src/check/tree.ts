import type { Node } from "jsonc-parser";
import type { Word } from "./words.ts";

/** A member of a JSON object with the positions of its key and value. */
export interface Member {
  readonly key: Word;
  readonly value: Node;
}

/** The members of an object node by name; empty for any other node. Where a name is repeated, the last one counts. */
export function membersOf(node: Node | undefined): ReadonlyMap<string, Member> {
  const members = new Map<string, Member>();
  if (node?.type !== "object") return members;
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key !== undefined && value !== undefined) members.set(String(key.value), { key: wordOf(key), value });
  }
  return members;
}

/** The elements of an array node; empty for any other node. */
export function elementsOf(node: Node | undefined): readonly Node[] {
  return node?.type === "array" ? (node.children ?? []) : [];
}

/** The node as a word when it is a string. The position excludes the quotes. */
export function stringOf(node: Node | undefined): Word | undefined {
  return node?.type === "string" ? wordOf(node) : undefined;
}

/** The strings of an array, or the one string that stands alone. */
export function stringsOf(node: Node | undefined): Word[] {
  const alone = stringOf(node);
  if (alone !== undefined) return [alone];
  return elementsOf(node).flatMap((element) => stringOf(element) ?? []);
}

/** The number of a number node. */
export function numberOf(node: Node | undefined): number | undefined {
  return node?.type === "number" ? (node.value as number) : undefined;
}

function wordOf(node: Node): Word {
  return { text: String(node.value), offset: node.offset + 1, length: Math.max(0, node.length - 2) };
}
