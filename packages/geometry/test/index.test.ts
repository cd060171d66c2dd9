import { expect, test } from "vitest";

test("the exports are these", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchSnapshot();
});
