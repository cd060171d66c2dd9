import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import type { Mosaic } from "../src/index.ts";

const file = new URL("readme-example.generated.ts", import.meta.url);
afterAll(() => rmSync(file, { force: true }));

test("the example of the README runs and gives what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const [, code] = /```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  writeFileSync(file, (code ?? "").replace('"@swath/mosaic"', '"../src/index.ts"'));
  const { mosaic }: { mosaic: Mosaic } = await import(file.href);
  expect(mosaic.used).toEqual(["new", "old"]);
  expect([...(mosaic.raster?.bands[0] ?? [])]).toEqual([2000, 2000, 2500, 2500, 2000, 2000, 2500, 2500]);
});
