import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "PROBLEMS",
      "PROBLEM_CODES",
      "PROBLEM_MEDIA_TYPE",
      "Problem",
      "ProblemError",
      "isProblemCode",
      "pointersFromZod",
      "problemHeaders",
      "problemKind",
      "problemPage",
      "problemType",
      "toProblem",
      "zodMessage",
    ]
  `);
});
