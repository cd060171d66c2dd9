import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual(["TracingError", "startTracing"]);
});
