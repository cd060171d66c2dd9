import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

const PATH = join(import.meta.dirname, "../docs/performance.md");

/** Puts generated Markdown between its markers in docs/performance.md. Returns the names for which there are no markers. */
export async function writeReport(parts: ReadonlyMap<string, string>): Promise<readonly string[]> {
  let document = await readFile(PATH, "utf8");
  const missing: string[] = [];
  for (const [name, text] of parts) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
    const [from, to] = [document.indexOf(begin), document.indexOf(end)];
    if (from < 0 || to < from) missing.push(name);
    else document = `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
  }
  await writeFile(PATH, document);
  return missing;
}
