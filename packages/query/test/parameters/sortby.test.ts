import fc from "fast-check";
import { expect, test } from "vitest";
import { compareItems, parseSortby, SORTABLES, type SortField } from "../../src/index.ts";
import { totalOrder } from "../../src/parameters/sortby.ts";
import { queryErrorOf } from "../errors.ts";

/** Writes fields as a query has them. */
const textsOf = (sortby: readonly SortField[]): string[] =>
  sortby.map(({ field, direction }) => `${direction === "asc" ? "+" : "-"}${field}`);

const body = { in: "body", pointer: "/sortby" } as const;

test.each([
  { text: "+properties.eo:cloud_cover", fields: ["+eo:cloud_cover"] },
  { text: " properties.eo:cloud_cover", fields: ["+eo:cloud_cover"] },
  { text: "eo:cloud_cover,-datetime", fields: ["+eo:cloud_cover", "-datetime"] },
  { text: "-properties.datetime, id", fields: ["-datetime", "+id"] },
  { text: "-properties.eo:cloud_cover", fields: ["-eo:cloud_cover"] },
  { text: "id,-id,datetime", fields: ["+id", "+datetime"] },
  { text: "", fields: [] },
])("the text $text sorts by $fields", { tags: ["S20"] }, ({ text, fields }) => {
  const sortby = parseSortby(text);
  expect(textsOf(sortby)).toEqual(fields);
  expect(parseSortby(sortby, body)).toEqual(sortby);
});

test.each([
  "+",
  "-",
  ",",
  "id,",
  "eo:cloud",
  "geometry",
  "--id",
  "id;datetime",
  "properties.properties.id",
  "__proto__",
])("the text %j is refused at sortby", { tags: ["S21"] }, (text) => {
  expect(queryErrorOf(() => parseSortby(text))).toMatchObject({ code: "invalid-parameter", pointer: "sortby" });
});

test.each([
  { input: "-datetime", pointer: "/sortby" },
  { input: null, pointer: "/sortby" },
  { input: ["-datetime"], pointer: "/sortby/0" },
  {
    input: [
      { field: "id", direction: "asc" },
      { field: "foo", direction: "asc" },
    ],
    pointer: "/sortby/1/field",
  },
  { input: [{ field: "id", direction: "ASC" }], pointer: "/sortby/0/direction" },
  { input: [{ field: "id", direction: "ascending" }], pointer: "/sortby/0/direction" },
  { input: [{ field: "id" }], pointer: "/sortby/0/direction" },
  { input: [{ direction: "asc" }], pointer: "/sortby/0/field" },
  { input: [{ field: "id", direction: "asc", nulls: "first" }], pointer: "/sortby/0/nulls" },
])("the body value $input is refused at $pointer", { tags: ["S21"] }, ({ input, pointer }) => {
  expect(queryErrorOf(() => parseSortby(input, body))).toMatchObject({ code: "invalid-body", pointer });
});

const sortbys: fc.Arbitrary<SortField[]> = fc.uniqueArray(
  fc.record({
    field: fc.constantFrom<string>(...SORTABLES),
    direction: fc.constantFrom("asc" as const, "desc" as const),
  }),
  { selector: ({ field }) => field },
);

test("an order survives being written and read", () => {
  fc.assert(
    fc.property(sortbys, (sortby) => {
      expect(parseSortby(textsOf(sortby).join(","))).toEqual(sortby);
    }),
  );
});

const items = [
  { id: "b", properties: { datetime: "2024-04-22T17:53:02.036Z", "eo:cloud_cover": 9 } },
  { id: "a", properties: { datetime: "2024-04-22T17:53:02.036000Z", "eo:cloud_cover": 10 } },
  { id: "c", properties: { datetime: "2024-04-22T19:53:02.037+02:00" } },
  { id: "d", properties: { datetime: null, "eo:cloud_cover": null } },
];

test.each([
  { text: "", ids: "cabd" },
  { text: "datetime", ids: "abcd" },
  { text: "-datetime,-id", ids: "cbad" },
  { text: "eo:cloud_cover", ids: "bacd" },
  { text: "-eo:cloud_cover", ids: "abcd" },
  { text: "-id", ids: "dcba" },
])(
  "sorting by $text gives $ids: values as numbers and moments, nulls last, ties by id",
  { tags: ["S22"] },
  ({ text, ids }) => {
    const sorted = items.toSorted(compareItems(parseSortby(text)));
    expect(sorted.map(({ id }) => id).join("")).toBe(ids);
  },
);

test("a total order holds the id exactly once", { tags: ["S22"] }, () => {
  expect(textsOf(totalOrder([]))).toEqual(["-datetime", "+id"]);
  expect(textsOf(totalOrder(parseSortby("platform")))).toEqual(["+platform", "+id"]);
  expect(textsOf(totalOrder(parseSortby("-id,platform")))).toEqual(["-id", "+platform"]);
});
