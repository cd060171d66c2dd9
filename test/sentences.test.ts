import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, ROOT } from "./workspace.ts";

/** Doc comments, which begin a line: not the globs of strings. */
const DOC_COMMENT = /^[ \t]*\/\*\*\s([\s\S]*?)\*\//gm;
/** Words that begin noun clauses: "What a call gives" says less than "Returns the raster". */
const CLAUSE = /^(?:What|Of|How|Which|Who|Why)\b/;
const OLD_WORDS = /\bbut for\b|\bone an? (?:[a-z]+)[.,:;]|\b(?:person|credential)s?\b/i;

/** The doc comments of a source file that begin with a noun clause or hold words that others replaced. */
function faultsIn(source: string): readonly string[] {
  return [...source.matchAll(DOC_COMMENT)]
    .map(([, text = ""]) =>
      text
        .replace(/^\s*\* ?/gm, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .map((text) => text.replace(/^@internal /, ""))
    .filter((text) => CLAUSE.test(text) || OLD_WORDS.test(text));
}

test.each([
  ["/** What a call gives. */\nexport interface Answer {}", ["What a call gives."]],
  ["  /** @internal Of the account. */", ["Of the account."]],
  [
    "/**\n * How rows are read: all of them\n * but for the last.\n */",
    ["How rows are read: all of them but for the last."],
  ],
  ["/** Bands, one an interval. */", ["Bands, one an interval."]],
  ['const glob = "src/**/*.ts";\n/** Off by default; whatever it is. */\n// What follows is code.', []],
])("%j has the faults %j", (source, faults) => {
  expect(faultsIn(source)).toEqual(faults);
});

/** Declarations of words that had several meanings, each with the one file or files that share its meaning. */
const ONE_MEANING: Readonly<Record<string, readonly string[]>> = {
  // the area and time of a collection
  Extent: ["packages/catalog/src/catalog.ts"],
  // an item's pixels, read for any grid
  Scene: ["packages/mosaic/src/scene.ts"],
  Load: [],
  // one value of several that are computed for each pixel
  Measure: ["packages/engine/src/request.ts"],
};

const sources = filesOf(["{packages,apps}/*/{src,test}/**/*.{ts,tsx}", "test/**/*.ts"]);

test.each(Object.entries(ONE_MEANING))("%s is declared in %j alone: it means one thing", (name, files) => {
  const declaration = new RegExp(`^(?:export )?(?:interface|type|class|enum) ${name}\\b`, "m");
  expect(sources.filter((file) => declaration.test(readFileSync(join(ROOT, file), "utf8"))).toSorted()).toEqual(files);
});

test("doc comments are sentences or noun phrases, in today's words", () => {
  expect(sources.length).toBeGreaterThan(500);
  const faults = sources.flatMap((file) =>
    faultsIn(readFileSync(join(ROOT, file), "utf8")).map((text) => `${file}: ${text}`),
  );
  expect(faults).toEqual([]);
});
