import { readFileSync } from "node:fs";
import { bboxGeometry, geometriesIntersect } from "@swath/geometry";
import { type ItemQuery, parseDatetime } from "@swath/query";
import { createRegistry, defaultRegistry } from "@swath/schema";
import { parseAnyCollectionFile, parseCollectionFile } from "@swath/schema/files";
import { describe, expect, test } from "vitest";
import {
  type Catalog,
  createArchiveCatalog,
  createMergedCatalog,
  createUpstreamCatalog,
  createVirtualCatalog,
  type MergeableCatalog,
  type Place,
  toServiceItem,
} from "../../src/index.ts";
import { filterOf, search } from "../catalog-suite.ts";
import type { Document } from "../fixtures.ts";
import { naiveIds, naiveVirtual, processedItems, thereAndBack, VIRTUAL } from "../item/processings.ts";
import { type FakeUpstream, fakeUpstream } from "../upstream/fake-upstream.ts";

const fileText = (id: string): string =>
  readFileSync(new URL(import.meta.resolve(`@swath/schema/collections/${id}.json`)), "utf8");
const sentinel = parseCollectionFile(fileText("sentinel-2-l2a"), "sentinel-2-l2a.json");
const landsat = parseCollectionFile(fileText("landsat-ot-l2"), "landsat-ot-l2.json");
const virtual = parseAnyCollectionFile(fileText(VIRTUAL), `${VIRTUAL}.json`);
/** Two members, the second one behind an upstream of its own. */
const registry = createRegistry([sentinel, { ...landsat, upstream: { ...landsat.upstream, name: "second" } }, virtual]);

const ofVirtual = (query: Partial<ItemQuery> = {}): ItemQuery => search({ collections: [VIRTUAL], ...query });

function archive(items: readonly Document[]): Catalog {
  return createVirtualCatalog({ catalog: createArchiveCatalog({ items, registry }), registry });
}

function upstreams(items: readonly Document[]): { fakes: readonly FakeUpstream[]; catalog: Catalog } {
  const isFirst = ({ collection }: Document): boolean => collection === sentinel.upstream.collection;
  const first = fakeUpstream(items.filter(isFirst));
  const second = fakeUpstream(items.filter((item) => !isFirst(item)));
  const catalogs = {
    default: createUpstreamCatalog({ ...first, retries: 0, registry, name: "default" }),
    second: createUpstreamCatalog({ ...second, retries: 0, registry, name: "second" }),
  };
  const catalog = createVirtualCatalog({ catalog: createMergedCatalog({ catalogs, registry }), registry });
  return { fakes: [first, second], catalog };
}

const QUERIES: readonly { readonly name: string; readonly query: Partial<ItemQuery> }[] = [
  { name: "everything", query: {} },
  { name: "a cloud cover", query: { filter: filterOf({ "eo:cloud_cover": { lt: 30 } }) } },
  { name: "a time", query: { datetime: parseDatetime("2024-01-03T04:00:00Z/2024-01-09T16:00:00Z") } },
  { name: "a box", query: { bbox: [-105, 39, -104, 40] } },
  { name: "an older baseline", query: { filter: filterOf({ "s2:processing_baseline": { eq: "02.14" } }) } },
  { name: "one member", query: { filter: filterOf({ "svc:source_collection": { eq: "landsat-ot-l2" } }) } },
  {
    name: "the collection itself",
    query: { filter: { op: "compare", operator: "eq", left: { property: "collection" }, right: { literal: VIRTUAL } } },
  },
];

