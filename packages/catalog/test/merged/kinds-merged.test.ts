import { SORTABLES, type SortField } from "@swath/query";
import { createRegistry, defaultRegistry } from "@swath/schema";
import { BUILT_IN_FILES, isVirtualFile } from "@swath/schema/files";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  createVirtualCatalog,
  type Item,
} from "../../src/index.ts";
import { search } from "../catalog-suite.ts";
import { collectionFile, plainFile, sentinelFile } from "../collection-files.ts";
import { hlsItems, rawItems } from "../upstream/kind-items.ts";
import { type Kind, kindUpstream } from "../upstream/kind-upstream.ts";
import { thereAndBack } from "../upstream/there-and-back.ts";

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** Sentinel-2, Landsat and HLS at an upstream of their own each; the virtual collection is over all of them. */
const registry = createRegistry([
  plainFile(sentinelFile()),
  ...["landsat-ot-l2", "landsat-etm-l2", "landsat-tm-l2"].map((id) => {
    const file = collectionFile(id);
    return { ...file, upstream: { ...file.upstream, name: "second" } };
  }),
  collectionFile("hls"),
  ...BUILT_IN_FILES.filter(isVirtualFile),
]);
const items = [...rawItems(120), ...hlsItems(80)];
const upstreamOf = (collection: unknown): string =>
  String(collection).startsWith("HLS") ? "lpcloud" : collection === "sentinel-2-c1-l2a" ? "default" : "second";
const archive = createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });

function over(kinds: Readonly<Record<string, Kind>>): Catalog {
  const catalogs = Object.entries(kinds).map(([name, kind]) => {
    const own = items.filter(({ collection }) => upstreamOf(collection) === name);
    const { url, fetch } = kindUpstream(kind, own);
    return [name, createUpstreamCatalog({ url, fetch, retries: 0, registry, name })] as const;
  });
  return createVirtualCatalog({
    catalog: createMergedCatalog({ registry, catalogs: Object.fromEntries(catalogs) }),
    registry,
  });
}

const FIELDS = [...SORTABLES, ...defaultRegistry.sortFields()];
const sortby: fc.Arbitrary<SortField[]> = fc.uniqueArray(
  fc.record({
    field: fc.oneof(fc.constant("eo:cloud_cover"), fc.constantFrom(...FIELDS)),
    direction: fc.constantFrom("asc" as const, "desc" as const),
  }),
  { maxLength: 2, selector: ({ field }) => field },
);
const limits = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 3 });

const FLEETS: readonly Readonly<Record<string, Kind>>[] = [
  { default: "earth-search", second: "landsatlook", lpcloud: "cmr-stac" },
  { default: "copernicus-dataspace", second: "planetary-computer", lpcloud: "cmr-stac" },
  { default: "plain", second: "earth-search", lpcloud: "planetary-computer" },
];

describe.each(FLEETS)("upstreams of the kinds $default, $second and $lpcloud together", (kinds) => {
  test.each([
    { name: "all collections", collections: [] },
    { name: "two collections of two upstreams", collections: ["sentinel-2-l2a", "hls"] },
    { name: "the virtual collection over all of them", collections: ["optical-sr"] },
  ])(
    "give of $name what an archive gives, in any order, to the end and back",
    { tags: ["N10"] },
    async ({ collections }) => {
      const catalog = over(kinds);
      const asked = search({ collections });
      await fc.assert(
        fc.asyncProperty(sortby, limits, async (order, sizes) => {
          const query = { ...asked, sortby: order };
          const whole = await archive.search({ ...query, limit: 1000 });
          const { there, back } = await thereAndBack(catalog, sizes, query);
          expect(there).toEqual(ids(whole.items));
          expect(back).toEqual(ids(whole.items));
        }),
        // each is two walks of dozens of searches
        { numRuns: searches(2, 100) },
      );
    },
  );

  test("count all matches of the virtual collection on its last page, and not those of that page alone", {
    tags: ["N14"],
  }, async () => {
    const catalog = over(kinds);
    const query = search({ collections: ["optical-sr"], limit: 30 });
    const { items: all } = await archive.search({ ...query, limit: 1000 });
    let page = await catalog.search(query);
    let pages = 1;
    for (; page.next !== undefined; pages++) {
      if (page.numberMatched !== undefined) expect(page.numberMatched).toBe(all.length);
      page = await catalog.search({ ...query, token: page.next });
    }
    expect(pages).toBeGreaterThan(2);
    expect(page.numberMatched).toBe(all.length);
  });
});
