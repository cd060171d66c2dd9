#!/usr/bin/env node
// Writes docs/conformance.md: every rule that the service keeps (apps/api/test/requests/conformance/rules.json), with the tests that
// check it, which name it themselves (`test("...", { tags: ["S7"] }, ...)`). `faultsOf` says which rules lack a test; a test
// asks it. With `--ran REPORT...` (JSON reports of vitest) it says instead of which rules no test ran.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { taggedTests } from "./test-rules.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{ sections: { title: string, rules: Record<string, string> }[] }} Rules Sentences by the id of the rule.
 * @typedef {import("./test-rules.mjs").TaggedTest & { file: string }} TaggedTest
 */

/** @returns {Rules} */
export const readRules = () =>
  JSON.parse(readFileSync(join(root, "apps/api/test/requests/conformance/rules.json"), "utf8"));

const sentencesOf = (/** @type {Rules} */ { sections }) => sections.flatMap(({ rules }) => Object.entries(rules));

/** Folders in which tests lie. */
const testFolders = () => [
  "test",
  ...["packages", "apps", "examples"].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => (parent === "examples" ? `${parent}/${name}` : `${parent}/${name}/test`))
      .filter((folder) => existsSync(join(root, folder))),
  ),
];

/** Reads which tests of the workspace name rules, sorted by file. @returns {TaggedTest[]} */
export const readTests = () =>
  testFolders()
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
        .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
        .filter((file) => file.endsWith(".test.ts") && !file.includes("/node_modules/")),
    )
    .sort()
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      return text.includes("tags:") ? taggedTests(text, file).map((test) => ({ ...test, file })) : [];
    });

/** Tools and recorded files that tests need beyond Node. */
const TOOLS = [
  [/fixtures|files\.length === 0/i, "recorded imagery"],
  [/schemas/i, "STAC schemas"],
  [/hasCogCheck/, "GDAL's Python samples"],
  [/hasScipy/, "SciPy"],
  [/gdal/i, "GDAL"],
  [/chromium/i, "Chromium"],
  [/nginx/i, "nginx"],
  [/owslib/i, "OWSLib"],
  [/oauthlib/i, "requests-oauthlib"],
  [/qgis/i, "QGIS"],
  [/postgres/i, "PostgreSQL"],
  [/redocly/i, "Redocly"],
];
const toolOf = (/** @type {string} */ condition) => TOOLS.find(([pattern]) => pattern.test(condition))?.[1];
const needsOf = (/** @type {TaggedTest} */ { skipped }) => [
  ...new Set(skipped.map((condition) => toolOf(condition) ?? condition)),
];

/** A table of more rows than this (each collection, each preset) holds the same rules in every row only by chance: */
const FEW_ROWS = 4;
/** so more rules than this name the rows that hold them, not the table. */
const MAX_RULES_A_TABLE = 3;

const isCheckedBy = (/** @type {TaggedTest} */ test, /** @type {string} */ id) =>
  test.rules.some((rule) => rule.id === id);

/** Returns the faults of the rules, one line for each; empty when each rule has tests. */
export const faultsOf = (/** @type {Rules} */ rules, /** @type {readonly TaggedTest[]} */ tests) => {
  const ids = sentencesOf(rules).map(([id]) => id);
  return [
    ...ids.filter((id, i) => ids.indexOf(id) !== i).map((id) => `${id} is there twice`),
    ...sentencesOf(rules).flatMap(([id, sentence]) => [
      ...(sentence.trim() === "" ? [`${id} says nothing`] : []),
      ...(tests.some((test) => isCheckedBy(test, id)) ? [] : [`${id} has no test: ${sentence}`]),
    ]),
    ...tests.flatMap((test) => {
      const name = `${test.file} > ${test.title}`;
      const whole = test.rules.filter(({ rows }) => rows === undefined).map(({ id }) => id);
      return [
        ...test.rules.filter(({ id }) => !ids.includes(id)).map(({ id }) => `${id} is no rule: ${name}`),
        ...test.skipped
          .filter((condition) => toolOf(condition) === undefined)
          .map((condition) => `${name} is skipped for a reason without a name: ${condition}`),
        // where the rows of a table hold different rules, each rule names its own rows
        ...(test.count > FEW_ROWS && whole.length > MAX_RULES_A_TABLE
          ? [`${whole.join(", ")} all name a whole table: ${name}`]
          : []),
      ];
    }),
  ];
};

