import { type Grid, gridFromBounds, planWarp, resolveCrs, sourceWindow, windowGrid } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockCache, openCog, readGrid, readWindow } from "../src/index.ts";
import { findLastRow } from "../src/window/last-row.ts";
import { local, RecordingSource } from "./fixtures.ts";

const UTM = resolveCrs("EPSG:32633");
const SCENE = gridFromBounds(UTM, [400_000, 4_990_200, 509_800, 5_100_000], 1098, 1098);

test("an output needs no source row beyond its last one", () => {
  const areas = fc
    .record({
      crs: fc.constantFrom("EPSG:32633", "EPSG:3857", "EPSG:4326", "EPSG:3035"),
      x: fc.nat(1000),
      y: fc.nat(1000),
      size: fc.integer({ min: 20, max: 900 }),
    })
    .map(({ crs: name, x, y, size }): Grid => {
      const crs = resolveCrs(name);
      const pixel = crs === UTM ? 100 : undefined;
      const corner = planCorner(crs, x, y);
      const step = pixel ?? (name === "EPSG:4326" ? 0.001 : 130);
      return { crs, transform: [step, 0, corner[0], 0, -step, corner[1]], width: size, height: size };
    });
  fc.assert(
    fc.property(areas, fc.nat(), fc.nat(), (area, right, down) => {
      const part = { x: right % area.width, y: down % area.height, width: 1, height: 1 };
      part.width = Math.min(200, area.width - part.x);
      part.height = Math.min(200, area.height - part.y);
      const window = sourceWindow(planWarp(SCENE, windowGrid(area, part)), "nearest");
      if (window === undefined) return;
      expect(window.y + window.height).toBeLessThanOrEqual(Math.max(findLastRow(SCENE, area), 0));
    }),
    { numRuns: 300 },
  );
});

/** Coordinates of a pixel of the scene, on a CRS. */
function planCorner(crs: Grid["crs"], x: number, y: number): readonly [number, number] {
  const there = gridFromBounds(crs, boundsOf(crs), 1, 1);
  return [there.transform[2] + (x / 1098) * there.transform[0], there.transform[5] + (y / 1098) * there.transform[4]];
}

function boundsOf({ name }: Grid["crs"]): readonly [number, number, number, number] {
  if (name === "EPSG:3857") return [1_510_000, 5_630_000, 1_680_000, 5_790_000];
  if (name === "EPSG:4326") return [13.7, 45.06, 15.1, 46.05];
  if (name === "EPSG:3035") return [4_615_000, 2_440_000, 4_730_000, 2_560_000];
  return [400_000, 4_990_200, 509_800, 5_100_000];
}

test("blocks are decoded down to the last row of the output, for whatever part is read first", async () => {
  const source = new RecordingSource(local("deflate-uint16.tif"));
  const cog = await openCog(source, { prefetch: 512 });
  const { width } = cog.levels[0]!;
  const whole = await readWindow(cog, 0, { x: 0, y: 0, width, height: 5 });
  const cache = new BlockCache({ maxBytes: 10e6 });
  await readWindow(cog, 0, { x: 0, y: 0, width, height: 2 }, { cache, decodeAhead: 5 });
  const reads = source.reads.length;
  const rest = await readWindow(cog, 0, { x: 0, y: 0, width, height: 5 }, { cache });
  expect(rest.bands).toEqual(whole.bands);
  expect(source.reads.length).toBe(reads);
  // nothing is kept to go on from
  const further = await readWindow(cog, 0, { x: 0, y: 0, width, height: 14 }, { cache });
  expect(source.reads.length).toBeGreaterThan(reads);
  expect(further.bands).toEqual((await readWindow(cog, 0, { x: 0, y: 0, width, height: 14 })).bands);
});

test("parts of an output equal the same grids read alone, also where the output has no outline in the file's CRS", async () => {
  const cog = await openCog(new RecordingSource(local("deflate-uint16.tif")));
  const { grid } = cog;
  const cache = new BlockCache({ maxBytes: 10e6 });
  const world = gridFromBounds(resolveCrs("EPSG:4326"), [-180, -90, 180, 90], 3600, 1800);
  for (const output of [grid, world]) {
    for (const y of [0, 20, 40]) {
      const part = windowGrid(grid, { x: 3, y, width: 30, height: 15 });
      const alone = await readGrid(cog, part);
      expect((await readGrid(cog, part, { cache, output }))?.bands).toEqual(alone?.bands);
    }
  }
});
