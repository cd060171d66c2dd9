import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "PROBLEM_MEDIA_TYPE",
      "Problem",
      "ProblemError",
      "pointersFromZod",
      "problemErrors",
      "problemHeaders",
      "toProblem",
      "zodMessage",
    ]
  `);
});
