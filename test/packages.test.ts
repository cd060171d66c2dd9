import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { packages, sourceOfBuilt } from "./workspace.ts";

const read = (folder: string, name: string): string => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

describe.each(packages)("$manifest.name", (workspace) => {
  const { name, folder, manifest } = workspace;

  test("says what it is, whose it is and where it lives", () => {
    expect(manifest).toMatchObject({
      name: `@swath/${name}`,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      description: expect.stringMatching(/\S{3}/),
      license: "MIT",
      type: "module",
      sideEffects: false,
      engines: { node: ">=20" },
      repository: { type: "git", directory: `packages/${name}` },
      files: expect.arrayContaining(["dist", "src"]),
    });
    expect(manifest.private).toBeUndefined();
  });

  test("each export names its source, its types and its built file, in that order, and the source exists", () => {
    const entries = Object.entries(manifest.exports ?? {});
    expect(entries.map(([subpath]) => subpath)).toEqual(expect.arrayContaining([".", "./package.json"]));
    for (const [subpath, target] of entries) {
      if (typeof target === "string") {
        expect(`${subpath} ${target}`).toMatch(/\.json$/);
        expect(existsSync(join(folder, target)), target).toBe(true);
        continue;
      }
      expect(Object.keys(target), subpath).toEqual(["@swath/source", "types", "default"]);
      const { types = "", default: built = "", "@swath/source": source = "" } = target;
      expect(types).toBe(built.replace(/\.js$/, ".d.ts"));
      expect(sourceOfBuilt(workspace, built)).toBe(join(folder, source));
      expect(existsSync(join(folder, source)), source).toBe(true);
    }
  });

  test("each command has a source that Node runs", () => {
    for (const built of Object.values(manifest.bin ?? {})) {
      expect(readFileSync(sourceOfBuilt(workspace, built), "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
    }
  });

  test("the README names it, says how to install it, shows code and lists what it exports", () => {
    const readme = read(folder, "README.md");
    expect(readme).toMatch(new RegExp(`^# @swath/${name}\\n`));
    expect(readme).toMatch(new RegExp(`\\bnpm (?:i|install) (?:\\S+ )*@swath/${name}\\b`));
    expect(readme).toMatch(/^```ts\n[\s\S]+?\n```$/m);
    expect(readme).toMatch(/^\|.+\|$/m);
  });

  test("tests hold its list of exports and run the code of its README", () => {
    expect(read(folder, "test/index.test.ts")).toMatch(/Object\.keys\(\s*await import\("\.\.\/src\/index\.ts"\)/);
    expect(read(folder, "test/readme.test.ts")).toContain("README.md");
  });
});
