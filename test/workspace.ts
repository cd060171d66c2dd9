import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("..", import.meta.url));

/** Files of the repository, relative to its root, without what is installed or built, and examples of READMEs, which are files while their tests run. */
export function filesOf(patterns: string | readonly string[]): string[] {
  const exclude = (path: string): boolean => /(^|\/)(node_modules|dist|served|readme-example[.\w]*)$/.test(path);
  return globSync(patterns, { cwd: ROOT, exclude });
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly keywords?: readonly string[];
  readonly homepage?: string;
  readonly files?: readonly string[];
  readonly exports?: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly [member: string]: unknown;
}

/** A package or app of the workspace. `name` is its folder: "cog" of "@swath/cog". */
export interface Workspace {
  readonly name: string;
  readonly folder: string;
  readonly manifest: Manifest;
}

export const packages: readonly Workspace[] = workspacesIn("packages");
export const apps: readonly Workspace[] = workspacesIn("apps");
/** Packages that read files or state of a machine, or write to its terminal: they run in Node alone. */
export const NODE_ALONE: readonly string[] = [
  "cli",
  "accounts",
  "archive",
  "otlp",
  "tracing",
  "web",
  "legacy",
  "mcp",
  "chart",
];
/** The packages and apps that npm publishes. */
export const published: readonly Workspace[] = [...packages, ...apps].filter(
  ({ manifest }) => manifest.private !== true,
);

function workspacesIn(parent: string): Workspace[] {
  return readdirSync(join(ROOT, parent))
    .filter((name) => existsSync(join(ROOT, parent, name, "package.json")))
    .map((name) => {
      const folder = join(ROOT, parent, name);
      return { name, folder, manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) };
    });
}

/** TypeScript files under some folders of a workspace, as absolute paths. */
export function sourcesOf({ folder }: Workspace, ...folders: string[]): string[] {
  return folders.flatMap((each) =>
    globSync("**/*.{ts,tsx}", { cwd: join(folder, each) }).map((file) => join(folder, each, file)),
  );
}

/** The source of an entry that a manifest names by its built file: "./dist/cli.js" is made from src/cli.ts. */
export function sourceOfBuilt({ folder }: Workspace, built: string): string {
  return join(folder, built.replace(/^(\.\/)?dist\//, "src/").replace(/\.js$/, ".ts"));
}

/** Sources that a package exports, by subpath; those of JSON documents are left out. */
export function exportedSources({ folder, manifest }: Workspace): Map<string, string> {
  const entries = Object.entries(manifest.exports ?? {}).flatMap(([subpath, target]) =>
    typeof target === "string" ? [] : [[subpath, join(folder, target["@swath/source"] ?? "")] as const],
  );
  return new Map(entries);
}

/** A file's text without comments, where these stand on their own lines or begin with a slash and an asterisk. */
export function codeOf(file: string): string {
  return readFileSync(file, "utf8")
    .replace(/^\s*\/\/.*$/gm, "")
    .replace(/^\s*\/\*[\s\S]*?\*\//gm, "");
}

/** Module names that a file imports, re-exports or loads, types included. Biome keeps imports at the line's start. */
export function importsOf(file: string): string[] {
  const code = codeOf(file);
  const patterns = [
    /^(?:import|export)\s(?:[^"';]*?\sfrom\s+)?"([^"]+)"/gm,
    /\bimport\(\s*"([^"]+)"\s*\)/g,
    /\bnew URL\(\s*"(\.[^"]+\.ts)",\s*import\.meta\.url\s*\)/g,
  ];
  return patterns.flatMap((pattern) => [...code.matchAll(pattern)].flatMap(([, name]) => (name ? [name] : [])));
}

/** Files of the same package that run when one of `entries` does, the entries included. */
export function reachableFrom(entries: Iterable<string>): Set<string> {
  const seen = new Set<string>();
  const open = [...entries];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file) || !existsSync(file)) continue;
    seen.add(file);
    for (const name of importsOf(file)) if (name.startsWith(".")) open.push(resolve(file, "..", name));
  }
  return seen;
}

export function shortPath(file: string): string {
  return relative(ROOT, file);
}
