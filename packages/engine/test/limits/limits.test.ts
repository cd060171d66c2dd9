import { resolveCrs } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  checkBoundary,
  checkGroundArea,
  checkNumbers,
  checkOutput,
  checkPolygonPixels,
  checkRegions,
  checkSide,
  checkSize,
  checkSpan,
  FILE_CAPS,
  pixelFault,
  ReadCounts,
} from "../../src/limits/limits.ts";
import type { Refusal } from "../../src/refusal.ts";
import { areaOf, areaOfPolygon } from "../../src/where/area.ts";

const UTM = resolveCrs("EPSG:32633");
const grid = (width: number, height: number) => ({ crs: UTM, transform: [1, 0, 0, 0, -1, 0] as const, width, height });
const refusalOf = (check: () => unknown): Refusal | undefined => {
  try {
    check();
    return undefined;
  } catch (error) {
    return error as Refusal;
  }
};
const ring = (west: number, south: number, width: number, height: number) => ({
  type: "Polygon" as const,
  coordinates: [
    [
      [west, south],
      [west + width, south],
      [west + width, south + height],
      [west, south + height],
      [west, south],
    ],
  ],
});

/** Limits of the service for a request that somebody waits for. */
const SYNC_CAPS = { side: 2500, values: 150_000_000, valuesTimesScenes: 200_000_000 };

test("a request of 150 million values fits, and of more does not", { tags: ["X33"] }, () => {
  const size = { width: 2500, height: 2500, scenes: 1 };
  expect(() => checkSize({ ...size, bands: 24 }, SYNC_CAPS)).not.toThrow();
  expect(() => checkSize({ ...size, bands: 25 }, SYNC_CAPS)).toThrow(
    expect.objectContaining({
      code: "output-too-large",
      limits: { maxOutputValues: 150_000_000, requestedOutputValues: 156_250_000 },
    }) as Error,
  );
});

test("a file that is beyond several limits is told all of them, and of no one member", () => {
  const refusal = refusalOf(() => checkSize({ width: 30_000, height: 20_000, bands: 2, scenes: 3 }, FILE_CAPS));
  expect(refusal).toMatchObject({ code: "output-too-large", path: [], faults: [] });
  expect(refusal?.limits).toEqual({
    maxOutputWidth: 20_000,
    maxOutputHeight: 20_000,
    requestedWidth: 30_000,
    requestedHeight: 20_000,
    maxOutputValues: 600_000_000,
    requestedOutputValues: 1_200_000_000,
    maxValuesTimesScenes: 2_400_000_000,
    requestedValuesTimesScenes: 3_600_000_000,
  });
});

test("values times scenes count for mosaics alone", () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 2500 }),
      fc.nat({ max: 2500 }),
      fc.integer({ min: 1, max: 30 }),
      (width, height, bands) => {
        const values = width * height * bands;
        const of = (scenes: number) => refusalOf(() => checkSize({ width, height, bands, scenes }, SYNC_CAPS));
        expect(of(1) === undefined).toBe(values <= 150_000_000);
        expect(of(2) === undefined).toBe(2 * values <= 200_000_000);
      },
    ),
  );
});

