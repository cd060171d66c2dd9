import { expect, test } from "vitest";

test.each(["index", "kernels", "style", "warp"])("the entry %s exports what the README lists", async (entry) => {
  expect(Object.keys(await import(`../src/${entry}.ts`)).sort()).toMatchSnapshot();
});
