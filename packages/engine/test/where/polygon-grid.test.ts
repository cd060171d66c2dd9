import { type Grid, gridBounds, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { groundAreaKm2 } from "../../src/limits/ground-area.ts";
import { gridFromSpec } from "../../src/run/scene/scene-read.ts";
import { areaOfPolygon } from "../../src/where/area.ts";
import { polygonGrid } from "../../src/where/polygon-grid.ts";
import { refusalOf } from "./refusal-of.ts";

type Ring = readonly (readonly [number, number])[];
const polygonOf = (...rings: readonly Ring[]) => ({
  type: "Polygon" as const,
  coordinates: rings.map((ring) => [...ring, ring[0]!].map(([x, y]) => [x, y])),
});
const areaOf = (...rings: readonly Ring[]) => areaOfPolygon(polygonOf(...rings), ["where"]);
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];

const FIELD: Ring = [
  [13.2, 45.45],
  [13.21, 45.452],
  [13.208, 45.46],
  [13.197, 45.458],
];
const POND: Ring = [
  [13.202, 45.453],
  [13.205, 45.453],
  [13.204, 45.456],
];
/** Eight degrees of longitude by a fifth of a degree. */
const WIDE: Ring = [
  [10, 45],
  [18, 45.1],
  [18, 45.3],
  [10, 45.2],
];
/** 40 km long and 240 m wide, from the south-west to the north-east. */
const THIN: Ring = [
  [13, 45],
  [13.003, 45],
  [13.303, 45.3],
  [13.3, 45.3],
];
/** Pixels of 10 m and of 100 m along their boundaries. Long edges are bent to within 0.001 pixels, which decides for as many. */
const [THIN_BOUNDARY, WIDE_BOUNDARY] = [8200, 13_000];
const LANDSAT = { crs: resolveCrs("EPSG:32633"), x: 353_685, y: 5_374_215, resolution: [30, 30] as const };

describe("the pixels that count are those whose centres PROJ puts into the polygon", () => {
  /*
   * pyproj 3.4.1 and numpy: centres of the pixels of a UTM zone are taken to EPSG:4326, and those inside of the ring are counted
   * (even-odd rule; edges are lines in degrees).
   */
  test.each<[string, readonly Ring[], number, (typeof LANDSAT)[], number]>([
    ["a field at 10 m", [FIELD], 10, [], 7733],
    ["the same without a pond", [FIELD, POND], 10, [], 7339],
    ["the same at 30 m on Landsat's pixels", [FIELD], 30, [LANDSAT], 860],
  ])("%s", (_, rings, native, corners, count) => {
    const { pixels, parts, sampledAt } = polygonGrid(areaOf(...rings), native, corners);
    expect(pixels).toBe(count);
    expect(sampledAt).toBeUndefined();
    expect(parts).toHaveLength(1);
    expect(parts[0]).toMatchObject({ grid: { crs: "EPSG:32633" }, clip: { crs: "EPSG:4326" } });
    expect(parts[0]).not.toHaveProperty("windows");
    for (const edge of gridBounds(gridFromSpec(parts[0]!.grid))) expect(edge % native).toBe(native === 30 ? 15 : 0);
  });

  test("a thin strip is read by windows around it alone, apart from each other", () => {
    const { pixels, parts } = polygonGrid(areaOf(THIN), 10, []);
    expect(Math.abs(pixels - 78_639)).toBeLessThanOrEqual(0.001 * THIN_BOUNDARY);
    const [{ grid, windows = [] } = { grid: undefined, windows: [] }] = parts;
    const read = windows.reduce((sum, { width, height }) => sum + width * height, 0);
    expect(read).toBeGreaterThanOrEqual(pixels);
    expect(read).toBeLessThan((grid!.width * grid!.height) / 4);
    for (const [i, a] of windows.entries()) {
      expect(a.x >= 0 && a.y >= 0 && a.x + a.width <= grid!.width && a.y + a.height <= grid!.height).toBe(true);
      for (const b of windows.slice(i + 1)) {
        const isApart = a.x + a.width <= b.x || b.x + b.width <= a.x || a.y + a.height <= b.y || b.y + b.height <= a.y;
        expect(isApart).toBe(true);
      }
    }
  });

  test("what is wider than a zone has its pixels in each zone that it touches", () => {
    const { pixels, parts } = polygonGrid(areaOf(WIDE), 100, []);
    expect(parts.map(({ grid }) => grid.crs)).toEqual(["EPSG:32632", "EPSG:32633"]);
    expect(Math.abs(pixels - (349_759 + 1_048_160))).toBeLessThanOrEqual(0.001 * WIDE_BOUNDARY);
  });
});

