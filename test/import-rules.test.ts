import { basename, dirname, join, relative, resolve } from "node:path";
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
  sandbox: ["encode", "geometry", "raster", "schema"],
  doctor: ["catalog", "cog", "engine", "http", "query", "schema", "stac"],
  store: ["http"],
  accounts: ["http", "problem", "store", "web"],
  otlp: [],
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
  cli: ["api", "archive", "catalog", "cog", "engine", "query", "raster", "sandbox", "schema", "store"],
  archive: ["catalog", "cog", "engine", "geometry", "raster", "schema", "store"],
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

/** Files beside each other in a folder: as many as one takes in at a look. */
const FULL_ROOM = 12;

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

test("the main entry of accounts runs without its optional peers: Hono is for who imports ./hono", () => {
  const accounts = packages.find(({ name }) => name === "accounts");
  const peers = Object.keys(accounts?.manifest.peerDependencies as object);
  const isPeer = (module: string): boolean => peers.some((peer) => `${module}/`.startsWith(`${peer}/`));
  const importsIn = (entry: string): string[] =>
    offences(reachableFrom([exportedSources(accounts!).get(entry)!]), isPeer);
  expect(importsIn("./hono").length).toBeGreaterThan(10);
  expect(importsIn(".")).toEqual([]);
});

test("every package has its place in the drawing", () => {
  expect(packages.map(({ name }) => name).sort()).toEqual(Object.keys(ARROWS).sort());
});

describe.each(packages)("$name", (workspace) => {
  const { name, manifest } = workspace;
  const sources = sourcesOf(workspace, "src");
  const commands = reachableFrom(Object.values(manifest.bin ?? {}).map((built) => sourceOfBuilt(workspace, built)));
  const exported = exportedSources(workspace);
  const portable = reachableFrom(
    [...exported].filter(([subpath]) => !subpath.startsWith("./node")).map(([, file]) => file),
  );
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

  test.skipIf(NODE_ALONE.includes(name))("runs without Node but for what is behind ./node and its commands", () => {
    expect(
      offences(portable, (module) => module.startsWith("node:") || /^@swath\/[^/]+\/node(\/|$)/.test(module)),
    ).toEqual([]);
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

  test("has its tests in folders that its sources have too", () => {
    const foldersOf = (files: readonly string[], root: string): Set<string> =>
      new Set(files.map((file) => relative(join(workspace.folder, root), dirname(file))));
    const tests = sourcesOf(workspace, "test").filter((file) => file.endsWith(".test.ts"));
    const ofSources = [...foldersOf(sources, "src")];
    const isRoom = (folder: string): boolean => ofSources.some((each) => `${each}/`.startsWith(`${folder}/`));
    expect([...foldersOf(tests, "test")].filter((folder) => folder !== "" && !isRoom(folder))).toEqual([]);
  });

  test("never writes to the console", () => {
    expect(library.filter((file) => /\bconsole\s*\.\s*\w+/.test(codeOf(file))).map(shortPath)).toEqual([]);
  });
});

describe.each(all)("$name", (workspace) => {
  const { folder } = workspace;
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

  describe("folders", () => {
    const root = join(folder, "src");
    const sources = sourcesOf(workspace, "src").map((file) => relative(root, file));
    const targetsOf = (file: string): string[] =>
      importsOf(join(root, file))
        .filter((module) => module.startsWith("."))
        .map((module) => relative(root, resolve(root, dirname(file), module)))
        .filter((target) => sources.includes(target));

    test(`hold at most ${FULL_ROOM} files beside each other`, () => {
      const counts = new Map<string, number>();
      for (const file of sources.filter((each) => !/^index\./.test(basename(each)))) {
        counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
      }
      expect([...counts].filter(([, count]) => count > FULL_ROOM)).toEqual([]);
    });

    test("have files that never import each other in a circle", () => {
      expect(circlesOf(sources.map((file) => [file, targetsOf(file)]))).toEqual([]);
    });

    test("never import each other in a circle", () => {
      const arrows = new Map<string, Set<string>>();
      for (const file of sources) {
        for (const target of targetsOf(file)) {
          const [from, to] = roomsOf(file, target);
          if (from !== undefined && to !== undefined) arrows.set(from, (arrows.get(from) ?? new Set()).add(to));
        }
      }
      expect(circlesOf(arrows)).toEqual([]);
    });
  });
});

/** The folders of two files below the last one that both are in; undefined for a file that stands in that one itself. */
function roomsOf(one: string, other: string): [string | undefined, string | undefined] {
  const [a, b] = [dirname(one).split("/"), dirname(other).split("/")];
  let shared = 0;
  while (a[shared] !== undefined && a[shared] === b[shared]) shared += 1;
  const roomOf = (path: readonly string[]): string | undefined =>
    path[shared] === undefined || path[shared] === "." ? undefined : path.slice(0, shared + 1).join("/");
  return [roomOf(a), roomOf(b)];
}

/** Names that come back to themselves by arrows, each circle with the names in it once, as a line to read in a failure. */
function circlesOf(arrows: Iterable<readonly [string, Iterable<string>]>): string[] {
  const targets = new Map([...arrows].map(([name, to]) => [name, [...to]]));
  const open: string[] = [];
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (name: string): void => {
    if (done.has(name)) return;
    if (open.includes(name)) {
      found.push([...open.slice(open.indexOf(name)), name].join(" > "));
      return;
    }
    open.push(name);
    for (const target of targets.get(name) ?? []) walk(target);
    open.pop();
    done.add(name);
  };
  for (const name of targets.keys()) walk(name);
  return found;
}
