import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { NOW, sharedArchive } from "./shared-archive.ts";

const file = new URL("readme-example.generated.ts", import.meta.url);
afterAll(() => rmSync(file, { force: true }));

test("the example of the README runs and gives what it says", async () => {
  const directory = sharedArchive();
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  const runnable = (code ?? "")
    .replace('"@swath/sandbox"', '"../src/index.ts"')
    .replace('"@swath/sandbox/node"', '"../src/node.ts"')
    .replace('makeSandbox("./sandbox")', `makeSandbox("./sandbox", { now: new Date("${NOW}") })`)
    .replaceAll('"./sandbox"', JSON.stringify(directory));
  writeFileSync(file, runnable);
  const { page } = (await import(file.href)) as { page: { features: object[]; numberMatched: number } };
  expect(page.features).toHaveLength(3);
  expect(page.numberMatched).toBe(121);
}, 300_000);
