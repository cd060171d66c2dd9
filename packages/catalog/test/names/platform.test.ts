import { collections } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { createUpstreamCatalog } from "../../src/index.ts";
import { platformOf, platformSpellings } from "../../src/names/platform.ts";
import { filterOf, search } from "../catalog-suite.ts";
import type { Document } from "../fixtures.ts";
import { fakeUpstream } from "../upstream/fake-upstream.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";

test.each([
  { platform: "landsat-8", includes: ["landsat-8", "Landsat-8", "LANDSAT-8", "LANDSAT_8", "landsat_8"] },
  { platform: "sentinel-2b", includes: ["sentinel-2b", "Sentinel-2B", "Sentinel-2b", "SENTINEL_2B"] },
])("$platform is requested in the spellings of catalogs, each of which is read as it", ({ platform, includes }) => {
  const spellings = platformSpellings(platform);
  expect(spellings).toEqual(expect.arrayContaining(includes));
  for (const spelling of spellings) {
    expect(platformOf(collections["landsat-ot-l2"], "", { platform: spelling })).toBe(platform);
  }
});

test.each([
  { collection: "landsat-ot-l2", id: "LC09_L2SP_010065_20220129_02_T1", platform: "landsat-9" },
  { collection: "sentinel-2-l2a", id: "S2C_T13TDE_20250101T000000_L2A", platform: "sentinel-2c" },
  { collection: "sentinel-2-l2a", id: "LC09_L2SP_010065_20220129_02_T1", platform: undefined },
] as const)("the id $id in $collection is of $platform", ({ collection, id, platform }) => {
  expect(platformOf(collections[collection], id, {})).toBe(platform);
});

/** The items with platforms as they come, in upper case, and with underscores, in turn. */
function spelled(items: readonly Document[]): Document[] {
  return items.map((item, i): Document => {
    const properties = item.properties as Document;
    const [platform, all] = [String(properties.platform), platformSpellings(String(properties.platform))];
    return { ...item, properties: { ...properties, platform: all[i % all.length] ?? platform } };
  });
}

describe("an upstream that spells platforms in several ways", () => {
  const items = spelled(upstreamItems(240));
  const upstream = fakeUpstream(items);
  const catalog = createUpstreamCatalog({ url: upstream.url, fetch: upstream.fetch, retries: 0 });
  const count = (collections: readonly string[], platform?: RegExp): number =>
    items.filter(
      ({ collection, properties }) =>
        collections.includes(String(collection)) &&
        (platform === undefined || platform.test(String((properties as Document).platform))),
    ).length;

  test("loses no item of a search over one collection or both", async () => {
    const landsat = count(["landsat-c2-l2"], /[89]$/);
    const sentinel = count(["sentinel-2-c1-l2a"]);
    const older = (digit: RegExp): number => count(["landsat-c2-l2"], digit);
    for (const [collections, expected] of [
      [["sentinel-2-l2a"], sentinel],
      [["landsat-ot-l2"], landsat],
      [["sentinel-2-l2a", "landsat-ot-l2"], sentinel + landsat],
      [["landsat-etm-l2"], older(/7$/)],
      [["landsat-tm-l2"], older(/[45]$/)],
      [["landsat-tm-l2", "sentinel-2-l2a"], older(/[45]$/) + sentinel],
      [[], sentinel + count(["landsat-c2-l2"])],
    ] as const) {
      const page = await catalog.search(search({ collections, limit: 1000 }));
      expect(page.items).toHaveLength(expected);
      expect(page.numberMatched).toBe(expected);
    }
  });

  test("finds each item of a requested platform", async () => {
    const page = await catalog.search(search({ filter: filterOf({ platform: { eq: "sentinel-2b" } }), limit: 1000 }));
    expect(page.items).toHaveLength(count(["sentinel-2-c1-l2a"], /2b$/i));
  });

  test("is not sent a platform where its collection holds no others", async () => {
    await catalog.search(search({ collections: ["sentinel-2-l2a"] }));
    expect(upstream.searches.at(-1)).not.toHaveProperty("query");
  });
});
