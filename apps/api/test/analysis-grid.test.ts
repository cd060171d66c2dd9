import { gridBounds, resolveCrs } from "@swath/raster";
import { expect, test } from "vitest";
import { analysisGrid } from "../src/plan/analysis-grid.ts";
import { areaOf } from "../src/plan/area.ts";
import { statisticsUnits } from "../src/plan/cost.ts";
import { pixelCount } from "../src/plan/output-grid.ts";

const UTM = resolveCrs("EPSG:32633");
const box = (bbox: number[], crs?: string) => areaOf({ bbox, ...(crs === undefined ? {} : { properties: { crs } }) });
const gridOf = (
  ...[area, size, native, corners]: Parameters<typeof analysisGrid> extends [...infer P, string] ? P : never
) => analysisGrid(area, size, native, corners, "/aggregation");

test("without a size: pixels of the native resolution at multiples of it, in the UTM zone of the centre", () => {
  const { grid, region } = gridOf(box([13.2, 45.4, 13.3, 45.5]), {}, 10, []);
  expect(grid.crs.name).toBe("EPSG:32633");
  expect([grid.transform[0], grid.transform[4]]).toEqual([10, -10]);
  expect(gridBounds(grid).map((each) => each % 10)).toEqual([0, 0, 0, 0]);
  expect(region?.crs).toBe("EPSG:4326");
});

test.each([
  ["west of Greenwich", [-0.2, 51.4, -0.1, 51.5], "EPSG:32630"],
  ["in the south", [18.4, -34.1, 18.5, -34], "EPSG:32734"],
  ["across the antimeridian", [179.95, -17, -179.95, -16.95], "EPSG:32701"],
])("the UTM zone of a box %s", (_, bbox, crs) => {
  expect(gridOf(box(bbox), {}, 60, []).grid.crs.name).toBe(crs);
});

test("pixels are aligned with those of files of the same resolution in the same CRS", () => {
  const corners = [
    { crs: resolveCrs("EPSG:32632"), x: 7, y: 7, resolution: [30, 30] as const },
    { crs: UTM, x: 500_015, y: 5_000_025, resolution: [30, 30] as const },
  ];
  const area = box([500_100, 4_999_000, 500_200, 4_999_100], "EPSG:32633");
  const { grid } = gridOf(area, {}, 30, corners);
  const [west, south, east, north] = gridBounds(grid);
  for (const x of [west, east]) expect((x - 500_015) % 30).toBe(0);
  for (const y of [south, north]) expect(Math.abs((y - 5_000_025) % 30)).toBe(0);
  expect(west <= 500_100 && west > 500_070 && east >= 500_200 && east < 500_230).toBe(true);
});

test("a box by resolution or size is the outer edge of the grid", () => {
  const area = box([500_000, 4_999_000, 501_005, 5_000_000], "EPSG:32633");
  for (const size of [
    { resx: 10, resy: 20 },
    { width: 101, height: 50 },
  ]) {
    const { grid, region } = gridOf(area, size, 10, []);
    expect([grid.width, grid.height, region]).toEqual([size.width ?? 101, 50, undefined]);
    expect(gridBounds(grid)).toEqual([500_000, 4_999_000, 501_005, 5_000_000]);
  }
});

test("an area that no grid holds is refused with the sides it would have", () => {
  for (const bbox of [
    [-170, -60, 170, 60],
    [10, 40, 11, 41],
  ]) {
    expect(() => gridOf(box(bbox), {}, 10, [])).toThrow(
      expect.objectContaining({ code: "output-too-large", limits: expect.objectContaining({ maxOutputWidth: 2500 }) }),
    );
  }
});

test.each([
  [{ width: 512, height: 512, bands: 3, dates: 1 }, 1],
  [{ width: 512, height: 256, bands: 2, dates: 12 }, 4],
  [{ width: 10, height: 10, bands: 1, dates: 1 }, 0.01],
  [{ width: 512, height: 512, bands: 3, dates: 0 }, 0.01],
])("units of %o are %d", (work, units) => {
  expect(statisticsUnits(work)).toBe(units);
});

test("a pixel size next to nothing is refused with numbers that JSON can write", () => {
  const polygon = {
    type: "Polygon" as const,
    coordinates: [
      [
        [13.2, 45.4],
        [13.4, 45.4],
        [13.3, 45.6],
        [13.2, 45.4],
      ],
    ],
  };
  for (const area of [box([13.2, 45.4, 13.4, 45.6]), areaOf({ geometry: polygon })]) {
    for (const resolution of [1e-300, 1e-320]) {
      expect(() => gridOf(area, { resx: resolution, resy: resolution }, 10, [])).toThrow(
        expect.objectContaining({
          code: "output-too-large",
          message: "The grid would have 1,000,000,000,000 × 1,000,000,000,000 pixels (at most 2,500 a side).",
          limits: { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 1e12, requestedHeight: 1e12 },
        }),
      );
    }
  }
  expect([0, 7, Number.NaN, Number.POSITIVE_INFINITY].map(pixelCount)).toEqual([1, 7, 1e12, 1e12]);
});
