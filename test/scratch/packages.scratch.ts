import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import ts from "typescript-js";
import { beforeAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { isNightly } from "../tools/searches.ts";
import { exportedSources, NODE_ALONE, packages } from "../workspace.ts";
import { archivedData } from "./archive.ts";
import { demand, ROOT, runHost, tool } from "./host.ts";
import { serveRanges } from "./ranges.ts";

const scratch = inject("scratch");
const codeOf = (readme: string): string => /^```ts\n([\s\S]*?)^```/m.exec(readme)?.[1] ?? "";

/** Declarations that the README of a package takes as given. */
const GIVEN: Readonly<Record<string, string>> = {
  cog: "declare const url: string;\n",
  http: "declare const url: string;\n",
  jp2: "declare const url: string;\n",
};

/** A file whose tile 9/239/219 the README of `@swath/cog` reads: a ramp in Web Mercator. */
async function exampleTiff(): Promise<Uint8Array> {
  const load = (name: string) => import(pathToFileURL(join(scratch, "node_modules/@swath", name)).href);
  const { encodeGeoTiff } = await load("encode/dist/index.js");
  const { gridFromBounds, resolveCrs, tileBounds } = await load("raster/dist/index.js");
  const bounds = tileBounds("WebMercatorQuad", 9, 239, 219);
  const grid = gridFromBounds(resolveCrs("EPSG:3857"), bounds, 1024, 1024);
  const band = Uint16Array.from({ length: 1024 * 1024 }, (_, i) => (i % 1024) + 1);
  return encodeGeoTiff({ grid, bands: [band], valid: new Uint8Array(band.length).fill(1) }, { nodata: 0 });
}

/** The names that the source of each entry exports. */
let namesInSources: Readonly<Record<string, string>> = {};
beforeAll(async () => {
  const sources = packages.flatMap((each) =>
    [...exportedSources(each)].map(([subpath, file]) => [subpath.replace(/^\./, each.manifest.name), file]),
  );
  const script = `const names = {};
for (const [entry, file] of ${JSON.stringify(sources)}) names[entry] = Object.keys(await import(file)).sort().join();
console.log(JSON.stringify(names));`;
  const args = ["--conditions=@swath/source", "--input-type=module", "-e", script];
  namesInSources = JSON.parse(await demand(tool("node"), args, { cwd: ROOT }));
});

describe.each(packages)("$manifest.name, packed and installed by npm", ({ name, folder, manifest }) => {
  // the engine's README asks a public catalog: published.scratch.ts runs a script like it on the synthetic archive
  test.skipIf(name === "engine")("the code of its README runs on the system's Node", async () => {
    const code = codeOf(await readFile(join(scratch, "node_modules", manifest.name, "README.md"), "utf8"));
    const { outputText } = ts.transpileModule(code, {
      compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
    });
    const cwd = join(scratch, "readme", name);
    await mkdir(cwd, { recursive: true });
    // the archive is there already, made by this package in a packed service
    if (name === "sandbox") await symlink(join(await archivedData(), "sandbox"), join(cwd, "sandbox"));
    let given = "";
    if (GIVEN[name] !== undefined) {
      const jp2 = join(ROOT, "packages/jp2/test/fixtures/lrcp.jp2");
      const bytes = name === "jp2" ? new Uint8Array(await readFile(jp2)) : await exampleTiff();
      const served = await serveRanges(async () => ({ bytes, type: "image/tiff" }));
      onTestFinished(() => served.close());
      given = `const url = ${JSON.stringify(`${served.url}/a.tif`)};\n`;
    }
    await writeFile(join(cwd, "example.mjs"), given + outputText);
    await writeFile(join(cwd, "package.json"), "{}");
    const { code: exit, stderr } = await runHost("node", ["example.mjs"], { cwd });
    expect(`${exit} ${stderr}`).toBe("0 ");
  });

  test("every entry loads by its name on the system's Node and exports what its source does", async () => {
    const exported = Object.entries(manifest.exports ?? {});
    const entries = exported.flatMap(([subpath, target]) =>
      typeof target === "string" ? [] : [subpath.replace(/^\./, manifest.name)],
    );
    // each in a process of its own at night: whether one needs that another was loaded before
    for (const group of isNightly ? entries.map((entry) => [entry]) : [entries]) {
      const script = `const names = {};
for (const entry of ${JSON.stringify(group)}) names[entry] = Object.keys(await import(entry)).sort().join();
console.log(JSON.stringify(names));`;
      const printed = await demand("node", ["--input-type=module", "-e", script], { cwd: scratch });
      expect(JSON.parse(printed)).toEqual(Object.fromEntries(group.map((entry) => [entry, namesInSources[entry]])));
    }
    const documents: string[] = [];
    for (const [subpath, target] of exported) {
      if (typeof target !== "string") continue;
      const entry = subpath.replace(/^\./, manifest.name);
      for (const name of await filesOf(folder, target)) documents.push(entry.replace("*", name));
    }
    const imports = documents.map(
      (name, i) => `import v${i} from "${name}" with { type: "json" }; if (typeof v${i} !== "object") process.exit(1);`,
    );
    if (imports.length > 0)
      await demand("node", ["--no-warnings", "--input-type=module", "-e", imports.join("\n")], { cwd: scratch });
  });
});

/**
 * Returns the texts that `*` stands for in a target such as `./collections/*.json`: each file that is there; once an
 * empty text without `*`.
 */
async function filesOf(folder: string, target: string): Promise<readonly string[]> {
  const [before, after] = target.split("*") as [string, string?];
  if (after === undefined) return [""];
  const names = (await readdir(join(folder, before))).filter((name) => name.endsWith(after));
  expect(names.length).toBeGreaterThan(0);
  return names.map((name) => name.slice(0, -after.length));
}

test("the types of all packages and the code of their READMEs hold in a strict project, bundled or not", async () => {
  const cwd = join(scratch, "types");
  await mkdir(cwd, { recursive: true });
  for (const { name, manifest } of packages) {
    const code = codeOf(await readFile(join(scratch, "node_modules", manifest.name, "README.md"), "utf8"));
    await writeFile(join(cwd, `${name}.ts`), (GIVEN[name] ?? "") + code);
  }
  await writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module" }));
  const common = ["--noEmit", "--strict", "--target", "ES2022", "--skipLibCheck", "--types", "node"];
  const roots = ["--typeRoots", join(import.meta.dirname, "../../node_modules/@types")];
  const inputs = packages.map(({ name }) => `${name}.ts`);
  for (const how of [
    ["--module", "nodenext"],
    ["--module", "esnext", "--moduleResolution", "bundler"],
  ]) {
    const { code, stdout } = await runHost(tool("tsc"), ["--ignoreConfig", ...common, ...roots, ...how, ...inputs], {
      cwd,
    });
    expect(`${code} ${stdout}`).toBe("0 ");
  }
});

test("the types of each package that runs in browsers hold where there is neither the DOM library nor Node's types", async () => {
  const cwd = join(scratch, "types-alone");
  await mkdir(cwd, { recursive: true });
  await writeFile(join(cwd, "package.json"), JSON.stringify({ type: "module" }));
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: "ES2022",
    lib: ["ES2022"],
    types: [],
    skipLibCheck: false,
  };
  const HOW = {
    nodenext: { module: "nodenext" },
    bundler: { module: "esnext", moduleResolution: "bundler" },
  };
  const projects: string[] = [];
  for (const { name, manifest } of packages.filter((each) => !NODE_ALONE.includes(each.name))) {
    await writeFile(join(cwd, `${name}.ts`), `import * as all from "${manifest.name}";\nexport const used = all;\n`);
    for (const [how, options] of Object.entries(HOW)) {
      const project = { compilerOptions: { ...compilerOptions, ...options }, files: [`${name}.ts`] };
      projects.push(`${name}.${how}.json`);
      await writeFile(join(cwd, `${name}.${how}.json`), JSON.stringify(project));
    }
  }
  // each project is a program of its own, in which no other package's types are
  const { code, stdout } = await runHost(tool("tsc"), ["--build", "--checkers", "1", ...projects], { cwd });
  expect(`${code} ${stdout}`).toBe("0 ");
});

test("npx @swath/schema checks names with the installed command", async () => {
  await writeFile(join(scratch, "good.txt"), "red\nnir08\nB8A\n");
  await writeFile(join(scratch, "bad.txt"), "red\nnir8\n");
  const npx = (file: string) => runHost("npx", ["--no-install", "@swath/schema", "check", file], { cwd: scratch });
  expect((await npx("good.txt")).code).toBe(0);
  const bad = await npx("bad.txt");
  expect(bad.code).toBe(1);
  expect(bad.stdout + bad.stderr).toMatch(/bad\.txt:2/);
});
