import { expect, test } from "vitest";
import { matchesEtag } from "../../src/answer/conditional.ts";

test.each([
  { header: undefined, expected: false },
  { header: '"r1-aa"', expected: true },
  { header: 'W/"r1-aa"', expected: true },
  { header: '"x", "r1-aa"', expected: true },
  { header: "*", expected: true },
  { header: '"r1-ab"', expected: false },
])("If-None-Match $header matches: $expected", { tags: ["H6"] }, ({ header, expected }) => {
  expect(matchesEtag(header, '"r1-aa"')).toBe(expected);
});
