import { expect, test } from "vitest";

test("the package exports exactly these names", async () => {
  expect(Object.keys(await import("../src/index.ts")).sort()).toMatchInlineSnapshot(`
    [
      "ARCHIVE",
      "archiveLines",
      "draftCollection",
      "openOwnArchive",
      "reportLines",
      "watchArchive",
    ]
  `);
});
