import { type Grid, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { footprintCells } from "../src/footprint.ts";
import { rasterizePolygon } from "../src/rasterize/rasterize.ts";

const SIDE = 40;
/** Pixels of a hundredth of a degree around 10° east, 50° north; as few as there are cells. */
const GRID: Grid = {
  crs: resolveCrs("EPSG:4326"),
  transform: [0.01, 0, 10, 0, -0.01, 50],
  width: SIDE,
  height: SIDE,
};
/** Degrees of a pixel position. */
const at = (column: number, row: number): [number, number] => [10 + column / 100, 50 - row / 100];
const reach = (...rings: [number, number][][]): Uint8Array => footprintCells(GRID).reach({ footprint: rings })!;
const square = (from: number, to: number): [number, number][] => [
  at(from, from),
  at(to, from),
  at(to, to),
  at(from, to),
];

test.each([
  ["around all cells", square(-2, SIDE + 2), 1],
  ["far around", square(-4000, 3000), 1],
  ["to the left", [at(-9, -9), at(-2, -9), at(-2, 60), at(-9, 60)], 0],
  ["below", [at(-9, SIDE + 2), at(60, SIDE + 2), at(60, SIDE + 9)], 0],
  ["past a corner, whose edges' boxes lie over it", [at(60, -90), at(SIDE + 60, 10), at(90, -90)], 0],
] as const)("a footprint %s", (_, ring, expected) => {
  expect(new Set(reach([...ring]))).toEqual(new Set([expected]));
});

test("a footprint whose edges pass around the cells, but not around them as a whole", () => {
  // a U: the cells are in its opening
  const ring = [at(-60, -60), at(-50, -60), at(-50, 50), at(50, 50), at(50, -60), at(60, -60), at(60, 60), at(-60, 60)];
  expect(new Set(reach(ring))).toEqual(new Set([0]));
  expect(new Set(reach(ring, square(-3, 50)))).toEqual(new Set([1]));
});

test("every pixel inside a footprint is in a cell that it reaches", () => {
  const coordinate = fc.oneof(fc.double({ min: -60, max: 100, noNaN: true }), fc.integer({ min: -3, max: SIDE + 3 }));
  const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(ring, (points) => {
      const coordinates = points.map(([column, row]) => at(column, row));
      const pixels = rasterizePolygon({ type: "Polygon", coordinates: [coordinates] }, GRID);
      const reached = footprintCells(GRID).reach({ footprint: [coordinates] });
      // a ring without three points tells nothing
      if (reached === undefined) return;
      for (let i = 0; i < pixels.length; i++) if (pixels[i] === 1) expect(reached[i]).toBe(1);
    }),
  );
});

test("boxes in degrees hold the pixels of a Mercator tile that are in them, however large or distant they are", () => {
  const grid: Grid = { ...GRID, crs: resolveCrs("EPSG:3857"), transform: [1000, 0, 1_100_000, 0, -1000, 6_450_000] };
  const toDegrees = transformer(grid.crs, resolveCrs("EPSG:4326"));
  const pixels = Array.from({ length: SIDE * SIDE }, (_, i) =>
    toDegrees(1_100_500 + 1000 * (i % SIDE), 6_449_500 - 1000 * Math.floor(i / SIDE)),
  );
  // the tile is at 9.88° to 10.24° east and 49.79° to 50.02° north
  const side = fc.oneof(fc.integer({ min: -300, max: 300 }), fc.integer({ min: -3, max: 3 }));
  fc.assert(
    fc.property(side, side, side, side, (a, b, c, d) => {
      const [west, east] = [10.06 + Math.min(a, b) / 10.3, 10.06 + Math.max(a, b) / 10.3];
      const [south, north] = [49.91 + Math.min(c, d) / 10.3, 49.91 + Math.max(c, d) / 10.3];
      if (east - west >= 40 || west === east || south === north) return;
      const ring: [number, number][] = [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
      ];
      const drawn = rasterizePolygon({ type: "Polygon", coordinates: [ring] }, grid, resolveCrs("EPSG:4326"));
      const reached = footprintCells(grid).reach({ footprint: [ring] })!;
      pixels.forEach(([x, y], i) => {
        const isInside = x > west && x < east && y > south && y < north;
        expect(drawn[i]).toBe(isInside ? 1 : 0);
        if (isInside) expect(reached[i]).toBe(1);
      });
    }),
  );
});
