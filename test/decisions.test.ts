import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { filesOf, ROOT } from "./workspace.ts";

const FOLDER = join(ROOT, "docs", "adr");

/** Verbs that titles begin with, in the imperative. A title with another verb adds it here. */
const VERBS = new Set(
  `Add Answer Ask Bound Build Cache Call Carry Charge Close Compare Compress Compute Continue Convert Count Decide Decode
  Delete Derive Describe Divide Draw Drop Encode End Examine Fill Find Generate Give Harmonize Hold Index Install Join
  Keep Let Limit List Load Make Measure Merge Move Multiply Name Narrow Open Order Pack Parse Plan Print Publish Put Queue
  Read Record Reduce Refuse Register Relate Remember Remove Render Replace Replay Report Reserve Return Reuse Run Say Search Send
  Serve Set Share Show Sign Smooth Space Split State Step Stop Store Take Tell Test Throw Try Turn Use Wait Walk Warp Write`.split(
    /\s+/,
  ),
);

const pages = readdirSync(FOLDER).filter((file) => file !== "history.md");
const decisions = pages.map((file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return { file, text, number: file.slice(0, 4), title: text.slice(0, text.indexOf("\n")) };
});

test("a decision's title is its number and an imperative phrase: `# 0084 Decode a block to its end`", () => {
  const faults = decisions.filter(({ number, title }) => {
    const verb = /^# (\d{4}) ([A-Z][a-z]+) .*[^.]$/.exec(title);
    return verb?.[1] !== number || !VERBS.has(verb[2] ?? "");
  });
  expect(faults.map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
});

test("no two decisions have one number, and file names are numbers and lower-case words", () => {
  const numbers = decisions.map(({ number }) => number);
  expect(numbers.filter((number, i) => numbers.indexOf(number) !== i)).toEqual([]);
  expect(decisions.filter(({ file }) => !/^\d{4}(-[a-z0-9]+)+\.md$/.test(file))).toEqual([]);
});

test("a decision states its status, its date, its context and what was decided", () => {
  const faults = decisions.filter(
    ({ text }) => !/^- Status: .+[\s\S]*^- Date: \d{4}-\d\d-\d\d\b[\s\S]*^## Context$[\s\S]*^## Decision$/m.test(text),
  );
  expect(faults.map(({ file }) => file)).toEqual([]);
});

test("the history names each number that has no page, and no other", () => {
  const history = readFileSync(join(FOLDER, "history.md"), "utf8");
  const [told = "", never = ""] = history.split("\nNever given: ");
  const named = [...told.matchAll(/^- \*\*(\d{4})\*\* [A-Z]/gm), ...never.matchAll(/(\d{4})/g)].map(([, n]) =>
    Number(n),
  );
  const kept = decisions.map(({ number }) => Number(number));
  const last = Math.max(...kept, ...named);
  const missing = Array.from({ length: last }, (_, i) => i + 1).filter((n) => !kept.includes(n));
  expect(named.toSorted((a, b) => a - b)).toEqual(missing);
});

test("no page of the repository leads to a decision that has none", () => {
  const files = filesOf(["*.md", "{docs,packages,apps,examples,test}/**/*.{md,ts,tsx}"]);
  const named = files.flatMap((file) =>
    [...readFileSync(join(ROOT, file), "utf8").matchAll(/\badr\/(\d{4}-[a-z0-9-]+\.md)/g)].map(([, name = ""]) => ({
      file,
      name,
    })),
  );
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !decisions.some(({ file }) => file === name))).toEqual([]);
});
