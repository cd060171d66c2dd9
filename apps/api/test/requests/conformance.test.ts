import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { rowRules } from "../tools/row-rules.ts";

interface Rules {
  readonly sections: readonly { readonly title: string; readonly rules: Readonly<Record<string, string>> }[];
}
interface TaggedTest {
  readonly file: string;
  readonly title: string;
  readonly rules: readonly { readonly id: string; readonly rows?: readonly string[] }[];
  readonly skipped: readonly string[];
  readonly count: number;
}
interface Conformance {
  readonly readRules: () => Rules;
  readonly readTests: () => TaggedTest[];
  readonly faultsOf: (rules: Rules, tests: readonly TaggedTest[]) => string[];
  readonly notRun: (tests: readonly TaggedTest[], reports: readonly object[]) => string[];
  readonly renderConformance: (rules: Rules, tests: readonly TaggedTest[]) => string;
}
interface Titles {
  readonly taggedTests: (text: string, path: string) => Omit<TaggedTest, "file">[];
}

const script = (name: string): string => new URL(`../../../../scripts/${name}`, import.meta.url).href;
const { readRules, readTests, faultsOf, notRun, renderConformance } = (await import(
  script("conformance.mjs")
)) as Conformance;
const { taggedTests } = (await import(script("test-rules.mjs"))) as Titles;

/** Those of the workspace. */
const [rules, tests] = [readRules(), readTests()];
const RULES: Rules = { sections: [{ title: "Some", rules: { Z1: "Something holds." } }] };
const FILE = "apps/api/test/requests/conformance.test.ts";
const tagged = (more: Partial<TaggedTest> = {}): TaggedTest => ({
  file: FILE,
  title: "it holds",
  rules: [{ id: "Z1" }],
  skipped: [],
  count: 1,
  ...more,
});

test("every rule is checked by tests, and every test that names a rule names one of them", () => {
  expect(faultsOf(rules, tests)).toEqual([]);
});

test("the page is the one that rules and tests make; node scripts/conformance.mjs writes it", () => {
  const page = readFileSync(new URL("../../../../docs/conformance.md", import.meta.url), "utf8");
  expect(page).toBe(renderConformance(rules, tests));
});

describe("what a file of tests names", () => {
  test("is read from tests, tables, rows and groups, with what they are skipped for", () => {
    const text = `
      const rules = rowRules({ Z3: ["a", \`\${B}/c\`], Z4: ["a"] }, ROWS);
      describe.skipIf(!hasGdal)("a group", () => {
        test("one", { tags: ["Z1", "Z2"] }, () => {});
        test.skipIf(noSchemas).each([1, 2, 3, 4, 5])("row %s", { timeout: 5, tags: ["Z1"] }, () => {});
        for (const row of ROWS) test(row, { tags: ["Z2", ...rules(row)] }, () => {});
        test("none", () => {});
      });
      const MOST = 50, UNIT = "MB", MADE = MOST * 2;
      test(\`below \${MOST} \${UNIT}, not \${MADE}\`, { tags: ["Z1"] }, () => {});
      test.each(TABLE)("of a table", { tags: rules("a") }, () => {});`;
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: names are read as they stand in a file
    const rows = [
      { id: "Z3", rows: ["a", "${B}/c"] },
      { id: "Z4", rows: ["a"] },
    ];
    const [gdal, both] = [["!hasGdal"], ["!hasGdal", "noSchemas"]];
    expect(taggedTests(text, "a.test.ts")).toEqual([
      { title: "a group > one", rules: [{ id: "Z1" }, { id: "Z2" }], skipped: gdal, count: 1 },
      { title: "a group > row %s", rules: [{ id: "Z1" }], skipped: both, count: 5 },
      { title: "a group > ${row}", rules: [{ id: "Z2" }, ...rows], skipped: gdal, count: 1 },
      { title: "below 50 MB, not ${MADE}", rules: [{ id: "Z1" }], skipped: [], count: 1 },
      { title: "of a table", rules: rows, skipped: [], count: Number.POSITIVE_INFINITY },
    ]);
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: names are read as they stand in a file
  });

  test("of rows has to be there", () => {
    expect(rowRules({ Z1: ["a"], Z2: ["a", "b"] }, ["a", "b", "c"])("a")).toEqual(["Z1", "Z2"]);
    expect(rowRules({ Z1: ["a"] }, ["a", "c"])("c")).toEqual([]);
    expect(() => rowRules({ Z1: ["gone"] }, ["a"])).toThrow("Rule Z1 names rows that are not there: gone.");
  });
});

test.each([
  ["a rule without a test", RULES, [], "Z1 has no test: Something holds."],
  ["a test of no rule", RULES, [tagged({ rules: [{ id: "Z1" }, { id: "Z2" }] })], `Z2 is no rule: ${FILE} > it holds`],
  [
    "a test that is skipped for a reason without a name",
    RULES,
    [tagged({ skipped: ["isMonday"] })],
    `${FILE} > it holds is skipped for a reason without a name: isMonday`,
  ],
  ["a rule that is there twice", { sections: [...RULES.sections, ...RULES.sections] }, [tagged()], "Z1 is there twice"],
  ["a rule without a sentence", { sections: [{ title: "Some", rules: { Z1: " " } }] }, [tagged()], "Z1 says nothing"],
])("%s is reported", (_, rules, tests, fault) => {
  expect(faultsOf(rules, tests)).toEqual([fault]);
});

test("rules that share a large table name its rows", () => {
  const ids = ["Z1", "Z2", "Z3", "Z4"];
  const rules = { sections: [{ title: "Some", rules: Object.fromEntries(ids.map((id) => [id, "It holds."])) }] };
  const table = (rows?: string[], count = 5): TaggedTest =>
    tagged({ count, rules: ids.map((id) => ({ id, ...(rows === undefined ? {} : { rows }) })) });
  expect(faultsOf(rules, [table()])).toEqual([`Z1, Z2, Z3, Z4 all name a whole table: ${FILE} > it holds`]);
  expect(faultsOf(rules, [table(["a row"])])).toEqual([]);
  expect(faultsOf(rules, [table(undefined, 4)])).toEqual([]);
});

test("the page says of a rule that rests on skipped tests alone what they need, of others only at the test", () => {
  const skipped = tagged({ title: "a picture", skipped: ["!hasGdal"], rules: [{ id: "Z1", rows: ["one", "two"] }] });
  expect(renderConformance(RULES, [skipped])).toContain("- **Z1** Something holds. **Not tested without: GDAL.**\n");
  const page = renderConformance(RULES, [skipped, tagged()]);
  expect(page).toContain("- **Z1** Something holds.\n");
  expect(page).toContain("a picture: one; two (needs GDAL)\n");
});

test("a rule of which the tests of a file did not run, or failed, is reported", () => {
  const report = (status: string, tags: readonly string[]): object => ({
    testResults: [{ name: fileURLToPath(import.meta.url), assertionResults: [{ status, tags }] }],
  });
  expect(notRun([tagged()], [report("passed", ["Z1"])])).toEqual([]);
  expect(notRun([tagged()], [report("skipped", ["Z1"])])).toEqual([]);
  expect(notRun([tagged()], [report("failed", ["Z1"]), report("passed", ["Z2"])])).toEqual([`Z1: ${FILE}`]);
  expect(notRun([tagged(), tagged({ file: "b.test.ts" })], [report("passed", ["Z1"])])).toEqual(["Z1: b.test.ts"]);
});
