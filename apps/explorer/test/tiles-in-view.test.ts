import fc from "fast-check";
import { expect, test } from "vitest";
import { withFarTime } from "../src/map/far-time.ts";
import { tilesInView } from "../src/map/tiles-in-view.ts";

const WORLD = { tiles: "{z}/{x}/{y}", minzoom: 0, maxzoom: 22, bounds: [-180, -90, 180, 90] } as const;
const urls = (...[imagery, view, size]: Parameters<typeof tilesInView>): string[] =>
  tilesInView(imagery, view, size).map(({ url }) => url);

test("tiles of 256 pixels are those of the next zoom, nearest to the centre first", () => {
  // the tile of Ljubljana at zoom 10, as @mapbox/tilebelt's pointToTile has it
  const [first] = tilesInView(WORLD, { zoom: 9, lat: 46.05, lon: 14.51 }, [10, 10]);
  expect(first).toMatchObject({ url: "10/553/364", size: 256 });
  expect(urls(WORLD, { zoom: 0, lat: 0, lon: 0 }, [512, 512]).sort()).toEqual(["1/0/0", "1/0/1", "1/1/0", "1/1/1"]);
});

test("zooms of the imagery and its extent bound them", () => {
  const view = { zoom: 9, lat: 46.05, lon: 14.51 };
  expect(urls({ ...WORLD, minzoom: 11 }, view, [900, 800])).toEqual([]);
  expect(tilesInView({ ...WORLD, maxzoom: 8 }, view, [10, 10])).toMatchObject([{ url: "8/138/91", size: 1024 }]);
  expect(urls({ ...WORLD, bounds: [20, 40, 30, 50] }, view, [900, 800])).toEqual([]);
  expect(urls({ ...WORLD, bounds: [14.45, 46, 14.5, 46.02] }, view, [900, 800])).toEqual(["10/553/364"]);
});

test("zooms in between are drawn at the nearest one, larger or smaller", () => {
  const sizes = [9, 9.4, 9.6, 10].map((zoom) => tilesInView(WORLD, { zoom, lat: 46, lon: 14 }, [10, 10])[0]);
  expect(sizes.map((tile) => [tile?.url.split("/")[0], tile?.size.toFixed(1)])).toEqual([
    ["10", "256.0"],
    ["10", "337.8"],
    ["11", "194.0"],
    ["11", "256.0"],
  ]);
});

test("they cover the map without a gap, each once, and none is out of sight", () => {
  const views = fc.record({
    zoom: fc.double({ min: 2, max: 17, noNaN: true }),
    lat: fc.double({ min: -60, max: 60, noNaN: true }),
    lon: fc.double({ min: -90, max: 90, noNaN: true }),
  });
  const sides = fc.tuple(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 700 }));
  fc.assert(
    fc.property(views, sides, (view, [width, height]) => {
      const tiles = tilesInView(WORLD, view, [width, height]);
      expect(new Set(tiles.map(({ url }) => url)).size).toBe(tiles.length);
      const seen = tiles.map(({ left, top, size }) => [
        Math.min(width, left + size) - Math.max(0, left),
        Math.min(height, top + size) - Math.max(0, top),
      ]);
      expect(seen.every(([w = 0, h = 0]) => w > -1e-6 && h > -1e-6)).toBe(true);
      const area = seen.reduce((sum, [w = 0, h = 0]) => sum + w * h, 0);
      // far from the poles and the edges the world is larger than the map
      expect(area).toBeCloseTo(width * height, 0);
    }),
  );
});

test("far tiles are of a month or of the preset's own window, near ones of the days", () => {
  const tiles = "https://maps.example/v1/tiles/ndvi/{z}/{x}/{y}.webp?collection=hls&datetime=2024-06-03%2F2024-07-12";
  const month = { ...WORLD, tiles: withFarTime(tiles, { below: 7, month: "2024-07" }) };
  const timesOf = (imagery: typeof month, zoom: number) =>
    tilesInView(imagery, { zoom, lat: 46, lon: 14 }, [1, 1]).map(({ url }) =>
      new URL(url).searchParams.get("datetime"),
    );
  expect(timesOf(month, 5)).toEqual(["2024-07"]);
  expect(timesOf(month, 5.6)).toEqual(["2024-06-03/2024-07-12"]);
  expect(timesOf({ ...WORLD, tiles: withFarTime(tiles, { below: 7 }) }, 2)).toEqual([null]);
  expect(timesOf({ ...WORLD, tiles }, 2)).toEqual(["2024-06-03/2024-07-12"]);
});
