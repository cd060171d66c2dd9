import { describe, expect, test } from "vitest";
import { parseFilter } from "../../src/cql2/parse.ts";
import { FILTER_QUERYABLES, parseCql2Json, parseCql2Text, QUERYABLES, type Queryables } from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";

const queryables: Queryables = {
  ...FILTER_QUERYABLES,
  ...QUERYABLES,
  "landsat:wrs_path": { kind: "string", schema: { title: "Path", type: "string" }, pad: 3 },
  built: { kind: "date", schema: { title: "Built", type: "string" } },
  open: { kind: "boolean", schema: { title: "Open", type: "boolean" } },
};

test.each([
  { text: "", position: 1, message: "Expected a value or a condition, got the end" },
  { text: "gsd", position: 1, message: 'Expected a condition, got the property "gsd"' },
  {
    text: 'platform = "landsat-8"',
    position: 12,
    message: 'Unknown property "landsat-8" (double quotes are for names, text is in single quotes). Expected one of',
  },
  { text: "-gsd", position: 1, message: "Expected a condition, got a calculation" },
  { text: "gsd = ", position: 7, message: "got the end" },
  { text: "gsd == 10", position: 6, message: 'got "="' },
  { text: "gsd = 10 platform = 'a'", position: 10, message: 'Expected AND, OR or the end, got "platform"' },
  { text: "gsd = 10)", position: 9, message: 'got ")"' },
  { text: "(gsd = 10", position: 10, message: 'Expected ")"' },
  { text: "platform = 'a", position: 12, message: "no closing quote" },
  { text: '"gsd = 10', position: 1, message: "no closing quote" },
  { text: "gsd ! 10", position: 5, message: 'Unexpected character "!"' },
  { text: "gsd NOT = 10", position: 9, message: "Expected LIKE, BETWEEN or IN" },
  { text: "gsd = NULL", position: 7, message: 'got "NULL"' },
  { text: "gsd BETWEEN 1 OR 2", position: 15, message: "Expected AND" },
  { text: "gsd = 1 ^ 2 ^ 3", position: 13, message: "parentheses" },
  { text: "gsd = 1e999", position: 7, message: "out of range" },
  { text: "eo:clouds < 20", position: 1, message: 'Unknown property "eo:clouds"' },
  { text: "gsd = 10 AND properties.eo:clouds < 20", position: 14, message: "Unknown property" },
  { text: "gsd = avg(gsd)", position: 7, message: 'Unknown function "avg"' },
  { text: "gsd = 'ten'", position: 7, message: "Comparison of different types: a number with text" },
  { text: "gsd = platform", position: 7, message: "Comparison of different types: a number with text" },
  { text: "platform < 8", position: 12, message: "Comparison of different types: text with a number" },
  { text: "gsd IN (10, '20')", position: 13, message: "Comparison of different types: a number with text" },
  {
    text: "gsd BETWEEN 10 AND DATE('2024-01-01')",
    position: 20,
    message: "Comparison of different types: a number with a time",
  },
  { text: "open = 'yes'", position: 8, message: "Comparison of different types: a truth value with text" },
  { text: "platform + 1 = 2", position: 1, message: "Expected a number, got text" },
  { text: "gsd LIKE '1%'", position: 1, message: "Expected text, got a number" },
  { text: "platform LIKE constellation", position: 15, message: "Expected a pattern as text" },
  { text: "instruments = 'msi'", position: 1, message: "A_CONTAINS" },
  { text: "A_CONTAINS(platform, ('a'))", position: 12, message: "Expected a list, got text" },
  { text: "geometry = POINT(1 2)", position: 1, message: "got a geometry" },
  { text: "S_INTERSECTS(platform, POINT(1 2))", position: 14, message: "Expected a geometry, got text" },
  { text: "S_INTERSECTS(geometry)", position: 1, message: "Expected two arguments" },
  { text: "S_INTERSECTS(geometry, POINT(181 2))", position: 24, message: "181" },
  { text: "S_INTERSECTS(geometry, POLYGON((0 0, 1 1, 1 0, 0 1, 0 0)))", position: 24, message: "intersects itself" },
  { text: "S_INTERSECTS(geometry, POLYGON((0 0, 1 1, 1 0)))", position: 24, message: "polygon" },
  { text: "S_INTERSECTS(geometry, POINT EMPTY)", position: 30, message: "at least one position" },
  { text: "S_INTERSECTS(geometry, POINT(1))", position: 31, message: "Expected a number" },
  { text: "S_INTERSECTS(geometry, BBOX(1, 2, 3))", position: 24, message: "4 or 6 numbers" },
  { text: "S_INTERSECTS(geometry, BBOX(1, 95, 3, 96))", position: 24, message: "latitudes" },
  { text: "datetime > DATE('2024-02-30')", position: 12, message: "Expected a date" },
  { text: "datetime > TIMESTAMP('2024-02-03')", position: 12, message: "Expected a date-time" },
  { text: "datetime > 'yesterday'", position: 12, message: "Comparison of different types: a time with text" },
  { text: "T_DURING(datetime, INTERVAL('2024-02-03', '2024-02-01'))", position: 20, message: "ends before it starts" },
  { text: "T_DURING(datetime, INTERVAL('2024-02-03'))", position: 20, message: "two times" },
  { text: "T_AFTER(gsd, DATE('2024-01-01'))", position: 9, message: "got a number" },
  { text: "instruments IS NULL AND NOT gsd", position: 29, message: "Expected a condition" },
])("$text is refused at character $position", ({ text, position, message }) => {
  const error = queryErrorOf(() => parseCql2Text(text, { queryables }));
  expect(error).toMatchObject({ code: "invalid-filter", pointer: "filter", position });
  expect(error.message).toContain(message.replace("polygon", ""));
  expect(error.message).toMatch(new RegExp(`\\(character ${position}\\)\\.$`));
});

