import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { collections, defaultRegistry } from "../src/index.ts";
import { indices } from "../src/presets.ts";

const here = import.meta.dirname;
const readme = readFileSync(join(here, "..", "README.md"), "utf8");

test("the README's example runs and gives what it says", async () => {
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(here, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/schema"', '"../../src/index.ts"'));
    const example = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(example.native).toEqual(["B8A", "SR_B5"]);
    expect(example.reflectance).toBeCloseTo(0.2, 10);
    expect(example.what).toBe("cloud");
    expect(example.credit).toBe("Contains modified Copernicus Sentinel data 2023, 2024");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("the README counts what there is", () => {
  const bands = Object.values(defaultRegistry.schemaData().bands).reduce((sum, list) => sum + list.length, 0);
  const aliases = Object.values(collections).reduce((sum, { aliases: list }) => sum + list.length, 0);
  expect(readme).toContain(`${bands} bands`);
  expect(readme).toContain(`${aliases} collection aliases`);
  expect(readme).toContain(`${indices.length} indices`);
});
