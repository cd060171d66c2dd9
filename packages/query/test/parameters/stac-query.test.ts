import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { costRatio } from "../../../../test/tools/cost.ts";
import { type Filter, matchesFilter, parseQuery, QUERYABLES, type Queryables } from "../../src/index.ts";
import { QUERY_OPERATORS } from "../../src/parameters/stac-query.ts";
import { queryErrorOf } from "../errors.ts";

const body = { in: "body", pointer: "/query" } as const;

/** The common properties, and some that a collection adds. */
const queryables: Queryables = {
  ...QUERYABLES,
  "s2:mgrs_tile": { kind: "string", schema: { title: "Tile", type: "string" } },
  "s2:processing_baseline": { kind: "string", schema: { title: "Baseline", type: "string" } },
  "landsat:wrs_path": { kind: "string", schema: { title: "Path", type: "string" }, pad: 3 },
  "landsat:wrs_row": { kind: "string", schema: { title: "Row", type: "string" }, pad: 3 },
};

const item = {
  id: "S2A_T13TDE_20240422T174753_L2A",
  collection: "sentinel-2-l2a",
  geometry: { type: "Point", coordinates: [0, 0] },
  properties: {
    datetime: "2024-04-22T17:53:02.036Z",
    platform: "sentinel-2a",
    instruments: ["msi"],
    "eo:cloud_cover": 20,
    "s2:mgrs_tile": "13TDE",
    "s2:processing_baseline": "05.10",
    "landsat:wrs_path": "033",
    gsd: 10,
    constellation: null,
  },
};

test.each<{ query: Record<string, Record<string, unknown>>; matches: boolean }>([
  { query: {}, matches: true },
  { query: { "eo:cloud_cover": { lte: 20 } }, matches: true },
  { query: { "eo:cloud_cover": { lt: 20 } }, matches: false },
  { query: { "eo:cloud_cover": { gte: 20, lte: 20 } }, matches: true },
  { query: { "eo:cloud_cover": { eq: 20 } }, matches: true },
  { query: { "eo:cloud_cover": { eq: "20" } }, matches: true },
  { query: { "eo:cloud_cover": { lt: "100" } }, matches: true },
  { query: { "eo:cloud_cover": { gt: " 9 " } }, matches: true },
  { query: { "eo:cloud_cover": { neq: 20 } }, matches: false },
  { query: { "eo:cloud_cover": { in: ["19", 20.0] } }, matches: true },
  { query: { "properties.eo:cloud_cover": { eq: 20 } }, matches: true },
  { query: { platform: { eq: "sentinel-2a" } }, matches: true },
  { query: { platform: { eq: "Sentinel-2A" } }, matches: false },
  { query: { platform: { startsWith: "sentinel-", endsWith: "2a", contains: "nel-2" } }, matches: true },
  { query: { platform: { startsWith: "sentinel_" } }, matches: false },
  { query: { platform: { in: ["landsat-8", "landsat-9"] } }, matches: false },
  { query: { platform: { in: [] } }, matches: false },
  { query: { instruments: { contains: "msi" } }, matches: true },
  { query: { instruments: { contains: "ms" } }, matches: false },
  { query: { instruments: { eq: "msi" } }, matches: true },
  { query: { instruments: { neq: "oli" } }, matches: true },
  { query: { instruments: { startsWith: "m" } }, matches: true },
  { query: { "landsat:wrs_path": { eq: 33 } }, matches: true },
  { query: { "landsat:wrs_path": { eq: "33" } }, matches: true },
  { query: { "landsat:wrs_path": { in: ["032", 33] } }, matches: true },
  { query: { "s2:processing_baseline": { gte: "04.00" } }, matches: true },
  { query: { datetime: { eq: "2024-04-22" } }, matches: true },
  { query: { datetime: { neq: "2024-04-22" } }, matches: false },
  { query: { datetime: { gt: "2024-04-22" } }, matches: false },
  { query: { datetime: { gte: "2024-04-22" } }, matches: true },
  { query: { datetime: { lte: "2024-04-22" } }, matches: true },
  { query: { datetime: { lt: "2024-04-22T17:53:02.036001Z" } }, matches: false },
  { query: { datetime: { eq: "2024-04-22T19:53:02.036000+02:00" } }, matches: true },
  { query: { datetime: { eq: "2024-04-22T17:53:02Z" } }, matches: false },
  { query: { constellation: { eq: "x" } }, matches: false },
  { query: { constellation: { neq: "x" } }, matches: false },
  { query: { "landsat:wrs_row": { neq: "032" } }, matches: false },
  { query: { "eo:cloud_cover": { lte: 20 }, platform: { eq: "landsat-8" } }, matches: false },
])("$query: $matches, from text and from a body", { tags: ["S18"] }, ({ query, matches }) => {
  const filter = parseQuery(query, body, queryables);
  expect(parseQuery(JSON.stringify(query), undefined, queryables)).toEqual(filter);
  expect(matchesFilter(filter, item)).toBe(matches);
});

