import { describe, expect, test } from "vitest";
import { targetOf } from "../src/paths.ts";

describe("an address in a document of a folder", () => {
  test.each([
    ["sub/item.json", "./a.tif", { kind: "inside", path: "sub/a.tif" }],
    ["sub/item.json", "../a.tif", { kind: "inside", path: "a.tif" }],
    ["item.json", "/data/folder/x/a.tif", { kind: "inside", path: "x/a.tif" }],
    ["item.json", "s3://bucket/a.tif", { kind: "remote", href: "s3://bucket/a.tif" }],
  ])("in %s, %s, leads where its text says", (document, href, expected) => {
    expect(targetOf("/data/folder", document, href)).toEqual(expected);
  });

  test.each(["../a.tif", "/etc/passwd", "/data/folder/../secret", "file:///etc/passwd", "data:x", "a\0b", "", "."])(
    "%s leads out of the folder or nowhere",
    (href) => {
      expect(targetOf("/data/folder", "item.json", href).kind).toBe("refused");
    },
  );
});
