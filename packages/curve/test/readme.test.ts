import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";

const script = new URL("./readme-example.ts", import.meta.url);
afterAll(() => rmSync(script, { force: true }));

test("the README's code gives the numbers that it names", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const code = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? "";
  writeFileSync(script, code.replace('"@swath/curve"', '"../src/index.ts"'));
  const { hidden, isTrend, peaks, p, slope, whittaker, polynomials, seasons } = await import(script.href);
  expect(hidden).toBeCloseTo(0.732, 3);
  expect(isTrend).toBe(false);
  expect(peaks).toEqual([6, 6]);
  expect(p).toBeGreaterThan(0.05);
  expect(slope).toBeCloseTo(0, 1);
  expect(whittaker[5]).toBe(hidden);
  expect(polynomials).toHaveLength(24);
  expect(seasons).toHaveLength(2);
});
