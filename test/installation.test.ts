import { expect, test } from "vitest";
import { installArguments, missingPart, runsService } from "../scripts/installation.mjs";

const service = { part: "service", lockfile: "new" } as const;
const none = undefined;

test.each([
  // nothing is installed
  { task: "start", installed: none, mark: none, missing: "service" },
  { task: "keys", installed: none, mark: none, missing: "service" },
  { task: "test", installed: none, mark: none, missing: "all" },
  { task: "docs", installed: none, mark: none, missing: "all" },
  // all of it
  { task: "start", installed: "new", mark: none, missing: none },
  { task: "start", installed: "new", mark: service, missing: none },
  { task: "test", installed: "new", mark: none, missing: none },
  // all of an older lockfile
  { task: "start", installed: "old", mark: none, missing: "all" },
  { task: "test", installed: "old", mark: none, missing: "all" },
  // a part
  { task: "start", installed: "part", mark: service, missing: none },
  { task: "doctor", installed: "part", mark: { ...service, part: "documents" }, missing: none },
  { task: "check", installed: "part", mark: service, missing: "all" },
  // a part of an older lockfile, or one whose installation was stopped
  { task: "start", installed: "part", mark: { ...service, lockfile: "old" }, missing: "service" },
  { task: "start", installed: "part", mark: {}, missing: "service" },
  { task: "start", installed: none, mark: {}, missing: "service" },
  { task: "test", installed: "part", mark: {}, missing: "all" },
] as const)("$task with $installed installed and the mark $mark wants $missing", ({ missing, ...checkout }) => {
  expect(missingPart({ lockfile: "new", hasNode: true, ...checkout })).toBe(missing);
});

test("a service without a Node that runs it needs that of the lockfile", () => {
  const checkout = { task: "start", lockfile: "new", mark: service, hasNode: false };
  expect(missingPart({ ...checkout, installed: "part" })).toBe("service");
  expect(missingPart({ ...checkout, installed: "new" })).toBeUndefined();
  expect(runsService({ typescript: "strip" })).toBe(true);
  expect([{ typescript: false }, {}].map(runsService)).toEqual([false, false]);
  const pinned = ["service", "documents", "all"].map((part) =>
    [true, false].map((hasNode) => installArguments(part as "service", hasNode).includes("@swath/pinned-node")),
  );
  expect(pinned).toEqual([
    [false, true],
    [false, true],
    [false, false],
  ]);
});

test("the packages of the documents are installed beside those of the service", () => {
  for (const hasNode of [true, false]) {
    const forService = installArguments("service", hasNode);
    expect(installArguments("documents", hasNode).slice(0, forService.length)).toEqual(forService);
    expect(installArguments("all", hasNode)).toEqual([]);
  }
});
