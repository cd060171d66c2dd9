import { describe, expect, test } from "vitest";
import { formatDatetime, matchesItemQuery, parseSearch, SEARCH_PARAMETERS } from "../src/index.ts";
import { queryErrorOf } from "./errors.ts";

const point = { type: "Point", coordinates: [-105.1019, 40.1672] };

test("the GET and the POST form of a search are the same search", { tags: ["S1"] }, () => {
  const text = new URLSearchParams({
    collections: "sentinel-2-l2a,landsat-ot-l2",
    ids: "a,b",
    bbox: "9,47,10,48",
    datetime: "2020-03-01/..",
    limit: "2000",
    query: '{"eo:cloud_cover":{"lte":20}}',
    sortby: "-properties.eo:cloud_cover",
    fields: "id,-geometry",
    token: "dG9rZW4",
  });
  const json = {
    collections: ["sentinel-2-l2a", "landsat-ot-l2"],
    ids: ["a", "b"],
    bbox: [9, 47, 10, 48],
    datetime: "2020-03-01/..",
    limit: 2000,
    query: { "eo:cloud_cover": { lte: 20 } },
    sortby: [{ field: "properties.eo:cloud_cover", direction: "desc" }],
    fields: { include: ["id"], exclude: ["geometry"] },
    token: "dG9rZW4",
  };
  const search = parseSearch(text, "query");
  expect(parseSearch(json, "body")).toEqual(search);
  expect(parseSearch(Object.fromEntries(text), "query")).toEqual(search);
  expect(search.query).toMatchObject({
    limit: 1000,
    sortby: [
      { field: "eo:cloud_cover", direction: "desc" },
      { field: "id", direction: "asc" },
    ],
  });
});

test("an empty search has no conditions, ten items a page, newest first", () => {
  const query = {
    collections: [],
    sortby: [
      { field: "datetime", direction: "desc" },
      { field: "id", direction: "asc" },
    ],
    limit: 10,
  };
  expect(parseSearch({}, "body")).toEqual({ query });
  expect(parseSearch(new URLSearchParams(), "query")).toEqual({ query });
  expect(parseSearch({ query: {}, sortby: [] }, "body")).toEqual({ query });
});

test.each([
  { from: "query" as const, input: new URLSearchParams("ids=") },
  { from: "body" as const, input: { ids: [] } },
])("an empty list of ids in a $from means no item, not all", ({ from, input }) => {
  const { query } = parseSearch(input, from);
  expect(query.ids).toEqual([]);
  expect(matchesItemQuery(query, { id: "a", properties: {} })).toBe(false);
  expect(parseSearch({ collections: [] }, "body").query.collections).toEqual([]);
});

test("a single string is taken for collections and ids in a body", { tags: ["S35"] }, () => {
  const { query } = parseSearch({ collections: "sentinel-2-l2a", ids: "a" }, "body");
  expect(query).toMatchObject({ collections: ["sentinel-2-l2a"], ids: ["a"] });
});

test.each([
  { input: { bbox: "1,2,3" }, code: "invalid-parameter", pointer: "bbox" },
  { input: { foo: "1" }, code: "invalid-parameter", pointer: "foo" },
  { input: { Bbox: "1,2,3,4" }, code: "invalid-parameter", pointer: "Bbox" },
  { input: { bbox: "1,2,3,4", intersects: JSON.stringify(point) }, code: "invalid-parameter", pointer: "intersects" },
  { input: { token: "" }, code: "invalid-parameter", pointer: "token" },
  { input: { filter: "eo:cloud_cover < 20" }, code: "invalid-filter", pointer: "filter" },
  { input: { "filter-lang": "cql2-text" }, code: "invalid-filter", pointer: "filter-lang" },
])("GET $input is $code at $pointer", ({ input, code, pointer }) => {
  expect(queryErrorOf(() => parseSearch(input, "query"))).toMatchObject({ code, pointer });
});

test.each([
  { input: { bbox: [1, 2, 3] }, code: "invalid-body", pointer: "/bbox" },
  { input: { foo: 1 }, code: "invalid-body", pointer: "/foo" },
  { input: { "a/b": 1 }, code: "invalid-body", pointer: "/a~1b" },
  { input: { fields: null }, code: "invalid-body", pointer: "/fields" },
  { input: { datetime: null }, code: "invalid-body", pointer: "/datetime" },
  { input: { token: 5 }, code: "invalid-body", pointer: "/token" },
  { input: { token: "x".repeat(7501) }, code: "invalid-body", pointer: "/token" },
  { input: { bbox: [0, 0, 1, 1], intersects: point }, code: "invalid-body", pointer: "/intersects" },
  { input: { filter: { op: "=" } }, code: "invalid-filter", pointer: "/filter" },
  { input: JSON.parse('{"__proto__": 1}'), code: "invalid-body", pointer: "/__proto__" },
  { input: [], code: "invalid-body", pointer: "" },
])("POST $input is $code at $pointer", ({ input, code, pointer }) => {
  expect(queryErrorOf(() => parseSearch(input, "body"))).toMatchObject({ code, pointer });
});

