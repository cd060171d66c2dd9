import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exceptionFor, isPermissive, licenseList, productionPackages } from "../scripts/licenses.mjs";

const LIST = join(import.meta.dirname, "..", "docs", "licenses.md");
const packages = productionPackages();

test("every package that the service runs on has a permissive licence, or a reason to be used all the same", () => {
  expect(packages.length).toBeGreaterThan(30);
  const refused = packages.filter((each) => !isPermissive(each.license) && exceptionFor(each) === undefined);
  expect(refused).toEqual([]);
});

test.each([
  ["MIT", true],
  ["(MIT OR GPL-3.0-only)", true],
  ["MIT AND BSD-3-Clause", true],
  ["MIT AND GPL-3.0-only", false],
  ["GPL-3.0-only", false],
  ["AGPL-3.0-or-later", false],
  ["LGPL-3.0-or-later", false],
  ["SEE LICENSE IN LICENSE.md", false],
  ["UNLICENSED", false],
  [undefined, false],
])("%s is permissive: %s", (license, expected) => {
  expect(isPermissive(license)).toBe(expected);
});

test("docs/licenses.md lists them", () => {
  expect(readFileSync(LIST, "utf8")).toBe(licenseList(packages));
});
