import { readFileSync } from "node:fs";
import { type Affine, type Bounds, gridFromBounds, resolveCrs } from "@swath/raster";
import { expect, test } from "vitest";
import { displayLevel, gdalLevel, gdalRatio } from "../src/window/level.ts";

interface Case {
  readonly source: {
    epsg: number;
    size: [number, number];
    transform: [number, number, number, number, number, number];
  };
  readonly levels: [number, number][];
  readonly target: { epsg: number; bounds: Bounds; size: [number, number] };
  readonly level: number;
}
const cases: Case[] = JSON.parse(readFileSync(new URL("./fixtures/gdal-levels.json", import.meta.url), "utf8")).cases;

test("the gdal rule takes the overview that gdalwarp -ovr AUTO takes, in every recorded case", () => {
  const wrong: unknown[] = [];
  for (const { source, levels, target, level } of cases) {
    const [c, a, b, f, d, e] = source.transform;
    const transform: Affine = [a, b, c, d, e, f];
    const [width, height] = source.size;
    const grid = { crs: resolveCrs(`EPSG:${source.epsg}`), transform, width, height };
    const wanted = gridFromBounds(resolveCrs(`EPSG:${target.epsg}`), target.bounds, ...target.size);
    const ratio = gdalRatio(grid, wanted);
    const chosen = gdalLevel(
      levels.map(([each]) => width / each),
      ratio,
    );
    if (chosen !== level) wrong.push({ from: source.epsg, to: target.epsg, ratio, chosen, level });
  }
  expect(wrong).toEqual([]);
  expect(new Set(cases.map(({ level }) => level)).size).toBe(4);
});

test.each([
  { step: 0.5, level: 0 },
  { step: 1.9, level: 0 },
  { step: 2, level: 1 },
  { step: 3.9, level: 1 },
  { step: 4.2, level: 2 },
  { step: 50, level: 2 },
])("the display rule takes level $level for $step pixels a target pixel", ({ step, level }) => {
  expect(displayLevel([1, 2, 4.017], step)).toBe(level);
});

// gdalwarp -te WEST SOUTH EAST NORTH -ts COLUMNS ROWS of GDAL 3.6.2 on a global file of 3600 x 1800 pixels with levels of a
// half, a quarter and an eighth, each of one value: which value comes out
test.each([
  { west: 177.182865, east: 182.682865, columns: 25, level: 3 },
  { west: 170.78496, east: 189.384964, columns: 31, level: 3 },
  { west: 171.69, east: 180.94, columns: 25, level: 3 },
  { west: 162.5, east: 180, columns: 70, level: 1 },
  { west: -180, east: -162.5, columns: 70, level: 1 },
  { west: -184, east: -175, columns: 41, level: 3 },
  { west: 100, east: 117.5, columns: 70, level: 1 },
])(
  "a target from $west to $east degrees is read from level $level of a global file",
  ({ west, east, columns, level }) => {
    const crs = resolveCrs("EPSG:4326");
    const rows = 40;
    const height = (rows * (east - west)) / columns;
    const source = gridFromBounds(crs, [-180, -90, 180, 90], 3600, 1800);
    const target = gridFromBounds(crs, [west, 10, east, 10 + height], columns, rows);
    expect(gdalLevel([1, 2, 4, 8], gdalRatio(source, target))).toBe(level);
  },
);
