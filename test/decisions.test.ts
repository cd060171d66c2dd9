import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const FOLDER = join(import.meta.dirname, "..", "docs", "adr");

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

const decisions = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return { file, text, number: file.slice(0, 4), title: text.slice(0, text.indexOf("\n")) };
});

test("a decision's title is its number and an imperative phrase: `# 0017 Warp interleaved RGB`", () => {
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