test.each([
  { input: { "eo:clouds": { lte: 20 } }, pointer: "/query/eo:clouds" },
  { input: { id: { eq: "a" } }, pointer: "/query/id" },
  { input: { toString: { eq: "a" } }, pointer: "/query/toString" },
  { input: JSON.parse('{"__proto__":{"eq":1}}'), pointer: "/query/__proto__" },
  { input: { "a/b~c": {} }, pointer: "/query/a~1b~0c" },
  { input: { "eo:cloud_cover": { less: 20 } }, pointer: "/query/eo:cloud_cover/less" },
  { input: { "eo:cloud_cover": { toString: 20 } }, pointer: "/query/eo:cloud_cover/toString" },
  { input: { "eo:cloud_cover": 20 }, pointer: "/query/eo:cloud_cover" },
  { input: { "eo:cloud_cover": { lte: "many" } }, pointer: "/query/eo:cloud_cover/lte" },
  { input: { "eo:cloud_cover": { lte: null } }, pointer: "/query/eo:cloud_cover/lte" },
  { input: { "eo:cloud_cover": { lte: "" } }, pointer: "/query/eo:cloud_cover/lte" },
  { input: { "eo:cloud_cover": { startsWith: "2" } }, pointer: "/query/eo:cloud_cover/startsWith" },
  { input: { "eo:cloud_cover": { in: [1, "x"] } }, pointer: "/query/eo:cloud_cover/in/1" },
  { input: { platform: { eq: 8 } }, pointer: "/query/platform/eq" },
  { input: { platform: { in: "landsat-8" } }, pointer: "/query/platform/in" },
  { input: { platform: { in: Array(1001).fill("x") } }, pointer: "/query/platform/in" },
  { input: { platform: { contains: 8 } }, pointer: "/query/platform/contains" },
  { input: { datetime: { gte: "yesterday" } }, pointer: "/query/datetime/gte" },
  { input: { datetime: { gte: 2024 } }, pointer: "/query/datetime/gte" },
  { input: [], pointer: "/query" },
  { input: null, pointer: "/query" },
  { input: "{}", pointer: "/query" },
])("$input is refused at $pointer", { tags: ["S19"] }, ({ input, pointer }) => {
  expect(queryErrorOf(() => parseQuery(input, body))).toMatchObject({ code: "invalid-body", pointer });
  if (typeof input === "string") return;
  expect(queryErrorOf(() => parseQuery(JSON.stringify(input)))).toMatchObject({
    code: "invalid-parameter",
    pointer: "query",
  });
});

test.each(["", "{", "eo:cloud_cover<=20", '{"eo:cloud_cover":{"lte":20}} x'])(
  "the text %j is refused at query",
  { tags: ["S19"] },
  (text) => {
    expect(queryErrorOf(() => parseQuery(text))).toMatchObject({ code: "invalid-parameter", pointer: "query" });
  },
);

test("any JSON is read or refused with a query error", () => {
  const names = fc.constantFrom(...Object.keys(queryables), "other");
  const queries = fc.dictionary(names, fc.dictionary(fc.constantFrom(...QUERY_OPERATORS, "other"), fc.jsonValue()));
  fc.assert(
    fc.property(fc.oneof(queries, fc.jsonValue()), (query) => {
      try {
        matchesFilter(parseQuery(query, body, queryables), item);
      } catch (error) {
        expect(error).toMatchObject({ name: "QueryError", code: "invalid-body" });
      }
    }),
  );
});

