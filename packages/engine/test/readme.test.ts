import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const file = new URL("readme-example.generated.ts", import.meta.url);
afterAll(() => rmSync(file, { force: true }));

test("the example of the README runs and gives what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(file, (code ?? "").replace('"@swath/engine"', '"../src/index.ts"'));
  const { intervals, count } = await import(file.href);
  expect(count).toBe(3);
  expect(intervals[0].from).toBe(Date.UTC(2024, 0, 1));
});
