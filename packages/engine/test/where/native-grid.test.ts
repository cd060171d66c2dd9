import { gridBounds, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PixelCorner } from "../../src/where/alignment.ts";
import { areaOf } from "../../src/where/area.ts";
import { nativeGrid, orSampledPixel, pointGrid } from "../../src/where/native-grid.ts";
import { refusalOf } from "./refusal-of.ts";

const DEGREES = resolveCrs("EPSG:4326");
/** Where pixels of the recorded scene LC08_L2SP_033032_20231008_02_T1 meet. */
const LANDSAT: PixelCorner = { crs: resolveCrs("EPSG:32613"), x: 449_085, y: 4_581_915, resolution: [30, 30] };

/*
 * pyproj 3.4.1: transform_bounds from EPSG:4326 with densify_pts=2000, then to whole pixels outwards: multiples of 10 m, and of
 * 30 m from 15 m on, as Landsat has them.
 */
test.each<[string, number[], number, PixelCorner[], string, number[]]>([
  ["in Italy", [13.2, 45.4, 13.3, 45.5], 10, [], "EPSG:32633", [359_120, 5_028_790, 367_190, 5_040_080]],
  ["in South Africa", [18.4, -34.1, 18.5, -34], 10, [], "EPSG:32734", [259_860, 6_223_700, 269_380, 6_235_030]],
  [
    "in Colorado, on Landsat's pixels",
    [-105.3, 39.9, -105.2, 40],
    30,
    [LANDSAT],
    "EPSG:32613",
    [474_345, 4_416_675, 482_955, 4_427_805],
  ],
])("a box %s has the pixels around the bounds that PROJ says", (_, bbox, native, corners, crs, expected) => {
  const { grid, region } = nativeGrid(areaOf({ bbox }), native, corners);
  expect(grid.crs.name).toBe(crs);
  expect(gridBounds(grid)).toEqual(expected);
  expect([grid.transform[0], grid.transform[4]]).toEqual([native, -native]);
  expect(region.crs).toBe("EPSG:4326");
});

test("in degrees a pixel has the metres of a degree of latitude, and a CRS may be asked for", () => {
  const { grid } = nativeGrid(areaOf({ bbox: [13, 45, 13.1, 45.1] }), 100, [], DEGREES);
  // 2π × 6,371,007 m / 360 = 111,195 m; the interface takes 111,320
  expect(grid.transform[0]).toBeCloseTo(0.000_9, 5);
  expect(grid.crs).toBe(DEGREES);
});

const coordinate = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const place = fc.record({
  lon: coordinate(-179, 178),
  lat: coordinate(-75, 75),
  width: coordinate(0.001, 0.05),
  height: coordinate(0.001, 0.05),
});

test("a grid holds every point of its area, on pixels of the files", () => {
  fc.assert(
    fc.property(
      place,
      fc.constantFrom(10, 20, 30, 60),
      fc.nat(59),
      fc.nat(59),
      coordinate(0, 1),
      coordinate(0, 1),
      ({ lon, lat, width, height }, native, x, y, across, up) => {
        const area = areaOf({ bbox: [lon, lat, lon + width, lat + height] });
        const crs = nativeGrid(area, native, []).grid.crs;
        const corner = { crs, x: 300_000 + x, y: 4_000_000 + y, resolution: [native, native] as const };
        const { grid } = nativeGrid(area, native, [corner]);
        const [minX, minY, maxX, maxY] = gridBounds(grid);
        const [pointX, pointY] = transformer(DEGREES, crs)(lon + across * width, lat + up * height);
        // 21 points a side leave less than a centimetre of the bow of a side of 0.05 degrees
        expect(pointX > minX - 0.01 && pointX < maxX + 0.01 && pointY > minY - 0.01 && pointY < maxY + 0.01).toBe(true);
        expect([minX, maxX].map((each) => Math.abs((each - corner.x) % native))).toEqual([0, 0]);
        expect([minY, maxY].map((each) => Math.abs((each - corner.y) % native))).toEqual([0, 0]);
      },
    ),
  );
});

test("an area that a CRS cannot hold is refused at the area", () => {
  const area = areaOf({ bbox: [-180, 85, 180, 90] });
  expect(refusalOf(() => nativeGrid(area, 10, [], resolveCrs("EPSG:3857")))).toMatchObject({
    code: "invalid",
    path: ["where"],
  });
});

test("the grid of a point is one pixel of a centimetre around it", () => {
  fc.assert(
    fc.property(coordinate(-180, 180), coordinate(-90, 90), (lon, lat) => {
      const grid = pointGrid([lon, lat]);
      const [west, south, east, north] = gridBounds(grid);
      expect([grid.crs.name, grid.width, grid.height]).toEqual(["EPSG:4326", 1, 1]);
      expect(west < lon && lon < east && south < lat && lat < north).toBe(true);
      expect(Math.max(east - west, north - south)).toBeLessThan(1.1e-7);
    }),
  );
});

describe("an area without the centre of a pixel", () => {
  const [x0, y0] = [360_000, 5_030_000];
  const triangle = (points: readonly (readonly [number, number])[]) =>
    areaOf({
      geometry: { type: "Polygon", coordinates: [[...points, points[0]!].map(([x, y]) => [x0 + x, y0 + y])] },
      crs: "EPSG:32633",
    });

  const metres = fc.integer({ min: 1, max: 49 });
  const within = fc.tuple(metres, metres);

  test("has the pixel that it is in, and says which point was taken", () => {
    fc.assert(
      fc.property(fc.nat(9), fc.nat(9), fc.tuple(within, within, within), (column, row, parts) => {
        // within the lower left quarter of one pixel of 100 m, whose centre is the corner of the quarter
        const points = parts.map(([x, y]) => [100 * column + x, 100 * row + y] as const);
        const [[ax, ay], [bx, by], [cx, cy]] = parts;
        fc.pre(Math.abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) > 1);
        const area = triangle(points);
        const analysis = nativeGrid(area, 100, [], area.crs);
        const { grid, region, sampledAt } = orSampledPixel(analysis, area.crs);
        expect([grid.width, grid.height, region]).toEqual([1, 1, undefined]);
        expect(gridBounds(grid)).toEqual([
          x0 + 100 * column,
          y0 + 100 * row,
          x0 + 100 * (column + 1),
          y0 + 100 * (row + 1),
        ]);
        const [x, y] = transformer(DEGREES, area.crs)(...sampledAt!);
        const [minX, minY, maxX, maxY] = area.bounds;
        expect(x > minX - 1e-3 && x < maxX + 1e-3 && y > minY - 1e-3 && y < maxY + 1e-3).toBe(true);
      }),
    );
  });

  test("is one thing, an area with one centre is another: it stays as it is", () => {
    const area = triangle([
      [40, 40],
      [60, 45],
      [50, 60],
    ]);
    const analysis = nativeGrid(area, 100, [], area.crs);
    expect(orSampledPixel(analysis, area.crs)).toBe(analysis);
    const whole = { grid: analysis.grid };
    expect(orSampledPixel(whole, area.crs)).toBe(whole);
  });

  test("that lies beside a part of a cube's grid takes no pixel of it", () => {
    const area = triangle([
      [1001, 1],
      [1003, 1],
      [1002, 4],
    ]);
    const { grid, region } = nativeGrid(area, 100, [], area.crs);
    const beside = { grid: { ...grid, transform: [100, 0, x0, 0, -100, y0 + 100] as const }, region };
    expect(orSampledPixel(beside, area.crs)).toBe(beside);
  });
});
