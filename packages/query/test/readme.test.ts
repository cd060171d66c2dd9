import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

test("the code of the README reads a search and finds its item", async () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(import.meta.dirname, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/query"', '"../../src/index.ts"'));
    const { found, shown, matches, text, pointer } = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect([found, matches]).toEqual([true, true]);
    expect(text).toBe("gsd IS NOT NULL");
    expect(shown).toEqual({
      type: "Feature",
      id: "a",
      collection: "sentinel-2-l2a",
      properties: { "eo:cloud_cover": 12 },
    });
    expect(pointer).toBe("/query/eo:clouds");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
