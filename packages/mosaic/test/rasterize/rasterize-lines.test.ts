import { type Grid, invertAffine, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rasterizeLines, rasterizePoints } from "../../src/index.ts";

const DEGREES = resolveCrs("EPSG:4326");
const UTM: Grid = {
  crs: resolveCrs("EPSG:32633"),
  transform: [20, 0, 380_600, 0, -20, 5_043_000],
  width: 40,
  height: 30,
};

/** The pixels as lines of text. */
const drawn = (inside: Uint8Array, width: number): string[] =>
  Array.from({ length: inside.length / width }, (_, row) =>
    [...inside.subarray(row * width, (row + 1) * width)].map((pixel) => (pixel === 1 ? "#" : ".")).join(""),
  );
const square = (size: number): Grid => ({
  crs: resolveCrs("EPSG:32633"),
  transform: [1, 0, 0, 0, -1, size],
  width: size,
  height: size,
});

test.each([
  {
    name: "a level line",
    line: [
      [0.5, 2.5],
      [3.5, 2.5],
    ],
    expected: ["....", "####", "....", "...."],
  },
  {
    name: "a steep one",
    line: [
      [1.2, 3.9],
      [1.8, 0.1],
    ],
    expected: [".#..", ".#..", ".#..", ".#.."],
  },
  {
    name: "a slanted one",
    line: [
      [0.5, 3.5],
      [2.5, 2.6],
    ],
    expected: ["##..", ".##.", "....", "...."],
  },
  {
    name: "one that bends",
    line: [
      [0.5, 3.5],
      [0.5, 1.5],
      [2.5, 1.5],
    ],
    expected: ["#...", "#...", "###.", "...."],
  },
  {
    name: "one that begins and ends outside",
    line: [
      [-5, 1.5],
      [9, 1.5],
    ],
    expected: ["....", "....", "####", "...."],
  },
  {
    name: "one that misses the grid",
    line: [
      [-5, -1],
      [9, -1],
    ],
    expected: ["....", "....", "....", "...."],
  },
  {
    name: "one within a pixel",
    line: [
      [2.2, 0.3],
      [2.4, 0.6],
    ],
    expected: ["....", "....", "....", "..#."],
  },
  {
    name: "one along an edge",
    line: [
      [0, 2],
      [4, 2],
    ],
    expected: ["....", "....", "####", "...."],
  },
])("$name passes through its pixels", ({ line, expected }) => {
  expect(drawn(rasterizeLines([line], square(4)), 4)).toEqual(expected);
});

test("points are in one pixel each, those outside in none", () => {
  const points = [
    [0.5, 3.5],
    [3.9, 0.1],
    [2, 2],
    [-1, 1],
    [4, 1],
  ];
  expect(drawn(rasterizePoints(points, square(4)), 4)).toEqual(["#...", "....", "..#.", "...#"]);
});

const degree = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const line = fc.array(fc.tuple(degree(13.46, 13.49), degree(45.52, 45.535)), { minLength: 2, maxLength: 4 });

describe("lines in degrees", () => {
  test("pass through the pixels that their points are in", { tags: ["OE21"] }, () => {
    const project = transformer(DEGREES, UTM.crs);
    const [a, b, c, d, e, f] = invertAffine(UTM.transform);
    fc.assert(
      fc.property(line, (positions) => {
        const inside = rasterizeLines([positions], UTM, DEGREES);
        const expected = new Set<number>();
        // how far a point may be from an edge for another pixel to be marked by what rounding makes of it
        const near = new Set<number>();
        for (let i = 1; i < positions.length; i++) {
          const [[x0, y0], [x1, y1]] = [positions[i - 1]!, positions[i]!];
          for (let k = 0; k <= 4000; k++) {
            const [x, y] = project(x0 + ((x1 - x0) * k) / 4000, y0 + ((y1 - y0) * k) / 4000);
            const [column, row] = [a * x + b * y + c, d * x + e * y + f];
            for (const u of [-0.02, 0, 0.02]) {
              for (const v of [-0.02, 0, 0.02]) {
                const [i0, k0] = [Math.floor(column + u), Math.floor(row + v)];
                if (i0 < 0 || i0 >= UTM.width || k0 < 0 || k0 >= UTM.height) continue;
                near.add(k0 * UTM.width + i0);
                const isFar = [-0.02, 0.02].every((w) => Math.floor(column + w) === i0 && Math.floor(row + w) === k0);
                if (u === 0 && v === 0 && isFar) expected.add(k0 * UTM.width + i0);
              }
            }
          }
        }
        const marked = [...inside.keys()].filter((pixel) => inside[pixel] === 1);
        expect([...expected].filter((pixel) => !marked.includes(pixel))).toEqual([]);
        expect(marked.filter((pixel) => !near.has(pixel))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  test("pass the antimeridian", () => {
    const grid: Grid = { crs: DEGREES, transform: [1, 0, 178, 0, -1, 2], width: 4, height: 3 };
    const across = [
      [178.5, 0.5],
      [-178.5, 0.5],
    ];
    expect(drawn(rasterizeLines([across], grid, DEGREES), 4)).toEqual(["....", "####", "...."]);
    expect(drawn(rasterizePoints(across, grid, DEGREES), 4)).toEqual(["....", "#..#", "...."]);
  });
});
