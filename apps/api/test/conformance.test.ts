import { readFileSync } from "node:fs";
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
  readonly renderConformance: (rules: Rules) => string;
}

const script = new URL("../../../scripts/conformance.mjs", import.meta.url).href;
const { readRules, faultsOf, renderConformance } = (await import(script)) as Conformance;
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
])("a rule $name is told", ({ tests }) => {
  const rules = { sections: [{ title: "Some", rules: [{ id: "Z1", rule: "Something holds.", tests }] }] };
  expect(faultsOf(rules)).toHaveLength(1);
});

test("a rule that is there twice is told, one with its test is not", () => {
  const rule = { id: "Z1", rule: "Something holds.", tests: [SELF] };
  expect(faultsOf({ sections: [{ title: "Some", rules: [rule] }] })).toEqual([]);
  expect(faultsOf({ sections: [{ title: "Some", rules: [rule, rule] }] })).toEqual(["Z1 is there twice"]);
});
