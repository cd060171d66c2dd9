import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCql2Text, parseCql2Json, parseCql2Text, parseQuery, toCql2Json } from "../../src/index.ts";
import { queryErrorOf } from "../errors.ts";
import { filters } from "./arbitrary.ts";

test("every filter is read again as it was, from its text and from its JSON", () => {
  fc.assert(
    fc.property(filters, (filter) => {
      const text = formatCql2Text(filter);
      expect({ text, filter: parseCql2Text(text) }).toEqual({ text, filter });
      expect(parseCql2Json(toCql2Json(filter))).toEqual(filter);
    }),
    { numRuns: 5000 },
  );
});

test.each([
  { text: "a + b - c", same: "(a + b) - c = 0" },
  { text: "a - (b - c)" },
  { text: "(a + b) * c" },
  { text: "a * b ^ c" },
  { text: "(a ^ b) ^ c" },
  { text: "(-2) ^ 2" },
  { text: "a DIV b", same: "a div b = 0" },
])("$text keeps its parentheses", ({ text, same }) => {
  const filter = parseCql2Text(`${text} = 0`);
  expect(parseCql2Text(same ?? `${text} = 0`)).toEqual(filter);
  expect(parseCql2Text(formatCql2Text(filter))).toEqual(filter);
});

test.each([
  { text: "a = 1 AND b = 2 OR c = 3", printed: "a = 1 AND b = 2 OR c = 3" },
  { text: "a = 1 and (b = 2 or c = 3)", printed: "a = 1 AND (b = 2 OR c = 3)" },
  { text: "not (a = 1 and b = 2)", printed: "NOT (a = 1 AND b = 2)" },
  { text: "NOT a LIKE 'x%'", printed: "a NOT LIKE 'x%'" },
  { text: "(a = 1 AND b = 2) AND c = 3", printed: "(a = 1 AND b = 2) AND c = 3" },
  { text: '"eo:cloud_cover"<20', printed: "eo:cloud_cover < 20" },
  { text: "properties.eo:cloud_cover < 20", printed: "eo:cloud_cover < 20" },
  { text: '"properties.eo:cloud_cover" < 20', printed: "eo:cloud_cover < 20" },
  { text: "\"date\" = DATE('2024-01-01')", printed: "date = DATE('2024-01-01')" },
  { text: "\"and\" = 'it''s' OR \"and\" = 'it\\'s'", printed: "\"and\" = 'it''s' OR \"and\" = 'it''s'" },
  { text: "s_intersects(geometry,point z(1 2 3))", printed: "S_INTERSECTS(geometry, POINT Z (1 2 3))" },
  { text: "a > -.5e1", printed: "a > -5" },
  { text: "A_CONTAINS(a, ((1), (2, 3)))", printed: "A_CONTAINS(a, ((1), (2, 3)))" },
  {
    text: "t_after(a, TIMESTAMP('2024-01-01T00:00:00.500Z'))",
    printed: "T_AFTER(a, TIMESTAMP('2024-01-01T00:00:00.5Z'))",
  },
])("$text is printed as $printed", ({ text, printed }) => {
  expect(formatCql2Text(parseCql2Text(text))).toBe(printed);
});

test("conditions of the query extension are written in the words of CQL2", () => {
  const body = { in: "body", pointer: "/query" } as const;
  const query = { platform: { startsWith: "50%_" }, instruments: { contains: "msi" }, constellation: { in: [] } };
  const filter = parseQuery(query, body);
  expect(formatCql2Text(filter)).toBe(
    "platform LIKE '50\\%\\_%' AND A_CONTAINS(instruments, ('msi')) AND constellation <> constellation",
  );
  expect(parseCql2Json(toCql2Json(filter))).toEqual(parseCql2Text(formatCql2Text(filter)));
  expect(formatCql2Text(parseQuery({}, body))).toBe("TRUE");
});

test("text that ends in a backslash cannot be written as CQL2 text", () => {
  const filter = parseCql2Json({ op: "=", args: [{ property: "a" }, "b\\"] });
  expect(queryErrorOf(() => formatCql2Text(filter)).code).toBe("invalid-filter");
});