test("parts in several zones are clipped at the meridians between them, across the antimeridian too", () => {
  const { parts } = polygonGrid(areaOf(box(176, 10, 190, 10.02)), 100, []);
  expect(parts.map(({ grid }) => grid.crs)).toEqual(["EPSG:32660", "EPSG:32601", "EPSG:32602"]);
  const sides = parts.map(({ clip }) => {
    const xs = (clip!.polygon.coordinates as number[][][]).flat().map(([x = 0]) => x);
    return [Math.min(...xs), Math.max(...xs)];
  });
  expect(sides).toEqual([
    [176, 180],
    [180, 186],
    [186, 190],
  ]);
});

/** Least and greatest area of a pixel of UTM on the ground, in parts of its own: its scale is 0.9996 to 1.001 in a zone. */
const [LEAST, MOST] = [1 / 1.001 ** 2, 1 / 0.9996 ** 2];

test("pixels cover as much ground as the polygon has, and their grid covers it", () => {
  const degree = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  fc.assert(
    fc.property(
      degree(-179, 178),
      degree(-70, 70),
      degree(0.02, 0.05),
      degree(0.02, 0.05),
      fc.constantFrom(10, 20, 30),
      (west, south, width, height, native) => {
        const ring = box(west, south, west + width, south + height);
        const area = areaOf(ring);
        const { pixels, parts } = polygonGrid(area, native, []);
        const [ground, boundary] = [groundAreaKm2(area.polygon), 2 * (width + height) * 112];
        const seen = (pixels * native ** 2) / 1e6;
        // a pixel in two of the boundary may be on the wrong side
        const rounding = (boundary * native) / 2000;
        expect(seen * MOST + rounding).toBeGreaterThan(ground);
        expect(seen * LEAST - rounding).toBeLessThan(ground);
        const grid: Grid = gridFromSpec(parts[0]!.grid);
        const [minX, minY, maxX, maxY] = gridBounds(grid);
        const project = transformer(resolveCrs("EPSG:4326"), grid.crs);
        for (const [lon, lat] of ring) {
          const [x, y] = project(lon, lat);
          expect(x >= minX - 0.01 && x <= maxX + 0.01 && y >= minY - 0.01 && y <= maxY + 0.01).toBe(true);
        }
      },
    ),
    { numRuns: 40 },
  );
});

test("a polygon between the centres of pixels has the one pixel that it is in", () => {
  const [lon, lat] = transformer(resolveCrs("EPSG:32633"), resolveCrs("EPSG:4326"))(360_002, 5_030_002);
  const tiny = areaOf([
    [lon, lat],
    [lon + 1e-5, lat],
    [lon, lat + 1e-5],
  ]);
  const { pixels, parts, sampledAt } = polygonGrid(tiny, 30, []);
  expect(pixels).toBe(1);
  expect(parts).toEqual([
    { grid: { crs: "EPSG:32633", transform: [30, 0, 360_000, 0, -30, 5_030_010], width: 1, height: 1 } },
  ]);
  const [minX, minY, maxX, maxY] = tiny.bounds;
  expect(sampledAt![0] > minX && sampledAt![0] < maxX && sampledAt![1] > minY && sampledAt![1] < maxY).toBe(true);
});

test.each<[string, Ring, number, (string | number)[], Record<string, unknown>]>([
  ["more than 6,250,000 pixels", box(13, 45, 13.4, 45.4), 10, [], { maxPixels: 6_250_000 }],
  [
    "more than 500,000 pixels along its boundary",
    box(-20, 40, 20, 60),
    10,
    ["where", "geometry"],
    { maxBoundaryKm: 5000, requestedBoundaryKm: expect.any(Number) },
  ],
])("a polygon of %s is refused with the numbers", (_, ring, native, path, limits) => {
  const refusal = refusalOf(() => polygonGrid(areaOf(ring), native, []));
  expect(refusal).toMatchObject({ code: "output-too-large", path, limits });
});
