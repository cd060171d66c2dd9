import {
  CQL2_CONFORMANCE,
  FILTER_QUERYABLES,
  type Filter,
  formatCql2Text,
  parseCql2Text,
  QUERYABLES,
} from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import { upstreamKindOf } from "@swath/schema/upstreams";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampleOf, searches } from "../../../../../test/tools/searches.ts";
import { createArchiveCatalog, createUpstreamCatalog, type Item } from "../../../src/index.ts";
import { toAbilities } from "../../../src/upstream/abilities/upstream-conformance.ts";
import { catalogSuite, search } from "../../catalog-suite.ts";
import type { Document } from "../../fixtures.ts";
import { type FakeOptions, fakeUpstream } from "../fake-upstream.ts";
import { type LinkForm, opaqueUpstream } from "../opaque-upstream.ts";
import { thereAndBack } from "../there-and-back.ts";
import { upstreamItems } from "../upstream-items.ts";

const ALL_CLASSES = CQL2_CONFORMANCE.map((uri) => uri.split("/").at(-1) as string);
const queryables = { ...FILTER_QUERYABLES, ...QUERYABLES, ...defaultRegistry.queryables() };
const parse = (text: string): Filter => parseCql2Text(text, { queryables });
const collections = ["sentinel-2-l2a", "landsat-ot-l2"];
const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

function over(documents: readonly Document[], options: FakeOptions) {
  const upstream = fakeUpstream(documents, options);
  const { url, fetch } = upstream;
  return { upstream, catalog: createUpstreamCatalog({ url, fetch, retries: 0 }) };
}

catalogSuite("An upstream with CQL2 alone", (items) => over(items, { cql2: ALL_CLASSES, hasQuery: false }).catalog, 15);
catalogSuite(
  "An upstream with basic CQL2 alone that neither counts nor gives more than 20 items",
  (items) => over(items, { cql2: [], hasQuery: false, counts: false, cap: 20 }).catalog,
  6,
);
catalogSuite(
  "An upstream with opaque tokens and CQL2 alone",
  (items) => {
    const { url, fetch } = opaqueUpstream([...items], { cql2: ALL_CLASSES, hasQuery: false });
    return createUpstreamCatalog({ url, fetch, retries: 0 });
  },
  6,
);

// more than the upstream gives in one answer, which is 250
const items = upstreamItems(300, 11);
const archive = createArchiveCatalog({ items });

const LEAVES = [
  "eo:cloud_cover < 20",
  "20.5 >= eo:cloud_cover",
  "eo:cloud_cover = 0",
  "eo:cloud_cover <> 20",
  "eo:cloud_cover BETWEEN 5 AND 40",
  "eo:cloud_cover IN (0, 20)",
  "eo:cloud_cover IS NULL",
  "eo:cloud_cover * 2 < 41",
  "eo:cloud_cover > view:sun_elevation",
  "eo:cloud_cover / 2 < 10",
  "gsd IS NULL",
  "gsd > 20",
  "platform = 'landsat-8'",
  "platform LIKE '%b'",
  "CASEI(platform) = CASEI('LANDSAT-9')",
  "collection = 'landsat-ot-l2'",
  "svc:source_collection LIKE 'sen%'",
  "constellation = 'landsat'",
  "A_CONTAINS(instruments, ('msi'))",
  "A_OVERLAPS(instruments, ('tirs', 'etm'))",
  "id LIKE 'S2%'",
  "CASEI(id) LIKE CASEI('lc08%')",
  "s2:mgrs_tile = '05CNL'",
  "s2:mgrs_tile IN ('13TDE', '05CNL')",
  "s2:mgrs_tile LIKE '05%'",
  "s2:mgrs_tile LIKE '13T%'",
  "s2:processing_baseline LIKE '0_._0'",
  "s2:processing_baseline IS NULL",
  "landsat:collection_category = 'T1'",
  "landsat:wrs_path = '033'",
  "datetime < DATE('2024-03-01')",
  "datetime >= DATE('2024-04-10')",
  "datetime = DATE('2024-04-10')",
  "datetime > TIMESTAMP('2024-02-01T06:00:00Z')",
  "datetime <= TIMESTAMP('2024-02-01T06:00:00.25Z')",
  "updated > created",
  "T_AFTER(datetime, TIMESTAMP('2024-03-05T00:00:00Z'))",
  "T_DURING(datetime, INTERVAL('2024-02-01T00:00:00Z', '2024-04-08T00:00:00Z'))",
  "T_INTERSECTS(datetime, INTERVAL('..', '2024-03-08'))",
  "S_INTERSECTS(geometry, BBOX(9, 45, 10, 49))",
  "S_INTERSECTS(geometry, POINT(9.8 47.8))",
  "S_WITHIN(geometry, POLYGON((8 39, 13 39, 13 49.5, 8 49.5, 8 39)))",
  "S_DISJOINT(geometry, BBOX(170, -20, -170, 60))",
];

const leaf = fc.constantFrom(...LEAVES).map(parse);
const { tree } = fc.letrec<{ tree: Filter }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom("and" as const, "or" as const), fc.array(tie("tree"), { minLength: 2, maxLength: 3 }))
      .map(([op, args]): Filter => ({ op, args })),
    tie("tree").map((arg): Filter => ({ op: "not", arg })),
  ),
}));

