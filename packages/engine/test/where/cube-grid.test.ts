import type { PlannedGrid } from "@swath/openeo";
import { type Grid, resolveCrs, transformer } from "@swath/raster";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cubeGrid } from "../../src/where/cube-grid.ts";

const gridOf = (extents: PlannedGrid["extents"], more: Partial<PlannedGrid> = {}): Grid =>
  cubeGrid(
    { extents, resolutionLoads: new Set(), loads: new Set(), native: 20, ...more },
    [],
    ["what", "graph", "nodes", "save"],
  );
const edgesOf = ({ transform: [a, , x, , e, y], width, height }: Grid): readonly number[] => [
  x,
  y + e * height,
  x + a * width,
  y,
];
const utm = (...bbox: [number, number, number, number]) => ({ bbox, crs: "EPSG:32633" });

test.each([
  {
    name: "on the pixels",
    box: utm(380_600, 5_042_400, 380_700, 5_042_460),
    edges: [380_600, 5_042_400, 380_700, 5_042_460],
  },
  // centres are at 10 m of each pixel: 380,610 is the first in the box, 380,690 the last
  {
    name: "5 m off",
    box: utm(380_605, 5_042_405, 380_705, 5_042_465),
    edges: [380_600, 5_042_400, 380_700, 5_042_460],
  },
  {
    name: "half a pixel off",
    box: utm(380_610, 5_042_410, 380_710, 5_042_470),
    edges: [380_600, 5_042_400, 380_720, 5_042_480],
  },
  {
    name: "15 m off",
    box: utm(380_615, 5_042_415, 380_715, 5_042_475),
    edges: [380_620, 5_042_420, 380_720, 5_042_480],
  },
])("a box $name has the pixels whose centres are in it, edges included", { tags: ["OE19"] }, ({ box, edges }) => {
  expect(edgesOf(gridOf([box]))).toEqual(edges);
});

test("extents in each other have the pixels of all", () => {
  const outer = utm(380_600, 5_042_400, 380_700, 5_042_460);
  const polygon = {
    type: "Polygon" as const,
    coordinates: [
      [
        [13.47, 45.52],
        [13.49, 45.52],
        [13.49, 45.54],
        [13.47, 45.54],
        [13.47, 45.52],
      ],
    ],
  };
  expect(edgesOf(gridOf([outer, { geometry: polygon, crs: "EPSG:4326" }]))).toEqual(edgesOf(gridOf([outer])));
});

test("an extent between the centres of pixels has none, and that is said", () => {
  expect(() => gridOf([utm(380_611, 5_042_411, 380_619, 5_042_419)])).toThrow(
    "the centre of no pixel of 20 × 20 metres",
  );
});

test("pixels larger than the extent are refused with their unit", () => {
  const extent = utm(380_600, 5_042_400, 381_400, 5_043_000);
  const asked = { align: "upper-left" as const, resolution: [10, 10] as const, crs: "EPSG:4326", extent };
  expect(() => gridOf([extent], { asked })).toThrow(
    /at most [\d.]+ degrees, the width of the area, got 10\..* EPSG:4326/,
  );
});

/** Columns, or rows, of a grid in which a centre is in a box of degrees. */
function held(grid: Grid, [west, south, east, north]: readonly number[]): { rows: boolean[]; columns: boolean[] } {
  const [a, , c, , e, f] = grid.transform;
  const project = transformer(grid.crs, resolveCrs("EPSG:4326"));
  const rows = new Array<boolean>(grid.height).fill(false);
  const columns = new Array<boolean>(grid.width).fill(false);
  for (let row = 0; row < grid.height; row++) {
    for (let column = 0; column < grid.width; column++) {
      const [lon, lat] = project(a * (column + 0.5) + c, e * (row + 0.5) + f);
      if (!(lon > west! && lon < east! && lat > south! && lat < north!)) continue;
      rows[row] = true;
      columns[column] = true;
    }
  }
  return { rows, columns };
}

describe("a box in degrees", () => {
  const degree = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const boxes = fc
    .tuple(degree(-179, 178), degree(-70, 70), degree(0.002, 0.02), degree(0.002, 0.02))
    .map(([west, south, width, height]) => [west, south, west + width, south + height] as const);

  test("has no row and no column without a pixel in it, and none is missing", { tags: ["OE19"] }, () => {
    fc.assert(
      fc.property(boxes, (bbox) => {
        const grid = gridOf([{ bbox, crs: "EPSG:4326" }]);
        const { rows, columns } = held(grid, bbox);
        expect([rows[0], rows.at(-1), columns[0], columns.at(-1)]).toEqual([true, true, true, true]);
        const [a, , x, , e, y] = grid.transform;
        const around = {
          ...grid,
          transform: [a, 0, x - 5 * a, 0, e, y - 5 * e] as const,
          width: grid.width + 10,
          height: grid.height + 10,
        };
        const wide = held(around, bbox);
        const count = (flags: readonly boolean[]): number => flags.filter(Boolean).length;
        expect([count(wide.rows), count(wide.columns)]).toEqual([count(rows), count(columns)]);
      }),
      { numRuns: 60 },
    );
  });
});
