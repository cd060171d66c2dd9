import {
  CQL2_CONFORMANCE,
  FILTER_QUERYABLES,
  type Filter,
  type ItemQuery,
  matchesFilter,
  parseCql2Text,
  QUERYABLES,
} from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import { expect, test } from "vitest";
import { sampleOf } from "../../../../test/tools/searches.ts";
import { type Catalog, createUpstreamCatalog, type Item } from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import { type FakeOptions, fakeUpstream } from "./fake-upstream.ts";
import { upstreamItems } from "./upstream-items.ts";

const COUNT = 12_000;
const items = upstreamItems(COUNT, 3);
const registry = defaultRegistry;
const queryables = { ...FILTER_QUERYABLES, ...QUERYABLES, ...registry.queryables() };
const parse = (text: string): Filter => parseCql2Text(text, { queryables });
/** All classes of CQL2 that are evaluated here, by their last segments. */
const ALL_CLASSES = CQL2_CONFORMANCE.map((uri) => uri.split("/").at(-1) as string);
const collections = ["sentinel-2-l2a", "landsat-ot-l2"];

/** The catalog over an upstream with these items; its clock stands still, so that pages end by items alone. */
function over(documents = items, options: FakeOptions = {}) {
  const upstream = fakeUpstream(documents, options);
  const { url, fetch } = upstream;
  return { upstream, catalog: createUpstreamCatalog({ url, fetch, retries: 0, registry, now: () => 0 }) };
}

/** All items of a search, page by page. */
async function walked(catalog: Catalog, query: Partial<ItemQuery>) {
  const found: Item[] = [];
  let pages = 0;
  let token: string | undefined;
  do {
    const page = await catalog.search(search({ collections, ...query, ...(token === undefined ? {} : { token }) }));
    found.push(...page.items);
    pages += 1;
    token = page.next;
  } while (token !== undefined);
  return { found, pages };
}

const all = walked(over().catalog, { limit: 1000 });

/**
 * Items that the upstream sends for the first page of ten, where what can be said in its query is said; and where it
 * takes CQL2, with or without a query. Eleven: nothing is read in vain, and one item shows that there is a next page.
 */
test.each([
  ["eo:cloud_cover < 20", 11, 11],
  ["eo:cloud_cover BETWEEN 5 AND 20", 11, 11],
  ["NOT eo:cloud_cover > 20", 11, 11],
  ["NOT (eo:cloud_cover < 5 OR eo:cloud_cover > 20)", 11, 11],
  ["20 >= eo:cloud_cover", 11, 11],
  ["eo:cloud_cover < 30 AND eo:cloud_cover < 10 AND eo:cloud_cover < 20", 11, 11],
  ["platform = 'landsat-8'", 11, 11],
  ["platform LIKE 'landsat%'", 11, 11],
  ["platform IN ('sentinel-2a', 'landsat-9')", 11, 11],
  ["NOT platform = 'landsat-8'", 11, 11],
  ["platform = 'landsat-8' OR platform = 'sentinel-2b'", 11, 11],
  ["collection = 'landsat-ot-l2'", 11, 11],
  ["collection IN ('sentinel-2-l2a') AND eo:cloud_cover < 5", 11, 11],
  ["s2:mgrs_tile = '13TDE'", 11, 11],
  ["s2:mgrs_tile IN ('13TDE', '05CNL')", 11, 11],
  ["s2:mgrs_tile = '13TDE' OR s2:mgrs_tile = '60KYF'", 11, 11],
  ["gsd = 10 OR gsd = 20", 0, 0],
  ["datetime >= TIMESTAMP('2025-01-01T00:00:00Z')", 11, 11],
  ["datetime < DATE('2024-06-01')", 11, 11],
  ["T_AFTER(datetime, TIMESTAMP('2025-01-01T00:00:00Z'))", 11, 11],
  ["T_DURING(datetime, INTERVAL('2024-03-01T00:00:00Z', '2024-03-08T00:00:00Z'))", 108, 11],
  ["S_INTERSECTS(geometry, BBOX(9, 45, 11, 49))", 11, 11],
  ["S_WITHIN(geometry, BBOX(8, 39, 13, 49.5))", 11, 11],
  ["eo:cloud_cover < 10 AND S_INTERSECTS(geometry, POINT(9.8 47.8))", 11, 11],
  [
    "(collection = 'sentinel-2-l2a' AND eo:cloud_cover < 5) OR (collection = 'landsat-ot-l2' AND eo:cloud_cover < 8)",
    11,
    11,
  ],
  ["eo:cloud_cover < 5 OR eo:cloud_cover > 95", 261, 11],
  ["platform LIKE '%9'", 11, 11],
  ["s2:mgrs_tile LIKE '13%'", 261, 11],
  ["CASEI(platform) = CASEI('LANDSAT-9')", 11, 11],
  ["eo:cloud_cover * 2 < 1", 261, 11],
  ["view:sun_azimuth > 350", 10_063, 10_063],
  ["eo:cloud_cover IS NULL", 10_063, 0],
])("%s reads %i items for a page, %i by CQL2", async (text, byQuery, byCql2) => {
  const filter = parse(text);
  const upstreams: [FakeOptions, number][] = [
    [{}, byQuery],
    [{ cql2: ALL_CLASSES }, byCql2],
    [{ cql2: ALL_CLASSES, hasQuery: false }, byCql2],
  ];
  for (const [options, expected] of upstreams) {
    const { catalog, upstream } = over(items, options);
    const page = await catalog.search(search({ collections, filter }));
    expect(page.items.every((item) => matchesFilter(filter, item))).toBe(true);
    if (expected < 10_000) expect(page.items).toHaveLength(Math.min(10, expected));
    expect([text, options, upstream.delivered()]).toEqual([text, options, expected]);
  }
});

