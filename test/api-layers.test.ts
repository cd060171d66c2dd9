import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { apps, importsOf, packages, reachableFrom, sourcesOf, type Workspace } from "./workspace.ts";

/**
 * The layers of `apps/api/src`, highest first: a folder or file imports from its own layer's folder and from the layers
 * below. Those in one row stand side by side and do not import each other. docs/architecture.md draws them.
 */
const LAYERS: readonly (readonly string[])[] = [
  ["bin.ts"],
  ["main.ts", "index.ts", "function.ts", "commands"],
  ["service"],
  ["routes", "mcp"],
  ["http"],
  ["documents"],
  ["operations"],
  ["bodies", "open"],
  ["metrics", "errors"],
];

const api = apps.find(({ name }) => name === "api") as Workspace;
const source = join(api.folder, "src");
const layerOf = (file: string): string => relative(source, file).split("/")[0] ?? "";
const files = sourcesOf(api, "src");

/** Imports from one folder or file of `src` to another. */
const arrows = files.flatMap((file) =>
  importsOf(file)
    .filter((name) => name.startsWith(".") && name.endsWith(".ts"))
    .map((name) => ({ file, from: layerOf(file), to: layerOf(resolve(dirname(file), name)) }))
    .filter(({ from, to }) => from !== to),
);

test("every folder and file of the service has a layer, and every layer is there", () => {
  expect([...new Set(files.map(layerOf))].sort()).toEqual(LAYERS.flat().sort());
});

test("imports inside the service point down the layers", () => {
  const level = new Map(LAYERS.flatMap((names, i) => names.map((name) => [name, i] as const)));
  const upward = arrows.filter(({ from, to }) => (level.get(to) ?? 0) <= (level.get(from) ?? 0));
  expect(upward.map(({ file, to }) => `${relative(source, file)} imports ${to}`)).toEqual([]);
});

test("what operations do knows no HTTP", () => {
  const reached = reachableFrom(sourcesOf(api, "src/operations"));
  const hono = [...reached].filter((file) => importsOf(file).some((name) => /^(@hono\/node-server|hono)\b/.test(name)));
  expect(hono.map((file) => relative(source, file))).toEqual([]);
});

const engine = packages.find(({ name }) => name === "engine") as Workspace;

test("render threads load what they render with, and neither catalog nor collections", () => {
  const source = join(engine.folder, "src");
  const reached = [...reachableFrom([join(source, "run", "threads", "worker.ts")])];
  expect([...new Set(reached.map((file) => relative(source, file).split("/")[0]))]).toEqual(["run", "refusal.ts"]);
  const loaded = new Set(reached.flatMap(importsOf).filter((name) => !/^(\.|node:)/.test(name)));
  expect([...loaded].filter((name) => /catalog|schema|stac|query|hono|zod/.test(name))).toEqual([]);
});

test("the layers are drawn in docs/architecture.md in this order", () => {
  const document = readFileSync(join(import.meta.dirname, "..", "docs", "architecture.md"), "utf8");
  const drawing = /```text layers\n([\s\S]*?)```/.exec(document)?.[1] ?? "";
  const rows = drawing.split("\n").filter((line) => /^\S/.test(line));
  const named = rows.map((row) =>
    (row.split(/\s{2,}/)[0] ?? "").split(/\s*\|\s*/).map((name) => name.replace(/\/$/, "")),
  );
  expect(named).toEqual(LAYERS.map((names) => [...names]));
});
