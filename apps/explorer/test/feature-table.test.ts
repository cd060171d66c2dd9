import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import features from "./features.json" with { type: "json" };

/** The map pages that ours stands beside. */
const PAGES = ["Copernicus Browser", "Planetary Computer Explorer", "TiTiler's viewers", "STAC Browser", "GeoLibre"];

/** The table of features in the guide of the map page: the first two cells of its rows. */
function rowsOfGuide(): readonly (readonly [feature: string, here: string])[] {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/explorer.md"), "utf8");
  const [, table = ""] = guide.split(`| ${PAGES.join(" | ")} |`);
  return [...table.matchAll(/^\| ([^|\n]+) \| ([^|\n]+) \|/gm)]
    .map(([, feature = "", here = ""]) => [feature, here] as const)
    .filter(([feature]) => !feature.startsWith("---"));
}

test("every feature of the table in the guide names a test, and no test is named for a feature that is not there", () => {
  expect(rowsOfGuide().map(([feature]) => feature)).toEqual(Object.keys(features));
});

test("every row says something of each page, if only that it is not known", () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../docs/guides/explorer.md"), "utf8");
  for (const feature of Object.keys(features)) {
    const row = guide.split("\n").find((line) => line.startsWith(`| ${feature} |`)) ?? "";
    const cells = row.split("|").slice(2, -1);
    expect([feature, cells.length]).toEqual([feature, 1 + PAGES.length]);
    expect(cells.filter((cell) => cell.trim() === "")).toEqual([]);
  }
});

test.each(Object.entries(features))("%s: there is the test in Chromium that shows it", (_, { file, test: name }) => {
  expect(file).toMatch(/\.long\.test\.ts$/);
  const source = readFileSync(join(import.meta.dirname, file), "utf8");
  // a title of a test that runs, not of one that is left out
  const title = JSON.stringify(name).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  expect(source).toMatch(new RegExp(`(?:\\btest(?:\\.skipIf\\(!has\\w+\\))?|\\]\\))\\(${title}`));
  expect(source).toContain("useVisits()");
});
