import { type ItemQuery, parseDatetime } from "@swath/query";
import { AGGREGATION_NAMES, COUNT_INTERVALS, type CountInterval, type CountRequest } from "@swath/query/aggregation";
import { defaultRegistry } from "@swath/schema";
import type { UpstreamKindFile } from "@swath/schema/files";
import { findUpstreamKind } from "@swath/schema/upstreams";
import { describe, expect, test } from "vitest";
import { createStoredCatalog } from "../../src/archive/stored/stored-catalog.ts";
import {
  type Catalog,
  CatalogError,
  countItems,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  createVirtualCatalog,
  toServiceItem,
} from "../../src/index.ts";
import { toAbilities } from "../../src/upstream/abilities/upstream-conformance.ts";
import { storeOf } from "../archive/item-stores.ts";
import { filterOf, search } from "../catalog-suite.ts";
import { fixtures, recorded } from "../fixtures.ts";
import { fakeUpstream } from "../upstream/fake-upstream.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";
import { hasSql, plainCounts, sqlCounts } from "./sql-counts.ts";

/** Items whose grid codes are written, as Earth Search has them. */
const documents = upstreamItems(250, 3).map((item) => {
  const properties = item.properties as Record<string, unknown>;
  const { "landsat:wrs_path": path, "landsat:wrs_row": row } = properties;
  return path === undefined ? item : { ...item, properties: { ...properties, "grid:code": `WRS2-${path}${row}` } };
});
const kind = findUpstreamKind("earth-search") as UpstreamKindFile;
const archive = createArchiveCatalog({ items: documents });
const stored = createStoredCatalog(storeOf(documents));
const everything: CountRequest = { names: AGGREGATION_NAMES, interval: "month" };

/** No other collection fills gaps of this time. */
const SINCE_2023 = parseDatetime("2023-06-01T00:00:00Z/..");

const QUERIES: readonly [string, Partial<ItemQuery>][] = [
  ["everything", {}],
  ["one collection", { collections: ["landsat-ot-l2"] }],
  ["a box", { bbox: [-106, 39, -100, 41] }],
  ["a time", { datetime: parseDatetime("2024-01-05T00:00:00Z/2024-02-20T12:00:00Z") }],
  ["a filter", { filter: filterOf({ "eo:cloud_cover": { lte: 20 } }) }],
  ["a platform", { filter: filterOf({ platform: { eq: "sentinel-2b" } }) }],
  ["a box across the antimeridian", { bbox: [178, -20, -178, 50] }],
  ["nothing", { datetime: parseDatetime("1999-01-01T00:00:00Z/1999-02-01T00:00:00Z") }],
];

/** All items that match, page by page. */
async function found(catalog: Catalog, query: ItemQuery) {
  const page = await catalog.search({ ...query, limit: 1000 });
  expect(page.next).toBeUndefined();
  return page.items;
}

async function expectSql(catalog: Catalog, query: ItemQuery, interval: CountInterval): Promise<void> {
  const counts = await countItems(catalog, query, { ...everything, interval });
  for (const [, { isWhole }] of counts.counts) expect(isWhole).toBe(true);
  const { datetime_min, datetime_max, ...rest } = plainCounts(counts);
  const { datetime_min: first, datetime_max: last, ...truth } = sqlCounts(await found(archive, query), interval);
  expect(rest).toEqual(truth);
  if (first === null) expect([datetime_min, datetime_max]).toEqual([null, null]);
  else {
    // to the millisecond that SQLite has
    expect(datetime_min).toBeCloseTo(Number(first), 7);
    expect(datetime_max).toBeCloseTo(Number(last), 7);
  }
}

describe.skipIf(!hasSql)("counts, compared with those of SQL", () => {
  test.each(QUERIES)("are exact in memory and of stored items: %s", async (_, conditions) => {
    for (const catalog of [archive, stored]) {
      for (const interval of COUNT_INTERVALS) await expectSql(catalog, search(conditions), interval);
    }
  });

  test.each(QUERIES)("are exact where an upstream that does not count is read: %s", async (_, conditions) => {
    const upstream = fakeUpstream(documents, { counts: false });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
    await expectSql(catalog, search(conditions), "month");
    expect(upstream.aggregations).toEqual([]);
  });

  test.each(QUERIES)(
    "are exact where an upstream counts, which is read for none of them: %s",
    async (_, conditions) => {
      const upstream = fakeUpstream(documents, { aggregates: "by-interval" });
      const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
      const intervals = Object.keys(conditions).length === 0 ? COUNT_INTERVALS : (["month"] as const);
      const query = search({ datetime: SINCE_2023, ...conditions });
      for (const interval of intervals) await expectSql(catalog, query, interval);
      expect(upstream.aggregations.length).toBeGreaterThan(0);
      // where a condition is no part of its conformance, its search is asked for the same number
      expect(upstream.searches.filter(({ limit }) => limit !== 1)).toEqual([]);
    },
  );

  test("are exact where an upstream counts by months whatever it is asked: days and weeks are read", async () => {
    const upstream = fakeUpstream(documents, { aggregates: "by-month" });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
    const query = search({ datetime: SINCE_2023 });
    for (const interval of ["month", "year"] as const) await expectSql(catalog, query, interval);
    expect(upstream.searches.every(({ limit }) => limit === 1)).toBe(true);
    for (const interval of ["day", "week"] as const) await expectSql(catalog, query, interval);
    expect(upstream.searches.some(({ limit }) => limit === 250)).toBe(true);
  });

  test("are exact where an upstream's counts ignore a condition: its items are read", async () => {
    const upstream = fakeUpstream(documents, { aggregates: "without-query" });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
    const filter = filterOf({ "eo:cloud_cover": { lte: 20 } });
    await expectSql(catalog, search({ datetime: SINCE_2023, filter }), "month");
    expect(upstream.aggregations.length).toBeGreaterThan(0);
  });

  test("are exact where an upstream fails to count: its items are read", async () => {
    const upstream = fakeUpstream(documents, { aggregates: "fails" });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
    await expectSql(catalog, search({ datetime: SINCE_2023 }), "day");
    expect(upstream.aggregations.length).toBeGreaterThan(0);
  });

  test("are those of all upstreams together", async () => {
    const [first, second] = ["sentinel-2-c1-l2a", "landsat-c2-l2"].map((id) =>
      createArchiveCatalog({ items: documents.filter(({ collection }) => collection === id) }),
    );
    const { datetime_min: _, datetime_max: __, ...truth } = sqlCounts(await found(archive, search()), "week");
    const merged = createVirtualCatalog({
      catalog: createMergedCatalog({ catalogs: { default: first as never, other: second as never } }),
    });
    const { datetime_min, datetime_max, ...rest } = plainCounts(
      await countItems(merged, search({ collections: ["sentinel-2-l2a"] }), { ...everything, interval: "week" }),
    );
    expect(Object.keys(rest)).toEqual(Object.keys(truth));
    expect(rest.total_count).toBe(documents.filter((each) => each.collection === "sentinel-2-c1-l2a").length);
  });

  test("of a virtual collection are those of the items that a walk through its pages gives", async () => {
    const catalog = createVirtualCatalog({ catalog: archive });
    const query = search({ collections: ["optical-sr"] });
    const items = await found(catalog, query);
    expect(items.length).toBeLessThan(documents.length);
    const { datetime_min, datetime_max, ...rest } = plainCounts(await countItems(catalog, query, everything));
    const { datetime_min: _, datetime_max: __, ...truth } = sqlCounts(items, "month");
    expect(rest).toEqual(truth);
    expect(rest.collection_frequency).toEqual({ "optical-sr": items.length });
  });
});

