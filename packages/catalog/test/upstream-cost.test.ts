import { FILTER_QUERYABLES, type Filter, matchesFilter, parseCql2Text, QUERYABLES } from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import { expect, test } from "vitest";
import { createUpstreamCatalog } from "../src/index.ts";
import { search } from "./catalog-suite.ts";
import { fakeUpstream } from "./fake-upstream.ts";
import { upstreamItems } from "./upstream-items.ts";

const COUNT = 12_000;
const items = upstreamItems(COUNT, 3);
const registry = defaultRegistry;
const queryables = { ...FILTER_QUERYABLES, ...QUERYABLES, ...registry.queryables() };
const parse = (text: string): Filter => parseCql2Text(text, { queryables });
const collections = ["sentinel-2-l2a", "landsat-ot-l2"];

/** The catalog over the upstream's items, and how many items its answers held. */
function counted() {
  const upstream = fakeUpstream(items);
  let read = 0;
  let answers = 0;
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const response = await upstream.fetch(...asked);
    const { features = [] } = (await response.clone().json()) as { features?: unknown[] };
    read += features.length;
    answers += 1;
    return response;
  };
  const catalog = createUpstreamCatalog({ url: upstream.url, fetch, retries: 0, registry, now: () => 0 });
  return { catalog, upstream, read: () => read, answers: () => answers };
}

/**
 * Items that the upstream sends for the first page of ten, where what can be said in its query is said. Eleven: nothing
 * is read in vain, and one item shows that there is a next page.
 */
test.each([
  ["eo:cloud_cover < 20", 11],
  ["eo:cloud_cover BETWEEN 5 AND 20", 11],
  ["NOT eo:cloud_cover > 20", 11],
  ["NOT (eo:cloud_cover < 5 OR eo:cloud_cover > 20)", 11],
  ["20 >= eo:cloud_cover", 11],
  ["eo:cloud_cover < 30 AND eo:cloud_cover < 10 AND eo:cloud_cover < 20", 11],
  ["platform = 'landsat-8'", 11],
  ["platform LIKE 'landsat%'", 11],
  ["platform IN ('sentinel-2a', 'landsat-9')", 11],
  ["NOT platform = 'landsat-8'", 11],
  ["platform = 'landsat-8' OR platform = 'sentinel-2b'", 11],
  ["collection = 'landsat-ot-l2'", 11],
  ["collection IN ('sentinel-2-l2a') AND eo:cloud_cover < 5", 11],
  ["s2:mgrs_tile = '13TDE'", 11],
  ["s2:mgrs_tile IN ('13TDE', '05CNL')", 11],
  ["s2:mgrs_tile = '13TDE' OR s2:mgrs_tile = '60KYF'", 11],
  ["gsd = 10 OR gsd = 20", 11],
  ["datetime >= TIMESTAMP('2025-01-01T00:00:00Z')", 11],
  ["datetime < DATE('2024-06-01')", 11],
  ["T_AFTER(datetime, TIMESTAMP('2025-01-01T00:00:00Z'))", 11],
  ["T_DURING(datetime, INTERVAL('2024-03-01T00:00:00Z', '2024-03-08T00:00:00Z'))", 11],
  ["S_INTERSECTS(geometry, BBOX(9, 45, 11, 49))", 11],
  ["S_WITHIN(geometry, BBOX(8, 39, 13, 49.5))", 11],
  ["eo:cloud_cover < 10 AND S_INTERSECTS(geometry, POINT(9.8 47.8))", 11],
  [
    "(collection = 'sentinel-2-l2a' AND eo:cloud_cover < 5) OR (collection = 'landsat-ot-l2' AND eo:cloud_cover < 8)",
    11,
  ],
  ["eo:cloud_cover < 5 OR eo:cloud_cover > 95", 261],
  ["platform LIKE '%9'", 11],
  ["s2:mgrs_tile LIKE '13%'", 261],
  ["CASEI(platform) = CASEI('LANDSAT-9')", 11],
  ["eo:cloud_cover * 2 < 1", 261],
  ["view:sun_azimuth > 350", 261],
  ["eo:cloud_cover IS NULL", 12_011],
])("%s reads %i items for a page", async (text, expected) => {
  const { catalog, read } = counted();
  const filter = parse(text);
  const page = await catalog.search(search({ collections, filter }));
  expect(page.items.every((item) => matchesFilter(filter, item))).toBe(true);
  if (expected < COUNT) expect(page.items).toHaveLength(10);
  expect([text, read()]).toEqual([text, expected]);
});

