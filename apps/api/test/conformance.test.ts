import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

interface Rules {
  readonly sections: readonly {
    readonly title: string;
    readonly rules: readonly { readonly id: string; readonly rule: string; readonly tests: readonly string[] }[];
  }[];
}
interface Conformance {
  readonly readRules: () => Rules;
  readonly faultsOf: (rules: Rules) => string[];
  readonly notRun: (rules: Rules, reports: readonly object[]) => string[];
  readonly renderConformance: (rules: Rules) => string;
}

const script = new URL("../../../scripts/conformance.mjs", import.meta.url).href;
const { readRules, faultsOf, notRun, renderConformance } = (await import(script)) as Conformance;
const SELF = "apps/api/test/conformance.test.ts > every rule is held by tests that are there";

test("every rule is held by tests that are there", () => {
  expect(faultsOf(readRules())).toEqual([]);
});

test("the page is the one that the rules make; node scripts/conformance.mjs writes it", () => {
  const page = readFileSync(new URL("../../../docs/conformance.md", import.meta.url), "utf8");
  expect(page).toBe(renderConformance(readRules()));
});

test.each([
  { name: "without a test", tests: [] },
  { name: "with a test that is not there", tests: ["apps/api/test/conformance.test.ts > nothing of this name"] },
  { name: "with a file that is not there", tests: ["apps/api/test/nothing.test.ts > a test"] },
  {
    name: "with a group in place of its tests",
    tests: ["apps/api/test/process-errors.test.ts > a process request is refused for"],
  },
  {
    name: "with a group whose title a function completes",
    tests: ["apps/api/test/accounts.test.ts > accounts > a link is good for one use on any node, and for an hour"],
  },
  {
    name: "with a row that its table cannot have",
    tests: ["apps/api/test/bad-input.test.ts > GET /v1/nothing is 500 not-found"],
  },
])("a rule $name is reported", ({ tests }) => {
  const rules = { sections: [{ title: "Some", rules: [{ id: "Z1", rule: "Something holds.", tests }] }] };
  expect(faultsOf(rules)).toHaveLength(1);
});

test("a rule that is there twice is reported, one with its test is not", () => {
  const rule = { id: "Z1", rule: "Something holds.", tests: [SELF] };
  expect(faultsOf({ sections: [{ title: "Some", rules: [rule] }] })).toEqual([]);
  expect(faultsOf({ sections: [{ title: "Some", rules: [rule, rule] }] })).toEqual(["Z1 is there twice"]);
});

test("rules that share a large table name its rows", () => {
  const table = "apps/api/test/bad-input.test.ts > GET %s is 404 %s";
  const row = "apps/api/test/bad-input.test.ts > GET /v1/nothing is 404 not-found";
  const rulesOf = (name: string): Rules => ({
    sections: [{ title: "Some", rules: [1, 2, 3, 4].map((n) => ({ id: `Z${n}`, rule: "It holds.", tests: [name] })) }],
  });
  expect(faultsOf(rulesOf(table))).toEqual([`Z1, Z2, Z3, Z4 all name a whole table: ${table}`]);
  expect(faultsOf(rulesOf(row))).toEqual([]);
});

test("the page says of a rule that rests on skipped tests alone what they need, of others only at the test", () => {
  const warp =
    "packages/encode/test/gdal.long.test.ts > shows names, scales, offsets, units, nodata, metadata and layout";
  const page = (tests: readonly string[]): string =>
    renderConformance({ sections: [{ title: "Some", rules: [{ id: "Z1", rule: "It holds.", tests }] }] });
  expect(page([warp])).toContain("- **Z1** It holds. **Not tested without: GDAL.**\n");
  expect(page([warp, SELF])).toContain("- **Z1** It holds.\n");
  expect(page([warp, SELF])).toContain("metadata and layout (needs GDAL)\n");
});

test("a test that a rule names and that did not run, or failed, is reported; a row and a table that ran are not", () => {
  const file = "apps/api/test/bad-input.test.ts";
  const [row, table] = ["GET /v1/nothing is 404 not-found", "GET %s is 404 %s"];
  const rules = {
    sections: [
      { title: "Some", rules: [{ id: "Z1", rule: "It holds.", tests: [row, table].map((t) => `${file} > ${t}`) }] },
    ],
  };
  const report = (title: string, status: string): object => ({
    testResults: [
      {
        name: fileURLToPath(new URL("bad-input.test.ts", import.meta.url)),
        assertionResults: [{ ancestorTitles: [], title, status }],
      },
    ],
  });
  expect(notRun(rules, [report(row, "passed")])).toEqual([]);
  expect(notRun(rules, [report("GET / is 404 not-found", "passed")])).toEqual([`Z1: ${file} > ${row}`]);
  expect(notRun(rules, [report(row, "failed")])).toEqual([`Z1: ${file} > ${row}`, `Z1: ${file} > ${table}`]);
});
