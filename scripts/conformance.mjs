#!/usr/bin/env node
// Writes docs/conformance.md from apps/api/test/conformance/rules.json: every rule that the service keeps, with the tests
// that hold it. `faultsOf` says which rules lack a test or name one that is not there; a test asks it. With
// `--ran REPORT...` (JSON reports of vitest) it says instead which of these tests did not run.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { pattern, testsOf } from "./test-titles.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{ id: string, rule: string, tests: string[] }} Rule
 * @typedef {{ sections: { title: string, rules: Rule[] }[] }} Rules
 * @typedef {import("./test-titles.mjs").DeclaredTest} DeclaredTest
 */

/** @returns {Rules} */
export const readRules = () => JSON.parse(readFileSync(join(root, "apps/api/test/conformance/rules.json"), "utf8"));

/**
 * A test is named as `file > title` or `file > group > title`; a table is named by its title as it stands or by one
 * row.
 */
const parted = (/** @type {string} */ test) => {
  const at = test.indexOf(" > ");
  return { file: test.slice(0, at), title: test.slice(at + 3) };
};

const known = new Map();
/** The tests that a file declares. @returns {DeclaredTest[]} */
const declaredIn = (/** @type {string} */ file) => {
  if (!known.has(file)) {
    const path = join(root, file);
    known.set(file, existsSync(path) ? testsOf(readFileSync(path, "utf8"), path) : []);
  }
  return known.get(file);
};
/** Declarations that a name stands for: the title itself, or a table of which it is a row. */
const declarationsOf = (/** @type {string} */ test) => {
  const { file, title } = parted(test);
  const tests = declaredIn(file);
  const exact = tests.filter((each) => each.names.includes(title));
  return exact.length > 0 ? exact : tests.filter((each) => each.rows?.test(title));
};
/** The tables of which a name is the title. */
const tablesOf = (/** @type {string} */ test) => {
  const { file, title } = parted(test);
  return declaredIn(file).filter((each) => each.rows !== undefined && each.names.includes(title));
};

/** Tools and recorded files that a declaration's tests need beyond Node. */
const TOOLS = [
  [/fixtures|files\.length === 0/i, "recorded imagery"],
  [/schemas/i, "STAC schemas"],
  [/hasCogCheck/, "GDAL's Python samples"],
  [/gdal/i, "GDAL"],
  [/chromium/i, "Chromium"],
  [/owslib/i, "OWSLib"],
  [/oauthlib/i, "requests-oauthlib"],
  [/qgis/i, "QGIS"],
  [/postgres/i, "PostgreSQL"],
  [/redocly/i, "Redocly"],
];
const toolOf = (/** @type {string} */ condition) => TOOLS.find(([pattern]) => pattern.test(condition))?.[1];
/** Returns the tools and files that a test needs to run; empty where it always runs. */
const needsOf = (/** @type {string} */ test) => {
  const each = declarationsOf(test).map(({ skipped }) => skipped.map((condition) => toolOf(condition) ?? condition));
  return each.some((needs) => needs.length === 0) ? [] : [...new Set(each.flat())];
};

/** A table of more rows than this (each collection, each preset) holds the same rules in every row only by chance: */
const FEW_ROWS = 4;
/** so more rules than this name the rows that hold them, not the table. */
const MAX_RULES_A_TABLE = 3;

/** Returns the faults of the rules, one line for each; empty when each rule has tests that exist. */
export const faultsOf = (/** @type {Rules} */ { sections }) => {
  const faults = [];
  const seen = new Set();
  const tables = new Map();
  for (const { id, rule, tests } of sections.flatMap((section) => section.rules)) {
    if (seen.has(id)) faults.push(`${id} is there twice`);
    seen.add(id);
    if (rule.trim() === "") faults.push(`${id} says nothing`);
    if (tests.length === 0) faults.push(`${id} has no test: ${rule}`);
    for (const test of tests) {
      const { file, title } = parted(test);
      const declarations = declarationsOf(test);
      if (declarations.length === 0) {
        const isGroup = declaredIn(file).some(({ groups }) => groups.includes(title));
        faults.push(
          isGroup
            ? `${id} names a group of tests, not the tests that hold it: ${test}`
            : `${id} names a test that is not there: ${test}`,
        );
      }
      for (const condition of declarations.flatMap(({ skipped }) => skipped)) {
        if (toolOf(condition) === undefined)
          faults.push(`${test} is skipped for a reason without a name: ${condition}`);
      }
      if (tablesOf(test).some(({ count = Infinity }) => count > FEW_ROWS))
        tables.set(test, [...(tables.get(test) ?? []), id]);
    }
  }
  // where the rows of a table hold different rules, each rule names its own rows
  for (const [test, ids] of tables) {
    if (ids.length > MAX_RULES_A_TABLE) faults.push(`${ids.join(", ")} all name a whole table: ${test}`);
  }
  return faults;
};