const PAGED = [
  "eo:cloud_cover < 3",
  "NOT (eo:cloud_cover > 2 OR platform LIKE 'sentinel%')",
  "platform IN ('sentinel-2a', 'landsat-9') AND eo:cloud_cover BETWEEN 10 AND 14",
  "eo:cloud_cover < 0.5 OR eo:cloud_cover > 99.5",
  "s2:mgrs_tile LIKE '13%' AND eo:cloud_cover > 90",
  "S_INTERSECTS(geometry, POINT(9.8 47.8)) AND eo:cloud_cover = 0",
  "S_WITHIN(geometry, BBOX(8, 39, 13, 49.5)) AND eo:cloud_cover > 95",
  "T_DURING(datetime, INTERVAL('2024-03-01T00:00:00Z', '2024-03-15T00:00:00Z'))",
  "datetime = DATE('2024-02-11')",
  "eo:cloud_cover * 2 < 0.5",
  "s2:mgrs_tile IS NULL AND eo:cloud_cover < 2",
  "CASEI(platform) = CASEI('LANDSAT-9') AND eo:cloud_cover IN (0, 20) AND NOT view:sun_elevation < 60",
];

test.each(PAGED)("%s finds each of its items once, at 7 and at 1,000 a page", async (text) => {
  const filter = parse(text);
  const all = counted();
  const whole: string[] = [];
  for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
    const page = await all.catalog.search(
      search({ collections, limit: 1000, ...(token === undefined ? {} : { token }) }),
    );
    whole.push(...page.items.filter((item) => matchesFilter(filter, item)).map(({ id }) => id));
    token = page.next;
  }
  expect(whole.length).toBeGreaterThan(7);
  for (const limit of [7, 1000]) {
    const { catalog, read, answers } = counted();
    const found: string[] = [];
    let pages = 0;
    for (let token: string | undefined, first = true; first || token !== undefined; first = false) {
      const page = await catalog.search(
        search({ collections, filter, limit, ...(token === undefined ? {} : { token }) }),
      );
      found.push(...page.items.map(({ id }) => id));
      pages += 1;
      token = page.next;
    }
    expect(found).toEqual(whole);
    // a page that begins within an answer of the upstream reads the rest of it again, at most 250 items
    expect(read()).toBeLessThanOrEqual(COUNT + pages * 250);
    console.info(
      `${limit} a page: ${found.length} found in ${pages} pages, ${read()} items read in ${answers()} answers`,
    );
  }
});

test("a filter that matches nothing ends after 20,000 items, and goes on from there", async () => {
  const many = fakeUpstream(upstreamItems(30_000, 5));
  const sizes: number[] = [];
  const fetch: typeof globalThis.fetch = async (...asked) => {
    const response = await many.fetch(...asked);
    sizes.push(((await response.clone().json()) as { features: unknown[] }).features.length);
    return response;
  };
  const catalog = createUpstreamCatalog({ url: many.url, fetch, retries: 0, registry, now: () => 0 });
  const filter = parse("eo:cloud_cover * 2 < 0");
  const page = await catalog.search(search({ collections, filter }));
  expect(page.items).toEqual([]);
  const read = sizes.reduce((a, b) => a + b, 0);
  expect(read).toBeGreaterThanOrEqual(20_000);
  expect(read).toBeLessThan(20_250);
  const rest = await catalog.search(search({ collections, filter, token: page.next ?? "" }));
  expect(rest.next).toBeUndefined();
});