describe("counts of items that are read", () => {
  const many = upstreamItems(1200, 5);
  const items = many.flatMap((each) => toServiceItem(each) ?? []);

  test("end at the items that may be read, and say of how many they are; the total is exact where the upstream counts", async () => {
    for (const counts of [true, false]) {
      const upstream = fakeUpstream(many, { counts });
      const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
      const found = await countItems(catalog, search({ datetime: SINCE_2023 }), everything, { maxItems: 1000 });
      expect(upstream.delivered()).toBeLessThanOrEqual(1000);
      const platforms = found.counts.get("platform_frequency");
      expect(platforms?.isWhole).toBe(false);
      expect(platforms?.counted).toBeGreaterThanOrEqual(500);
      expect(platforms?.counted).toBeLessThanOrEqual(1000);
      expect([...(platforms?.buckets.values() ?? [])].reduce((a, b) => a + b, 0)).toBe(platforms?.counted);
      const total = found.counts.get("total_count");
      if (counts) expect(total).toMatchObject({ value: items.length, isWhole: true });
      else expect(total).toMatchObject({ value: platforms?.counted, isWhole: false });
    }
  });

  test("end at the items that may be read where most of them do not match", async () => {
    const upstream = fakeUpstream(many, { counts: false });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, kind });
    const filter = filterOf({ instruments: { eq: "etm" } });
    const found = await countItems(catalog, search({ filter }), everything, { maxItems: 1000 });
    expect(upstream.delivered()).toBeLessThanOrEqual(1000);
    expect(found.counts.get("total_count")?.isWhole).toBe(false);
  });

  test("end with what was counted where a later page fails; a first page that fails is the error of the search", async () => {
    const upstream = fakeUpstream(many, { counts: false });
    const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, retries: 0 });
    let pages = 0;
    const failing: Pick<Catalog, "search"> = {
      search: async (query, options) => {
        pages += 1;
        if (pages > 2) throw new CatalogError("unavailable", "It is down.");
        return catalog.search(query, options);
      },
    };
    const found = await countItems(failing, search(), everything);
    expect(found.counts.get("total_count")).toMatchObject({ value: 500, counted: 500, isWhole: false });
    await expect(countItems(failing, search(), everything)).rejects.toMatchObject({ code: "unavailable" });
  });

  test("stop with their caller", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    for (const catalog of [archive, stored]) {
      await expect(countItems(catalog, search(), everything, { signal })).rejects.toThrow("gone");
    }
  });
});

test.skipIf(fixtures === undefined)("Earth Search is asked for counts by what its recorded landing page names", () => {
  const { conformsTo } = recorded("earth-search/v1/landing-page.body.json") as { conformsTo: string[] };
  expect(toAbilities(kind, conformsTo).aggregates).toEqual({ query: false, filter: false });
  const others = conformsTo.filter((uri) => !uri.includes("aggregation"));
  expect(toAbilities(kind, others).aggregates).toBeUndefined();
});

test("a member that does not answer is named, and the others are counted", async () => {
  const down: Catalog["search"] = async () => {
    throw new CatalogError("unavailable", "It is down.", { upstreams: ["other"] });
  };
  const other = { ...archive, search: down, count: undefined } as never;
  const ids = new Set(defaultRegistry.collections.map(({ upstream }) => upstream.name));
  const [first, second] = [...ids];
  expect(second).toBeDefined();
  const catalog = createMergedCatalog({ catalogs: { [String(first)]: archive, [String(second)]: other } });
  const found = await countItems(catalog, search({ collections: [] }), everything);
  expect(found.missing).toEqual([second]);
  expect(Number(found.counts.get("total_count")?.value)).toBeGreaterThan(0);
});
