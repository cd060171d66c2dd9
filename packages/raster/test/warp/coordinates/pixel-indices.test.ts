import fc from "fast-check";
import { expect, test } from "vitest";
import { ownedContext } from "../../../src/context.ts";
import { type Grid, resolveCrs } from "../../../src/index.ts";
import { innerPatches } from "../../../src/warp/coordinates/patch.ts";
import { findPixelIndices, type PixelIndices } from "../../../src/warp/coordinates/pixel-indices.ts";
import { EDGE, overlapRegion, pixelMap } from "../../../src/warp/coordinates/pixel-map.ts";
import { whereForbidden } from "../../where-forbidden.ts";
import { onWholeTarget } from "../../whole-target.ts";

/** A scene of Sentinel-2 in zone 33, and a grid of Web Mercator somewhere in it or across its edge. */
const SCENE: Grid = {
  crs: resolveCrs("EPSG:32633"),
  transform: [10, 0, 399_960, 0, -10, 5_700_000],
  width: 10_980,
  height: 10_980,
};
const target = (west: number, north: number, pixel: number, width: number, height: number): Grid => ({
  crs: resolveCrs("EPSG:3857"),
  transform: [pixel, 0, west, 0, -pixel, north],
  width,
  height,
});
const targets = fc
  .record({
    west: fc.double({ min: 1_500_000, max: 1_680_000, noNaN: true }),
    north: fc.double({ min: 6_440_000, max: 6_720_000, noNaN: true }),
    pixel: fc.double({ min: 5, max: 200, noNaN: true }),
    width: fc.integer({ min: 1, max: 300 }),
    height: fc.integer({ min: 1, max: 300 }),
  })
  .map(({ west, north, pixel, width, height }) => target(west, north, pixel, width, height));

function expectExact(grid: Grid, found: PixelIndices): void {
  const map = pixelMap(SCENE, grid);
  let places = 0;
  let furthest = 0;
  for (let k = 0; k < grid.width * grid.height; k++) {
    const point = { x: (k % grid.width) + 0.5, y: Math.floor(k / grid.width) + 0.5 };
    map(point);
    const [column, row] = [Math.floor(point.x + EDGE), Math.floor(point.y + EDGE)];
    const isInside = column >= 0 && column < SCENE.width && row >= 0 && row < SCENE.height;
    if (found.cols[k] !== (isInside ? column : -1) || (isInside && found.rows[k] !== row)) places += 1;
    if (!isInside || found.dx === undefined || found.dy === undefined) continue;
    const [dx, dy] = [point.x - column - 0.5, point.y - row - 0.5];
    furthest = Math.max(furthest, Math.abs(found.dx[k]! - dx), Math.abs(found.dy[k]! - dy));
  }
  expect(places).toBe(0);
  expect(furthest).toBeLessThan(1e-3);
}

test("every pixel has proj4's source pixel, and its distance from that centre to a thousandth", () => {
  fc.assert(
    fc.property(targets, fc.boolean(), fc.boolean(), (grid, offsets, whole) => {
      const inner = whole ? innerPatches(ownedContext(undefined).kernels!, SCENE, grid) : undefined;
      const region =
        inner === undefined ? overlapRegion(SCENE, grid) : { x: 0, y: 0, width: grid.width, height: grid.height };
      const found = findPixelIndices(ownedContext(undefined), SCENE, grid, region, offsets, inner);
      expectExact(grid, onWholeTarget(found, region, grid));
    }),
    { numRuns: 60 },
  );
});

test("where WebAssembly is forbidden too", async () => {
  await whereForbidden(async () => {
    const { findPixelIndices: findHere } = await import("../../../src/warp/coordinates/pixel-indices.ts");
    const { ownedContext: contextHere } = await import("../../../src/context.ts");
    for (const [width, height] of [
      [256, 256],
      [301, 77],
    ] as const) {
      const grid = target(1_560_000, 6_620_000, 20, width, height);
      const region = { x: 0, y: 0, width, height };
      const [plain, ours] = [
        findHere(contextHere(undefined), SCENE, grid, region, true, undefined),
        findPixelIndices(ownedContext(undefined), SCENE, grid, region, true, undefined),
      ];
      expectExact(grid, plain);
      expect([plain.cols, plain.rows]).toEqual([ours.cols, ours.rows]);
      expect([plain.minCol, plain.maxCol, plain.minRow, plain.maxRow]).toEqual([
        ours.minCol,
        ours.maxCol,
        ours.minRow,
        ours.maxRow,
      ]);
    }
  });
});
