import { expect, test } from "vitest";

test("the package exports what its README lists", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchSnapshot();
});
