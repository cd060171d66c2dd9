import { expect, test } from "vitest";

test("the package exports what the README lists", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchSnapshot();
});

test.each(["kernels", "style", "warp"])("the entry %s exports what the README lists", async (entry) => {
  expect(Object.keys(await import(`../src/${entry}.ts`)).sort()).toMatchSnapshot();
});
