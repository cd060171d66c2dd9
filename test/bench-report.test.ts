import { expect, test } from "vitest";
import { comparison } from "../bench/comparison.ts";
import { summarize } from "../bench/measure.ts";
import { fillMarkers } from "../bench/report.ts";

const runs = (...walls: number[]) => walls.map((wall) => ({ wall, cpu: 2 * wall, bytes: 1024 * wall }));

test.each([
  { values: [3, 1, 2], expected: { median: 2, min: 1, max: 3 } },
  { values: [4, 1, 3, 2], expected: { median: 2, min: 1, max: 4 } },
  { values: [7], expected: { median: 7, min: 7, max: 7 } },
])("the median of $values is none of the extremes", ({ values, expected }) => {
  expect(summarize(values)).toEqual(expected);
});

test("other programs are divided by the task's first row, and a faster one is named", () => {
  const text = comparison(
    [
      { task: "a", program: "Swath", runs: runs(10, 30, 20) },
      { task: "a", program: "slower", runs: runs(80) },
      { task: "b", program: "Swath", runs: runs(20) },
      { task: "b", program: "faster", runs: runs(5) },
    ],
    "kB",
  );
  const cells = text.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  expect(cells[2]).toEqual(["", "a", "Swath", "20.0 (10.0–30.0)", "40.0 (20.0–60.0)", "20", "", "", ""]);
  expect(cells[3]).toEqual(["", "", "slower", "80.0 (80.0–80.0)", "160 (160–160)", "80", "4.00", "4.00", ""]);
  expect(cells[5]?.slice(6, 8)).toEqual(["**0.25**", "**0.25**"]);
  expect(text).toContain("- b: faster, 5.0 ms instead of 20.0, 10.0 ms of CPU instead of 40.0.");
  expect(text).toContain("- faster: smaller outputs in 1 of 1 tasks, by up to 75 %.");
  expect(text).not.toContain("- a:");
});

test("a report says so where no other program is better", () => {
  const rows = [
    { task: "a", program: "Swath", runs: runs(1) },
    { task: "a", program: "other", runs: runs(2) },
  ];
  expect(comparison(rows, "none")).toContain("In no task of this table is another program better than Swath.");
});

test("generated text replaces what was between its markers, and nothing else", () => {
  const document = "before\n<!-- generated: one -->\nold\n<!-- end: one -->\nafter\n";
  const parts = new Map([
    ["one", "new"],
    ["two", "nowhere"],
  ]);
  const filled = fillMarkers(document, parts);
  expect(filled.document).toBe("before\n<!-- generated: one -->\n\nnew\n\n<!-- end: one -->\nafter\n");
  expect(filled.missing).toEqual(["two"]);
  expect(fillMarkers(filled.document, new Map([["one", "new"]])).document).toBe(filled.document);
});
