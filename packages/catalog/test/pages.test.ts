import type { ItemQuery } from "@swath/query";
import { MOSAICKING_SORTS, MosaickingOrder } from "@swath/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type CatalogOptions, type ItemPage, pagesOf, sortItems } from "../src/index.ts";

const QUERY: ItemQuery = { collections: ["a"], sortby: [], limit: 2 };

/** A catalog of `count` items, and the requests that it received. */
function paged(count: number, missing: readonly (readonly string[])[] = []) {
  const asked: { readonly limit: number; readonly token?: string; readonly without?: readonly string[] }[] = [];
  const catalog = {
    async search({ limit, token }: ItemQuery, { without = [] }: CatalogOptions = {}): Promise<ItemPage> {
      const absent = missing[asked.length];
      asked.push({ limit, ...(token === undefined ? {} : { token }), without: [...without] });
      const from = Number(token ?? 0);
      const items = Array.from({ length: Math.min(limit, count - from) }, (_, i) => ({ id: String(from + i) }));
      const next = from + limit < count ? { next: String(from + limit) } : {};
      return { items: items as never, ...next, ...(absent === undefined ? {} : { missing: absent }) };
    },
  };
  return { catalog, asked };
}

async function idsOf(pages: AsyncIterable<ItemPage>): Promise<string[]> {
  const ids: string[] = [];
  for await (const { items } of pages) ids.push(...items.map(({ id }) => id));
  return ids;
}

test("pages are asked for one after the other, to the end", async () => {
  const { catalog, asked } = paged(5);
  expect(await idsOf(pagesOf(catalog, QUERY))).toEqual(["0", "1", "2", "3", "4"]);
  expect(asked.map(({ token }) => token)).toEqual([undefined, "2", "4"]);
});

test("who stops asks for no further page, and a walk may begin in the middle", async () => {
  const { catalog, asked } = paged(9);
  for await (const page of pagesOf(catalog, { ...QUERY, token: "4" })) if (page.items[0]?.id === "6") break;
  expect(asked.map(({ token }) => token)).toEqual(["4", "6"]);
});

test("the last page of a bounded walk asks for what is left", async () => {
  const { catalog, asked } = paged(9);
  expect(await idsOf(pagesOf(catalog, QUERY, { maxItems: 5 }))).toEqual(["0", "1", "2", "3", "4"]);
  expect(asked.map(({ limit }) => limit)).toEqual([2, 2, 1]);
});

test("an upstream that does not answer is not asked for the next pages", async () => {
  const { catalog, asked } = paged(5, [[], ["b"]]);
  const without = new Set<string>(["c"]);
  await idsOf(pagesOf(catalog, QUERY, { without }));
  expect(asked.map((each) => each.without)).toEqual([["c"], ["c"], ["c", "b"]]);
  expect([...without]).toEqual(["c", "b"]);
});

const day = (n: number): string => new Date(Date.UTC(2024, 3, n)).toISOString();

test.each([
  { order: "mostRecent", expected: ["c", "a", "b", "e", "d", "f"] },
  { order: "leastRecent", expected: ["d", "a", "b", "e", "c", "f"] },
  { order: "leastCC", expected: ["c", "b", "d", "e", "a", "f"] },
] as const)(
  "$order: ties go to the newest, then to the smaller id; what is unknown comes last",
  { tags: ["X10"] },
  (row) => {
    const items = [
      { id: "f", properties: {} },
      { id: "e", properties: { datetime: day(2), "eo:cloud_cover": 50 } },
      { id: "b", properties: { datetime: day(2), "eo:cloud_cover": 10 } },
      { id: "a", properties: { datetime: day(2) } },
      { id: "d", properties: { datetime: day(1), "eo:cloud_cover": 10 } },
      { id: "c", properties: { datetime: day(3), "eo:cloud_cover": 0 } },
    ];
    expect(sortItems(items, row.order).map(({ id }) => id)).toEqual(row.expected);
  },
);

test("each mosaicking order is a total order: that of the input does not matter", () => {
  const item = fc.record({
    id: fc.string(),
    properties: fc.record({ datetime: fc.integer({ min: 1, max: 3 }).map(day), "eo:cloud_cover": fc.nat(3) }),
  });
  fc.assert(
    fc.property(
      fc.uniqueArray(item, { selector: ({ id }) => id }),
      fc.constantFrom(...MosaickingOrder.options),
      (items, order) => {
        const before = [...items];
        expect(sortItems([...items].reverse(), order)).toEqual(sortItems(items, order));
        expect(items).toEqual(before);
        expect(MOSAICKING_SORTS[order].at(-1)?.field).toBe("id");
      },
    ),
  );
});
