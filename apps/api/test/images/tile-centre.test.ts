import { type Catalog, CatalogError, type Item, RecentScenes } from "@swath/catalog";
import { TILE_MATRIX_SETS, tileBbox } from "@swath/raster";
import { describe, expect, test } from "vitest";
import { sampleOf } from "../../../../test/tools/searches.ts";
import { tileSetCentre } from "../../src/operations/tile-json.ts";
import { FULL, NOW, testService } from "../tools/harness.ts";

const service = await testService({}, { profile: FULL });

/** The tile of a set that holds a point. */
function tileAt(set: "WebMercatorQuad" | "WorldCRS84Quad", [lon, lat, z]: readonly number[]): [number, number] {
  const [columns, rows] = set === "WebMercatorQuad" ? [2 ** z!, 2 ** z!] : [2 ** (z! + 1), 2 ** z!];
  const radians = (lat! * Math.PI) / 180;
  const down =
    set === "WebMercatorQuad"
      ? (1 - Math.log(Math.tan(radians) + 1 / Math.cos(radians)) / Math.PI) / 2
      : (90 - lat!) / 180;
  return [Math.floor(((lon! + 180) / 360) * columns), Math.floor(down * rows)];
}

describe("the centre of TileJSON", () => {
  const pairs = FULL.registry.presets.flatMap(({ id: preset, collections = [] }) =>
    // the synthetic archive has no items of Level-1C
    collections.filter((id) => id !== "sentinel-2-l1c").map((id) => ({ preset, id })),
  );
  const rendered = sampleOf(pairs, ({ preset, id }) => [preset, id]);

  test.each(Object.keys(TILE_MATRIX_SETS) as ("WebMercatorQuad" | "WorldCRS84Quad")[])(
    "is a place and a zoom at which the tiles of %s show something, of every preset and collection",
    { tags: ["J7"], timeout: 120_000 },
    async (set) => {
      for (const each of pairs) {
        const { preset, id } = each;
        const path = `/v1/tiles/${preset}/${set}/tilejson.json?collection=${id}`;
        const { center, minzoom, maxzoom, bounds } = await (await service.request(path)).json();
        const [lon, lat, zoom] = center;
        expect([lon >= bounds[0], lon <= bounds[2], lat >= bounds[1], lat <= bounds[3]]).toEqual(Array(4).fill(true));
        expect(zoom).toBeGreaterThanOrEqual(minzoom);
        expect(zoom).toBeLessThanOrEqual(maxzoom);
        const [x, y] = tileAt(set, center);
        const [west, south, east, north] = tileBbox(set, zoom, x, y);
        expect([lon >= west && lon <= east, lat >= south && lat <= north]).toEqual([true, true]);
        if (!rendered.includes(each)) continue;
        const tile = await service.get(
          `/v1/tiles/${preset}/${set}/${zoom}/${x}/${y}.png?collection=${id}&datetime=2000-01-01/..`,
        );
        expect([path, tile.status, Number(tile.headers.get("X-Scenes-Used")) > 0]).toEqual([path, 200, true]);
      }
    },
  );

  test.each([
    ["WebMercatorQuad", [12, 45, 13.4, 46], [12.7, 45.5, 7]],
    ["WebMercatorQuad", [12, 45, 12.1, 45.05], [12.05, 45.025, 11]],
    ["WebMercatorQuad", [12, 45, 12.001, 45.001], [12.0005, 45.0005, 14]],
    ["WorldCRS84Quad", [12, 45, 13.4, 46], [12.7, 45.5, 7]],
    ["WebMercatorQuad", [179.5, 10, -179.9, 11], [179.8, 10.5, 8]],
    ["WebMercatorQuad", [179.9, 10, -179.5, 11], [-179.8, 10.5, 8]],
    ["WebMercatorQuad", undefined, [0, 0, 9]],
  ] as const)("of %s over %j is %j", { tags: ["J7"] }, (set, recent, [lon, lat, zoom]) => {
    const bounds = [-180, -85, 180, 85] as const;
    const centre = tileSetCentre({ set, minzoom: 7, maxzoom: 14 }, bounds, recent);
    expect(centre[0]).toBeCloseTo(lon, 9);
    expect(centre[1]).toBeCloseTo(lat, 9);
    expect(centre[2]).toBe(zoom);
  });
});

describe("recent scenes", () => {
  const collection = FULL.registry.resolve("sentinel-2-l2a");
  const item = { bbox: [12, 45, 13, 46] } as unknown as Item;
  function over(search: Catalog["search"]) {
    let time = NOW.getTime();
    let searches = 0;
    const counted: Catalog["search"] = (query, options) => {
      searches += 1;
      return search(query, options);
    };
    const recent = new RecentScenes({ search: counted }, () => new Date(time));
    return { recent, later: (ms: number) => (time += ms), searches: () => searches };
  }
  const { signal } = new AbortController();

  test("cost one search of one item in ten minutes, however many ask at once", { tags: ["J7"] }, async () => {
    const { recent, later, searches } = over(async (query) => {
      expect(query).toMatchObject({ limit: 1, sortby: [{ field: "datetime", direction: "desc" }] });
      return { items: [item] };
    });
    const boxes = await Promise.all(Array.from({ length: 20 }, () => recent.of(collection, { signal })));
    expect(boxes).toEqual(Array(20).fill(item.bbox));
    later(599_000);
    await recent.of(collection, { signal });
    expect(searches()).toBe(1);
    later(2000);
    await recent.of(collection, { signal });
    expect(searches()).toBe(2);
  });

  test("are unknown for a minute where the catalog fails, and other errors are errors", async () => {
    let fault: Error = new CatalogError("unavailable", "503");
    const { recent, later, searches } = over(async () => {
      throw fault;
    });
    expect([await recent.of(collection, { signal }), await recent.of(collection, { signal })]).toEqual([
      undefined,
      undefined,
    ]);
    expect(searches()).toBe(1);
    later(61_000);
    fault = new TypeError("broken");
    await expect(recent.of(collection, { signal })).rejects.toThrow("broken");
  });

  test("a document whose client has left waits no longer", async () => {
    const { recent } = over((_, options) => {
      return new Promise((_resolve, reject) => {
        options?.signal?.addEventListener("abort", () => reject(options.signal?.reason));
      });
    });
    const client = new AbortController();
    const asked = recent.of(collection, { signal: client.signal });
    client.abort(new Error("left"));
    await expect(asked).rejects.toThrow("left");
  });
});