const PAGED = [
  "eo:cloud_cover > 0.05 AND eo:cloud_cover < 3 AND platform = 'landsat-8'",
  "NOT (eo:cloud_cover > 2 OR eo:cloud_cover < 0.05 OR platform LIKE 'sentinel%')",
  "platform IN ('sentinel-2a', 'landsat-9') AND eo:cloud_cover BETWEEN 10 AND 14",
  "(eo:cloud_cover < 0.5 OR eo:cloud_cover > 99.5) AND datetime > DATE('2025-08-01')",
  "s2:mgrs_tile LIKE '13%' AND eo:cloud_cover > 90",
  "S_INTERSECTS(geometry, POINT(9.8 47.8)) AND eo:cloud_cover = 0",
  "S_WITHIN(geometry, BBOX(8, 39, 13, 49.5)) AND eo:cloud_cover > 95",
  "T_DURING(datetime, INTERVAL('2024-03-01T00:00:00Z', '2024-03-15T00:00:00Z'))",
  "datetime = DATE('2024-02-11')",
  "eo:cloud_cover * 2 > 190",
  "s2:mgrs_tile IS NULL AND eo:cloud_cover > 97",
  "CASEI(platform) = CASEI('LANDSAT-9') AND eo:cloud_cover IN (0, 20) AND NOT view:sun_elevation < 60",
];

/** The operators of a filter: one of those with the same is tried outside the nightly run. */
const operatorsOf = (text: string): string[] => text.match(/[A-Z]+_?[A-Z]+(?=\b)|[*<>]/g) ?? [];

test.each(sampleOf(PAGED, operatorsOf))("%s finds each of its items once, at 7 and at 1,000 a page", async (text) => {
  const filter = parse(text);
  const whole = (await all).found.filter((item) => matchesFilter(filter, item)).map(({ id }) => id);
  expect(whole.length).toBeGreaterThan(7);
  expect(whole.length).toBeLessThan(1000);
  for (const limit of [7, 1000]) {
    const { catalog, upstream } = over();
    const { found, pages } = await walked(catalog, { filter, limit });
    expect(found.map(({ id }) => id)).toEqual(whole);
    // a page that begins within an answer of the upstream reads the rest of it again, at most 250 items
    expect(upstream.delivered()).toBeLessThanOrEqual(COUNT + pages * 250);
    const answers = upstream.searches.length;
    console.info(
      `${limit} a page: ${found.length} items, ${pages} pages, ${upstream.delivered()} read in ${answers} answers`,
    );
  }
});

test("a page that may read 2,000 items of its upstream reads no more, and goes on from there", {
  tags: ["AC27"],
}, async () => {
  const { catalog, upstream } = over(upstreamItems(5000, 5));
  const filter = parse("eo:cloud_cover * 2 < 0");
  let token: string | undefined;
  let pages = 0;
  do {
    const before = upstream.delivered();
    const asked = search({ collections, filter, ...(token === undefined ? {} : { token }) });
    ({ next: token } = await catalog.search(asked, { maxItems: 2000 }));
    expect(upstream.delivered() - before).toBeLessThanOrEqual(2000);
    expect(upstream.delivered() - before).toBeGreaterThan(0);
    pages += 1;
  } while (token !== undefined);
  expect(pages).toBeGreaterThan(1);
  expect(pages).toBeLessThan(5);
});

test("a filter that matches nothing ends after 20,000 items, and goes on from there", async () => {
  const { catalog, upstream } = over(upstreamItems(30_000, 5));
  const filter = parse("eo:cloud_cover * 2 < 0");
  const page = await catalog.search(search({ collections, filter }));
  expect(page.items).toEqual([]);
  expect(upstream.delivered()).toBeGreaterThanOrEqual(20_000);
  expect(upstream.delivered()).toBeLessThan(20_250);
  const rest = await catalog.search(search({ collections, filter, token: page.next ?? "" }));
  expect(rest.next).toBeUndefined();
}, 180_000);
