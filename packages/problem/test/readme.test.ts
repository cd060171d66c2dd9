import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

const here = import.meta.dirname;

test("the README's example runs and gives the document it shows", async () => {
  const readme = readFileSync(join(here, "..", "README.md"), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  const folder = mkdtempSync(join(here, "readme-"));
  try {
    writeFileSync(join(folder, "example.ts"), code.replaceAll('"@swath/problem"', '"../../src/index.ts"'));
    const example = await import(pathToFileURL(join(folder, "example.ts")).href);
    expect(example.document).toMatchObject({
      type: "https://imagery.example/problems/invalid-body",
      status: 400,
      errors: [{ pointer: "/limit" }, { pointer: "/limt" }],
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
