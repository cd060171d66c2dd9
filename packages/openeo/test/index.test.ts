import { expect, test } from "vitest";

test("the exports are these", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchSnapshot();
});

test("the exports of ./program are these", async () => {
  expect(Object.keys(await import("../src/program.ts")).sort()).toEqual(["runProgram"]);
});
