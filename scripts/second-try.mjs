#!/usr/bin/env node
// Runs each test file that failed once more, alone: `node scripts/second-try.mjs NAME=REPORT ...` after the parts of .ci/run,
// whose reports of vitest these are. What passes now is printed as `UNSTEADY path > name`, and the report says what came of
// the second run. It exits with 1 where a file fails twice, or where so many fail that the fault is not chance.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** Files that may fail by chance in one run. */
const MOST = 3;

/**
 * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Assertion
 * @typedef {{ name: string, status: string, message?: string, assertionResults: Assertion[] }} FileResult
 * @typedef {{ testResults: FileResult[], numPassedTests: number, numFailedTests: number }} Report
 * @typedef {{ path: string, report: Report, file: FileResult }} Failed
 */

/** Returns the files that failed in some reports of vitest. @returns {Failed[]} */
export const failedFiles = (/** @type {readonly { path: string, report: Report }[]} */ reports) =>
  reports.flatMap(({ path, report }) =>
    report.testResults.filter(({ status }) => status === "failed").map((file) => ({ path, report, file })),
  );

/** Returns the report with what came of a second run of one of its files, and its numbers with it. @returns {Report} */
export const withSecondRun = (/** @type {Report} */ report, /** @type {FileResult} */ second) => {
  const testResults = report.testResults.map((file) => (file.name === second.name ? second : file));
  const count = (/** @type {string} */ status) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter((each) => each.status === status).length;
  return { ...report, testResults, numPassedTests: count("passed"), numFailedTests: count("failed") };
};

/** Returns a line for each test that failed, or for a file that failed outside of its tests. @returns {string[]} */
export const unsteadyLines = (/** @type {FileResult} */ { name, assertionResults }) => {
  const failed = assertionResults.filter(({ status }) => status === "failed");
  const path = relative(root, name);
  return failed.length === 0 ? [`UNSTEADY ${path}`] : failed.map(({ fullName }) => `UNSTEADY ${path} > ${fullName}`);
};

/** Runs a test file alone; its result, undefined where there is none. @returns {FileResult | undefined} */
const runAlone = (/** @type {string} */ name) => {
  const folder = mkdtempSync(join(tmpdir(), "second-try-"));
  const output = join(folder, "report.json");
  const config = name.endsWith(".scratch.ts") ? ["--config", "test/scratch/vitest.config.ts"] : [];
  const file = config.length === 0 ? relative(root, name) : relative(join(root, "test/scratch"), name);
  const bin = join(root, "node_modules", ".bin");
  const { status } = spawnSync(
    join(bin, "vitest"),
    ["run", ...config, file, "--reporter=default", "--reporter=json", `--outputFile.json=${output}`],
    {
      cwd: root,
      env: { ...process.env, PATH: bin + delimiter + process.env.PATH },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  /** @type {Report} */
  const report = existsSync(output) ? JSON.parse(readFileSync(output, "utf8")) : { testResults: [] };
  rmSync(folder, { recursive: true });
  const found = report.testResults.find((each) => each.name === name);
  // a fault outside of all tests is in the exit code alone
  return found !== undefined && status !== 0 ? { ...found, status: "failed" } : found;
};

/** Runs what failed again, and writes what came of it to the reports. @returns {boolean} whether all passes now */
const tryAgain = (/** @type {readonly string[]} */ paths) => {
  const reports = paths.map((path) => ({ path, report: JSON.parse(readFileSync(path, "utf8")) }));
  const failed = failedFiles(reports);
  if (failed.length > MOST) {
    console.log(`${failed.length} files failed: more than ${MOST} are not run again.`);
    return false;
  }
  /** @type {string[]} */
  const lines = [];
  let isWell = true;
  for (const { path, file } of failed) {
    const second = runAlone(file.name);
    if (second === undefined || second.status === "failed") isWell = false;
    else lines.push(...unsteadyLines(file));
    if (second === undefined) continue;
    const report = JSON.parse(readFileSync(path, "utf8"));
    writeFileSync(path, JSON.stringify(withSecondRun(report, second)));
  }
  for (const line of lines) console.log(line);
  const { GITHUB_STEP_SUMMARY: summary } = process.env;
  if (summary !== undefined) for (const line of lines) appendFileSync(summary, `- ${line}\n`);
  return isWell;
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.exitCode = tryAgain(process.argv.slice(2)) ? 0 : 1;
}
