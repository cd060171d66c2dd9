import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PATH = join(import.meta.dirname, "../docs/performance.md");

/** Puts generated Markdown between its markers in docs/performance.md. Returns the names for which there are no markers. */
export async function writeReport(parts: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const { document, missing } = fillMarkers(await readFile(PATH, "utf8"), parts);
  await writeFile(PATH, document);
  return missing;
}

/** Replaces the text between `<!-- generated: NAME -->` and `<!-- end: NAME -->`, for every name. */
export function fillMarkers(
  document: string,
  parts: ReadonlyMap<string, string>,
): { readonly document: string; readonly missing: readonly string[] } {
  let filled = document;
  const missing: string[] = [];
  for (const [name, text] of parts) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0 || to < from) missing.push(name);
    else filled = `${filled.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${filled.slice(to)}`;
  }
  return { document: filled, missing };
}
