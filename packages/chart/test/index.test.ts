import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "LEGEND_SIZE",
      "dayLabel",
      "legendChart",
      "rampTicks",
      "seriesChart",
    ]
  `);
});
