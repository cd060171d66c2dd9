import { expect, test } from "vitest";
import { findProblem, PROBLEMS, type ProblemCode } from "../../src/errors/problems.ts";

const CODES = Object.keys(PROBLEMS) as readonly ProblemCode[];

/** The table "Errors" of the interface specification, with the codes beside it that HTTP asks for or that were added. */
const SPECIFIED: Readonly<Record<number, readonly string[]>> = {
  400: [
    "invalid-parameter",
    "invalid-body",
    "invalid-filter",
    "zoom-out-of-range",
    "invalid-process-graph",
    "invalid-token-request",
    "invalid-mcp-message",
  ],
  401: ["invalid-key", "invalid-client"],
  403: ["email-unverified", "insufficient-scope", "key-suspended", "origin-not-allowed"],
  404: ["not-found", "unknown-collection", "mcp-session-expired"],
  405: ["method-not-allowed"],
  409: ["key-limit"],
  413: ["output-too-large", "body-too-large"],
  415: ["unsupported-media-type"],
  416: ["range-not-satisfiable"],
  422: [
    "unknown-band",
    "harmonize-unavailable",
    "units-unavailable",
    "too-many-scenes",
    "area-too-large",
    "pixel-too-large",
    "request-too-expensive",
    "budget-exceeded",
  ],
  429: ["rate-limited", "quota-exhausted", "concurrency-limit", "ip-rate-limited"],
  500: ["internal"],
  503: ["upstream-unavailable", "maintenance"],
  504: ["render-timeout"],
};

test("the table has exactly the specified codes with their statuses", { tags: ["G6", "P4", "Z5"] }, () => {
  const table: Record<number, string[]> = {};
  for (const code of CODES) table[PROBLEMS[code].status] = [...(table[PROBLEMS[code].status] ?? []), code];
  expect(table).toEqual(SPECIFIED);
});

test("codes match the pattern of the specification and titles are unique", { tags: ["P3"] }, () => {
  for (const code of CODES) expect(code).toMatch(/^[a-z0-9-]+$/);
  const titles = Object.values(PROBLEMS).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test("lean v1 has no 403 case", { tags: ["G6"] }, () => {
  const lean = CODES.filter((code) => findProblem(code)?.fullOnly === undefined);
  expect(lean.map((code) => PROBLEMS[code].status)).not.toContain(403);
});

test("each code says when it happens and what can be done, and nothing else is a code", { tags: ["P12", "Z5"] }, () => {
  for (const code of CODES) {
    expect(findProblem(code)).toBe(PROBLEMS[code]);
    expect(PROBLEMS[code].description).toMatch(/\.$/);
    expect(PROBLEMS[code].remedy).toMatch(/[^.]\.$/);
  }
  expect(findProblem("no-such-code")).toBeUndefined();
  expect(findProblem("toString")).toBeUndefined();
});

test("there are 38 codes", () => {
  expect(CODES).toHaveLength(38);
});