/** Names of `rules` without a test that passed, or was skipped for want of a tool, in these reports of vitest. */
export const notRun = (/** @type {Rules} */ { sections }, /** @type {readonly object[]} */ reports) => {
  const ran = reports.flatMap(({ testResults = [] }) =>
    testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status !== "failed")
        .map(({ ancestorTitles, title, status }) => ({
          file: relative(root, name),
          names: [title, ...ancestorTitles.map((_, i) => [...ancestorTitles.slice(i), title].join(" > "))],
          status,
        })),
    ),
  );
  return sections
    .flatMap(({ rules }) => rules)
    .flatMap(({ id, tests }) =>
      tests
        .filter((test) => {
          const { file, title } = parted(test);
          const own = ran.filter((each) => each.file === file);
          const tables = tablesOf(test);
          if (tables.length > 0) {
            return !own.some(({ names }) => tables.some(({ rows }) => names.some((name) => rows?.test(name))));
          }
          // the group of a test may be a table
          const filled = new RegExp(`^${pattern(title)}$`);
          return !own.some(({ names }) => names.some((name) => name === title || filled.test(name)));
        })
        .map((test) => `${id}: ${test}`),
    );
};

/** The page. */
export const renderConformance = (/** @type {Rules} */ { sections }) => {
  const rules = sections.flatMap((section) => section.rules);
  const tests = new Set(rules.flatMap((rule) => rule.tests));
  const uncovered = rules.filter((rule) => rule.tests.length === 0).length;
  const restingOn = (/** @type {Rule} */ { tests: own }) => {
    const needs = own.map(needsOf);
    return needs.some((each) => each.length === 0) ? [] : [...new Set(needs.flat())];
  };
  const conditional = rules.filter((rule) => restingOn(rule).length > 0);
  const escaped = (/** @type {string} */ text) => text.replace(/[\\*_<>[\]$]/g, "\\$&");
  const needing = (/** @type {string[]} */ needs) => (needs.length === 0 ? "" : ` (needs ${needs.join(", ")})`);
  const item = (/** @type {Rule} */ rule) => {
    const held = rule.tests.map((test) => {
      const { file, title } = parted(test);
      return `  - [${basename(file)}](../${file}): ${escaped(title)}${needing(needsOf(test))}`;
    });
    const needs = restingOn(rule);
    const mark = needs.length === 0 ? "" : ` **Not tested without: ${needs.join(", ")}.**`;
    return [`- **${rule.id}** ${rule.rule}${mark}`, ...held].join("\n");
  };
  return [
    "# Conformance",
    `Every rule of the interface that the service keeps, in short (those of lean v1, which the full profile keeps too unless another rule says otherwise, and those of the full profile), with the tests that check it: ${rules.length} rules, ${tests.size} tests, ${uncovered} rules without one. A title with \`%s\` or \`$name\` stands for a table of cases, all of which hold the rule.`,
    `Tests that need a tool (GDAL, Chromium, OWSLib, QGIS, PostgreSQL, Redocly) or files that are no part of the repository (recorded imagery in \`SWATH_FIXTURES\`, schemas in \`SWATH_SCHEMAS\`) are skipped where it is absent; each says what it needs. ${conditional.length} rules rest on such tests alone: ${conditional.map(({ id }) => id).join(", ")}.`,
    "This page is made by `node scripts/conformance.mjs` from `apps/api/test/conformance/rules.json`. A rule without a test, a test that is not there, a group of tests instead of a test, and a page that is not up to date fail the tests; CI also checks that each of these tests ran.",
    ...sections.flatMap(({ title, rules: own }) => [`## ${title}`, own.map(item).join("\n")]),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = readRules();
  const [mode, ...reports] = process.argv.slice(2);
  if (mode === "--ran") {
    const missing = notRun(
      rules,
      reports.map((path) => JSON.parse(readFileSync(path, "utf8"))),
    );
    for (const each of missing) console.error(`did not run: ${each}`);
    process.exitCode = missing.length === 0 ? 0 : 1;
  } else {
    for (const fault of faultsOf(rules)) console.error(fault);
    writeFileSync(join(root, "docs/conformance.md"), renderConformance(rules));
  }
}
