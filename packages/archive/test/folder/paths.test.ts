import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fileOf, targetOf } from "../../src/folder/paths.ts";

describe("an address in a document of a folder", () => {
  test.each([
    ["sub/item.json", "./a.tif", { kind: "inside", path: "sub/a.tif" }],
    ["sub/item.json", "../a.tif", { kind: "inside", path: "a.tif" }],
    ["item.json", "/data/folder/x/a.tif", { kind: "inside", path: "x/a.tif" }],
    ["item.json", "s3://bucket/a.tif", { kind: "remote", href: "s3://bucket/a.tif" }],
    ["x/i.json", "./a%20b%C3%BC.tif", { kind: "inside", path: "x/a b\u00fc.tif", asWritten: "x/a%20b%C3%BC.tif" }],
    ["item.json", "a.tif?version=2", { kind: "inside", path: "a.tif", asWritten: "a.tif?version=2" }],
    ["item.json", "a%23b.tif", { kind: "inside", path: "a#b.tif", asWritten: "a%23b.tif" }],
    ["item.json", "100%.tif", { kind: "inside", path: "100%.tif" }],
    ["item.json", "file:///data/folder/a%20b.tif", { kind: "inside", path: "a b.tif" }],
  ])("in %s, %s, leads where its text says", (document, href, expected) => {
    expect(targetOf("/data/folder", document, href)).toEqual(expected);
  });

  test.each([
    "../a.tif",
    "/etc/passwd",
    "/data/folder/../secret",
    "file:///etc/passwd",
    "data:x",
    "a\0b",
    "",
    ".",
    "a%00b",
    "%2e%2e/a.tif",
    "#x",
  ])("%s leads out of the folder or nowhere", (href) => {
    expect(targetOf("/data/folder", "item.json", href).kind).toBe("refused");
  });
});

test("a file that is called as the address is written is meant, else the one that the address means as a reference", async () => {
  const directory = await mkdtemp(join(tmpdir(), "swath-paths-"));
  try {
    await writeFile(join(directory, "a#b.tif"), "");
    const file = (href: string): string | undefined => {
      const target = targetOf(directory, "item.json", href);
      return target.kind === "inside" ? fileOf(directory, target) : undefined;
    };
    expect([file("a#b.tif"), file("a%23b.tif"), file("c%20d.tif")]).toEqual(["a#b.tif", "a#b.tif", "c d.tif"]);
  } finally {
    await rm(directory, { recursive: true });
  }
});
