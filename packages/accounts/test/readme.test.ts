import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's example runs", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)![1]!;
  writeFileSync(script, code.replace('"@swath/accounts"', '"../src/index.ts"'));
  const { receipt, usage } = await import(script.href);
  expect(receipt).toMatchObject({ spent: 25_000, payer: { id: expect.stringMatching(/^account:/) } });
  expect(usage).toMatchObject({ units: 25_000 });
});
