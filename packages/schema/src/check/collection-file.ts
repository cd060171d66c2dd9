import { findNodeAtLocation, type Node, parseTree } from "jsonc-parser";
import { type FileFault, formatFault } from "../parse/faults.ts";
import { collectionFileFaults } from "../parse/parse.ts";
import { type Finding, Report } from "./finding.ts";
import { membersOf } from "./tree.ts";

/** Kinds that files of data name. */
const KINDS: readonly unknown[] = ["virtual", "upstream"];

/**
 * Whether a JSON text is a collection file, which names an upstream and lists bands or is virtual, or that of a kind of
 * upstream, and is no STAC document.
 */
export function isCollectionFile(text: string): boolean {
  let root: Node | undefined;
  try {
    root = parseTree(text);
  } catch (error) {
    // the parser is recursive: brackets by the ten thousand exhaust the stack
    if (error instanceof RangeError) return false;
    throw error;
  }
  const members = membersOf(root);
  if (members.has("type")) return false;
  return (
    KINDS.includes(members.get("kind")?.value.value) ||
    (members.has("upstream") && members.get("bands")?.value.type === "array")
  );
}

/** Checks a collection file, or that of a kind of upstream. Each fault stands where its value does, or where the object does that lacks it. */
export function checkCollectionFile(text: string): Finding[] {
  const report = new Report(text);
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    report.add({ offset: 0, length: 0 }, "invalid-json", "error", `Not JSON: ${message}.`);
    return report.findings();
  }
  const root = parseTree(text);
  for (const fault of collectionFileFaults(input)) {
    const { offset, length } = nodeOf(root, fault) ?? { offset: 0, length: 0 };
    report.add({ offset, length }, "invalid-collection-file", "error", formatFault(fault));
  }
  return report.findings();
}

function nodeOf(root: Node | undefined, { path }: FileFault): Node | undefined {
  for (let end = path.length; root !== undefined && end >= 0; end--) {
    const node = findNodeAtLocation(root, path.slice(0, end));
    if (node !== undefined) return node;
  }
  return undefined;
}
