import { describe, expect, test } from "vitest";
import {
  CQL2_CONFORMANCE,
  formatCql2Text,
  matchesFilter,
  parseCql2Json,
  parseCql2Text,
  type Queryables,
  type SearchItem,
  toCql2Json,
} from "../../src/index.ts";
import { cql2, examples, type Predicate, predicates, source } from "./documents.ts";

describe.skipIf(cql2 === undefined)("the standard's examples and test suite", () => {
  test("120 texts and 109 JSON documents are read, and mean the same", () => {
    const { text, json } = examples();
    expect([text.size, json.size]).toEqual([120, 109]);
    for (const [name, filter] of text) {
      const same = json.get(name) ?? json.get(name.replace(/-alt\d+$/, ""));
      expect({ name, filter: parseCql2Text(filter) }).toEqual({ name, filter: parseCql2Json(same) });
    }
  });

  test("what is read of an example is written so that it is read again", () => {
    for (const [name, document] of examples().json) {
      const filter = parseCql2Json(document);
      expect({ name, filter: parseCql2Json(toCql2Json(filter)) }).toEqual({ name, filter });
      expect({ name, filter: parseCql2Text(formatCql2Text(filter)) }).toEqual({ name, filter });
    }
  });

  const suite = cql2 === undefined ? undefined : predicates();
  const classes = new Map<string, Predicate[]>();
  for (const predicate of suite?.predicates ?? []) {
    classes.set(predicate.class, [...(classes.get(predicate.class) ?? []), predicate]);
  }

  test.each([...classes])("%s: every predicate finds the expected number of items, in both encodings", (_, cases) => {
    for (const { filter, source: name, expected, counted = expected } of cases) {
      const { items, queryables } = source(name);
      const read = parseCql2Text(filter, { queryables });
      expect({ filter, found: items.filter((item) => matchesFilter(read, item)).length }).toEqual({
        filter,
        found: counted,
      });
      expect({ filter, json: parseCql2Json(toCql2Json(read), { queryables }) }).toEqual({ filter, json: read });
      expect({ filter, text: parseCql2Text(formatCql2Text(read), { queryables }) }).toEqual({ filter, text: read });
    }
  });

  test("combinations by AND, OR and NOT find the expected number of items", () => {
    expect(suite?.combinations.length).toBe(77);
    for (const { source: name, expected, ...parts } of suite?.combinations ?? []) {
      const { items, queryables } = source(name);
      const text = suite?.combination.replace(/\{(p\d)\}/g, (_, part: "p1") => parts[part]) ?? "";
      const filter = parseCql2Text(text, { queryables });
      expect({ text, found: items.filter((item) => matchesFilter(filter, item)).length }).toEqual({
        text,
        found: expected,
      });
    }
  });

  test("each class that is claimed has passed its predicates, or is tested by name below or above", () => {
    const claimed = CQL2_CONFORMANCE.map((uri) => uri.replace(/^.*\/conf\//, ""));
    expect(suite?.predicates.length).toBe(274);
    expect(claimed.filter((name) => !classes.has(name))).toEqual(["cql2-text", "cql2-json", "array-functions"]);
    expect([...classes.keys()].filter((name) => !claimed.some((uri) => uri === name))).toEqual([]);
  });
});

describe("array-functions, for which the test suite has no data", () => {
  const queryables: Queryables = { list: { kind: "strings", schema: { title: "List", type: "array" } } };
  const lists: readonly unknown[] = [
    ["foo", "bar"],
    ["bar", "foo", "foo"],
    ["foo"],
    ["foo", "bar", "baz"],
    ["baz"],
    [],
    null,
  ];
  const items = lists.map((list, i): SearchItem => ({ id: String(i), properties: { list } }));
  test.each([
    { filter: "A_CONTAINS(list, ('foo', 'bar'))", found: ["0", "1", "3"] },
    { filter: "A_CONTAINEDBY(list, ('foo', 'bar'))", found: ["0", "1", "2", "5"] },
    { filter: "A_EQUALS(list, ('foo', 'bar'))", found: ["0", "1"] },
    { filter: "A_OVERLAPS(list, ('foo', 'bar'))", found: ["0", "1", "2", "3"] },
    { filter: "NOT A_OVERLAPS(list, ('foo', 'bar'))", found: ["4", "5"] },
    { filter: "A_CONTAINS(('foo', 'bar'), list)", found: ["0", "1", "2", "5"] },
    { filter: "A_EQUALS(list, ())", found: ["5"] },
    { filter: "A_CONTAINS(list, ('foo'))", found: ["0", "1", "2", "3"] },
    { filter: "list IS NULL", found: ["6"] },
  ])("$filter", ({ filter, found }) => {
    const read = parseCql2Text(filter, { queryables });
    expect(items.filter((item) => matchesFilter(read, item)).map(({ id }) => id)).toEqual(found);
    expect(parseCql2Json(toCql2Json(read), { queryables })).toEqual(read);
  });
});
