import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { anyCharacter } from "../../../../test/tools/characters.ts";
import { costRatio } from "../../../../test/tools/cost.ts";
import { MAX_FILTER_DEPTH, MAX_FILTER_LENGTH, MAX_FILTER_NODES, MAX_RELATED_VERTICES } from "../../src/cql2/limits.ts";
import {
  FILTER_QUERYABLES,
  MAX_VERTICES,
  matchesFilter,
  parseCql2Json,
  parseCql2Text,
  QUERYABLES,
  QueryError,
} from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";
import { cql2, examples, predicates } from "./documents.ts";

const queryables = { ...FILTER_QUERYABLES, ...QUERYABLES };

/** Reads a filter; lets pass only filters that are read and refusals of the right kind. */
function readOrRefused(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    // no expect, which would take most of the time of 10,000 runs
    const isRefusal = error instanceof QueryError && error.code === "invalid-filter" && error.pointer === "filter";
    if (!isRefusal || error.message.length > 1000) throw error;
  }
}

const seeds = [
  "eo:cloud_cover < 20 AND NOT (platform LIKE 'sentinel%' OR gsd IN (10, 20))",
  "S_INTERSECTS(geometry, POLYGON((0 0, 1 0, 1 1, 0 0))) AND T_DURING(datetime, INTERVAL('2024-01-01', '..'))",
  "A_CONTAINS(instruments, ('msi', CASEI('OLI'))) OR -gsd ^ 2 * 3 <> 1.5E3",
];
const texts = [...seeds, ...(cql2 === undefined ? [] : [...examples().text.values()])].concat(
  cql2 === undefined ? [] : predicates().predicates.map(({ filter }) => filter),
);
const pieces = fc.constantFrom(
  "(",
  ")",
  "'",
  '"',
  ",",
  "NOT",
  "AND",
  " ",
  "\\",
  "\u0000",
  "\ud800",
  "é",
  "😀",
  "^",
  "-",
  "1e999",
  "POINT(",
  "INTERVAL(",
);

test("10,000 hostile texts, examples with pieces taken out and put in and any characters, are read or refused", () => {
  const mutated = fc
    .tuple(
      fc.constantFrom(...texts),
      fc.array(fc.tuple(fc.nat(), fc.nat(12), fc.oneof(pieces, fc.string())), { maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce((changed, [at, length, piece]) => {
        const start = at % (changed.length + 1);
        return changed.slice(0, start) + piece + changed.slice(start + length);
      }, text),
    );
  const any = fc.oneof(
    mutated,
    mutated,
    fc.string({ unit: anyCharacter, maxLength: 200 }),
    fc.array(pieces).map((all) => all.join("")),
  );
  fc.assert(
    fc.property(any, (text) => {
      readOrRefused(() => parseCql2Text(text));
      readOrRefused(() => parseCql2Text(text, { queryables }));
    }),
    { numRuns: 10_000 },
  );
});

test("any JSON is read or refused", () => {
  const ops = fc.constantFrom(
    "and",
    "not",
    "=",
    "like",
    "between",
    "in",
    "isNull",
    "casei",
    "+",
    "s_within",
    "t_meets",
    "a_equals",
    "f",
    "__proto__",
  );
  const { node } = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      fc.jsonValue({ maxDepth: 2 }),
      fc.record({ property: fc.oneof(fc.constantFrom("gsd", "platform", "geometry"), fc.string()) }),
      fc.record({ op: ops, args: fc.array(tie("node"), { maxLength: 3 }) }),
      fc.record({ interval: fc.array(tie("node"), { maxLength: 3 }) }),
      fc.record({ bbox: fc.array(tie("node"), { maxLength: 6 }) }),
      fc.record({ type: fc.constantFrom("Point", "Polygon", "Feature"), coordinates: tie("node") }),
      fc.record({ date: fc.string() }),
    ),
  }));
  fc.assert(
    fc.property(node, (value) => {
      readOrRefused(() => parseCql2Json(value));
      readOrRefused(() => parseCql2Json(value, { queryables }));
    }),
    { numRuns: 5000 },
  );
});

