import { expect, test } from "vitest";
import { installArguments, missingPart, neededAdditions } from "../scripts/installation.mjs";

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
  expect(missingPart({ lockfile: "new", hasAdditions: true, ...checkout })).toBe(missing);
});

test("a service needs the lockfile's Node where its own does not run it, and what sends traces where they are asked for", () => {
  const checkout = { task: "start", lockfile: "new", mark: service, hasAdditions: false };
  expect(missingPart({ ...checkout, installed: "part" })).toBe("service");
  expect(missingPart({ ...checkout, installed: "new" })).toBeUndefined();
  expect(neededAdditions({ typescript: "strip" }, { PATH: "/bin" })).toEqual([]);
  expect(neededAdditions({ typescript: false }, {})).toEqual(["node"]);
  expect(neededAdditions({}, { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" })).toEqual(["node", "traces"]);
  for (const part of ["service", "documents"] as const) {
    expect(installArguments(part, [])).toContain("!@swath/otlp");
    expect(installArguments(part, [])).not.toContain("@swath/pinned-node");
    expect(installArguments(part, ["traces"])).not.toContain("!@swath/otlp");
    expect(installArguments(part, ["node"])).toContain("@swath/pinned-node");
  }
});

test("the packages of the documents are installed beside those of the service", () => {
  for (const additions of [[], ["node"], ["traces"]] as const) {
    const forService = installArguments("service", additions);
    expect(installArguments("documents", additions).slice(0, forService.length)).toEqual(forService);
    expect(installArguments("all", additions)).toEqual([]);
  }
});