describe("three-valued logic", () => {
  const yes: Filter = { op: "compare", operator: "eq", left: { property: "gsd" }, right: { literal: 10 } };
  const no: Filter = { op: "not", arg: yes };
  const unknown: Filter = { op: "compare", operator: "eq", left: { property: "missing" }, right: { literal: 10 } };
  const not = (arg: Filter): Filter => ({ op: "not", arg });
  const and = (...args: Filter[]): Filter => ({ op: "and", args });
  const or = (...args: Filter[]): Filter => ({ op: "or", args });
  test.each([
    { name: "yes", filter: yes, is: true, isNot: false },
    { name: "no", filter: no, is: false, isNot: true },
    { name: "unknown", filter: unknown, is: false, isNot: false },
    { name: "unknown and no", filter: and(unknown, no), is: false, isNot: true },
    { name: "unknown and yes", filter: and(unknown, yes), is: false, isNot: false },
    { name: "unknown or yes", filter: or(unknown, yes), is: true, isNot: false },
    { name: "unknown or no", filter: or(unknown, no), is: false, isNot: false },
    { name: "nothing joined by and", filter: and(), is: true, isNot: false },
    { name: "nothing joined by or", filter: or(), is: false, isNot: true },
    {
      name: "a null is null",
      filter: { op: "isNull", operand: { property: "constellation" } } as Filter,
      is: true,
      isNot: false,
    },
    {
      name: "in, with an unknown value",
      filter: { op: "in", operand: { property: "gsd" }, values: [{ literal: 9 }, { property: "missing" }] } as Filter,
      is: false,
      isNot: false,
    },
    {
      name: "between, below its lower bound",
      filter: {
        op: "between",
        operand: { property: "gsd" },
        lower: { literal: 11 },
        upper: { property: "missing" },
      } as Filter,
      is: false,
      isNot: true,
    },
    {
      name: "text against a number",
      filter: { op: "compare", operator: "lt", left: { property: "platform" }, right: { literal: 5 } } as Filter,
      is: false,
      isNot: false,
    },
  ])("$name", ({ filter, is, isNot }) => {
    expect([matchesFilter(filter, item), matchesFilter(not(filter), item)]).toEqual([is, isNot]);
  });
});

test.each([
  { pattern: "sentinel-2_", matches: true },
  { pattern: "%2a", matches: true },
  { pattern: "%", matches: true },
  { pattern: "s%t%n%l%", matches: true },
  { pattern: "sentinel\\-2a", matches: true },
  { pattern: "sentinel-2\\_", matches: false },
  { pattern: "sentinel", matches: false },
  { pattern: "", matches: false },
  { pattern: "SENTINEL%", matches: false },
  { pattern: "sentinel.2a", matches: false },
])("sentinel-2a is like $pattern: $matches", ({ pattern, matches }) => {
  expect(matchesFilter({ op: "like", operand: { property: "platform" }, pattern }, item)).toBe(matches);
});

test("case is disregarded by casei on both sides", () => {
  const filter: Filter = {
    op: "compare",
    operator: "eq",
    left: { casei: { property: "platform" } },
    right: { casei: { literal: "SENTINEL-2A" } },
  };
  expect(matchesFilter(filter, item)).toBe(true);
});

test("a pattern of 1,000 wildcards against 10,000 characters takes no more than 64 times one of 125 against 1,250", async () => {
  const match = (wildcards: number) => {
    const long = { ...item, properties: { platform: "a".repeat(10 * wildcards) } };
    const pattern = `${"%a".repeat(wildcards)}%b`;
    return () => expect(matchesFilter({ op: "like", operand: { property: "platform" }, pattern }, long)).toBe(false);
  };
  // steps are at most the product of both lengths; of the third power it would be 512 times
  expect(await costRatio(match(1000), match(125))).toBeLessThan(128);
});

test.each([
  { operator: "intersects", day: "2024-04-22", matches: true },
  { operator: "before", day: "2024-04-23", matches: true },
  { operator: "before", day: "2024-04-22", matches: false },
  { operator: "after", day: "2024-04-21", matches: true },
  { operator: "after", day: "2024-04-22", matches: false },
] as const)("the acquisition is $operator $day: $matches", ({ operator, day, matches }) => {
  const [left, right] = [{ property: "datetime" }, { date: day }];
  expect(matchesFilter({ op: "temporal", operator, left, right }, item)).toBe(matches);
});
