import { expect, test } from "vitest";
import { folderHref, folderPath } from "../../../src/run/files/folder-files.ts";

test("an address of a file of the folder is one that the service has written", () => {
  const files = { directory: "/data/own", secret: "a secret" };
  const href = folderHref(files, "a b/ü.tif");
  expect(folderPath(files, href)).toBe("a b/ü.tif");
  expect(folderPath({ ...files, secret: "another" }, href)).toBeUndefined();
  expect(folderPath(files, href.replace("%20b", "%20c"))).toBeUndefined();
});
