import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const here = import.meta.dirname;

test("the README's example runs and finds its scene under native names", async () => {
  const readme = readFileSync(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(here, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/catalog"', '"../../src/index.ts"'));
    const example = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(example.page).toMatchObject({ numberMatched: 1, items: [{ properties: { "s2:mgrs_tile": "05CNL" } }] });
    expect(example.asset).toMatchObject({ "svc:band": "B04", bands: [{ "raster:offset": -0.1 }] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