const counted = (steps: readonly number[], row = 0) => {
  const counts = new ReadCounts();
  for (const values of steps) counts.addStep(values);
  counts.addRow(row);
  return counts;
};
test.each<[string, () => void, () => void, Record<string, number>]>([
  [
    "pixels a side",
    () => checkSide({ width: 2500, height: 2500 }),
    () => checkSide({ width: 2501, height: 7 }),
    { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 2501, requestedHeight: 7 },
  ],
  [
    "pixels a side, of which steps near 0 make infinitely many",
    () => checkSide({ width: 2500, height: 2500 }),
    () => checkSide({ width: Number.POSITIVE_INFINITY, height: 7 }),
    { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: Number.MAX_VALUE, requestedHeight: 7 },
  ],
  [
    "degrees of an area that is taken to another CRS",
    () => checkSpan(areaOf({ bbox: [170, -10, -170, 10] }), 10),
    () => checkSpan(areaOf({ bbox: [170, -10, -169, 10] }), 10),
    { maxOutputWidth: 2500, maxOutputHeight: 2500, requestedWidth: 233_772, requestedHeight: 222_640 },
  ],
  [
    "pixels of a polygon",
    () => checkPolygonPixels(6_250_000, 10),
    () => checkPolygonPixels(6_250_001, 10),
    { maxPixels: 6_250_000, requestedPixels: 6_250_001 },
  ],
  [
    "values of numbers",
    () => checkNumbers({ width: 1000, height: 1000, bands: 2, dates: 100 }),
    () => checkNumbers({ width: 1000, height: 1000, bands: 2, dates: 101 }),
    { maxValuesTimesDates: 200_000_000, requestedValuesTimesDates: 202_000_000 },
  ],
  [
    "values that a graph reads",
    () => counted([1e8, 1e8]).check(),
    () => counted([1e8, 1e8, 1]).check(),
    { maxValuesTimesDates: 200_000_000, requestedValuesTimesDates: 200_000_001 },
  ],
  [
    "values of a row",
    () => counted([1], 1 << 24).check(),
    () => counted([1], (1 << 24) + 1).check(),
    { maxValuesTimesDates: 200_000_000, requestedValuesTimesDates: 1 },
  ],
  [
    "time steps of areas",
    () => counted(new Array(20_000).fill(1)).check(),
    () => counted(new Array(20_001).fill(1)).check(),
    { maxReads: 20_000, requestedReads: 20_001 },
  ],
  [
    "pixels of regions",
    () => checkRegions(4, grid(2500, 2500)),
    () => checkRegions(17, grid(2500, 2500)),
    { maxRegionPixels: 100_000_000, requestedRegionPixels: 106_250_000 },
  ],
  [
    "values and bands of a raster",
    () => checkOutput(grid(100, 100), 1000),
    () => checkOutput(grid(100, 100), 1001),
    {
      maxOutputValues: 150_000_000,
      requestedOutputValues: 10_010_000,
      maxOutputBands: 1000,
      requestedOutputBands: 1001,
    },
  ],
])("%s: the most is taken, and more refused with both numbers", (_, most, more, limits) => {
  expect(refusalOf(most)).toBeUndefined();
  expect(refusalOf(more)).toMatchObject({ name: "Refusal", code: "output-too-large", path: [], limits });
});

test("the ground and the boundary of a polygon are refused where it stands", () => {
  // 5 km a side, and a little more: a degree of latitude is 110.58 km at the equator, of longitude 111.32 km
  const area = (side: number) => areaOfPolygon(ring(10, 0, side / 111.32, side / 110.58), ["where"]);
  expect(refusalOf(() => checkGroundArea(area(4.99)))).toBeUndefined();
  expect(refusalOf(() => checkGroundArea(area(5.01)))).toMatchObject({
    code: "area-too-large",
    path: ["where", "geometry"],
    limits: { maxAreaKm2: 25, requestedAreaKm2: expect.closeTo(25.1, 1) },
  });
  const node = ["what", "graph", "nodes", "load"];
  const long = areaOfPolygon(ring(10, 0, 1e-7, 23), node);
  expect(refusalOf(() => checkBoundary(long, 20))).toBeUndefined();
  expect(refusalOf(() => checkBoundary(long, 10))).toMatchObject({
    code: "output-too-large",
    path: node,
    limits: { maxBoundaryKm: 5000, requestedBoundaryKm: 5121 },
  });
});

test("a pixel as large as the area is none too large; a larger one is named with its unit", () => {
  const asked = (size: readonly [number, number]) =>
    pixelFault(
      {
        size,
        names: ["resx", "resy"],
        paths: [
          ["where", "frame", "resx"],
          ["where", "frame", "resy"],
        ],
      },
      [0, 0, 7, 3],
      UTM,
    );
  expect(asked([7, 3])).toBeUndefined();
  expect(asked([6, 4])).toMatchObject({
    code: "pixel-too-large",
    message:
      "resy: Expected at most 3 metres, the height of the area, got 4. In EPSG:32633 resx and resy are in metres.",
    faults: [{ path: ["where", "frame", "resy"], detail: "Expected at most 3 metres, the height of the area, got 4." }],
    limits: { maxPixelWidth: 7, maxPixelHeight: 3, requestedPixelWidth: 6, requestedPixelHeight: 4 },
  });
  expect(asked([8, 4])?.faults).toHaveLength(2);
});
