import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const file = new URL("readme-example.generated.ts", import.meta.url);
afterAll(() => rmSync(file, { force: true }));

test("the example of the README finds the clear scene, and the code of a constraint", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(file, (code ?? "").replace('"@swath/sqlite"', '"../src/index.ts"'));
  const example = await import(file.href);
  expect(example.clear).toEqual([{ id: "S2A_33TUM_20240102" }]);
  expect(example.code).toBe(19);
});
