import { expect, test } from "vitest";
import { FilesRule } from "../../src/file/path-template.ts";

test.each(["../{band}.tif", "/data/{band}.tif", "{band}/{band}.tif", "{Band}.tif", "*".repeat(40)])(
  "the path template %s is refused",
  (path) => {
    expect(FilesRule.safeParse({ path }).success).toBe(false);
  },
);
