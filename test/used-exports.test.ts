import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { codeOf, exportedSources, filesOf, packages, ROOT, sourcesOf } from "./workspace.ts";

const FILES = filesOf("{packages,apps,examples,bench,test,scripts,docs}/**/*.{ts,tsx,mjs,md}");
const wordsOf = (text: string): string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? [];

/** Names that files import, by entry; a file that imports an entry as a whole may use any that stands in it. */
const IMPORTED = new Map<string, Set<string>>();
for (const file of FILES) {
  const text = readFileSync(join(ROOT, file), "utf8");
  const lists = text.matchAll(/\{([^{}]*)\}\s+(?:from\s+|=\s+await import\()"(@swath\/[^"]+)"/g);
  const wholes = text.matchAll(/(?:\*\s+as\s+\w+\s+from\s+|[^=]\s+import\(|\w\s+=\s+await import\()"(@swath\/[^"]+)"/g);
  const imports = [
    ...[...lists].map(([, names = "", entry = ""]) => [entry, wordsOf(names)] as const),
    ...[...wholes].map(([, entry = ""]) => [entry, wordsOf(text)] as const),
  ];
  for (const [entry, names] of imports) {
    const known = IMPORTED.get(entry) ?? new Set();
    IMPORTED.set(entry, known);
    for (const name of names) known.add(name);
  }
}

/** Finds what top-level declarations show to who uses them, without bodies of functions and values of constants. */
function signaturesIn(code: string): [name: string, signature: string][] {
  const declaration =
    /^(?:export )?(?:declare |abstract |async )*(?:interface|type|class|function\*?|const|enum) ([\w$]+)[\s\S]*?(?=\n\n\S|\n*$(?![\s\S]))/gm;
  return [...code.matchAll(declaration)].map(([text, name = ""]) => [
    name,
    text
      .replace(/^( {2})?((?:\S.*)?\).*) \{\n[\s\S]*?^\1\}$/gm, "$2")
      .replace(/^ {2}(?:readonly )?#.*$/gm, "")
      .replace(/^((?:export )?const [^=]*) = [\s\S]*/m, "$1"),
  ]);
}

describe.each(packages)("$name", (workspace) => {
  const signatures = new Map(sourcesOf(workspace, "src").flatMap((file) => signaturesIn(codeOf(file))));
  const isThrown = (name: string): boolean => /^export class \w+ extends \w*Error\b/.test(signatures.get(name) ?? "");

  test("exports what is imported from it, what such exports take, give and hold, and errors", () => {
    const unused = [...exportedSources(workspace)].flatMap(([subpath, file]) => {
      const entry = `${workspace.manifest.name}${subpath.slice(1)}`;
      const exported = [...codeOf(file).matchAll(/^export\s+(?:type\s+)?\{([^}]*)\}/gm)]
        .flatMap(([, names = ""]) => names.split(","))
        .flatMap((name) => wordsOf(name).slice(-1));
      const imported = IMPORTED.get(entry);
      const used = new Set(exported.filter((name) => imported?.has(name) === true || isThrown(name)));
      for (const name of used) {
        for (const word of wordsOf(signatures.get(name) ?? "")) if (signatures.has(word)) used.add(word);
      }
      return exported.filter((name) => !used.has(name)).map((name) => `${entry} ${name}`);
    });
    expect(unused).toEqual([]);
  });
});
