import { type Filter, type ItemQuery, parseDatetime, SORTABLES, type SortField } from "@swath/query";
import { createRegistry, defaultRegistry } from "@swath/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import { createArchiveCatalog, createMergedCatalog, createUpstreamCatalog, type Item } from "../../src/index.ts";
import { filterOf, search } from "../catalog-suite.ts";
import { collectionFile, plainRegistry } from "../collection-files.ts";
import type { Document } from "../fixtures.ts";
import { hlsItems, rawItems } from "./kind-items.ts";
import { KINDS, type Kind, type KindOptions, kindUpstream } from "./kind-upstream.ts";
import { thereAndBack } from "./there-and-back.ts";

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** A catalog over a stand-in of a kind, which it recognizes by its host. */
function over(kind: Kind, items: readonly Document[], options: KindOptions = {}, registry = plainRegistry) {
  const upstream = kindUpstream(kind, items, options);
  const { url, fetch } = upstream;
  const [name = "default"] = new Set(registry.collections.map((each) => each.upstream.name));
  return { upstream, catalog: createUpstreamCatalog({ url, fetch, retries: 0, registry, name }) };
}

const FIELDS = [...SORTABLES, ...defaultRegistry.sortFields()];
const sortby: fc.Arbitrary<SortField[]> = fc.uniqueArray(
  fc.record({ field: fc.constantFrom(...FIELDS), direction: fc.constantFrom("asc" as const, "desc" as const) }),
  { maxLength: 2, selector: ({ field }) => field },
);
const condition = fc.constantFrom(
  { "eo:cloud_cover": { lte: 20 } },
  { "eo:cloud_cover": { gt: 0, lt: 60 } },
  { "eo:cloud_cover": { neq: 20 } },
  { "eo:cloud_cover": { eq: 0 } },
  { created: { neq: "2024-01-05T00:00:00Z" } },
  { created: { lt: "2024-01-10T00:00:00Z" } },
  { "s2:mgrs_tile": { eq: "05CNL" } },
  { platform: { in: ["landsat-8", "sentinel-2a"] } },
  { instruments: { contains: "oli" } },
);
const area: fc.Arbitrary<Pick<ItemQuery, "bbox" | "intersects">> = fc.oneof(
  fc.constantFrom(
    { bbox: [179.5, -18, 180, 49] as const },
    { bbox: [-180, -18, -179.6, 49] as const },
    { bbox: [179.9, -18, -179.9, 49] as const },
    { bbox: [0, -90, 20, 90] as const },
    { bbox: [-180, -90, 180, 90] as const },
  ),
  fc.constantFrom(
    { intersects: { type: "Point", coordinates: [179.95, 40.1] } as const },
    {
      intersects: {
        type: "Polygon",
        coordinates: [
          [
            [9, 39],
            [10, 39],
            [10, 41],
            [9, 39],
          ],
        ],
      } as const,
    },
    {
      intersects: {
        type: "MultiPolygon",
        coordinates: [
          [
            [
              [-106, 39],
              [-105, 39],
              [-105, 48],
              [-106, 39],
            ],
          ],
          [
            [
              [179, 47],
              [179.9, 47],
              [179, 48],
              [179, 47],
            ],
          ],
        ],
      } as const,
    },
  ),
);
const query = fc.record({
  sortby,
  conditions: fc.array(fc.tuple(condition, fc.boolean()), { maxLength: 2 }),
  area: fc.option(area, { nil: {} }),
  datetime: fc.option(
    fc
      .constantFrom("2024-01-03", "2024-01-05T00:00:00Z/..", "../2024-01-06T12:00:00.5Z", "2024-01-02/2024-01-07")
      .map((text) => parseDatetime(text)),
    { nil: undefined },
  ),
  limits: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 }),
});

function queryOf({
  conditions,
  area: where,
  datetime,
  sortby: sort,
}: typeof query extends fc.Arbitrary<infer T> ? T : never) {
  const args = conditions.map(([one, isNegated]): Filter => {
    return isNegated ? { op: "not", arg: filterOf(one) } : filterOf(one);
  });
  return {
    sortby: sort,
    ...where,
    ...(datetime === undefined ? {} : { datetime }),
    ...(args.length === 0 ? {} : { filter: { op: "and" as const, args } }),
  };
}

/** Three kinds of items: those of Sentinel-2 and Landsat, and granules of HLS. */
const hls = createRegistry([collectionFile("hls")]);
const SETS = [
  {
    name: "scenes",
    items: rawItems(160),
    registry: plainRegistry,
    collections: ["sentinel-2-l2a", "landsat-ot-l2", "landsat-etm-l2"],
  },
  { name: "granules", items: hlsItems(120), registry: hls, collections: ["hls"] },
];

describe.each(KINDS)("an upstream of the kind %s", (kind) => {
  const variants: KindOptions[] = kind === "planetary-computer" ? [{}, { repeats: 2 }, { refusesAreas: true }] : [{}];
  test.each(SETS)(
    "gives of $name what an archive gives, to the end and back, whatever is searched",
    { tags: ["N10"] },
    async ({ items, registry, collections }) => {
      const archive = createArchiveCatalog({ items, registry });
      await fc.assert(
        fc.asyncProperty(query, fc.constantFrom(...variants), async (asked, options) => {
          const { catalog } = over(kind, items, options, registry);
          const searched = search({ collections, ...queryOf(asked) });
          const whole = await archive.search({ ...searched, limit: 1000 });
          const { there, back } = await thereAndBack(catalog, asked.limits, searched);
          expect(there).toEqual(ids(whole.items));
          expect(back).toEqual(ids(whole.items));
          const first = await catalog.search(searched);
          if (first.numberMatched !== undefined) expect(first.numberMatched).toBe(whole.numberMatched);
          expect(first.unreadable).toBeUndefined();
        }),
        { numRuns: searches(8, 250) },
      );
    },
  );
});

test("a collection comes from another upstream that has it, where its own is not configured", async () => {
  const names: Readonly<Record<string, string>> = { "HLSL30_2.0": "hls2-l30", "HLSS30_2.0": "hls2-s30" };
  const items = hlsItems(60);
  const there = items.map((item) => ({ ...item, collection: names[String(item.collection)] }));
  const { url, fetch, searches } = kindUpstream("planetary-computer", there);
  const live = defaultRegistry.withUpstreams(["default", "pc"], ["pc"]);
  const catalog = createMergedCatalog({
    registry: live,
    catalogs: {
      default: createArchiveCatalog({ items: [], registry: live }),
      pc: createUpstreamCatalog({ url, fetch, retries: 0, registry: live, name: "pc" }),
    },
  });
  const walked = await thereAndBack(catalog, [7], search({ collections: ["hls"] }));
  const whole = await createArchiveCatalog({ items, registry: hls }).search(
    search({ collections: ["hls"], limit: 100 }),
  );
  expect(walked.there).toEqual(ids(whole.items));
  expect(walked.back).toEqual(ids(whole.items));
  expect(new Set(searches.flatMap(({ collections }) => collections ?? []))).toEqual(new Set(Object.values(names)));
  expect((await catalog.item("hls", String(items[0]?.id)))?.collection).toBe("hls");
});
