import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const here = import.meta.dirname;
const folder = mkdtempSync(join(here, "readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the README's code does its work without a collector, and has no trace to give on", async () => {
  const readme = readFileSync(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const local = code
    .replaceAll('"@swath/tracing"', '"../../src/index.ts"')
    .replaceAll('"@swath/tracing/node"', '"../../src/node.ts"');
  writeFileSync(join(folder, "example.ts"), local);
  const { drawn, parent } = await import(pathToFileURL(join(folder, "example.ts")).href);
  expect({ drawn, parent }).toEqual({ drawn: "a map", parent: undefined });
});
