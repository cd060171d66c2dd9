import type { Item } from "@swath/catalog";
import type { Geometry } from "@swath/geometry";
import { describe, expect, test } from "vitest";
import { CubeItems, programsOf } from "../../src/when/cube-items.ts";
import { itemOf } from "../items/items.ts";
import { COLORADO, fixtures, recordedItems } from "../items/recorded.ts";
import { matchOf } from "../what/registry.ts";
import { loadNode, planOf, saveNode } from "./loads.ts";

const { collection } = matchOf("sentinel-2-l2a");
const BOX = [13.2, 45.4, 13.3, 45.5];
const graph = (bands: readonly string[]) => ({ load: loadNode(BOX, bands), save: saveNode("load") });
const point = (lon: number, lat: number): Geometry => ({ type: "Point", coordinates: [lon, lat] });
const box = (west: number, south: number, east: number, north: number): Geometry => ({
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

const cubeItems = (items: readonly Item[], bands: readonly string[] = ["red"]) => {
  const { plan, loads } = planOf(graph(bands), { "2024-04-02T00:00:00Z": items });
  if (plan.result.kind !== "raster") throw new Error("Expected a raster.");
  return { items: new CubeItems(loads), grid: plan.result.grid, loads };
};

describe.skipIf(fixtures === undefined)("recorded scenes of one tile", () => {
  const all = recordedItems(COLORADO);
  /** Orbit 98 covers the east of the tile, which is 73 to 75 % nodata; orbit 55 all of it: `s2:nodata_pixel_percentage`. */
  const whole = ["20240420", "20240415", "20240410", "20240405", "20240331"];
  const part = ["20240422", "20240417", "20240412", "20240407", "20240402"];
  const dates = (geometry: Geometry) =>
    all.filter(cubeItems(all).items.over(geometry)).map(({ id }) => /_(\d{8})T/.exec(id)?.[1]);

  test.each<[string, Geometry, readonly string[]]>([
    ["a point in the west", point(-106, 40), whole],
    ["a point in the east", point(-104.95, 40), [...whole, ...part]],
    ["a field in the west", box(-105.9, 40.1, -105.89, 40.11), whole],
    ["a box over the edge of the orbits", box(-105.6, 40, -105.1, 40.3), [...whole, ...part]],
    ["a point beside the tile", point(-104, 40), []],
  ])("%s is in those whose footprints hold it", (_, geometry, expected) => {
    expect(dates(geometry).toSorted()).toEqual(expected.toSorted());
  });
});

test("an item without a footprint may have pixels anywhere", () => {
  const items = [itemOf(collection, { id: "a" }), { ...itemOf(collection, { id: "b" }), geometry: null }];
  const isOver = cubeItems(items).items.over(point(-100, 0));
  expect(items.map(isOver)).toEqual([false, true]);
});

describe("corners of pixels", () => {
  const placed = (id: string, x: number): Item =>
    itemOf(collection, { id, properties: { "proj:epsg": 32_633, "proj:transform": [10, 0, x, 0, -10, 5_100_000] } });
  const items = [placed("a", 300_000), placed("b", 300_005), itemOf(collection, { id: "c" })];

  test("are those of every file of the loads of a grid, one for each band", () => {
    const { items: cube, grid } = cubeItems(items, ["red", "nir"]);
    expect(cube.cornersOf(grid).map(({ crs, x }) => [crs.name, x])).toEqual([
      ["EPSG:32633", 300_000],
      ["EPSG:32633", 300_000],
      ["EPSG:32633", 300_005],
      ["EPSG:32633", 300_005],
    ]);
  });

  test("may be those of some items alone", () => {
    const { items: cube, grid } = cubeItems(items);
    expect(cube.cornersOf(grid, ({ id }) => id !== "a").map(({ x }) => x)).toEqual([300_005]);
    // what was found for all is still that of all
    expect(cube.cornersOf(grid)).toHaveLength(2);
  });

  test("are none of loads that are not known, and of grids of other loads", () => {
    const { grid, loads } = cubeItems(items);
    expect(new CubeItems([undefined]).cornersOf(grid)).toEqual([]);
    expect(new CubeItems(loads).cornersOf({ ...grid, loads: new Set() })).toEqual([]);
  });
});

test("the programs of a load are those of its bands, in its order", () => {
  const { loads } = cubeItems([], ["nir", "SCL", "red"]);
  expect(programsOf(loads[0]!).map(({ names, conversion }) => [names, conversion])).toEqual([
    [["B08"], "physical"],
    [["SCL"], "stored"],
    [["B04"], "physical"],
  ]);
});