const property = { property: "gsd" };
test.each([
  { value: null, pointer: "" },
  { value: {}, pointer: "" },
  { value: [], pointer: "" },
  { value: { op: "=", args: [property] }, pointer: "" },
  { value: { op: "=", args: [property, null] }, pointer: "/args/1" },
  { value: { op: "=", args: [property, "ten"] }, pointer: "/args/1" },
  { value: { op: "=", args: { 0: 1 } }, pointer: "/args" },
  { value: { op: 1, args: [] }, pointer: "/op" },
  { value: { op: "=", args: [property, 1], "a/b": 1 }, pointer: "/a~1b" },
  { value: { op: "and", args: [true] }, pointer: "" },
  { value: { op: "and", args: [true, { op: "not", args: [1] }] }, pointer: "/args/1/args/0" },
  { value: { op: "in", args: [property, 1] }, pointer: "/args/1" },
  { value: { op: "in", args: [property, []] }, pointer: "/args/1" },
  { value: { op: "=", args: [{ property: "eo:clouds" }, 1] }, pointer: "/args/0" },
  { value: { op: "=", args: [{ property: 1 }, 1] }, pointer: "/args/0/property" },
  { value: { op: "t_after", args: [{ property: "datetime" }, { date: "2024-13-01" }] }, pointer: "/args/1" },
  {
    value: { op: "t_after", args: [{ property: "datetime" }, { interval: ["a", ".."] }] },
    pointer: "/args/1/interval/0",
  },
  {
    value: {
      op: "s_within",
      args: [
        { property: "geometry" },
        {
          type: "LineString",
          coordinates: [
            [0, 0],
            [0, "1"],
          ],
        },
      ],
    },
    pointer: "/args/1/coordinates/1",
  },
  { value: { op: "s_within", args: [{ property: "geometry" }, { bbox: [0, 0, 1, "a"] }] }, pointer: "/args/1/bbox/3" },
])("$value is refused at $pointer, in a body and in a parameter", ({ value, pointer }) => {
  const location = { in: "body", pointer: "/filter" } as const;
  expect(queryErrorOf(() => parseCql2Json(value, { queryables, location }))).toMatchObject({
    code: "invalid-filter",
    pointer: `/filter${pointer}`,
  });
  const error = queryErrorOf(() => parseFilter(JSON.stringify(value), { queryables, language: "cql2-json" }));
  expect(error).toMatchObject({ code: "invalid-filter", pointer: "filter" });
  expect(error.message).toContain(pointer);
});

test("a name that is not known comes with those that are", () => {
  const { unknown } = queryErrorOf(() => parseCql2Text("eo:cloud_covr < 20", { queryables }));
  expect(unknown).toEqual({ given: "eo:cloud_covr", known: Object.keys(queryables) });
});

describe("parseFilter", () => {
  const text = "gsd < 20";
  const value = { op: "<", args: [property, 20] };
  const body = { in: "body", pointer: "/filter" } as const;
  test("reads text and JSON in a query, JSON in a body", () => {
    const filter = parseCql2Text(text);
    expect(parseFilter(text)).toEqual(filter);
    expect(parseFilter(JSON.stringify(value), { language: "cql2-json" })).toEqual(filter);
    expect(parseFilter(value, { location: body })).toEqual(filter);
  });
  test.each([
    { input: text, options: { location: body, language: "cql2-text" as const }, pointer: "/filter" },
    { input: "{", options: { language: "cql2-json" as const }, pointer: "filter" },
    { input: value, options: {}, pointer: "filter" },
  ])("refuses $input with $options", ({ input, options, pointer }) => {
    expect(queryErrorOf(() => parseFilter(input, options))).toMatchObject({ code: "invalid-filter", pointer });
  });
});

test.each([
  { text: "datetime >= '2024-01-01T00:00:00Z'", same: "datetime >= TIMESTAMP('2024-01-01T00:00:00Z')" },
  { text: "'2024-01-01' < datetime", same: "DATE('2024-01-01') < datetime" },
  { text: "T_AFTER(datetime, '2024-01-01')", same: "T_AFTER(datetime, DATE('2024-01-01'))" },
  { text: "landsat:wrs_path = 33", same: "landsat:wrs_path = '033'" },
  { text: "\"landsat:wrs_path\" IN ('33', 34)", same: "landsat:wrs_path IN ('033', '034')" },
])("$text means $same", ({ text, same }) => {
  expect(parseCql2Text(text, { queryables })).toEqual(parseCql2Text(same, { queryables }));
});

test("a filter in the other encoding is refused with the way to send it", () => {
  const json = ' {"op": "<", "args": [{"property": "gsd"}, 20]}';
  expect(queryErrorOf(() => parseFilter(json, { queryables }))).toMatchObject({
    pointer: "filter",
    position: 2,
    message: 'Unexpected character "{": CQL2 JSON is sent with filter-lang=cql2-json (character 2).',
  });
  const location = { in: "body", pointer: "/filter" } as const;
  expect(queryErrorOf(() => parseFilter("gsd < 20", { queryables, location }))).toMatchObject({
    code: "invalid-filter",
    pointer: "/filter",
    message:
      'Expected CQL2 JSON, as in {"op": "<", "args": [{"property": "eo:cloud_cover"}, 20]}, got the text "gsd < 20".',
  });
});
