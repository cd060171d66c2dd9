import type { Bbox } from "@swath/geometry";
import { type ItemQuery, parseDatetime } from "@swath/query";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Catalog, createArchiveCatalog, createNeighbourhoodSearch, type ItemPage } from "../src/index.ts";
import { search } from "./catalog-suite.ts";
import { upstreamItems } from "./upstream/upstream-items.ts";

const archive = createArchiveCatalog({ items: upstreamItems(400, 5) });
const collection = "sentinel-2-l2a";

/** The archive, with its searches written down. */
function recording(
  answer: (query: ItemQuery, signal?: AbortSignal) => Promise<ItemPage> = (query) => archive.search(query),
) {
  const searches: ItemQuery[] = [];
  const catalog: Catalog = {
    ...archive,
    search: (query, { signal } = {}) => {
      searches.push(query);
      return answer(query, signal);
    },
  };
  return { catalog, searches };
}

/** The box of a tile by the definition of WebMercatorQuad and WorldCRS84Quad (OGC 17-083r4, annex D). */
function tileBbox(scheme: "mercator" | "geographic", z: number, x: number, y: number): Bbox {
  const n = 2 ** z;
  if (scheme === "geographic")
    return [(x / n) * 180 - 180, 90 - ((y + 1) / n) * 180, ((x + 1) / n) * 180 - 180, 90 - (y / n) * 180];
  const latitude = (row: number): number => (Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / n))) * 180) / Math.PI;
  return [(x / n) * 360 - 180, latitude(y + 1), ((x + 1) / n) * 360 - 180, latitude(y)];
}

test("panning over 64 neighbouring tiles costs at most four searches, wherever they are", {
  tags: ["T17"],
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom("mercator" as const, "geographic" as const),
      fc.integer({ min: 4, max: 16 }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      async (scheme, z, u, v) => {
        const { catalog, searches } = recording(async () => ({ items: [] }));
        const neighbourhoods = createNeighbourhoodSearch(catalog);
        const columns = scheme === "geographic" ? 2 ** (z + 1) : 2 ** z;
        const [left, top] = [Math.floor(u * (columns - 8)), Math.floor(v * (2 ** z - 8))];
        for (let i = 0; i < 64; i++) {
          await neighbourhoods.search({ collection, bbox: tileBbox(scheme, z, left + (i % 8), top + (i >> 3)) });
        }
        expect(searches.length).toBeLessThanOrEqual(4);
      },
    ),
  );
});

test("a tile gets the scenes that a search of its own would give it, least cloudy first", {
  tags: ["T8"],
}, async () => {
  const neighbourhoods = createNeighbourhoodSearch(archive);
  const datetime = parseDatetime("2024-01-02/2024-01-12");
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom([-105.4, 39.9], [179.7, -17], [-179.9, 47.4], [9.4, 47.5]),
      fc.integer({ min: 5, max: 12 }),
      async (point, z) => {
        const [lon = 0, lat = 0] = point;
        const n = 2 ** z;
        const sine = Math.sinh(Math.asinh(Math.tan((lat * Math.PI) / 180)));
        const y = Math.floor(((1 - Math.asinh(sine) / Math.PI) / 2) * n);
        const bbox = tileBbox("mercator", z, Math.floor(((lon + 180) / 360) * n), y);
        const near = await neighbourhoods.search({ collection, datetime, bbox, maxCloudCover: 60 });
        const own = await archive.search(
          search({
            collections: [collection],
            datetime,
            bbox,
            limit: 1000,
            filter: { op: "compare", operator: "lte", left: { property: "eo:cloud_cover" }, right: { literal: 60 } },
            sortby: [
              { field: "eo:cloud_cover", direction: "asc" },
              { field: "datetime", direction: "desc" },
              { field: "id", direction: "asc" },
            ],
          }),
        );
        expect(near.items.map(({ id }) => id)).toEqual(own.items.map(({ id }) => id));
        expect(near.truncated).toBe(false);
        found += near.items.length;
      },
    ),
  );
  expect(found).toBeGreaterThan(100);
});

test("concurrent requests for tiles share one search, and the first one to abort does not end it", async () => {
  let settle: (page: ItemPage) => void = () => {};
  const { catalog, searches } = recording(() => new Promise((resolve) => (settle = resolve)));
  const neighbourhoods = createNeighbourhoodSearch(catalog);
  const leaving = new AbortController();
  const bbox = tileBbox("geographic", 10, 3, 3);
  const left = neighbourhoods.search({ collection, bbox }, { signal: leaving.signal });
  const stayed = neighbourhoods.search({ collection, bbox });
  leaving.abort(new Error("left"));
  await expect(left).rejects.toThrow("left");
  settle({ items: [] });
  await expect(stayed).resolves.toEqual({ items: [], truncated: false });
  expect(searches).toHaveLength(1);
});

test("the search ends when the last tile that waits for it aborts", async () => {
  let ended = false;
  const { catalog } = recording(
    (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          ended = true;
          reject(signal.reason);
        });
      }),
  );
  const leaving = new AbortController();
  const search = createNeighbourhoodSearch(catalog).search(
    { collection, bbox: [1, 1, 2, 2] },
    { signal: leaving.signal },
  );
  leaving.abort(new Error("left"));
  await expect(search).rejects.toThrow("left");
  expect(ended).toBe(true);
});

test("a failure is forgotten, an answer is kept until its time is over", async () => {
  let time = 1000;
  let fails = true;
  const { catalog, searches } = recording(async () => {
    if (fails) throw new Error("unavailable");
    return { items: [] };
  });
  const neighbourhoods = createNeighbourhoodSearch(catalog, { ttlMs: 500, now: () => time });
  const ask = () => neighbourhoods.search({ collection, bbox: [1.1, 1.1, 1.2, 1.2] });
  await expect(ask()).rejects.toThrow("unavailable");
  fails = false;
  expect((await ask()).truncated).toBe(false);
  await ask();
  expect(searches).toHaveLength(2);
  time += 501;
  await ask();
  expect(searches).toHaveLength(3);
});

test("a cell with more scenes than are taken is cut until the tile's own scenes are among them", async () => {
  const { catalog, searches } = recording();
  const neighbourhoods = createNeighbourhoodSearch(catalog, { maxItems: 12 });
  const bbox = tileBbox("mercator", 7, 67, 44);
  const alone = await archive.search({ collections: [collection], bbox, sortby: [], limit: 1000 });
  const found = await neighbourhoods.search({ collection, bbox });
  expect(found.items).toHaveLength(Math.min(12, alone.items.length));
  expect(found.truncated).toBe(alone.items.length > 12);
  const cost = searches.length;
  await neighbourhoods.search({ collection, bbox });
  expect(searches).toHaveLength(cost);
});
