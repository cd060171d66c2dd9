import { type ItemQuery, matchesItemQuery, parseDatetime, type SortField } from "@swath/query";
import { createRegistry } from "@swath/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createArchiveCatalog, createUpstreamCatalog, type Item, toServiceItem } from "../../src/index.ts";
import { filterOf, search } from "../catalog-suite.ts";
import { sentinelFile } from "../collection-files.ts";
import type { Document } from "../fixtures.ts";
import { type Kind, kindUpstream } from "../upstream/kind-upstream.ts";
import { thereAndBack } from "../upstream/there-and-back.ts";
import { randomOf } from "../upstream/upstream-items.ts";

const FIRST = "sentinel-2-c1-l2a";
const OLDER = "sentinel-2-l2a";
const TILES = ["13TDE", "05CNL", "32TMT"];
const DAY = 86_400_000;
/** The times in which the file says that the first collection has gaps. */
const GAPS = [
  ["2015-06-27T00:00:00Z", "2020-01-01T00:00:00Z"],
  ["2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z"],
] as const;

const registry = createRegistry([sentinelFile()]);
const ids = (items: readonly Item[]): string[] => items.map(({ id }) => id);

/** A scene as one of both collections of Earth Search has it. */
function scene(collection: string, tile: string, satellite: string, time: number, cloud: number, n: number): Document {
  const date = new Date(time).toISOString();
  const day = date.slice(0, 10).replaceAll("-", "");
  const letter = satellite.toUpperCase();
  return {
    type: "Feature",
    stac_version: "1.0.0",
    id:
      collection === FIRST
        ? `S2${letter}_T${tile}_${day}T${String(n).padStart(6, "0")}_L2A`
        : `S2${letter}_${tile}_${day}_${n}_L2A`,
    collection,
    geometry: {
      type: "Polygon",
      coordinates: [
        [
          [9, 47],
          [10, 47],
          [10, 48],
          [9, 48],
          [9, 47],
        ],
      ],
    },
    properties: {
      datetime: date,
      created: date,
      updated: date,
      platform: `sentinel-2${satellite}`,
      constellation: "sentinel-2",
      "eo:cloud_cover": cloud,
      "mgrs:utm_zone": Number(tile.slice(0, 2)),
      "mgrs:latitude_band": tile[2],
      "mgrs:grid_square": tile.slice(3),
      "grid:code": `MGRS-${tile}`,
    },
    links: [],
    assets: { red: { href: `https://data.example/${n}/B04.tif`, type: "image/tiff; application=geotiff" } },
  };
}

/** Acquisitions of 2018 to 2024, which the first collection, the older one, or both have. */
function acquisitions(count: number, seed: number): Document[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, (_, n): Document[] => {
    const tile = TILES[Math.floor(random() * TILES.length)] as string;
    const satellite = random() < 0.5 ? "a" : "b";
    const time = Date.UTC(2018, 0, 1) + Math.floor(random() * 2400) * DAY + Math.floor(random() * DAY);
    const cloud = Math.round(random() * 100);
    const first = scene(FIRST, tile, satellite, time, cloud, n);
    // it was processed from other data, taken a second earlier, and is cloudier or clearer
    const older = scene(OLDER, tile, satellite, time - 1024, Math.round(random() * 100), n);
    const which = random();
    return which < 0.4 ? [first, older] : which < 0.6 ? [first] : [older];
  }).flat();
}

/** The service's items; of the older collection only those in the gaps, of which the first one has no form. */
function expected(items: readonly Document[], query: ItemQuery): Item[] {
  const firsts = items.filter(({ collection }) => collection === FIRST);
  const timeOf = ({ properties }: Document): number => Date.parse(String((properties as Document).datetime));
  const code = ({ properties }: Document): unknown => (properties as Document)["grid:code"];
  const isShown = (item: Document): boolean => {
    if (item.collection === FIRST) return true;
    const time = timeOf(item);
    const isInGap = GAPS.some(([start, end]) => time >= Date.parse(start) && time < Date.parse(end));
    const isTwin = (first: Document): boolean =>
      code(first) === code(item) &&
      String(first.id).slice(0, 3) === String(item.id).slice(0, 3) &&
      Math.abs(timeOf(first) - time) <= 600_000;
    return isInGap && !firsts.some(isTwin);
  };
  return items
    .filter(isShown)
    .flatMap((item) => toServiceItem(item, registry) ?? [])
    .filter((item) => matchesItemQuery(query, item));
}