function nested(depth: number, inner: unknown = true): unknown {
  let value = inner;
  for (let i = 0; i < depth; i++) value = { op: "not", args: [value] };
  return value;
}

const MEGABYTE = 1_000_000;
const values = Array.from({ length: MEGABYTE / 8 }, (_, i) => i);

/** As many comparisons as there may be, with long texts, and a line of as many vertices: a filter that is read. */
const largest = [
  ...Array(Math.floor((MAX_FILTER_NODES - 4) / 3)).fill(`a = '${"''".repeat(100)}'`),
  `S_INTERSECTS(b, LINESTRING(${Array.from({ length: MAX_VERTICES }, (_, i) => `${i / MAX_VERTICES} 1`).join()}))`,
].join(" OR ");

/** The work that it takes, in times of reading the largest filter. */
const costOf = (refuse: () => unknown): Promise<number> =>
  costRatio(
    () => expect(queryErrorOf(refuse)).toMatchObject({ code: "invalid-filter" }),
    () => parseCql2Text(largest),
  );

describe("filters that are too large or too deep are refused with little more work than the largest needs that are read", () => {
  test.each([
    { name: "1 MB of comparisons", text: "eo:cloud_cover = 1 AND ".repeat(MEGABYTE / 23) },
    { name: "comparisons up to the length", text: "a=1 OR ".repeat(MAX_FILTER_LENGTH / 7) },
    { name: "10,000 parentheses", text: `${"(".repeat(10_000)}a = 1${")".repeat(10_000)}` },
    { name: "10,000 NOT", text: `${"NOT ".repeat(10_000)}a = 1` },
    { name: "10,000 signs", text: `a = ${"-".repeat(10_000)}1` },
    { name: "10,000 sums", text: `a = ${"1 + ".repeat(10_000)}1` },
    { name: "10,000 functions", text: `${"f(".repeat(10_000)}a${")".repeat(10_000)} = 1` },
    { name: "10,000 CASEI", text: `${"CASEI(".repeat(10_000)}a${")".repeat(10_000)} = 'a'` },
    { name: "10,000 collections", text: `S_WITHIN(a, ${"GEOMETRYCOLLECTION(".repeat(10_000)}` },
    { name: "10,000 lists", text: `A_EQUALS(a, ${"(".repeat(10_000)}` },
    { name: "an endless list", text: `a IN (${"1,".repeat(MAX_FILTER_LENGTH / 2 - 10)}1)` },
    { name: "a line of 40,000 positions", text: `S_INTERSECTS(a, LINESTRING(${"1 2,".repeat(40_000)}1 2))` },
    { name: "quotes that do not end", text: `a = '${"''".repeat(MAX_FILTER_LENGTH / 2 - 10)}` },
    { name: "a name that does not end", text: `"${'""'.repeat(MAX_FILTER_LENGTH / 2 - 10)}` },
  ])("$name", async ({ text }) => {
    expect(await costOf(() => parseCql2Text(text))).toBeLessThan(5);
  });

  test.each([
    { name: "10,000 NOT", value: nested(10_000) },
    { name: "a list of 125,000 numbers", value: { op: "in", args: [{ property: "a" }, values] } },
    { name: "125,000 conditions", value: { op: "and", args: values.map(() => true) } },
    { name: "1 MB of text", value: { op: "=", args: [{ property: "a" }, "x".repeat(MEGABYTE)] } },
    {
      name: "a line of 125,000 positions",
      value: {
        op: "s_intersects",
        args: [{ property: "a" }, { type: "LineString", coordinates: values.map((i) => [i / MEGABYTE, 0]) }],
      },
    },
  ])("JSON: $name", async ({ value }) => {
    expect(await costOf(() => parseCql2Json(value))).toBeLessThan(5);
  });
});

