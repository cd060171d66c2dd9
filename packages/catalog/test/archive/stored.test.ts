import { parseDatetime } from "@swath/query";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createStoredCatalog } from "../../src/archive/stored/stored-catalog.ts";
import { createArchiveCatalog, type Extent, type Item } from "../../src/index.ts";
import { catalogSuite, filterOf, search } from "../catalog-suite.ts";
import type { Document } from "../fixtures.ts";
import { upstreamItems } from "../upstream/upstream-items.ts";
import { storeOf } from "./item-stores.ts";

catalogSuite("A catalog of stored items", (items) => createStoredCatalog(storeOf(items)));

const documents = upstreamItems(400, 7);
const stored = createStoredCatalog(storeOf(documents));
const plain = createArchiveCatalog({ items: documents });

/** Items without an outline or a time of their own, and with outlines around the globe and across 180 degrees. */
function oddDocuments(): readonly Document[] {
  const box = (west: number, south: number, east: number, north: number) => ({
    type: "Polygon",
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  });
  const start_datetime = "2024-03-01T00:00:00Z";
  const changes: readonly ((i: number) => { readonly geometry?: unknown; readonly properties?: object })[] = [
    () => ({ geometry: null }),
    (i) => ({ geometry: box(-180, -i, 180, i + 1) }),
    (i) => ({ geometry: box(179 - i, i, 181 + i, 2 * i + 1) }),
    (i) => ({ geometry: box(-181 - i, -i - 1, -179, i) }),
    (i) => ({ geometry: { type: "Point", coordinates: [4.5 * i - 90, 90 - i] } }),
    (i) => ({ properties: { datetime: null, start_datetime, end_datetime: `2024-04-${10 + (i % 20)}T00:00:00Z` } }),
  ];
  return documents.slice(0, 180).map((document, i) => {
    const { geometry = document.geometry, properties } = changes[i % changes.length]?.(Math.floor(i / 6)) ?? {};
    return { ...document, id: `odd-${i}`, geometry, properties: { ...(document.properties as object), ...properties } };
  });
}

/** A box or a triangle in it, around a corner of an item's outline. */
function areaAround({ geometry }: Item, side: number, isPolygon: boolean) {
  const [x = 0, y = 0] = geometry === null ? [] : geometryCorner(geometry);
  const [south, north] = [Math.max(-90, y - side / 2), Math.min(90, y + side / 2)];
  const [west, east] = [x - side / 2, x + side / 2].map((each) => ((((each + 180) % 360) + 360) % 360) - 180) as [
    number,
    number,
  ];
  if (!isPolygon || west >= east) return { bbox: [west, south, east, north] as const };
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, south],
  ];
  return { intersects: { type: "Polygon", coordinates: [ring as [number, number][]] } } as const;
}

function geometryCorner(geometry: NonNullable<Item["geometry"]>): readonly number[] {
  return (JSON.stringify(geometry).match(/-?\d[\d.e-]*/g) ?? []).slice(0, 2).map(Number);
}

/** An interval from the time of an item, both ends included. */
function timeAround({ properties }: Item, days: number) {
  const start = String(properties.datetime ?? properties.start_datetime);
  return parseDatetime(`${start}/${new Date(Date.parse(start) + days * 86_400_000).toISOString()}`);
}

