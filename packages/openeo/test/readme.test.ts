import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

test("the code of the README computes a mean NDVI", async () => {
  const readme = readFileSync(join(import.meta.dirname, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  // not in this folder, whose files other tests read meanwhile
  const folder = mkdtempSync(join(tmpdir(), "swath-readme-"));
  const source = (name: string): string => JSON.stringify(join(import.meta.dirname, "../src", name));
  try {
    const local = code
      .replaceAll('"@swath/openeo/program"', source("program.ts"))
      .replaceAll('"@swath/openeo"', source("index.ts"));
    writeFileSync(join(folder, "example.ts"), local);
    const { found } = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(found).toEqual([((0.3 - 0.1) / (0.3 + 0.1) + (0.4 - 0.1) / (0.4 + 0.1)) / 2]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
