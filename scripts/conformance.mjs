#!/usr/bin/env node
// Writes docs/conformance.md from apps/api/test/conformance/rules.json: every rule that lean v1 keeps, with the tests
// that hold it. `faultsOf` says which rules lack a test or name one that is not there; a test asks it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @typedef {{ id: string, rule: string, tests: string[] }} Rule
 * @typedef {{ sections: { title: string, rules: Rule[] }[] }} Rules
 */

/** @returns {Rules} */
export const readRules = () => JSON.parse(readFileSync(join(root, "apps/api/test/conformance/rules.json"), "utf8"));

/** A test is named as `file > title`, where the title is as it stands in the file, with its placeholders. */
const parted = (/** @type {string} */ test) => {
  const at = test.indexOf(" > ");
  return { file: test.slice(0, at), title: test.slice(at + 3) };
};

const texts = new Map();
/** Whether a file has a test, or a group of tests, of this title. */
const hasTest = (file, title) => {
  if (!texts.has(file)) texts.set(file, existsSync(join(root, file)) ? readFileSync(join(root, file), "utf8") : "");
  const literal = title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`\\(\\s*(["'\`])${literal}\\1\\s*,`).test(texts.get(file));
};

/** What is wrong with the rules, a line a fault; empty when each has tests that are there. */
export const faultsOf = (/** @type {Rules} */ { sections }) => {
  const faults = [];
  const seen = new Set();
  for (const { id, rule, tests } of sections.flatMap((section) => section.rules)) {
    if (seen.has(id)) faults.push(`${id} is there twice`);
    seen.add(id);
    if (rule.trim() === "") faults.push(`${id} says nothing`);
    if (tests.length === 0) faults.push(`${id} has no test: ${rule}`);
    for (const test of tests) {
      const { file, title } = parted(test);
      if (!hasTest(file, title)) faults.push(`${id} names a test that is not there: ${test}`);
    }
  }
  return faults;
};

/** The page. */
export const renderConformance = (/** @type {Rules} */ { sections }) => {
  const rules = sections.flatMap((section) => section.rules);
  const tests = new Set(rules.flatMap((rule) => rule.tests));
  const uncovered = rules.filter((rule) => rule.tests.length === 0).length;
  const escaped = (/** @type {string} */ text) => text.replace(/[\\*_<>[\]$]/g, "\\$&");
  const item = ({ id, rule, tests: own }) => {
    const held = own.map(parted).map(({ file, title }) => `  - [${basename(file)}](../${file}): ${escaped(title)}`);
    return [`- **${id}** ${rule}`, ...held].join("\n");
  };
  return [
    "# Conformance",
    `Every rule of the interface that lean v1 keeps, in our words, with the tests that hold it: ${rules.length} rules, ${tests.size} tests and groups of tests, ${uncovered} rules without one. A title with \`%s\` or \`$name\` stands for a table of cases.`,
    "This page is made by `node scripts/conformance.mjs` from `apps/api/test/conformance/rules.json`. A rule without a test, a test that is not there, and a page that is not up to date fail the tests.",
    ...sections.flatMap(({ title, rules: own }) => [`## ${title}`, own.map(item).join("\n")]),
    "",
  ]
    .join("\n\n")
    .replace(/\n+$/, "\n");
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rules = readRules();
  for (const fault of faultsOf(rules)) console.error(fault);
  writeFileSync(join(root, "docs/conformance.md"), renderConformance(rules));
}
