import fc from "fast-check";
import { expect, test } from "vitest";
import { parseLimit, parseList } from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";

const limitInBody = { in: "body", pointer: "/limit" } as const;
const idsInQuery = { in: "query", pointer: "ids" } as const;
const idsInBody = { in: "body", pointer: "/ids" } as const;

test.each([1, 2, 10, 999, 1000, 1001, 10_000, 100_000, 1_000_000])(
  "a limit of %i is taken as 1,000 at most",
  { tags: ["S15", "S17"] },
  (limit) => {
    expect(parseLimit(String(limit))).toBe(Math.min(limit, 1000));
    expect(parseLimit(limit, limitInBody)).toBe(Math.min(limit, 1000));
  },
);

test("a limit of 400 digits is taken as 1,000", () => {
  expect(parseLimit("9".repeat(400))).toBe(1000);
});

test.each(["0", "-1", "1.5", "1e2", "ten", "", " ", "0x10", "NaN", "Infinity", "10,20", "10 "])(
  "the limit %j is refused",
  { tags: ["S16"] },
  (text) => {
    expect(queryErrorOf(() => parseLimit(text))).toMatchObject({ code: "invalid-parameter", pointer: "limit" });
  },
);

test.each([0, -1, 1.5, "10", null, true, [10], Number.NaN])(
  "the body limit %j is refused",
  { tags: ["S16"] },
  (input) => {
    expect(queryErrorOf(() => parseLimit(input, limitInBody))).toMatchObject({
      code: "invalid-body",
      pointer: "/limit",
    });
  },
);

test("names are read from text, from an array, and from a single string of a body", () => {
  expect(parseList("a,b, c,a", idsInQuery)).toEqual(["a", "b", "c"]);
  expect(parseList(["a", "b", "c", "a"], idsInBody)).toEqual(["a", "b", "c"]);
  expect(parseList("a,b", idsInBody)).toEqual(["a,b"]);
  expect(parseList("", idsInQuery)).toEqual([]);
  expect(parseList([], idsInBody)).toEqual([]);
});

test.each([
  { input: "a,,b", location: idsInQuery, pointer: "ids" },
  { input: ",", location: idsInQuery, pointer: "ids" },
  { input: ["a"], location: idsInQuery, pointer: "ids" },
  { input: ["a", ""], location: idsInBody, pointer: "/ids/1" },
  { input: ["a", 5], location: idsInBody, pointer: "/ids/1" },
  { input: null, location: idsInBody, pointer: "/ids" },
  { input: { a: 1 }, location: idsInBody, pointer: "/ids" },
  { input: Array.from({ length: 1001 }, (_, i) => `${i}`), location: idsInBody, pointer: "/ids" },
])("the list $input is refused at $pointer", ({ input, location, pointer }) => {
  expect(queryErrorOf(() => parseList(input, location)).pointer).toBe(pointer);
});

test("text and array agree", () => {
  const names = fc.uniqueArray(fc.stringMatching(/^[A-Za-z0-9_.-]{1,20}$/), { minLength: 1, maxLength: 20 });
  fc.assert(
    fc.property(names, (list) => {
      expect(parseList(list.join(","), idsInQuery)).toEqual(list);
      expect(parseList(list, idsInBody)).toEqual(list);
    }),
  );
});
