import type { Item } from "@swath/catalog";
import { gridBounds } from "@swath/raster";
import { type CollectionMatch, sourceCollection } from "@swath/schema";
import { describe, expect, test } from "vitest";
import { type SeriesItem, seriesPlace } from "../../src/job/series-place.ts";
import { gridFromSpec } from "../../src/run/scene/scene-read.ts";
import { seriesPrograms } from "../../src/what/series-programs.ts";
import { COLORADO, COLORADO_PAIR, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf } from "../what/registry.ts";
import { refusalOf } from "../where/refusal-of.ts";

/** A field of 3 km² in Colorado. */
const FIELD = {
  type: "Polygon",
  coordinates: [
    [
      [-105.2, 40],
      [-105.18, 40.005],
      [-105.185, 40.02],
      [-105.205, 40.015],
      [-105.2, 40],
    ],
  ],
};

const seriesItems = (match: CollectionMatch, items: readonly Item[], expression = "green - red"): SeriesItem[] => {
  const program = seriesPrograms([match], { expression }).byCollection.get(match)!;
  return items.map((item) => ({ item, match, program, source: sourceCollection(match.collection, item.properties)! }));
};

test("a point is searched where it is, and has one pixel in every overpass", () => {
  const place = seriesPlace({ kind: "point", lon: 179.5, lat: -17 });
  const geometry = { type: "Point", coordinates: [179.5, -17] };
  expect(place).toMatchObject({
    geometry,
    bbox: [179.5, -17, 179.5, -17],
    searched: { geometry, boxes: [[179.5, -17, 179.5, -17]] },
  });
  expect(place.area).toBeUndefined();
  const grid = place.gridsOf([])([]);
  expect(grid).toMatchObject({ pixels: 1, parts: [{ grid: { crs: "EPSG:4326", width: 1, height: 1 } }] });
  const [west, south, east, north] = gridBounds(gridFromSpec(grid.parts[0]!.grid));
  expect([(west + east) / 2, (south + north) / 2].map((each) => Number(each.toFixed(8)))).toEqual([179.5, -17]);
});

test("a polygon is kept as it was sent, and searched by its own box", () => {
  const place = seriesPlace({ kind: "area", geometry: FIELD });
  expect(place.geometry).toEqual(FIELD);
  expect(place.bbox).toEqual([-105.205, 40, -105.18, 40.02]);
  expect(place.searched.boxes).toEqual([[-105.205, 40, -105.18, 40.02]]);
});

describe.skipIf(fixtures === undefined)("the pixels of a polygon in recorded scenes", () => {
  const place = seriesPlace({ kind: "area", geometry: FIELD });
  /*
   * Pixels whose centres are in the field, by pyproj 3.4.1 and numpy: of 10 m at multiples of 10 m, of 30 m at 15 m from
   * multiples of 30 m, both in EPSG:32613.
   */
  const [S2_PIXELS, LANDSAT_PIXELS] = [30_787, 3424];

  test("are those of the collection on top: 10 m of Sentinel-2, 30 m of Landsat", () => {
    const optical = matchOf("optical-sr");
    const pair = recordedItems(COLORADO_PAIR).filter(({ collection }) => collection === "landsat-ot-l2");
    const all = seriesItems(optical, [...recordedItems(COLORADO), ...pair].map(memberOf));
    const [sentinel, landsat] = [all[0]!, all.at(-1)!];
    expect([sentinel.source.id, landsat.source.id]).toEqual(["sentinel-2-l2a", "landsat-ot-l2"]);
    const gridOf = place.gridsOf(all);
    const [fine, coarse] = [gridOf([sentinel, landsat]), gridOf([landsat, sentinel])];
    expect([fine.pixels, coarse.pixels]).toEqual([S2_PIXELS, LANDSAT_PIXELS]);
    expect(fine.parts[0]?.grid.crs).toBe("EPSG:32613");
    for (const edge of gridBounds(gridFromSpec(coarse.parts[0]!.grid))) expect(edge % 30).toBe(15);
    // the same pixels are read together: they are one object
    expect(gridOf([all[1]!])).toBe(fine);
  });

  test("are those of the coarsest band that is read", () => {
    const items = seriesItems(matchOf("sentinel-2-l2a"), recordedItems(COLORADO), "swir16 - red");
    const { parts } = place.gridsOf(items)([items[0]!]);
    expect(parts[0]?.grid.transform[0]).toBe(20);
  });

  /** An item as the virtual collection has it. */
  function memberOf(item: Item): Item {
    return { ...item, properties: { ...item.properties, "svc:source_collection": item.collection } };
  }
});

test.each([
  [
    {
      geometry: {
        type: "LineString",
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    },
    "invalid",
    ["where", "geometry", "type"],
  ],
  [
    {
      geometry: {
        type: "Polygon",
        coordinates: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
    },
    "invalid",
    ["where", "geometry", "coordinates", "0"],
  ],
  [{ bbox: [13, 45, 13.1, 45.1] }, "area-too-large", ["where", "geometry"]],
  [{ bbox: [13, 45, 13.1] }, "invalid", ["where", "bbox"]],
  [{ geometry: FIELD, crs: "EPSG:27700" }, "invalid", ["where", "crs"]],
  [{}, "invalid", ["where", "geometry"]],
])("%j is refused as %s at %j", (where, code, path) => {
  expect(refusalOf(() => seriesPlace({ kind: "area", ...where }))).toMatchObject({ code, path });
});

test("an area of 25 km² is served and one of a little more is not", () => {
  const side = (km2: number): number => Math.sqrt(km2) / 110.574;
  const at = (km2: number) =>
    seriesPlace({ kind: "area", bbox: [0, -side(km2) / 2, (side(km2) * 110.574) / 111.32, side(km2) / 2] });
  expect(() => at(24.99)).not.toThrow();
  const refusal = refusalOf(() => at(25.01));
  expect(refusal).toMatchObject({ code: "area-too-large", limits: { maxAreaKm2: 25 } });
  expect(refusal.limits?.requestedAreaKm2).toBeCloseTo(25.01, 2);
});
