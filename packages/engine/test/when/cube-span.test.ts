import {
  applyAffine,
  type Grid,
  gridFromBounds,
  invertAffine,
  resolveCrs,
  transformer,
  windowGrid,
} from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sourceSpan } from "../../src/when/cube-span.ts";
import { refusalOf } from "../where/refusal-of.ts";

const PATH = ["what", "graph", "nodes", "resample"];
const METHODS = [
  "near",
  "bilinear",
  "cubic",
  "average",
  "sum",
  "mode",
  "min",
  "max",
  "q1",
  "med",
  "q3",
  "rms",
] as const;
const UTM = resolveCrs("EPSG:32633");
/** 100 km of pixels of 10 m. */
const SOURCE: Grid = { crs: UTM, transform: [10, 0, 200_000, 0, -10, 5_050_000], width: 10_000, height: 10_000 };
const target = (left: number, top: number, pixel: number, width: number, height: number): Grid => ({
  crs: UTM,
  transform: [pixel, 0, left, 0, -pixel, top],
  width,
  height,
});

test.each([
  // 40 × 30 pixels of 20 m are 80 × 60 of 10 m, with one more on each side for an edge between two
  ["average", { x: 999, y: 1999, width: 82, height: 62 }],
  ["near", { x: 999, y: 1999, width: 82, height: 62 }],
  // cubic takes 2 target pixels around a centre, 4 with what is to spare: 8 pixels of 10 m on each side
  ["cubic", { x: 992, y: 1992, width: 96, height: 76 }],
  ["bilinear", { x: 992, y: 1992, width: 96, height: 76 }],
] as const)("of pixels half as large, %s takes those within reach", (method, window) => {
  const { rowPixels, ...span } = sourceSpan(SOURCE, target(210_000, 5_030_000, 20, 40, 30), method, PATH);
  expect(span).toEqual(window);
  // one row of 20 m touches two of 10 m
  const around = method === "average" || method === "near" ? 2 : 16;
  expect(rowPixels).toBe(window.width * (2 + around));
});

/*
 * pyproj 3.4.1: the outline of x 700,000 to 701,000, y 5,000,000 to 5,000,800 in EPSG:32632, with 2,001 points a side, is in
 * EPSG:32633 at x 228,139.581 to 229,196.606, y 5,002,594.667 to 5,003,467.004.
 */
test("of a target in the next zone it takes the box that PROJ says, and a pixel around it", () => {
  const crs = resolveCrs("EPSG:32632");
  const other: Grid = { crs, transform: [100, 0, 700_000, 0, -100, 5_000_800], width: 10, height: 8 };
  const { x, y, width, height } = sourceSpan(SOURCE, other, "near", PATH);
  expect({ x, y, right: x + width, bottom: y + height }).toEqual({
    x: Math.floor((228_139.581 - 200_000) / 10 - 1),
    y: Math.floor((5_050_000 - 5_003_467.004) / 10 - 1),
    right: Math.ceil((229_196.606 - 200_000) / 10 + 1),
    bottom: Math.ceil((5_050_000 - 5_002_594.667) / 10 + 1),
  });
});

describe("whatever the target is", () => {
  const targets = fc.record({
    crs: fc.constantFrom("EPSG:32633", "EPSG:32632", "EPSG:3857", "EPSG:4326"),
    lon: fc.double({ min: 11.4, max: 12.2, noNaN: true }),
    lat: fc.double({ min: 44.8, max: 45.4, noNaN: true }),
    metres: fc.constantFrom(5, 10, 30, 250),
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 60 }),
  });
  const gridOf = ({
    crs: name,
    lon,
    lat,
    metres,
    width,
    height,
  }: typeof targets extends fc.Arbitrary<infer T> ? T : never) => {
    const crs = resolveCrs(name);
    const [x, y] = transformer(resolveCrs("EPSG:4326"), crs)(lon, lat);
    const pixel = crs.geographic ? metres / 111_320 : metres;
    return gridFromBounds(crs, [x, y, x + width * pixel, y + height * pixel], width, height);
  };

  test("the span holds each pixel of the source in which a centre of the target lies, and stays on the source", () => {
    fc.assert(
      fc.property(targets, fc.constantFrom(...METHODS), fc.nat(), fc.nat(), (asked, method, column, row) => {
        const grid = gridOf(asked);
        const { x, y, width, height } = sourceSpan(SOURCE, grid, method, PATH);
        expect(x >= 0 && y >= 0 && x + width <= SOURCE.width && y + height <= SOURCE.height).toBe(true);
        expect(width > 0 && height > 0).toBe(true);
        const centre = applyAffine(grid.transform, (column % grid.width) + 0.5, (row % grid.height) + 0.5);
        const place = transformer(grid.crs, UTM)(...centre);
        const [sourceX, sourceY] = applyAffine(invertAffine(SOURCE.transform), ...place);
        const isOnSource = sourceX >= 0 && sourceX < SOURCE.width && sourceY >= 0 && sourceY < SOURCE.height;
        if (isOnSource) {
          expect(sourceX >= x && sourceX <= x + width && sourceY >= y && sourceY <= y + height).toBe(true);
        }
      }),
    );
  });

  test("a window of the target takes a part of its span", () => {
    fc.assert(
      fc.property(targets, fc.constantFrom("near", "average", "max"), (asked, method) => {
        const grid = gridOf({ ...asked, width: asked.width + 1, height: asked.height + 1 });
        const whole = sourceSpan(SOURCE, grid, method, PATH);
        const part = windowGrid(grid, { x: 1, y: 1, width: grid.width - 1, height: grid.height - 1 });
        const own = sourceSpan(SOURCE, part, method, PATH);
        // one pixel of tolerance: the bow of a shorter edge is smaller
        expect(own.x >= whole.x - 1 && own.x + own.width <= whole.x + whole.width + 1).toBe(true);
        expect(own.rowPixels).toBeLessThanOrEqual(whole.width * (whole.height + 2));
      }),
    );
  });
});

test("a target beside the source takes one pixel, which stands for nothing", () => {
  const beside = target(900_000, 5_000_000, 10, 5, 5);
  expect(sourceSpan(SOURCE, beside, "near", PATH)).toEqual({ x: 0, y: 0, width: 1, height: 1, rowPixels: 1 });
});

test("a target that the source's zone does not hold is refused at its node", () => {
  const world = gridFromBounds(resolveCrs("EPSG:4326"), [-170, -60, 170, 60], 34, 12);
  expect(refusalOf(() => sourceSpan(SOURCE, world, "near", PATH))).toMatchObject({ code: "output-too-large" });
});