/** Returns each rule and file of which no test with that rule passed or was skipped in these reports of vitest. */
export const notRun = (/** @type {readonly TaggedTest[]} */ tests, /** @type {readonly object[]} */ reports) => {
  const ran = new Set(
    reports.flatMap(({ testResults = [] }) =>
      testResults.flatMap(({ name, assertionResults }) =>
        assertionResults
          .filter(({ status }) => status !== "failed")
          .flatMap(({ tags = [] }) => tags.map((id) => `${id}: ${relative(root, name)}`)),
      ),
    ),
  );
  const named = new Set(tests.flatMap(({ file, rules }) => rules.map(({ id }) => `${id}: ${file}`)));
  return [...named].filter((each) => !ran.has(each));
};

/** Renders the page. */
export const renderConformance = (/** @type {Rules} */ rules, /** @type {readonly TaggedTest[]} */ tests) => {
  const sentences = sentencesOf(rules);
  const heldBy = (/** @type {string} */ id) => tests.filter((test) => isCheckedBy(test, id));
  const restingOn = (/** @type {string} */ id) => {
    const needs = heldBy(id).map(needsOf);
    return needs.some((each) => each.length === 0) ? [] : [...new Set(needs.flat())];
  };
  const conditional = sentences.filter(([id]) => restingOn(id).length > 0);
  const uncovered = sentences.filter(([id]) => heldBy(id).length === 0).length;
  const escaped = (/** @type {string} */ text) => text.replace(/[\\*_<>[\]$]/g, "\\$&");
  const item = (/** @type {[string, string]} */ [id, sentence]) => {
    const held = heldBy(id).map((test) => {
      const needs = needsOf(test);
      const { rows } = test.rules.find((rule) => rule.id === id) ?? {};
      return [
        `  - [${basename(test.file)}](../${test.file}): ${escaped(test.title)}`,
        rows === undefined ? "" : `: ${rows.map(escaped).join("; ")}`,
        needs.length === 0 ? "" : ` (needs ${needs.join(", ")})`,
      ].join("");
    });
    const needs = restingOn(id);
    const mark = needs.length === 0 ? "" : ` **Not tested without: ${needs.join(", ")}.**`;
    return [`- **${id}** ${sentence}${mark}`, ...held].join("\n");
  };
  return [
    "# Conformance",
    `Every rule of the interface that the service keeps, in short (those of lean v1, which the full profile keeps too unless another rule says otherwise, and those of the full profile), with the tests that check it: ${sentences.length} rules, ${tests.length} tests, ${uncovered} rules without one. A title with \`%s\` or \`$name\` stands for a table of cases, all of which hold the rule unless some are named.`,
    `Tests that need a tool (GDAL, Chromium, nginx, OWSLib, QGIS, PostgreSQL, Redocly) or files that are no part of the repository (recorded imagery in \`SWATH_FIXTURES\`, schemas in \`SWATH_SCHEMAS\`) are skipped where it is absent; each says what it needs. ${conditional.length} rules rest on such tests alone: ${conditional.map(([id]) => id).join(", ")}.`,
    "This page is made by `node scripts/conformance.mjs` from `apps/api/test/requests/conformance/rules.json` and from the tests, which name the rules that they check as tags: `npx vitest run --tags-filter S7` runs those of a rule. A rule without a test, a test that names no rule of the list and a page that is not up to date fail the tests; CI also checks that tests of each rule ran.",
    ...rules.sections.flatMap(({ title, rules: own }) => [`## ${title}`, Object.entries(own).map(item).join("\n")]),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [mode, ...reports] = process.argv.slice(2);
  const [rules, tests] = [readRules(), readTests()];
  if (mode === "--ran") {
    const missing = notRun(
      tests,
      reports.map((path) => JSON.parse(readFileSync(path, "utf8"))),
    );
    for (const each of missing) console.error(`did not run: ${each}`);
    process.exitCode = missing.length === 0 ? 0 : 1;
  } else {
    for (const fault of faultsOf(rules, tests)) console.error(fault);
    writeFileSync(join(root, "docs/conformance.md"), renderConformance(rules, tests));
  }
}