test("filters up to the limits are read", () => {
  const parentheses = MAX_FILTER_DEPTH - 1;
  expect(parseCql2Text(`${"(".repeat(parentheses)}a = 1${")".repeat(parentheses)}`).op).toBe("compare");
  expect(parseCql2Json(nested(MAX_FILTER_DEPTH - 1)).op).toBe("not");
  expect(queryErrorOf(() => parseCql2Json(nested(MAX_FILTER_DEPTH))).pointer).toBe("filter");
  const many = Math.floor((MAX_FILTER_NODES - 1) / 3);
  expect(parseCql2Text(Array(many).fill("a=1").join(" OR ")).op).toBe("or");
  expect(
    queryErrorOf(() =>
      parseCql2Text(
        Array(many + 1)
          .fill("a=1")
          .join(" OR "),
      ),
    ).message,
  ).toContain("5000");
});

test("a geometry of many vertices is taken by S_INTERSECTS but not by S_WITHIN", () => {
  const positions = Array.from({ length: MAX_RELATED_VERTICES + 1 }, (_, i) => `${i / 100} 1`);
  const line = `LINESTRING(${positions.join(", ")})`;
  expect(parseCql2Text(`S_INTERSECTS(geometry, ${line})`, { queryables }).op).toBe("spatial");
  expect(queryErrorOf(() => parseCql2Text(`S_WITHIN(geometry, ${line})`, { queryables })).message).toContain(
    "1000 vertices",
  );
  // many small ones take as long as a large one
  const within = (count: number, box: string): string => Array(count).fill(`S_WITHIN(geometry, ${box})`).join(" OR ");
  for (const box of ["BBOX(0, 0, 1, 1)", "POLYGON((0 0, 1 0, 1 1, 0 1, 0 0))", "geometry"]) {
    expect(parseCql2Text(within(200, box), { queryables }).op).toBe("or");
    expect(queryErrorOf(() => parseCql2Text(within(201, box), { queryables })).message).toContain("got 1005");
  }
  const comb = (turn: boolean): string => {
    const teeth = Array.from({ length: 200 }, (_, i) => (turn ? `${i % 2} ${i / 200}` : `${i / 200} ${i % 2}`));
    return turn
      ? `((0 0, ${teeth.slice(1).join(", ")}, -1 1, 0 0))`
      : `((0 0, ${teeth.slice(1).join(", ")}, 1 -1, 0 0))`;
  };
  expect(
    queryErrorOf(() => parseCql2Text(`S_WITHIN(geometry, MULTIPOLYGON(${comb(true)}, ${comb(false)}))`)).message,
  ).toContain("overlap");
});

test("texts of a filter are folded once, and the footprint of an item is made once for all of its conditions", () => {
  const normalize = vi.spyOn(String.prototype, "normalize");
  let reads = 0;
  const items = Array.from({ length: 20 }, (_, i) => ({
    id: `S2A_${i}`,
    collection: "sentinel-2-l2a",
    geometry: {
      get type(): "Point" {
        reads += 1;
        return "Point";
      },
      coordinates: [13, 45] as [number, number],
    },
    properties: {},
  }));
  const folded = `ACCENTI(id) = ACCENTI('${"Äx".repeat(1000)}') OR CASEI(ACCENTI(id)) = CASEI(ACCENTI('É'))`;
  const far = Array.from({ length: 100 }, (_, i) => `S_INTERSECTS(geometry, POINT(${i} 0))`).join(" OR ");
  const matches = (text: string): boolean => {
    const filter = parseCql2Text(text, { queryables });
    normalize.mockClear();
    reads = 0;
    return items.some((item) => matchesFilter(filter, item));
  };
  expect(matches(folded)).toBe(false);
  // two calls per fold: those of the items, and of the filter's two texts once
  expect(normalize).toHaveBeenCalledTimes(2 * (2 * items.length + 2));
  expect(matches(far)).toBe(false);
  expect(reads).toBeLessThan(items.length * 10);
  normalize.mockRestore();
});
