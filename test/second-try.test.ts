import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { failedFiles, unsteadyLines, withSecondRun } from "../scripts/second-try.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const passed = { status: "passed", fullName: "a box is drawn" };
const failed = { status: "failed", fullName: "a box is closed" };
const good = { name: join(root, "test/a.test.ts"), status: "passed", assertionResults: [passed] };
const bad = { name: join(root, "test/b.test.ts"), status: "failed", assertionResults: [passed, failed] };
const broken = { name: join(root, "test/c.test.ts"), status: "failed", assertionResults: [] };
const report = { testResults: [good, bad, broken], numPassedTests: 2, numFailedTests: 1 };

test("files that failed are run again: by their tests, or outside of them", () => {
  expect(failedFiles([{ path: "long.json", report }]).map(({ file }) => file)).toEqual([bad, broken]);
});

test("each test that failed first is named, or its file where no test failed", () => {
  expect(unsteadyLines(bad)).toEqual(["UNSTEADY test/b.test.ts > a box is closed"]);
  expect(unsteadyLines(broken)).toEqual(["UNSTEADY test/c.test.ts"]);
});

test("what a second run gives stands in the report, and in its numbers", () => {
  const second = { ...bad, status: "passed", assertionResults: [passed, { ...failed, status: "passed" }] };
  expect(withSecondRun(report, second)).toEqual({
    testResults: [good, second, broken],
    numPassedTests: 3,
    numFailedTests: 0,
  });
});
