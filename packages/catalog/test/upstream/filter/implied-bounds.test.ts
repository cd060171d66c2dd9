import { type Filter, findInstant, formatInstant, type Instant, matchesFilter } from "@swath/query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { impliedBounds } from "../../../src/upstream/filter/implied-bounds.ts";
import { negationNormalForm } from "../../../src/upstream/filter/negation.ts";

const isList = (name: string): boolean => name === "instruments";
const cloud = { property: "eo:cloud_cover" };
const time = { property: "datetime" };
const at = (text: string): Instant => findInstant(text) as Instant;
const number = (value: number) => ({ literal: value });
const compare = (left: object, operator: string, right: object): Filter =>
  ({ op: "compare", operator, left, right }) as Filter;
const and = (...args: Filter[]): Filter => ({ op: "and", args });
const or = (...args: Filter[]): Filter => ({ op: "or", args });
const not = (arg: Filter): Filter => ({ op: "not", arg });
const like = (property: string, pattern: string): Filter => ({ op: "like", operand: { property }, pattern });

/** Bounds as plain data, times as text. */
function boundsOf(filter: Filter) {
  const { properties, areas } = impliedBounds(negationNormalForm(filter, isList));
  const text = (bound?: { value: number | Instant; inclusive: boolean }) =>
    bound &&
    `${bound.inclusive ? "=" : ""}${typeof bound.value === "number" ? bound.value : formatInstant(bound.value)}`;
  const shown = [...properties].map(([name, { lower, upper, ...rest }]) => [
    name,
    { ...(lower && { lower: text(lower) }), ...(upper && { upper: text(upper) }), ...rest },
  ]);
  return { ...Object.fromEntries(shown), ...(areas.length > 0 ? { areas: areas.length } : {}) };
}

const day = at("2024-04-22T00:00:00Z");
test.each<[string, Filter, unknown]>([
  ["a comparison", compare(cloud, "lt", number(20)), { "eo:cloud_cover": { upper: "20" } }],
  ["its sides exchanged", compare(number(20), "gt", cloud), { "eo:cloud_cover": { upper: "20" } }],
  ["NOT", not(compare(cloud, "lt", number(20))), { "eo:cloud_cover": { lower: "=20" } }],
  [
    "NOT over OR",
    not(or(compare(cloud, "lt", number(5)), compare(cloud, "gt", number(20)))),
    { "eo:cloud_cover": { lower: "=5", upper: "=20" } },
  ],
  [
    "the larger bound of an OR",
    or(
      and(like("platform", "landsat-8"), compare(cloud, "lt", number(10))),
      and(like("platform", "sentinel%"), compare(cloud, "lte", number(30))),
    ),
    { "eo:cloud_cover": { upper: "=30" } },
  ],
  ["an OR that lacks a bound", or(compare(cloud, "lt", number(10)), like("platform", "x")), {}],
  [
    "values of an OR",
    or(compare({ property: "platform" }, "eq", { literal: "a" }), like("platform", "b")),
    { platform: { values: ["a", "b"] } },
  ],
  ["the fixed part of LIKE", like("s2:mgrs_tile", "33T%N_"), { "s2:mgrs_tile": { prefix: "33T" } }],
  ["an escaped %", like("x", "5\\%%"), { x: { prefix: "5%" } }],
  ["LIKE that begins with %", like("x", "%a"), {}],
  [
    "a time, from its whole second",
    compare(time, "gt", { instant: at("2024-04-22T10:00:00.5Z") }),
    { datetime: { lower: "=2024-04-22T10:00:00Z" } },
  ],
  [
    "a day",
    compare(time, "eq", { date: "2024-04-22" }),
    { datetime: { lower: "=2024-04-22T00:00:00Z", upper: "=2024-04-22T23:59:59.999999999Z" } },
  ],
  [
    "T_DURING",
    { op: "temporal", operator: "during", left: time, right: { interval: [{ instant: day }, ".."] } },
    { datetime: { lower: "=2024-04-22T00:00:00Z" } },
  ],
  [
    "T_AFTER with its sides exchanged",
    { op: "temporal", operator: "after", left: { instant: day }, right: time },
    { datetime: { upper: "=2024-04-22T00:00:00Z" } },
  ],
  ["T_DISJOINT", { op: "temporal", operator: "disjoint", left: time, right: { instant: day } }, {}],
  [
    "S_WITHIN",
    { op: "spatial", operator: "within", left: { property: "geometry" }, right: { bbox: [1, 2, 3, 4] } },
    { areas: 1 },
  ],
  ["a comparison of a list under NOT", not(compare({ property: "instruments" }, "lt", { literal: 3 })), {}],
])("%s", (_, filter, expected) => {
  expect(boundsOf(filter)).toEqual(expected);
});

