import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, test } from "vitest";

const here = import.meta.dirname;
const folder = mkdtempSync(join(here, "readme-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("the README's code does its work without a collector", async () => {
  const readme = readFileSync(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/otlp"', '"../../src/index.ts"'));
  const { drawn } = await import(pathToFileURL(join(folder, "example.ts")).href);
  expect(drawn).toBe("a map");
});
