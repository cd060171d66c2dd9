import { type Grid, resolveCrs } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { footprintCells } from "../src/footprint.ts";
import { rasterizePolygon } from "../src/rasterize.ts";

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
  // a U: the cells lie in its opening
  const ring = [at(-60, -60), at(-50, -60), at(-50, 50), at(50, 50), at(50, -60), at(60, -60), at(60, 60), at(-60, 60)];
  expect(new Set(reach(ring))).toEqual(new Set([0]));
  expect(new Set(reach(ring, square(-3, 50)))).toEqual(new Set([1]));
});

test("every pixel inside a footprint lies in a cell that it reaches", () => {
  const coordinate = fc.oneof(fc.double({ min: -60, max: 100, noNaN: true }), fc.integer({ min: -3, max: SIDE + 3 }));
  const ring = fc.array(fc.tuple(coordinate, coordinate), { minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(ring, (points) => {
      const coordinates = points.map(([column, row]) => at(column, row));
      const pixels = rasterizePolygon({ type: "Polygon", coordinates: [coordinates] }, GRID);
      const reached = footprintCells(GRID).reach({ footprint: [coordinates] });
      // what is no ring says nothing
      if (reached === undefined) return;
      for (let i = 0; i < pixels.length; i++) if (pixels[i] === 1) expect(reached[i]).toBe(1);
    }),
  );
});