const properties = ["eo:cloud_cover", "gsd", "platform", "datetime", "instruments"];
const TEXTS = ["a", "ab", "abc", "b%", "b", "2024-04-22T10:00:00Z"];
const operand = fc.oneof(
  fc.constantFrom(...properties).map((property) => ({ property })),
  fc.integer({ min: -3, max: 3 }).map((literal) => ({ literal })),
  fc.constantFrom(...TEXTS).map((literal) => ({ literal })),
  fc
    .integer({ min: -2, max: 2 })
    .map((hours) => ({ instant: at(new Date(+new Date("2024-04-22T10:00:00.500Z") + hours * 1800e3).toISOString()) })),
  fc.constantFrom("2024-04-21", "2024-04-22").map((date) => ({ date })),
);
const { filter: anyFilter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 4 },
    fc.record({
      op: fc.constant("compare"),
      operator: fc.constantFrom("eq", "neq", "lt", "lte", "gt", "gte"),
      left: operand,
      right: operand,
    }) as fc.Arbitrary<Filter>,
    fc.record({ op: fc.constant("between"), operand, lower: operand, upper: operand }) as fc.Arbitrary<Filter>,
    fc.record({ op: fc.constant("in"), operand, values: fc.array(operand, { maxLength: 3 }) }) as fc.Arbitrary<Filter>,
    fc.record({ op: fc.constant("isNull"), operand }) as fc.Arbitrary<Filter>,
    fc.record({
      op: fc.constant("like"),
      operand,
      pattern: fc.constantFrom("a%", "ab_", "%b", "abc", "b\\%", ""),
    }) as fc.Arbitrary<Filter>,
    fc.record({
      op: fc.constantFrom("and", "or"),
      args: fc.array(tie("filter"), { maxLength: 3 }),
    }) as fc.Arbitrary<Filter>,
    fc.record({ op: fc.constant("not"), arg: tie("filter") }) as fc.Arbitrary<Filter>,
  ),
}));
const item = fc
  .record(
    {
      "eo:cloud_cover": fc.integer({ min: -3, max: 3 }),
      gsd: fc.integer({ min: -3, max: 3 }),
      platform: fc.constantFrom(...TEXTS),
      datetime: fc.constantFrom(
        "2024-04-22T10:00:00Z",
        "2024-04-22T10:00:00.500Z",
        "2024-04-22T09:30:00Z",
        "2024-04-21T23:59:59Z",
      ),
      instruments: fc.array(fc.constantFrom("a", "b"), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  .map((each) => ({ id: "x", properties: each }));

test("a filter says the same with its NOTs at the leaves", () => {
  fc.assert(
    fc.property(anyFilter, item, (filter, each) => {
      expect(matchesFilter(negationNormalForm(filter, isList), each)).toBe(matchesFilter(filter, each));
    }),
    { numRuns: 3000 },
  );
});

test("an item that a filter matches lies within all that the filter implies", () => {
  fc.assert(
    fc.property(anyFilter, item, (filter, each) => {
      fc.pre(matchesFilter(filter, each));
      for (const [name, bounds] of impliedBounds(negationNormalForm(filter, isList)).properties) {
        const value = { property: name };
        const parts: Filter[] = [];
        const side = (bound: { value: number | Instant }) =>
          typeof bound.value === "number" ? { literal: bound.value } : { instant: bound.value };
        if (bounds.lower) parts.push(compare(value, bounds.lower.inclusive ? "gte" : "gt", side(bounds.lower)));
        if (bounds.upper) parts.push(compare(value, bounds.upper.inclusive ? "lte" : "lt", side(bounds.upper)));
        if (bounds.values)
          parts.push({ op: "in", operand: value, values: bounds.values.map((literal) => ({ literal })) });
        if (bounds.prefix) parts.push({ op: "text", operator: "startsWith", operand: value, value: bounds.prefix });
        expect([name, bounds, matchesFilter(and(...parts), each)]).toEqual([name, bounds, true]);
      }
    }),
    { numRuns: 5000 },
  );
});
