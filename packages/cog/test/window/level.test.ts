import { readFileSync } from "node:fs";
import { type Affine, type Bounds, type Grid, gridFromBounds, loadCrs, resolveCrs } from "@swath/raster";
import { longestStep } from "@swath/raster/warp";
import { beforeAll, describe, expect, test } from "vitest";
import { memorySource, openCog, readGrid } from "../../src/index.ts";
import { displayLevel, gdalLevel, gdalRatio, levelFor } from "../../src/window/level.ts";
import { local } from "../fixtures.ts";

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
const recorded = (name: string) => JSON.parse(readFileSync(new URL(`../fixtures/${name}`, import.meta.url), "utf8"));
const cases: Case[] = recorded("gdal-levels.json").cases;

function gridsOf({ source, target }: Pick<Case, "source" | "target">): { source: Grid; target: Grid } {
  const [c, a, b, f, d, e] = source.transform;
  const transform: Affine = [a, b, c, d, e, f];
  const [width, height] = source.size;
  return {
    source: { crs: resolveCrs(`EPSG:${source.epsg}`), transform, width, height },
    target: gridFromBounds(resolveCrs(`EPSG:${target.epsg}`), target.bounds, ...target.size),
  };
}

test("the gdal rule takes the overview that gdalwarp -ovr AUTO takes, in every recorded case", () => {
  const wrong: unknown[] = [];
  for (const each of cases) {
    const { source, target } = gridsOf(each);
    const ratio = gdalRatio(source, target);
    const chosen = gdalLevel(
      each.levels.map(([width]) => source.width / width),
      ratio,
    );
    if (chosen !== each.level)
      wrong.push({ from: each.source.epsg, to: each.target.epsg, ratio, chosen, level: each.level });
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

describe("near 180 degrees and near the poles", () => {
  interface EdgeCase extends Pick<Case, "source" | "target" | "level"> {
    /** The most source pixels along a side of a target pixel, by PROJ. */
    readonly longest: number;
  }
  const { cases: edges, factors } = recorded("gdal-edge-levels.json") as {
    cases: EdgeCase[];
    factors: readonly number[];
  };
  const ratios = [1, ...factors];

  beforeAll(async () => {
    for (const code of [3031, 3413, 32601, 32660, 32760]) await loadCrs(`EPSG:${code}`);
  });

  test("the outline spans what it spans for gdalwarp, in every recorded case", () => {
    const wrong = edges.filter((each) => {
      const { source, target } = gridsOf(each);
      return gdalLevel(ratios, gdalRatio(source, target)) !== each.level;
    });
    expect(wrong).toEqual([]);
    expect(edges.length).toBeGreaterThan(500);
  });

  test("a target is as fine as a file where PROJ says that no side of its pixels is longer", { tags: ["X43"] }, () => {
    // near 1 rounding decides
    const clear = edges.filter(({ longest }) => longest > 0 && Math.abs(longest - 1.01) > 0.02);
    const wrong = clear.filter((each) => {
      const { source, target } = gridsOf(each);
      return longestStep(source, target) <= 1.01 !== each.longest <= 1;
    });
    expect(wrong).toEqual([]);
    // gdalwarp takes overviews for some of these
    expect(clear.filter(({ longest, level }) => longest <= 1 && level > 0).length).toBeGreaterThan(30);
  });

  // rows of 30 pixels around the edge of a file of half a degree
  test.each([
    { what: "as fine", step: 0.5, level: 0 },
    { what: "finer", step: 0.2, level: 0 },
    { what: "a tenth coarser, as gdalwarp takes it,", step: 0.55, level: 3 },
  ])("a grid that is $what is read from level $level of a global file", { tags: ["X43"] }, async ({ step, level }) => {
    const cog = await openCog(memorySource(local("global-levels.tif")));
    for (const middle of [180, -180, 181, -177]) {
      const bounds = [middle - 15 * step, 10, middle + 15 * step, 10 + 20 * step] as const;
      const target = gridFromBounds(resolveCrs("EPSG:4326"), bounds, 30, 20);
      expect(levelFor(cog, target, "gdal")).toBe(level);
      const raster = await readGrid(cog, target, { level: "gdal" });
      expect(new Set(raster?.bands[0])).toEqual(new Set([level + 1]));
    }
  });
});
