import type { ItemQuery } from "@swath/query";
import { defaultRegistry } from "@swath/schema";
import { expect, test } from "vitest";
import { searches } from "../../../../test/tools/searches.ts";
import {
  type Catalog,
  createArchiveCatalog,
  createUpstreamCatalog,
  createVirtualCatalog,
  type MergeableCatalog,
} from "../../src/index.ts";
import { filterOf, search } from "../catalog-suite.ts";
import { naiveIds, naiveVirtual, processedItems, thereAndBack, VIRTUAL } from "../item/processings.ts";
import { fakeUpstream } from "../upstream/fake-upstream.ts";

/** Items; pages are a twelfth of them or seven. */
const COUNT = searches(1200, 12_000);
const LARGE = COUNT / 12;
/** Acquisitions, of which every fourth was processed two or three times. */
const documents = processedItems(Math.ceil(COUNT / 1.375));
const items = naiveVirtual(documents, defaultRegistry);
const fake = fakeUpstream(documents);
const archive = createArchiveCatalog({ items: documents });
// no page ends early because the machine is slow
const now = (): number => 0;
const upstream = createUpstreamCatalog({ ...fake, retries: 0, now });
const virtual = (catalog: MergeableCatalog): Catalog => createVirtualCatalog({ catalog, now });
const CLEAR = { filter: filterOf({ "eo:cloud_cover": { lt: 10 } }) };

test.each([
  { source: "an upstream", limit: LARGE, query: {}, full: 0.9, catalog: virtual(upstream) },
  { source: "an archive", limit: 7, query: {}, full: 1, catalog: virtual(archive) },
  { source: "an archive", limit: LARGE, query: CLEAR, full: 0.2, catalog: virtual(archive) },
  // a page of few among many ends early, where finding out what was processed again takes too many requests
] satisfies { source: string; limit: number; query: Partial<ItemQuery>; full: number; catalog: Catalog }[])(
  "items of $source, $limit a page: nothing twice, nothing missing, the newest processings alone",
  { tags: ["OS8"], timeout: 300_000 },
  async ({ limit, query, full, catalog }) => {
    expect(documents.length).toBeGreaterThanOrEqual(COUNT);
    const expected = naiveIds(items, search(query));
    const before = fake.searches.length;
    const { there, back } = await thereAndBack(catalog, [limit], search({ collections: [VIRTUAL], ...query }));
    expect(there.flat()).toEqual(expected);
    expect(back).toEqual(expected);
    expect(there.slice(0, -1).every((page) => page.length >= limit * full)).toBe(true);
    // a page of a thousand is four responses of an upstream and their lookups, and the rest of what dropped out
    expect((fake.searches.length - before) / there.length / 2).toBeLessThanOrEqual(100);
  },
);
