import { join, relative, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import {
  apps,
  codeOf,
  exportedSources,
  importsOf,
  NODE_ALONE,
  packages,
  ROOT,
  reachableFrom,
  shortPath,
  sourceOfBuilt,
  sourcesOf,
  type Workspace,
} from "./workspace.ts";

/** The packages that each package may import: the drawing in docs/architecture.md. */
const ARROWS: Readonly<Record<string, readonly string[]>> = {
  geometry: [],
  http: [],
  problem: [],
  openeo: ["query", "raster"],
  query: ["geometry"],
  raster: [],
  schema: [],
  stac: ["http", "query"],
  catalog: ["geometry", "http", "query", "raster", "schema", "stac"],
  cog: ["http", "raster"],
  jp2: ["cog", "http", "raster"],
  mosaic: ["geometry", "raster"],
  encode: ["raster"],
  sandbox: ["encode", "raster", "schema"],
  doctor: ["catalog", "cog", "engine", "http", "query", "schema", "stac"],
  store: ["http", "sqlite"],
  "account-api": ["accounts", "problem", "web"],
  accounts: ["http", "store"],
  sqlite: [],
  tracing: [],
  web: ["problem", "tracing"],
  chart: ["web"],
  curve: [],
  mcp: ["problem", "web"],
  legacy: [
    "catalog",
    "engine",
    "geometry",
    "http",
    "problem",
    "query",
    "raster",
    "sandbox",
    "schema",
    "stac",
    "store",
    "web",
  ],
  cli: ["api", "archive", "catalog", "cog", "engine", "query", "raster", "sandbox", "schema"],
  archive: ["catalog", "cog", "engine", "geometry", "raster", "schema", "sqlite"],
  engine: [
    "catalog",
    "cog",
    "curve",
    "encode",
    "geometry",
    "http",
    "jp2",
    "mosaic",
    "openeo",
    "query",
    "raster",
    "schema",
    "tracing",
  ],
};

const siblingOf = (name: string): string | undefined => /^@swath\/([^/]+)/.exec(name)?.[1];
const all: readonly Workspace[] = [...packages, ...apps];

/** Every import in some files, as lines to read in a failure. */
function offences(files: Iterable<string>, isWrong: (name: string, file: string) => boolean): string[] {
  return [...files].flatMap((file) =>
    importsOf(file)
      .filter((name) => isWrong(name, file))
      .map((name) => `${shortPath(file)} imports ${name}`),
  );
}

test("imports are found where they stand", () => {
  expect(importsOf(import.meta.filename)).toEqual(["node:path", "vitest", "./workspace.ts"]);
});

test("what carries requests out knows no HTTP: no problem documents, no routes, no models of bodies", () => {
  const isOfServers = (module: string): boolean => /^(@swath\/problem|hono|@hono\/|zod)(\/|-|$)|^@hono\//.test(module);
  expect(["@swath/problem", "@hono/zod-openapi", "hono/http-exception", "zod"].filter(isOfServers)).toHaveLength(4);
  const engine = packages.find(({ name }) => name === "engine");
  expect(offences(sourcesOf(engine!, "src"), isOfServers)).toEqual([]);
});

test("every package has its place in the drawing", () => {
  expect(packages.map(({ name }) => name).sort()).toEqual(Object.keys(ARROWS).sort());
});

describe.each(packages)("$name", (workspace) => {
  const { name, manifest } = workspace;
  const sources = sourcesOf(workspace, "src");
  const commands = reachableFrom(Object.values(manifest.bin ?? {}).map((built) => sourceOfBuilt(workspace, built)));
  const exported = exportedSources(workspace);
  const portable = reachableFrom([...exported].filter(([subpath]) => subpath !== "./node").map(([, file]) => file));
  const library = sources.filter((file) => !commands.has(file) || reachableFrom(exported.values()).has(file));

  test("imports only packages that the drawing allows", () => {
    const allowed = new Set(ARROWS[name]);
    const isOther = (module: string): boolean => {
      const sibling = siblingOf(module);
      return sibling !== undefined && !allowed.has(sibling);
    };
    expect(offences(sources, isOther)).toEqual([]);
    expect(Object.keys(manifest.dependencies ?? {}).filter(isOther)).toEqual([]);
  });

  test.skipIf(NODE_ALONE.includes(name))("runs without Node but for its ./node entry and its commands", () => {
    expect(offences(portable, (module) => module.startsWith("node:") || /^@swath\/[^/]+\/node$/.test(module))).toEqual(
      [],
    );
  });

  test("index.ts and node.ts only re-export", () => {
    for (const [subpath, file] of exported) {
      if (subpath !== "." && subpath !== "./node") continue;
      const rest = codeOf(file).replace(
        /^export\s+(?:type\s+)?(?:\*|\{[^}]*\})(?:\s+as\s+\w+)?\s+from\s+"[^"]+";$/gm,
        "",
      );
      expect(`${shortPath(file)}: ${rest.trim()}`).toBe(`${shortPath(file)}: `);
    }
  });

  test("never writes to the console", () => {
    expect(library.filter((file) => /\bconsole\s*\.\s*\w+/.test(codeOf(file))).map(shortPath)).toEqual([]);
  });
});

describe.each(all)("$name", (workspace) => {
  const files = sourcesOf(workspace, "src", "test", "bench");

  test("imports of other packages name what those export", () => {
    const isInner = (module: string): boolean => {
      const other = all.find(({ manifest: { name } }) => name === `@swath/${siblingOf(module)}`);
      if (other === undefined) return siblingOf(module) !== undefined;
      const subpath = `.${module.slice(`@swath/${other.name}`.length)}`;
      return other.manifest.exports?.[subpath] === undefined;
    };
    expect(offences(files, isInner)).toEqual([]);
  });

  test("relative imports stay inside, except of the tools that tests of several packages have in common", () => {
    const isTool = (file: string, target: string): boolean =>
      relative(workspace.folder, file).startsWith("test/") && target.startsWith(join(ROOT, "test", "tools"));
    const leaves = (module: string, file: string): boolean => {
      const target = resolve(join(file, ".."), module);
      return module.startsWith(".") && relative(workspace.folder, target).startsWith("..") && !isTool(file, target);
    };
    expect(offences(files, leaves)).toEqual([]);
  });

  test("sources do not import tests or benches, and never themselves by name", () => {
    const isWrong = (module: string, file: string): boolean =>
      module === workspace.manifest.name ||
      (module.startsWith(".") && !relative(workspace.folder, resolve(join(file, ".."), module)).startsWith("src"));
    const toCode = (module: string, file: string): boolean => !module.endsWith(".json") && isWrong(module, file);
    expect(offences(sourcesOf(workspace, "src"), toCode)).toEqual([]);
  });

  test("no text is run as code", () => {
    const runsText = /\beval\s*\(|\bnew\s+Function\b|(?<![\w.])Function\s*\(|\bsetTimeout\(\s*["'`]/;
    expect(files.filter((file) => runsText.test(codeOf(file))).map(shortPath)).toEqual([]);
  });
});
