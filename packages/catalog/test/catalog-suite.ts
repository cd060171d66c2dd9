import {
  type Filter,
  type ItemQuery,
  matchesItemQuery,
  parseDatetime,
  parseQuery,
  QUERYABLES,
  SORTABLES,
  type SortField,
} from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searches } from "../../../test/tools/searches.ts";
import { type Catalog, type CatalogError, type Item, toServiceItem } from "../src/index.ts";
import type { Document } from "./fixtures.ts";
import { upstreamItems } from "./upstream/upstream-items.ts";

type Value = string | number | boolean | undefined;

/** The sort order of a search, written again independently: fields, id, collection; missing values last. */
function naiveOrder(sortby: readonly SortField[]): (a: Item, b: Item) => number {
  const fields = [...sortby];
  if (fields.length === 0) fields.push({ field: "datetime", direction: "desc" }, { field: "id", direction: "desc" });
  fields.push({ field: "id", direction: "asc" });
  const value = (item: Item, field: string): Value => {
    if (field === "id") return item.id;
    if (field === "collection") return item.collection;
    const found = (item.properties as Record<string, Value>)[field];
    if (Array.isArray(found)) return found.join();
    return ["datetime", "created", "updated"].includes(field) ? Date.parse(String(found)) : found;
  };
  return (a, b) => {
    for (const { field, direction } of fields) {
      const [x, y] = [value(a, field), value(b, field)];
      if (x === y) continue;
      if (x === undefined) return 1;
      if (y === undefined) return -1;
      return x < y === (direction === "asc") ? -1 : 1;
    }
    return 0;
  };
}

/** The optical collections, which have every common property. */
const ALL = ["sentinel-2-l2a", "landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2"];
const FIELDS = [...SORTABLES, ...defaultRegistry.sortFields()];

/** A filter on the common properties and those that the built-in collections add. */
export function filterOf(query: object): Filter {
  return parseQuery(query, { in: "body", pointer: "/query" }, { ...QUERYABLES, ...defaultRegistry.queryables() });
}

export const search = (query: Partial<ItemQuery> = {}): ItemQuery => ({
  collections: ALL,
  sortby: [],
  limit: 10,
  ...query,
});

async function pagesOf(
  catalog: Catalog,
  query: ItemQuery,
  limits: readonly number[] = [query.limit],
): Promise<Item[][]> {
  const pages: Item[][] = [];
  let token: string | undefined;
  for (let i = 0; ; i++) {
    const limit = limits[i % limits.length] as number;
    const page = await catalog.search({ ...query, limit, ...(token === undefined ? {} : { token }) });
    pages.push([...page.items]);
    if (page.next === undefined) return pages;
    expect(page.items.length, "a page before the last is not empty").toBeGreaterThan(0);
    token = page.next;
  }
}

const ids = (items: readonly Item[]): string[] => items.map((item) => item.id);

