import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { packages, ROOT, sourceOfBuilt, type Workspace } from "./workspace.ts";

const read = (folder: string, name: string): string => {
  const file = join(folder, name);
  return existsSync(file) ? readFileSync(file, "utf8") : "";
};

const SITE = "https://github.com/swath-imagery/swath";

/** JSON files that npm would publish, except those inside sources and inside their builds. */
function dataFiles(folder: string, files: readonly string[]): string[] {
  const published = files.filter((entry) => !/^(!|dist$|src$)/.test(entry));
  return published.flatMap((entry) => {
    if (entry.endsWith(".json")) return [entry];
    const inside = readdirSync(join(folder, entry), { recursive: true, encoding: "utf8" });
    return inside.filter((name) => name.endsWith(".json")).map((name) => `${entry}/${name}`);
  });
}

test("each package and app has tests, which its own command runs", () => {
  for (const folder of [...packages.map(({ name }) => `packages/${name}`), "apps/api", "apps/docs", "apps/explorer"]) {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8"));
    const command = `vitest run --root ../.. --project unit --project alone ${folder}/`;
    expect([folder, scripts.test]).toEqual([folder, command]);
    const files = readdirSync(join(ROOT, folder, "test"), { recursive: true, encoding: "utf8" });
    expect([folder, files.some((file) => /(?<!\.long)\.test\.ts$/.test(file))]).toEqual([folder, true]);
  }
});

test("the workspace and its apps say where they live too", () => {
  for (const folder of ["", "apps/api", "apps/docs", "apps/explorer"]) {
    const manifest = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Workspace["manifest"];
    expect(manifest).toMatchObject({
      repository: { type: "git", url: `git+${SITE}.git` },
      bugs: { url: `${SITE}/issues` },
    });
    expect(manifest.homepage?.startsWith(SITE)).toBe(true);
    expect(manifest.keywords?.length).toBeGreaterThan(2);
  }
});

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
      homepage: `${SITE}/tree/main/packages/${name}#readme`,
      bugs: { url: `${SITE}/issues` },
      files: expect.arrayContaining(["dist", "src"]),
    });
    expect(manifest.private).toBeUndefined();
    const { keywords = [] } = manifest;
    expect(keywords.length).toBeGreaterThan(2);
    expect([...new Set(keywords)].sort()).toEqual(keywords);
    for (const word of keywords) expect(word).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  test("each export names its source, its types and its built file, in that order, and the source exists", () => {
    const entries = Object.entries(manifest.exports ?? {});
    expect(entries.map(([subpath]) => subpath)).toEqual(expect.arrayContaining([".", "./package.json"]));
    for (const [subpath, target] of entries) {
      if (typeof target === "string") {
        expect(`${subpath} ${target}`).toMatch(/\.json$/);
        // a pattern exports all files of a folder
        expect(existsSync(join(folder, target.includes("*") ? dirname(target) : target)), target).toBe(true);
        continue;
      }
      expect(Object.keys(target), subpath).toEqual(["@swath/source", "types", "default"]);
      const { types = "", default: built = "", "@swath/source": source = "" } = target;
      expect(types).toBe(built.replace(/\.js$/, ".d.ts"));
      expect(sourceOfBuilt(workspace, built)).toBe(join(folder, source));
      expect(existsSync(join(folder, source)), source).toBe(true);
    }
  });

  test("every file of data that it publishes can be imported by its name", () => {
    const resolveFrom = createRequire(join(folder, "package.json")).resolve;
    for (const path of dataFiles(folder, manifest.files ?? [])) {
      const name = `${manifest.name}/${path.replace(/^json\//, "")}`;
      expect(resolveFrom(name), name).toBe(join(folder, path));
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