describe("a filter finds the same items as in an archive, once each", () => {
  const upstreamOptions: fc.Arbitrary<FakeOptions> = fc.record({
    cql2: fc.oneof(fc.constant(ALL_CLASSES), fc.subarray(ALL_CLASSES)),
    hasQuery: fc.boolean(),
    losesFilter: fc.boolean(),
    counts: fc.boolean(),
  });
  const query = (filter: Filter) => search({ collections, filter, limit: 1000 });

  /** All of CQL2, the Query Extension alone, and neither; at night also both. */
  const abilities = sampleOf(
    [ALL_CLASSES, []].flatMap((cql2) => [true, false].map((hasQuery) => ({ cql2, hasQuery }))),
    ({ cql2, hasQuery }) => [cql2.length > 0 ? "all of CQL2" : `no CQL2, ${hasQuery}`],
  );

  test.each(LEAVES)("%s", async (text) => {
    for (const filter of [parse(text), parse(`NOT ${text}`), parse(`${text} OR eo:cloud_cover > 99`)]) {
      const expected = ids((await archive.search(query(filter))).items);
      for (const each of abilities) {
        const { items: found } = await over(items, each).catalog.search(query(filter));
        expect([formatCql2Text(filter), ids(found)]).toEqual([formatCql2Text(filter), expected]);
      }
    }
  });

  test("whatever the filter, and whichever classes the upstream names", async () => {
    await fc.assert(
      fc.asyncProperty(tree, upstreamOptions, async (filter, options) => {
        const expected = ids((await archive.search(query(filter))).items);
        const found = await over(items, options).catalog.search(query(filter));
        expect([formatCql2Text(filter), ids(found.items)]).toEqual([formatCql2Text(filter), expected]);
      }),
      { numRuns: searches(30, 2000) },
    );
  });

  const forms: LinkForm[] = ["merge", "whole body", "token alone", "GET", "headers"];

  test.each(forms)("by links in the form: %s, both ways, also where they lose the filter", async (form) => {
    const filter = parse("(eo:cloud_cover < 30 OR s2:mgrs_tile LIKE '13%') AND NOT platform = 'landsat-8'");
    const expected = ids((await archive.search(query(filter))).items);
    expect(expected.length).toBeGreaterThan(40);
    for (const losesFilter of [true, false]) {
      const { url, fetch } = opaqueUpstream([...items], { form, losesFilter, cql2: ALL_CLASSES });
      const catalog = createUpstreamCatalog({ url, fetch, retries: 0 });
      const { there, back } = await thereAndBack(catalog, [7, 30, 1], query(filter));
      expect(there).toEqual(expected);
      expect(back).toEqual(expected);
    }
  });
});

describe("the landing page of an upstream", () => {
  const filter = parse("eo:cloud_cover < 5 OR eo:cloud_cover > 95");
  const landings = (catalogFetch: typeof globalThis.fetch) => {
    let count = 0;
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (new Request(input, init).method === "GET") count += 1;
      return catalogFetch(input, init);
    };
    return { fetch, count: () => count };
  };

  test("is read once, by all searches that wait for it", async () => {
    const { url, fetch } = fakeUpstream(items, { cql2: ALL_CLASSES });
    const counted = landings(fetch);
    const catalog = createUpstreamCatalog({ url, fetch: counted.fetch, retries: 0 });
    await Promise.all([1, 2, 3].map((limit) => catalog.search(search({ collections, filter, limit }))));
    await catalog.search(search({ collections, filter }));
    expect(counted.count()).toBe(1);
  });

  test("that cannot be read names nothing, and is read again a minute later", async () => {
    let now = 0;
    const upstream = fakeUpstream(items, { cql2: ALL_CLASSES });
    const catalog = createUpstreamCatalog({ ...upstream, retries: 0, now: () => now });
    const forms: boolean[] = [];
    upstream.landingFaults.push(() => new Response("no", { status: 500 }));
    for (const later of [0, 59_000, 61_000]) {
      now = later;
      await catalog.search(search({ collections, filter, limit: 5 }));
      forms.push(upstream.searches.at(-1)?.filter !== undefined);
    }
    expect(forms).toEqual([false, false, true]);
  });

  test.each([
    {
      name: "query alone",
      conformsTo: ["https://api.stacspec.org/v1.0.0/item-search#query"],
      hasQuery: true,
      cql2: [],
    },
    { name: "nothing", conformsTo: [], hasQuery: true, cql2: [] },
    {
      name: "CQL2 text alone",
      conformsTo: [
        "https://api.stacspec.org/v1.0.0/item-search#filter",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-text",
        "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
      ],
      hasQuery: false,
      cql2: [],
    },
    {
      name: "CQL2 as pgstac names it",
      conformsTo: [
        "http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/filter",
        "http://www.opengis.net/spec/cql2/1.0/conf/basic-cql2",
        "http://www.opengis.net/spec/cql2/1.0/conf/cql2-json",
        "https://api.stacspec.org/v1.0.0/item-search#filter",
      ],
      hasQuery: false,
      cql2: ["basic-cql2", "cql2-json"],
    },
  ])("that names $name", ({ conformsTo, hasQuery, cql2 }) => {
    const kind = upstreamKindOf("https://stac.example");
    expect(toAbilities(kind, conformsTo)).toMatchObject({ hasQuery, cql2: new Set(cql2) });
  });
});
