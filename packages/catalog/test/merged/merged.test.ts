import { describe, expect, test } from "vitest";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  type Item,
  type MergeableCatalog,
} from "../../src/index.ts";
import { catalogSuite, search } from "../catalog-suite.ts";
import { collectionFile } from "../collection-files.ts";
import type { Document } from "../fixtures.ts";
import { type FakeOptions, type FakeUpstream, fakeUpstream } from "../upstream/fake-upstream.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";
import { isSentinel, twoUpstreams } from "./two-upstreams.ts";

const sentinel = collectionFile("sentinel-2-l2a");
const landsat = collectionFile("landsat-ot-l2");

const split = (items: readonly Document[]) => ({
  first: items.filter(isSentinel),
  second: items.filter((item) => !isSentinel(item)),
});

function upstreams(items: readonly Document[], options: FakeOptions = {}) {
  const { first, second } = split(items);
  const fakes: Record<string, FakeUpstream> = { default: fakeUpstream(first, options), second: fakeUpstream(second) };
  const catalogs: Record<string, MergeableCatalog> = {};
  for (const [name, { url, fetch }] of Object.entries(fakes)) {
    catalogs[name] = createUpstreamCatalog({ url, fetch, retries: 0, registry: twoUpstreams, name });
  }
  return { fakes, catalogs, catalog: createMergedCatalog({ catalogs, registry: twoUpstreams }) };
}

catalogSuite("Two upstreams in one", (items) => upstreams(items).catalog, 15);
catalogSuite(
  "An archive and an upstream that neither counts nor gives more than 20 items in one",
  (items) => {
    const archive = createArchiveCatalog({ items: split(items).second, registry: twoUpstreams });
    const { catalogs } = upstreams(items, { counts: false, cap: 20 });
    return createMergedCatalog({ catalogs: { ...catalogs, second: archive }, registry: twoUpstreams });
  },
  6,
);

const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** Pages forwards to the end, then backwards to the beginning. */
async function thereAndBack(catalog: Catalog, limits: readonly number[], query = search()) {
  const there: string[][] = [];
  let page = await catalog.search({ ...query, limit: limits[0] as number });
  for (let i = 1; ; i++) {
    there.push(ids(page.items));
    if (page.next === undefined) break;
    page = await catalog.search({ ...query, limit: limits[i % limits.length] as number, token: page.next });
  }
  const back: string[] = [...(there.at(-1) ?? [])];
  for (let i = 0; page.prev !== undefined; i++) {
    page = await catalog.search({ ...query, limit: limits[i % limits.length] as number, token: page.prev });
    back.unshift(...ids(page.items));
  }
  return { there: there.flat(), back };
}

describe("a merged catalog", () => {
  const items = upstreamItems(240);
  const whole = createArchiveCatalog({ items });

  test.each([
    { name: "newest first", sortby: [] },
    { name: "oldest first", sortby: [{ field: "datetime", direction: "asc" as const }] },
    { name: "one collection after the other", sortby: [{ field: "collection", direction: "desc" as const }] },
    { name: "least cloudy first", sortby: [{ field: "eo:cloud_cover", direction: "asc" as const }] },
  ])("pages to the end and back without losing or repeating an item, $name", async ({ sortby }) => {
    const expected = ids((await whole.search(search({ sortby, limit: 1000 }))).items);
    const { there, back } = await thereAndBack(upstreams(items).catalog, [7, 30, 1, 64], search({ sortby }));
    expect(there).toEqual(expected);
    expect(back).toEqual(expected);
  });

  test("goes forwards where a member cannot go back, and says no way back", async () => {
    const query = search({ limit: 11, sortby: [{ field: "landsat:wrs_path", direction: "asc" }] });
    const expected = ids((await whole.search({ ...query, limit: 1000 })).items);
    expect((await thereAndBack(upstreams(items).catalog, [11], query)).there).toEqual(expected);
  });

  test("counts what matches in all members, on every page", async () => {
    const { catalog } = upstreams(items);
    const total = (await whole.search(search())).numberMatched;
    let page = await catalog.search(search({ limit: 50 }));
    for (;;) {
      expect(page.numberMatched).toBe(total);
      if (page.next === undefined) break;
      page = await catalog.search(search({ limit: 50, token: page.next }));
    }
  });

  test("queries only the upstreams of the collections, once each for a page", async () => {
    const { catalog, fakes } = upstreams(items);
    await catalog.search(search({ collections: [landsat.id] }));
    expect([fakes.default?.searches.length, fakes.second?.searches.length]).toEqual([0, 1]);
    await catalog.search(search());
    expect([fakes.default?.searches.length, fakes.second?.searches.length]).toEqual([1, 2]);
  });

  test("has no collections but those of its upstreams", async () => {
    const { catalogs } = upstreams(items);
    const catalog = createMergedCatalog({
      catalogs: { default: catalogs.default as MergeableCatalog },
      registry: twoUpstreams,
    });
    expect(await catalog.search(search({ collections: [landsat.id] }))).toEqual({ items: [], numberMatched: 0 });
    const found = await catalog.search(search({ collections: [], limit: 1000 }));
    expect(new Set(found.items.map(({ collection }) => collection))).toEqual(new Set([sentinel.id]));
    expect(await catalog.item(landsat.id, "LC08_L2SP_000001_02_T1")).toBeUndefined();
    expect(await catalog.extent(landsat.id)).toBeUndefined();
    expect((await catalog.extent(sentinel.id))?.spatial.bbox).toHaveLength(1);
  });

  test("refuses a token of another search, and one of a member alone", async () => {
    const { catalog, catalogs } = upstreams(items);
    const { next } = await catalog.search(search());
    const other = search({ ids: ["x"], token: next as string });
    await expect(catalog.search(other)).rejects.toMatchObject({ code: "invalid-token" });
    const alone = await (catalogs.default as Catalog).search(search({ collections: [sentinel.id] }));
    await expect(catalog.search(search({ token: alone.next as string }))).rejects.toMatchObject({
      code: "invalid-token",
    });
  });

  test("fails where all members fail, and says what is missing where one does", async () => {
    const { catalog, fakes } = upstreams(items);
    const busy = () => new Response("busy", { status: 503 });
    fakes.second?.faults.push(busy);
    expect((await catalog.search(search())).missing).toEqual(["second"]);
    fakes.second?.landingFaults.push(busy);
    await catalog.ping();
    for (const fake of Object.values(fakes)) {
      fake.faults.push(busy);
      fake.landingFaults.push(busy);
    }
    await expect(catalog.search(search())).rejects.toMatchObject({ code: "unavailable" });
    await expect(catalog.ping()).rejects.toMatchObject({ code: "unavailable" });
  });
});