/** Tests that every catalogue has to pass, however it keeps its items. */
export function catalogSuite(name: string, make: (items: readonly Document[]) => Catalog, runs = 60): void {
  const upstream = upstreamItems(searches(120, 240));
  const catalog = make(upstream);
  const all = upstream.flatMap((item) => toServiceItem(item) ?? []);
  const expected = (query: ItemQuery): string[] =>
    ids(all.filter((item) => matchesItemQuery(query, item)).sort(naiveOrder(query.sortby)));

  describe(`${name} catalogue`, () => {
    test("answers newest first, then by id, and counts what matches", async () => {
      const page = await catalog.search(search());
      expect(ids(page.items)).toEqual(expected(search()).slice(0, 10));
      if (page.numberMatched !== undefined) expect(page.numberMatched).toBe(all.length);
      expect(page.prev).toBeUndefined();
    });

    test("divides the items of one upstream collection by platform, also when another platform is requested", async () => {
      const platforms = async (filter?: Filter, collection = "landsat-ot-l2"): Promise<string[]> => {
        const page = await catalog.search(
          search({ collections: [collection], limit: 1000, ...(filter === undefined ? {} : { filter }) }),
        );
        if (page.numberMatched !== undefined) expect(page.numberMatched).toBe(page.items.length);
        return [...new Set(page.items.map((item) => String(item.properties.platform)))].sort();
      };
      expect(await platforms()).toEqual(["landsat-8", "landsat-9"]);
      expect(await platforms(filterOf({ platform: { neq: "landsat-8" } }))).toEqual(["landsat-9"]);
      expect(await platforms(filterOf({ platform: { eq: "landsat-7" } }))).toEqual([]);
      expect(await platforms(undefined, "landsat-etm-l2")).toEqual(["landsat-7"]);
      expect(await platforms(undefined, "landsat-tm-l2")).toEqual(["landsat-5"]);
      expect(await platforms(filterOf({ platform: { in: ["landsat-4", "landsat-8"] } }), "landsat-tm-l2")).toEqual([]);
    });

    test("has a whole item by its id, and nothing for an id of another collection or none", async () => {
      const [item] = all as [Item];
      for (const collection of ALL) {
        const isOwn = collection === item.collection;
        expect(await catalog.item(collection, item.id)).toEqual(isOwn ? item : undefined);
      }
      expect(await catalog.item(item.collection, "S2A_nothing_L2A")).toBeUndefined();
    });

    test("states the constellation of every item, and finds items by it, whatever the upstream writes", async () => {
      for (const constellation of ["landsat", "sentinel-2"]) {
        const page = await catalog.search(
          search({ limit: 1000, filter: filterOf({ constellation: { eq: constellation } }) }),
        );
        expect(ids(page.items).toSorted()).toEqual(
          ids(all)
            .filter((_, i) => all[i]?.collection.startsWith(constellation))
            .toSorted(),
        );
        expect(new Set(page.items.map(({ properties }) => properties.constellation))).toEqual(new Set([constellation]));
      }
    });

    test("answers ids that exist beside ids that do not", async () => {
      const wanted = ids(all).slice(3, 6);
      const page = await catalog.search(search({ ids: [...wanted, "nothing"] }));
      expect(ids(page.items).sort()).toEqual([...wanted].sort());
    });

    test("never follows a full last page with an empty one", async () => {
      const full = await catalog.search(search({ limit: all.length }));
      expect(full.items).toHaveLength(all.length);
      expect(full.next).toBeUndefined();
      const half = all.length / 2;
      const pages = await pagesOf(catalog, search({ limit: Math.floor(half) }));
      expect(pages.every((page) => page.length > 0)).toBe(true);
    });

    test("assembles a page of 1,000 without losing or repeating an item", async () => {
      const many = upstreamItems(1100, 9);
      const big = make(many);
      const count = many.filter((item) => toServiceItem(item) !== undefined).length;
      const first = await big.search(search({ limit: 1000 }));
      expect(first.items).toHaveLength(1000);
      const rest = await big.search(search({ limit: 1000, token: first.next as string }));
      expect(new Set(ids([...first.items, ...rest.items])).size).toBe(count);
      expect(rest.next).toBeUndefined();
    });

    test("finds what crosses the antimeridian from both sides, and by a box across it", async () => {
      const found = async (bbox: ItemQuery["bbox"]): Promise<string[]> =>
        ids((await catalog.search(search({ limit: 1000, ...(bbox === undefined ? {} : { bbox }) }))).items);
      const crossing = all
        .filter((item) => (item.geometry as { type: string }).type === "MultiPolygon")
        .map((item) => item.id);
      expect(crossing.length).toBeGreaterThan(5);
      const across = await found([179.95, -90, -179.95, 90]);
      expect(across).toEqual(expect.arrayContaining(crossing));
      expect(across.length).toBeLessThan(all.length / 2);
      expect(await found([179.9, -90, 179.99, 90])).toEqual(expect.arrayContaining(crossing.slice(0, 1)));
    });

    test("refuses a token that is changed, of another search, or no token", async () => {
      const { next } = await catalog.search(search());
      const refused = async (query: ItemQuery): Promise<void> => {
        await expect(catalog.search(query)).rejects.toMatchObject({
          code: "invalid-token",
        } satisfies Partial<CatalogError>);
      };
      await refused(search({ token: next as string, collections: ["landsat-ot-l2"] }));
      await refused(search({ token: next as string, sortby: [{ field: "id", direction: "asc" }] }));
      await refused(search({ token: `${next}x` }));
      await refused(search({ token: "not a token" }));
      await refused(search({ token: btoa("[1,2]") }));
    });

    test("goes back over the pages that it came by", async () => {
      const query = search({ limit: 7, sortby: [{ field: "eo:cloud_cover", direction: "asc" }] });
      const pages = await pagesOf(catalog, query);
      let last = await catalog.search(query);
      while (last.next !== undefined) last = await catalog.search({ ...query, token: last.next });
      const back = [[...last.items]];
      for (let page = last; page.prev !== undefined; ) {
        page = await catalog.search({ ...query, token: page.prev });
        back.unshift([...page.items]);
      }
      expect(back.map(ids)).toEqual(pages.map(ids));
    });

    test("comes forward again from a page that it went back to", async () => {
      const query = search({ limit: 7 });
      const first = await catalog.search(query);
      const second = await catalog.search({ ...query, token: first.next as string });
      const back = await catalog.search({ ...query, token: second.prev as string });
      expect(ids(back.items)).toEqual(ids(first.items));
      const again = await catalog.search({ ...query, token: back.next as string });
      expect(ids(again.items)).toEqual(ids(second.items));
    });

    const sortby: fc.Arbitrary<SortField[]> = fc.uniqueArray(
      fc.record({ field: fc.constantFrom(...FIELDS), direction: fc.constantFrom("asc" as const, "desc" as const) }),
      { maxLength: 3, selector: ({ field }) => field },
    );

    test("gives the sorted whole when it is paged to the end, at any limits and in any order", async () => {
      await fc.assert(
        fc.asyncProperty(
          sortby,
          fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
          async (sort, limits) => {
            // fields of one collection are requested within it: across all, half of the items has no value
            const collections = sort.some(({ field }) => field.startsWith("s2:"))
              ? ["sentinel-2-l2a"]
              : sort.some(({ field }) => field.startsWith("landsat:"))
                ? ["landsat-ot-l2"]
                : ALL;
            const query = search({ sortby: sort, collections });
            expect(ids((await pagesOf(catalog, query, limits)).flat())).toEqual(expected(query));
          },
        ),
        { numRuns: searches(Math.ceil(runs / 2), 20 * runs) },
      );
    });

    const condition = fc.oneof(
      fc.record({ "eo:cloud_cover": fc.record({ lte: fc.constantFrom(0, 20, 50, "20") }) }),
      fc.record({ "eo:cloud_cover": fc.record({ gt: fc.constantFrom(0, 0.04), neq: fc.constantFrom(20) }) }),
      fc.record({ "s2:mgrs_tile": fc.record({ eq: fc.constantFrom("05CNL", "13TDE", "99XXX") }) }),
      fc.record({ "s2:mgrs_tile": fc.record({ in: fc.constant(["01LAC", "32TMT"]) }) }),
      fc.record({ "s2:mgrs_tile": fc.record({ startsWith: fc.constantFrom("0", "13T") }) }),
      fc.record({ "s2:mgrs_tile": fc.record({ neq: fc.constant("13TDE") }) }),
      fc.record({ "s2:processing_baseline": fc.record({ gte: fc.constant("04.00") }) }),
      fc.record({ "landsat:wrs_path": fc.record({ eq: fc.constantFrom(33, "010") }) }),
      fc.record({ platform: fc.record({ in: fc.constant(["landsat-7", "landsat-9", "sentinel-2a"]) }) }),
      fc.record({ platform: fc.record({ contains: fc.constantFrom("landsat", "2b") }) }),
      fc.record({ instruments: fc.record({ contains: fc.constantFrom("oli", "msi", "ol") }) }),
      fc.record({ gsd: fc.record({ neq: fc.constant(10) }) }),
      fc.record({ constellation: fc.record({ eq: fc.constantFrom("landsat", "sentinel-2", "Landsat") }) }),
      fc.record({ constellation: fc.record({ neq: fc.constant("sentinel-2") }) }),
      fc.record({ "svc:source_collection": fc.record({ neq: fc.constant("landsat-ot-l2") }) }),
      fc.record({ created: fc.record({ lt: fc.constant("2024-01-10T00:00:00Z") }) }),
    );
    const bbox = fc
      .tuple(
        fc.integer({ min: -180, max: 180 }),
        fc.integer({ min: -60, max: 60 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 60 }),
      )
      .map(([west, south, width, height]): NonNullable<ItemQuery["bbox"]> => {
        const east = west + width;
        return [west, south, east > 180 ? east - 360 : east, Math.min(90, south + height)];
      });

    test("finds the same items as a plain look through all of them", async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.record({
            collections: fc.constantFrom(ALL, ALL.slice(0, 2), ...ALL.map((id) => [id]), []),
            datetime: fc.option(
              fc
                .constantFrom(
                  "2024-01-03",
                  "2024-01-05T00:00:00Z/..",
                  "../2024-01-06T12:00:00Z",
                  "2024-01-02/2024-01-07",
                )
                .map((text) => parseDatetime(text)),
              { nil: undefined },
            ),
            bbox: fc.option(bbox, { nil: undefined }),
            conditions: fc.array(condition, { maxLength: 2 }),
            sort: fc.constantFrom<readonly SortField[]>(
              [],
              [{ field: "id", direction: "asc" }],
              [{ field: "eo:cloud_cover", direction: "desc" }],
            ),
            limit: fc.integer({ min: 1, max: 80 }),
          }),
          async ({ conditions, sort, datetime, bbox, ...rest }) => {
            const filters = conditions.map((one) => filterOf(one));
            const query: ItemQuery = {
              ...rest,
              sortby: sort,
              ...(datetime === undefined ? {} : { datetime }),
              ...(bbox === undefined ? {} : { bbox }),
              ...(filters.length === 0 ? {} : { filter: { op: "and", args: filters } }),
            };
            const pages = await pagesOf(catalog, query);
            expect(ids(pages.flat())).toEqual(expected(query));
            const { numberMatched } = await catalog.search(query);
            if (numberMatched !== undefined) expect(numberMatched).toBe(expected(query).length);
          },
        ),
        { numRuns: searches(runs, 40 * runs) },
      );
    });

    test("answers a ping", async () => {
      await expect(catalog.ping()).resolves.toBeUndefined();
    });

    test("stops when the caller aborts", async () => {
      await expect(catalog.search(search(), { signal: AbortSignal.abort() })).rejects.toThrow();
    });
  });
}
