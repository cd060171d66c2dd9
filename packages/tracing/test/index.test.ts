import { expect, test } from "vitest";

test("the package exports these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toEqual([
    "activeParent",
    "spanReceiver",
    "traced",
    "tracedFetch",
  ]);
});

test("the Node entry exports these names", async () => {
  expect(Object.keys(await import("../src/node.ts")).sort()).toEqual(["addPart", "measured"]);
});
