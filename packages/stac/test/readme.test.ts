import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

test("the code of the README walks two pages", async () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(import.meta.dirname, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/stac"', '"../../src/index.ts"'));
    const { ids } = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(ids).toEqual(["first", "second"]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