test("the refusal of a filter points to query", { tags: ["S26"] }, () => {
  expect(queryErrorOf(() => parseSearch({ filter: "a" }, "query")).message).toContain('use "query"');
});

test("a parameter given twice is refused", { tags: ["S25"] }, () => {
  const twice = new URLSearchParams("limit=1&limit=2");
  expect(queryErrorOf(() => parseSearch(twice, "query"))).toMatchObject({
    code: "invalid-parameter",
    pointer: "limit",
  });
});

test("a route takes only the parameters it names", () => {
  const items = SEARCH_PARAMETERS.filter((name) => name !== "collections");
  expect(queryErrorOf(() => parseSearch({ collections: "a" }, "query", items)).pointer).toBe("collections");
  expect(formatDatetime(parseSearch({ datetime: "2020-03-01T00:00:00Z" }, "query", items).query.datetime ?? {})).toBe(
    "2020-03-01T00:00:00Z",
  );
});

describe("matchesItemQuery", () => {
  const item = {
    id: "a",
    collection: "c",
    geometry: point,
    properties: { datetime: "2023-10-08T17:37:26.656958Z", "eo:cloud_cover": 5 },
  };
  test.each<{ input: Record<string, unknown>; matches: boolean }>([
    { input: {}, matches: true },
    { input: { collections: ["b", "c"] }, matches: true },
    { input: { collections: ["b"] }, matches: false },
    { input: { ids: ["a"] }, matches: true },
    { input: { ids: ["A"] }, matches: false },
    { input: { ids: ["a"], bbox: [0, 0, 1, 1] }, matches: false },
    { input: { bbox: [-106, 40, -105, 41] }, matches: true },
    { input: { bbox: [-105.1019, 40.1672, -105.1019, 40.1672] }, matches: true },
    { input: { bbox: [170, -90, -100, 90] }, matches: true },
    {
      input: {
        intersects: {
          type: "LineString",
          coordinates: [
            [-106.1019, 39.1672],
            [-104.1019, 41.1672],
          ],
        },
      },
      matches: true,
    },
    { input: { datetime: "2023-10-08" }, matches: true },
    { input: { datetime: "2023-10-09/.." }, matches: false },
    { input: { query: { "eo:cloud_cover": { lt: 5 } } }, matches: false },
  ])("$input: $matches", ({ input, matches }) => {
    expect(matchesItemQuery(parseSearch(input, "body").query, item)).toBe(matches);
    expect(matchesItemQuery(parseSearch(input, "body").query, { ...item, properties: {} })).toBe(
      matches && !("datetime" in input || "query" in input),
    );
  });

  test("an item without geometry or collection meets no condition on them", () => {
    const bare = { id: "a", properties: {} };
    expect(matchesItemQuery(parseSearch({ bbox: [-180, -90, 180, 90] }, "body").query, bare)).toBe(false);
    expect(matchesItemQuery(parseSearch({ collections: ["c"] }, "body").query, bare)).toBe(false);
  });
});

test("properties that a collection adds are taken where they are named, and only there", () => {
  const added = { "aerial:flight": { kind: "string", schema: { title: "Flight", type: "string" }, pad: 4 } } as const;
  const input = { query: { "aerial:flight": { eq: 7 } }, sortby: [{ field: "aerial:flight", direction: "asc" }] };
  const names = { queryables: added, sortables: ["id", "aerial:flight"] };
  const { query } = parseSearch(input, "body", SEARCH_PARAMETERS, names);
  expect(query.filter).toMatchObject({ op: "compare", right: { literal: "0007" } });
  expect(query.sortby[0]).toEqual({ field: "aerial:flight", direction: "asc" });
  expect(queryErrorOf(() => parseSearch(input, "body")).pointer).toBe("/query/aerial:flight");
  expect(queryErrorOf(() => parseSearch({ sortby: input.sortby }, "body")).pointer).toBe("/sortby/0/field");
});
