import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const file = new URL("readme-example.generated.ts", import.meta.url);
const folder = await mkdtemp(join(tmpdir(), "swath-files-"));
afterAll(async () => {
  rmSync(file, { force: true });
  await rm(folder, { recursive: true, force: true });
});

test("the example of the README writes a file and reads it", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const here = (code ?? "").replace('"@swath/files"', '"../src/index.ts"').replaceAll('"data/', `"${folder}/data/`);
  writeFileSync(file, here);
  expect((await import(file.href)).count).toBe(12);
});