describe("a catalog of stored items", () => {
  test("finds for any box, time, cloud cover and order what the archive in memory finds", async () => {
    const longitude = fc.double({ min: -180, max: 180, noNaN: true });
    const latitude = fc.double({ min: -90, max: 90, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(longitude, latitude, longitude, latitude),
        fc.option(fc.integer({ min: 0, max: 100 })),
        fc.constantFrom("datetime", "eo:cloud_cover", "platform", "id", "landsat:wrs_path"),
        fc.constantFrom("asc" as const, "desc" as const),
        fc.boolean(),
        async ([west, a, east, b], cloud, field, direction, isPolygon) => {
          const [south, north] = [Math.min(a, b), Math.max(a, b)];
          const ring = [
            [west, south],
            [east, south],
            [east, north],
            [west, south],
          ] as const;
          const query = search({
            ...(isPolygon
              ? { intersects: { type: "Polygon", coordinates: [ring] } }
              : { bbox: [west, south, east, north] as const }),
            ...(cloud === null ? {} : { filter: filterOf({ "eo:cloud_cover": { lte: cloud } }) }),
            sortby: [{ field, direction }],
            limit: 1000,
          });
          const [ours, theirs] = await Promise.all([stored.search(query), plain.search(query)]);
          expect(ours.items.map(({ id }) => id)).toEqual(theirs.items.map(({ id }) => id));
          expect(ours.numberMatched).toBe(theirs.numberMatched);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("finds for small areas, short times and ids what the archive in memory finds, whatever outlines and times are like", async () => {
    const odd = [...documents, ...oddDocuments()];
    const [ours, theirs] = [createStoredCatalog(storeOf(odd)), createArchiveCatalog({ items: odd })];
    const everything = await theirs.search(search({ limit: 1000 }));
    expect(everything.numberMatched).toBeGreaterThan(500);
    const index = fc.integer({ min: 0, max: everything.items.length - 1 });
    const side = fc.constantFrom(0, 0.01, 1, 20, 300);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          area: fc.option(fc.record({ by: index, side, isPolygon: fc.boolean() })),
          days: fc.option(fc.tuple(index, fc.constantFrom(0, 1, 100))),
          ids: fc.option(fc.array(index, { maxLength: 4 })),
          isOfOne: fc.boolean(),
          field: fc.constantFrom("datetime", "eo:cloud_cover", "id"),
        }),
        async ({ area, days, ids, isOfOne, field }) => {
          const itemAt = (i: number): Item => everything.items[i] as Item;
          const query = search({
            ...(area === null ? {} : areaAround(itemAt(area.by), area.side, area.isPolygon)),
            ...(days === null ? {} : { datetime: timeAround(itemAt(days[0]), days[1]) }),
            ...(ids === null ? {} : { ids: ids.map((i) => itemAt(i).id) }),
            collections: isOfOne ? ["sentinel-2-l2a"] : [],
            sortby: [{ field, direction: "desc" }],
            limit: 1000,
          });
          const [a, b] = await Promise.all([ours.search(query), theirs.search(query)]);
          expect(a.items.map(({ id }) => id)).toEqual(b.items.map(({ id }) => id));
          found += a.items.length > 0 ? 1 : 0;
        },
      ),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(100);
  });

  test("has the extents of the archive in memory", async () => {
    for (const id of ["sentinel-2-l2a", "landsat-ot-l2"]) {
      const [ours, theirs] = [await stored.extent(id), await plain.extent(id)];
      expect(ours?.spatial).toEqual(theirs?.spatial);
      const times = (extent: Extent | undefined): readonly number[] | undefined =>
        extent?.temporal.interval[0]?.map((text) => Date.parse(String(text)));
      expect(times(ours)).toEqual(times(theirs));
    }
  });

  test("shows items that came, changed and went after a refresh, and goes on with the tokens of before", async () => {
    const store = storeOf(documents.slice(0, 50));
    const catalog = createStoredCatalog(store);
    const query = search({ limit: 10, sortby: [{ field: "id", direction: "asc" }] });
    const first = await catalog.search(query);
    const before = catalog.size;
    for (const document of documents.slice(50, 60)) store.put(document);
    expect(catalog.size).toBe(before);
    await catalog.refresh();
    expect(catalog.size).toBeGreaterThan(before);
    const second = await catalog.search({ ...query, ...(first.next === undefined ? {} : { token: first.next }) });
    expect(second.items.every(({ id }) => id > (first.items.at(-1)?.id ?? ""))).toBe(true);
    const [gone] = first.items;
    store.remove([...store.facts()].find(({ facts }) => facts.id === gone?.id)?.key ?? -1);
    expect(await catalog.item(gone?.collection ?? "", gone?.id ?? "")).toBeUndefined();
    await catalog.refresh();
    expect((await catalog.search(query)).items.map(({ id }) => id)).not.toContain(gone?.id);
  });

  test("answers from the items of before while it reads those of now, in turns with others", async () => {
    const [template] = storeOf(documents.slice(0, 1)).facts();
    let count = 10;
    const catalog = createStoredCatalog({
      *facts() {
        for (let key = 0; key < count; key++) yield { key, facts: { ...template!.facts, id: `item-${key}` } };
      },
      item: () => undefined,
    });
    count = 3000;
    let isDone = false;
    const refreshing = Promise.all([catalog.refresh(), catalog.refresh()]).then(() => {
      isDone = true;
    });
    let turns = 0;
    for (; !isDone; turns++) {
      expect([10, 3000]).toContain(catalog.size);
      if (turns === 0) expect(catalog.size).toBe(10);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    await refreshing;
    expect(catalog.size).toBe(3000);
    expect(turns).toBeGreaterThanOrEqual(10);
  });

  test("a refresh that fails leaves the items of before, and the next one is made", async () => {
    const store = storeOf(documents.slice(0, 5));
    let isAway = false;
    const catalog = createStoredCatalog({
      *facts() {
        yield* store.facts();
        if (isAway) throw new Error("away");
      },
      item: (key) => store.item(key),
    });
    isAway = true;
    for (const document of documents.slice(5, 9)) store.put(document);
    await expect(catalog.refresh()).rejects.toThrow("away");
    const before = catalog.size;
    isAway = false;
    await catalog.refresh();
    expect(catalog.size).toBeGreaterThan(before);
  });

  test("keeps 100,000 items in less than 120 MB, whatever is searched", async () => {
    const [template] = storeOf(documents.slice(0, 1)).facts();
    let reads = 0;
    const catalog = createStoredCatalog({
      *facts() {
        for (let key = 0; key < 100_000; key++) {
          const [west, south] = [((key * 7919) % 3580) / 10 - 179, ((key * 104_729) % 1400) / 10 - 70];
          const ring = [
            [west, south],
            [west + 1, south],
            [west + 1, south + 1],
            [west, south + 1],
            [west, south],
          ];
          const geometry = { type: "Polygon" as const, coordinates: [ring as [number, number][]] };
          const datetime = new Date(1.5e12 + key * 1e6).toISOString();
          const properties = { ...template?.facts.properties, datetime, "eo:cloud_cover": (key * 31) % 100 };
          yield { key, facts: { id: `scene-${key}`, collection: "sentinel-2-l2a", geometry, properties } };
        }
      },
      item(key) {
        reads++;
        return { id: `scene-${key}`, collection: "sentinel-2-l2a" } as Item;
      },
    });
    for (let i = 0; i < 40; i++) {
      const { items } = await catalog.search(
        search({
          collections: ["sentinel-2-l2a"],
          bbox: [-100 + i, -40, 60 + i, 40],
          filter: filterOf({ "eo:cloud_cover": { lt: 40 + i } }),
          sortby: [{ field: "eo:cloud_cover", direction: "asc" }],
        }),
      );
      expect(items).toHaveLength(10);
    }
    expect(catalog.size).toBe(100_000);
    expect(reads).toBe(400);
    expect(catalog.bytes).toBeLessThan(120e6);
  });

  test("reads the items of a page and no others, and takes less than 1 kB an item", async () => {
    const store = storeOf(upstreamItems(20_000, 3));
    const catalog = createStoredCatalog(store);
    store.reads = 0;
    const { items, numberMatched } = await catalog.search(
      search({
        limit: 25,
        bbox: [-110, 30, 20, 60],
        datetime: parseDatetime("2024-01-02T00:00:00Z/2025-12-01T00:00:00Z"),
        filter: filterOf({ "eo:cloud_cover": { lt: 40 } }),
        sortby: [{ field: "eo:cloud_cover", direction: "asc" }],
      }),
    );
    expect(items).toHaveLength(25);
    expect(numberMatched).toBeGreaterThan(1000);
    expect(store.reads).toBe(25);
    expect(catalog.bytes / catalog.size).toBeLessThan(1024);
  });
});