describe.each([
  { kind: "an archive", catalogOf: archive },
  { kind: "two upstreams", catalogOf: (items: readonly Document[]) => upstreams(items).catalog },
])("a virtual collection of $kind", ({ catalogOf }) => {
  const documents = processedItems(160);
  const items = naiveVirtual(documents, registry);
  const shown = documents.flatMap((document) => toServiceItem(document, registry) ?? []);

  test("has items that were processed again, once each", () => {
    expect(shown.length - items.length).toBeGreaterThan(40);
    expect(items.some(({ id }) => /_[12]$/.test(id))).toBe(true);
    expect(items.some(({ id }) => !/_[12]$/.test(id))).toBe(true);
  });

  test.each(QUERIES)(
    "finds $name, newest first, the newest processings alone, both ways",
    { tags: ["OS7", "OS8"] },
    async ({ name, query }) => {
      const isOwn = name === "the collection itself";
      const expected = naiveIds(items, ofVirtual(isOwn ? {} : query));
      expect(expected.length).toBeGreaterThan(3);
      const { there, back } = await thereAndBack(catalogOf(documents), [7, 30, 1, 64], ofVirtual(query));
      expect(there.flat()).toEqual(expected);
      expect(back).toEqual(expected);
    },
  );

  test("fills its pages", async () => {
    const { there } = await thereAndBack(catalogOf(documents), [10], ofVirtual());
    expect(there.slice(0, -1).every((page) => page.length === 10)).toBe(true);
  });

  test("can be sorted otherwise", async () => {
    const sortby = [{ field: "eo:cloud_cover", direction: "asc" }] as const;
    const { there, back } = await thereAndBack(catalogOf(documents), [9, 25], ofVirtual({ sortby }));
    expect([...there.flat()].sort()).toEqual(naiveIds(items, ofVirtual()).sort());
    expect(back).toEqual(there.flat());
  });

  test("shows items as its own, and where they come from", { tags: ["OS6"] }, async () => {
    const catalog = catalogOf(documents);
    const { items: found } = await catalog.search(ofVirtual({ limit: 50 }));
    for (const item of found) {
      const source = item.properties["svc:source_collection"];
      expect(item.collection).toBe(VIRTUAL);
      expect(item.properties["svc:harmonization"]).toBe("bandpass_adjusted");
      expect(source).toBe(item.id.startsWith("S2") ? sentinel.id : landsat.id);
      const own = await catalog.item(String(source), item.id);
      expect(item.assets).toEqual(own?.assets);
      expect(await catalog.item(VIRTUAL, item.id)).toEqual(item);
    }
  });

  test("gives items by id as they are asked for, older processings too", { tags: ["OS7"] }, async () => {
    const newest = new Set(items.map(({ id }) => id));
    const ids = shown
      .map(({ id }) => id)
      .filter((id) => !newest.has(id))
      .slice(0, 5);
    const catalog = catalogOf(documents);
    const found = await catalog.search(ofVirtual({ ids }));
    expect(found.items.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(found.numberMatched).toBe(5);
    expect((await catalog.item(VIRTUAL, ids[0] ?? ""))?.collection).toBe(VIRTUAL);
  });

  test("counts what matches only where all of it is on the page", async () => {
    const catalog = catalogOf(documents);
    expect((await catalog.search(ofVirtual({ limit: 1000 }))).numberMatched).toBe(items.length);
    expect((await catalog.search(ofVirtual({ limit: 20 }))).numberMatched).toBeUndefined();
  });

  test("refuses tokens of other searches and of its members", async () => {
    const catalog = catalogOf(documents);
    const { next = "" } = await catalog.search(ofVirtual());
    const foreign = (await catalog.search(search())).next ?? "";
    for (const query of [ofVirtual({ token: foreign }), ofVirtual({ token: next, bbox: [0, 0, 9, 9] })]) {
      await expect(catalog.search(query)).rejects.toMatchObject({ code: "invalid-token" });
    }
    await expect(catalog.search(search({ token: next }))).rejects.toMatchObject({ code: "invalid-token" });
  });

  test("leaves searches of other collections as they are", async () => {
    const catalog = catalogOf(documents);
    const { items: found } = await catalog.search(search({ collections: [], limit: 1000 }));
    expect(found.length).toBe(shown.length);
    expect(new Set(found.map(({ collection }) => collection))).toEqual(new Set([sentinel.id, landsat.id]));
  });

  test("covers what those members cover that the upstream has, and is not there without any", async () => {
    const plain = createArchiveCatalog({ items: documents });
    const without = (...ids: readonly string[]): Catalog =>
      createVirtualCatalog({
        catalog: { ...plain, extent: async (id) => (ids.includes(id) ? undefined : plain.extent(id)) },
      });
    const [member] = defaultRegistry.resolve(VIRTUAL).virtual?.members ?? [];
    const all = defaultRegistry.resolve(VIRTUAL).virtual?.members.map(({ id }) => id) ?? [];
    const others = all.filter((id) => id !== sentinel.id);
    expect(member).toBeDefined();
    expect((await without(...others).extent(VIRTUAL))?.temporal).toEqual((await plain.extent(sentinel.id))?.temporal);
    expect(await without(...all).extent(VIRTUAL)).toBeUndefined();
  });

  test("covers what its members cover", async () => {
    const catalog = catalogOf(documents);
    const [own, ...others] = await Promise.all([VIRTUAL, sentinel.id, landsat.id].map((id) => catalog.extent(id)));
    const starts = others.map((extent) => String(extent?.temporal.interval[0]?.[0]));
    expect(own?.temporal.interval[0]?.[0]).toBe(starts.sort()[0]);
    const box = bboxGeometry(own?.spatial.bbox[0] ?? [0, 0, 0, 0]);
    for (const extent of others) {
      const [west, south, east, north] = extent?.spatial.bbox[0] ?? [0, 0, 0, 0];
      for (const point of [
        [west, south],
        [east, north],
      ]) {
        expect(geometriesIntersect(box, { type: "Point", coordinates: point as [number, number] })).toBe(true);
      }
    }
  });
});

test("scenes of two members on one tile, of one overpass, are one: the larger processing number wins", {
  tags: ["OS7"],
}, async () => {
  const other = { ...sentinel, id: "other-msi", aliases: [], upstream: { ...sentinel.upstream, name: "second" } };
  const both = createRegistry([sentinel, other, virtual]);
  const [item] = processedItems(40).filter(({ collection }) => collection === sentinel.upstream.collection);
  const of = (id: string, processing: string): Document => ({
    ...item,
    id,
    properties: { ...(item?.properties as object), "s2:processing_baseline": processing },
  });
  const catalogs = {
    default: createArchiveCatalog({ items: [of("S2A_first_L2A", "05.10")], registry: both.withUpstreams(["default"]) }),
    second: createArchiveCatalog({ items: [of("S2A_second_L2A", "05.11")], registry: both.withUpstreams(["second"]) }),
  };
  const catalog = createVirtualCatalog({ catalog: createMergedCatalog({ catalogs, registry: both }), registry: both });
  const { items } = await catalog.search(ofVirtual());
  expect(items.map(({ id }) => id)).toEqual(["S2A_second_L2A"]);
  expect(items[0]?.properties["svc:source_collection"]).toBe("other-msi");
});

test("a page takes a few requests to each upstream, and one of rare items a bounded number", async () => {
  const { catalog, fakes } = upstreams(processedItems(1200));
  await catalog.search(ofVirtual({ limit: 10 }));
  // one page and one lookup, and both again while a page is filled whose items were processed again
  for (const { searches } of fakes) expect(searches.length).toBeLessThanOrEqual(12);
  const rare = filterOf({ "eo:cloud_cover": { eq: 3 } });
  const before = fakes.map(({ searches }) => searches.length);
  await catalog.search(ofVirtual({ limit: 100, filter: rare }));
  const counts = fakes.map(({ searches }, i) => searches.length - (before[i] ?? 0));
  expect(Math.max(...counts)).toBeLessThanOrEqual(60);
});

describe("a page of a virtual collection costs no more than one of its members", () => {
  const none = createArchiveCatalog({ items: [], registry });
  const asked = (catalog: MergeableCatalog, now?: () => number): Catalog =>
    createVirtualCatalog({ catalog, registry, ...(now === undefined ? {} : { now }) });

  test("it ends with a member's page that has ended early, and goes on from there", async () => {
    const places: (Place | undefined)[] = [];
    const catalog = asked({
      ...none,
      searchAt: async (_, place) => {
        places.push(place);
        const gap = ["x", ...(place?.gap ?? [])];
        return { items: [], values: [], hasNext: true, hasPrev: false, gapAt: () => gap };
      },
    });
    const first = await catalog.search(ofVirtual({ limit: 10 }));
    expect([first.items.length, places]).toEqual([0, [undefined]]);
    const { next: token = "" } = first;
    expect((await catalog.search(ofVirtual({ limit: 10, token }))).next).toBeDefined();
    expect(places).toEqual([undefined, { gap: ["x"], direction: "next" }]);
  });

  test("it ends when its time is up", async () => {
    const plain = createArchiveCatalog({ items: processedItems(160), registry });
    let [time, pages] = [0, 0];
    const slow: MergeableCatalog = {
      ...plain,
      // a lookup of other processings takes its time too
      search: async (query, options) => {
        time += 3000;
        return plain.search(query, options);
      },
      searchAt: async (query, place, options) => {
        pages += 1;
        time += 3000;
        return plain.searchAt(query, place, options);
      },
    };
    const page = await asked(slow, () => time).search(ofVirtual({ limit: 100 }));
    expect(pages).toBe(1);
    expect(page.items.length).toBeGreaterThan(0);
    expect(page.next).toBeDefined();
  });
});

test("scenes among more than one look-up can hold are looked up in halves: an older processing is found in each", async () => {
  const [item] = processedItems(40).filter(({ collection }) => collection === sentinel.upstream.collection);
  const at = (hour: number): string => new Date(Date.UTC(2024, 0, 1, hour)).toISOString();
  const of = (id: string, hour: number, cloud: number, processing = "05.10"): Document => ({
    ...item,
    id,
    properties: {
      ...(item?.properties as object),
      datetime: at(hour),
      "eo:cloud_cover": cloud,
      "s2:processing_baseline": processing,
    },
  });
  const [CLOUDY, CLEAR, LAST] = [80, 1, 1200];
  const between = Array.from({ length: LAST - 3 }, (_, i) => of(`S2A_between_${i}_L2A`, i + 2, CLOUDY));
  const twice = (name: string, hour: number): Document[] => [
    of(`S2A_${name}_older_L2A`, hour, CLEAR),
    of(`S2A_${name}_newer_L2A`, hour, CLOUDY, "05.11"),
  ];
  const items = [
    ...twice("early", 0),
    of("S2A_early_once_L2A", 1, CLEAR),
    ...between,
    of("S2A_late_once_L2A", LAST - 1, CLEAR),
    ...twice("late", LAST),
  ];
  const plain = createArchiveCatalog({ items, registry });
  const intervals: ItemQuery["datetime"][] = [];
  const search: MergeableCatalog["search"] = (query, options) => {
    intervals.push(query.datetime);
    return plain.search(query, options);
  };
  const catalog = createVirtualCatalog({ catalog: { ...plain, search }, registry });
  const found = await catalog.search(ofVirtual({ filter: filterOf({ "eo:cloud_cover": { lt: 10 } }) }));
  expect(found.items.map(({ id }) => id)).toEqual(["S2A_late_once_L2A", "S2A_early_once_L2A"]);
  // the whole time, then each half of it
  expect(intervals).toHaveLength(3);
});

test("the built-in registry has the collection", () => {
  expect(defaultRegistry.resolve(VIRTUAL).virtual?.members.length).toBeGreaterThanOrEqual(2);
});
