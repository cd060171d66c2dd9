import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's code draws a legend and a curve whose texts are those that it gives", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(script, code.replace('"@swath/chart"', '"../src/index.ts"'));
  const { legend, curve } = (await import(script.href)) as { legend: string; curve: string };
  expect(legend).toContain('aria-label="Surface temperature (K)"');
  expect(legend.match(/<stop /g)).toHaveLength(3);
  expect(curve).toContain('aria-label="NDVI"');
  expect(curve.match(/<circle[^/>]*>\s*<title>/g)).toHaveLength(3);
});
