import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

test("the code of the README finds a footprint across the antimeridian", async () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(import.meta.dirname, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/geometry"', '"../../src/index.ts"'));
    const { bbox, found, missed } = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(bbox).toEqual([179, -43, -179, -42]);
    expect([found, missed]).toEqual([true, false]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
