import { gridBounds, resolveCrs } from "@swath/raster";
import fc from "fast-check";
import { expect, test } from "vitest";
import { alignedGrid, cornerGrid, coveringPixels } from "../../src/where/alignment.ts";

const UTM = resolveCrs("EPSG:32633");
const box = fc
  .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.integer({ min: 0, max: 9e6 }), fc.nat(5000), fc.nat(5000))
  .map(([x, y, width, height]) => [x, y, x + width + 1, y + height + 1] as const);
const resolution = fc.constantFrom(10, 15, 20, 30, 60);

test("an aligned grid covers its box by whole pixels of the files and has none to spare", () => {
  fc.assert(
    fc.property(box, resolution, fc.nat(59), fc.nat(59), (bounds, size, x, y) => {
      const corner = { crs: UTM, x, y, resolution: [size, size] as const };
      const elsewhere = { ...corner, crs: resolveCrs("EPSG:32632"), x: x + 1 };
      const grid = alignedGrid(UTM, bounds, [size, size], [elsewhere, corner]);
      const around = gridBounds(grid);
      for (const [i, edge] of around.entries()) expect(Math.abs((edge - (i % 2 === 0 ? x : y)) % size)).toBe(0);
      const beyond = [bounds[0] - around[0], bounds[1] - around[1], around[2] - bounds[2], around[3] - bounds[3]];
      for (const each of beyond) expect(each >= 0 && each < size).toBe(true);
    }),
  );
});

test("corners of another resolution align a grid only where that is asked for", () => {
  const corner = { crs: UTM, x: 3, y: 7, resolution: [10, 10] as const };
  expect(alignedGrid(UTM, [0, 0, 20, 20], [20, 20], [corner]).transform).toEqual([20, 0, 0, 0, -20, 20]);
  expect(alignedGrid(UTM, [0, 0, 20, 20], [20, 20], [corner], true).transform).toEqual([20, 0, -17, 0, -20, 27]);
});

test("a grid from a corner has pixels of exactly the size, and that corner of the box", () => {
  fc.assert(
    fc.property(box, resolution, (bounds, size) => {
      const [minX, minY, maxX, maxY] = bounds;
      const of = (corner: Parameters<typeof cornerGrid>[3]) =>
        gridBounds(cornerGrid(UTM, bounds, [size, size], corner, coveringPixels));
      expect(of("upper-left").filter((_, i) => i === 0 || i === 3)).toEqual([minX, maxY]);
      expect(of("lower-right").filter((_, i) => i === 1 || i === 2)).toEqual([minY, maxX]);
      expect([of("upper-right")[2], of("lower-left")[1]]).toEqual([maxX, minY]);
      const [left, bottom, right, top] = of("lower-left");
      expect([(right - left) % size, (top - bottom) % size]).toEqual([0, 0]);
      expect(right >= maxX && right - size < maxX && top >= maxY && top - size < maxY).toBe(true);
    }),
  );
});

test("a side of a millionth of a pixel more has no further pixel, and every side has one", () => {
  expect([0, 0.4, 3, 3 + 1e-7, 3 + 1e-5].map(coveringPixels)).toEqual([1, 1, 3, 3, 4]);
});