const items = acquisitions(150, 5);

function over(kind: Kind, all: readonly Document[] = items) {
  const upstream = kindUpstream(kind, all);
  const { url, fetch } = upstream;
  return { upstream, catalog: createUpstreamCatalog({ url, fetch, retries: 0, registry }) };
}

const direction = fc.constantFrom("asc" as const, "desc" as const);
const asked = fc.record({
  sortby: fc.oneof(
    fc.constant<SortField[]>([]),
    fc
      .record({
        field: fc.constantFrom("datetime", "eo:cloud_cover", "platform", "s2:mgrs_tile", "created"),
        direction,
      })
      .map((one) => [one]),
  ),
  query: fc.constantFrom(
    undefined,
    { "eo:cloud_cover": { lte: 50 } },
    { platform: { eq: "sentinel-2a" } },
    { "s2:mgrs_tile": { eq: "05CNL" } },
  ),
  datetime: fc.constantFrom(
    undefined,
    "2018-06-01/2019-06-01",
    "2021-06-01T00:00:00Z/..",
    "2020-02-01/2021-12-01",
    "../2022-07-01",
  ),
  limits: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 2 }),
});

describe("a collection whose archive has gaps", () => {
  test.each(["earth-search", "planetary-computer", "plain"] as const)(
    "is filled by another collection, each acquisition once, whatever is searched, to the end and back: %s",
    async (kind) => {
      const archive = createArchiveCatalog({ items, registry });
      const { catalog } = over(kind);
      await fc.assert(
        fc.asyncProperty(asked, async ({ sortby, query, datetime, limits }) => {
          const searched = search({
            collections: ["sentinel-2-l2a"],
            sortby,
            ...(query === undefined ? {} : { filter: filterOf(query) }),
            ...(datetime === undefined ? {} : { datetime: parseDatetime(datetime) }),
          });
          const whole = await archive.search({ ...searched, limit: 1000 });
          const shown = expected(items, searched);
          expect(ids(whole.items).sort()).toEqual(ids(shown).sort());
          const { there, back } = await thereAndBack(catalog, limits, searched);
          expect(there).toEqual(ids(whole.items));
          expect(back).toEqual(ids(whole.items));
        }),
        { numRuns: 15 },
      );
    },
  );

  test("shows the form of the first collection where both have an acquisition, also where that one is too cloudy", async () => {
    const time = Date.UTC(2018, 5, 1, 10);
    const both = [scene(FIRST, "32TMT", "a", time, 80, 1), scene(OLDER, "32TMT", "a", time, 10, 1)];
    const { catalog } = over("earth-search", both);
    const clear = search({ collections: ["sentinel-2-l2a"], filter: filterOf({ "eo:cloud_cover": { lte: 20 } }) });
    expect((await catalog.search(clear)).items).toEqual([]);
    expect(ids((await catalog.search(search({ collections: ["sentinel-2-l2a"] }))).items)).toEqual([both[0]?.id]);
  });

  test("has an item by its id from whichever collection has it, outside the gaps too", async () => {
    const { catalog, upstream } = over("earth-search");
    const [first, older] = [FIRST, OLDER].map((name) => items.find(({ collection }) => collection === name));
    expect((await catalog.item("sentinel-2-l2a", String(first?.id)))?.id).toBe(first?.id);
    expect((await catalog.item("sentinel-2-l2a", String(older?.id)))?.id).toBe(older?.id);
    expect(await catalog.item("sentinel-2-l2a", "S2A_nothing_L2A")).toBeUndefined();
    expect(upstream.requests.map((line) => line.split("/")[2])).toEqual([FIRST, FIRST, OLDER, FIRST, OLDER]);
    const named = search({ collections: ["sentinel-2-l2a"], ids: [String(first?.id), String(older?.id)] });
    expect(ids((await catalog.search(named)).items).sort()).toEqual([first?.id, older?.id].sort());
  });

  test("costs one search where nothing is searched in the gaps", async () => {
    const { catalog, upstream } = over("earth-search");
    const years = parseDatetime("2020-02-01/2021-12-01");
    await catalog.search(
      search({
        collections: ["sentinel-2-l2a"],
        datetime: years,
        sortby: [{ field: "eo:cloud_cover", direction: "asc" }],
      }),
    );
    expect(upstream.searches.every(({ collections }) => collections?.join() === FIRST)).toBe(true);
  });

  test("is counted with what fills it, no acquisition twice, on every page", async () => {
    const { catalog } = over("earth-search");
    for (const datetime of [undefined, "2018-06-01/2019-06-01", "../2022-07-01", "2020-02-01/2021-12-01"]) {
      const time = datetime === undefined ? {} : { datetime: parseDatetime(datetime) };
      const asked = search({ collections: ["sentinel-2-l2a"], limit: 10, ...time });
      const page = await catalog.search(asked);
      expect(page.numberMatched, datetime).toBe(expected(items, asked).length);
      const next = await catalog.search({ ...asked, token: String(page.next) });
      expect(next.numberMatched).toBe(page.numberMatched);
    }
  });

  test("is counted as the first collection says where nothing fills it, without reading what could", async () => {
    const firsts = items.filter(({ collection }) => collection === FIRST);
    const { catalog, upstream } = over("earth-search", firsts);
    const page = await catalog.search(search({ collections: ["sentinel-2-l2a"], limit: 10 }));
    expect(page.numberMatched).toBe(firsts.length);
    expect(upstream.searches.filter(({ collections }) => collections?.includes(OLDER))).toHaveLength(2);
  });

  test.each([
    [500, 501],
    [501, undefined],
  ])("that %i items could fill has the count %s", async (count, matched) => {
    const time = Date.UTC(2018, 5, 1);
    const first = scene(FIRST, "32TMT", "a", time - DAY, 1, 1);
    const older = Array.from({ length: count }, (_, n) => scene(OLDER, "32TMT", "a", time + n * 3_600_000, 1, n));
    const { catalog } = over("earth-search", [first, ...older]);
    const asked = search({ collections: ["sentinel-2-l2a"], limit: 10, sortby: [{ field: "id", direction: "asc" }] });
    expect((await catalog.search(asked)).numberMatched).toBe(matched);
  });

  test("compares no more items than the page may read beside its own", async () => {
    const time = Date.UTC(2018, 5, 1);
    const firsts = Array.from({ length: 10 }, (_, n) => scene(FIRST, "32TMT", "a", time - (n + 1) * DAY, 1, n));
    const older = Array.from({ length: 490 }, (_, n) => scene(OLDER, "32TMT", "a", time + n * 3_600_000, 1, n));
    const { catalog } = over("earth-search", [...firsts, ...older]);
    const asked = search({ collections: ["sentinel-2-l2a"], limit: 10, sortby: [{ field: "id", direction: "asc" }] });
    const page = await catalog.search(asked, { maxItems: 2000 });
    expect(page.numberMatched).toBe(500);
    const bounded = await catalog.search(asked, { maxItems: 500 });
    expect(ids(bounded.items)).toEqual(ids(page.items));
    expect(bounded.numberMatched).toBeUndefined();
  });

  test("ends before the end of an interval", async () => {
    const end = Date.UTC(2020, 0, 1);
    const older = [end - 1000, end].map((time, n) => scene(OLDER, "32TMT", "a", time, 1, n));
    const { catalog, upstream } = over("earth-search", older);
    const page = await catalog.search(search({ collections: ["sentinel-2-l2a"] }));
    expect(ids(page.items)).toEqual([older[0]?.id]);
    upstream.searches.length = 0;
    await catalog.search(search({ collections: ["sentinel-2-l2a"], datetime: parseDatetime("2020-01-01/2021-12-31") }));
    expect(upstream.searches.map(({ collections }) => collections)).toEqual([[FIRST]]);
  });
});
