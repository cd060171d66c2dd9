import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Bbox,
  bboxShape,
  footprintShape,
  type Geometry,
  geometriesIntersect,
  shapeBbox,
  shapesIntersect,
  toShape,
} from "../src/index.ts";
import { naiveIntersect } from "./naive-intersect.ts";

const coordinate = fc.integer({ min: -8, max: 8 });
const point = fc.tuple(coordinate, coordinate).map(([x, y]) => [x, y]);

/** A ring that does not cross itself: points in order of their angle around the middle. */
const ring = fc
  .uniqueArray(fc.integer({ min: 0, max: 359 }), { minLength: 3, maxLength: 120 })
  .chain((angles) =>
    fc.tuple(
      fc.constant(angles.sort((a, b) => a - b)),
      point,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 120, maxLength: 120 }),
    ),
  )
  .map(([angles, [x = 0, y = 0], radii]) => {
    const points = angles.map((angle, i) => {
      const turn = (angle * Math.PI) / 180;
      return [x + (radii[i] as number) * Math.cos(turn), y + (radii[i] as number) * Math.sin(turn)];
    });
    return [...points, points[0] as number[]];
  });

const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  point.map((coordinates): Geometry => ({ type: "Point", coordinates })),
  fc
    .array(point, { minLength: 2, maxLength: 90 })
    .map((coordinates): Geometry => ({ type: "LineString", coordinates })),
  ring.map((outer): Geometry => ({ type: "Polygon", coordinates: [outer] })),
  fc
    .array(ring, { minLength: 1, maxLength: 3 })
    .map((rings): Geometry => ({ type: "MultiPolygon", coordinates: rings.map((outer) => [outer]) })),
  fc.tuple(point, ring).map(
    ([coordinates, outer]): Geometry => ({
      type: "GeometryCollection",
      geometries: [
        { type: "MultiPoint", coordinates: [coordinates] },
        { type: "Polygon", coordinates: [outer] },
      ],
    }),
  ),
);

test("two shapes meet where the comparison of all edges and vertices says so, from either side", () => {
  fc.assert(
    fc.property(geometry, geometry, (a, b) => {
      const expected = naiveIntersect(a, b);
      expect(shapesIntersect(toShape(a), toShape(b))).toBe(expected);
      expect(shapesIntersect(toShape(b), toShape(a))).toBe(expected);
    }),
    { numRuns: 500 },
  );
});

const square = (west: number, south: number, east: number, north: number): number[][] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
];

test("a shape inside an inner ring of another does not touch it", () => {
  const holed: Geometry = { type: "Polygon", coordinates: [square(0, 0, 10, 10), square(2, 2, 8, 8)] };
  const inside = (bbox: Bbox): boolean => shapesIntersect(toShape(holed), bboxShape(bbox));
  expect(inside([3, 3, 7, 7])).toBe(false);
  expect(inside([1, 3, 7, 7])).toBe(true);
  expect(inside([2, 3, 7, 7])).toBe(true);
});

test.each([
  {
    name: "split at 180 degrees",
    footprint: { type: "MultiPolygon", coordinates: [[square(179, 0, 180, 1)], [square(-180, 0, -179, 1)]] },
  },
  { name: "not split, longitudes beyond 180", footprint: { type: "Polygon", coordinates: [square(179, 0, 181, 1)] } },
  { name: "not split, longitudes that jump", footprint: { type: "Polygon", coordinates: [square(179, 0, -179, 1)] } },
] satisfies { name: string; footprint: Geometry }[])("a footprint $name is met from both sides", ({ footprint }) => {
  const meets = (bbox: Bbox): boolean => shapesIntersect(footprintShape(footprint), bboxShape(bbox));
  expect(meets([179.4, 0.4, 179.6, 0.6])).toBe(true);
  expect(meets([-179.6, 0.4, -179.4, 0.6])).toBe(true);
  expect(meets([179.9, 0.4, -179.9, 0.6])).toBe(true);
  expect(meets([-178, 0, 178, 1])).toBe(false);
  expect(meets([-10, 0, 10, 1])).toBe(false);
  expect(shapeBbox(footprintShape(footprint))).toEqual([179, 0, -179, 1]);
});

test("the box of shapes all round the Earth is the whole circle, that of nothing is nothing", () => {
  const round: Geometry = { type: "MultiPolygon", coordinates: [[square(-180, -1, 0, 1)], [square(0, -2, 180, 1)]] };
  expect(shapeBbox(toShape(round))).toEqual([-180, -2, 180, 1]);
  expect(shapeBbox({ parts: [] })).toBeUndefined();
});

const { SWATH_FIXTURES } = process.env;

describe.skipIf(SWATH_FIXTURES === undefined)("a recorded scene over the antimeridian", () => {
  test.each([
    "antimeridian-S2A_T01WCS_20230625.json",
    "antimeridian-S2A_T01KAB_20230821.json",
    "earth-search-next.S2B_T01LAC_20260830.trimmed.json",
  ])("%s has the box that its makers measured, and is met on both sides of it", (name) => {
    const text = readFileSync(join(SWATH_FIXTURES ?? "", "stac/stac-1.1", name), "utf8");
    const item = JSON.parse(text) as { geometry: Geometry; bbox: [number, number, number, number] };
    const footprint = footprintShape(item.geometry);
    const [west, south, east, north] = item.bbox;
    const measured = shapeBbox(footprint) as Bbox;
    expect(measured[0]).toBeCloseTo(west, 5);
    expect(measured[2]).toBeCloseTo(east, 5);
    const middle = south + (north - south) / 5; // T01WCS is a triangle: its upper corners are empty
    for (const longitude of [(west + 180) / 2, (east - 180) / 2]) {
      const point: Geometry = { type: "Point", coordinates: [longitude, middle] };
      expect(shapesIntersect(footprint, toShape(point))).toBe(true);
      expect(geometriesIntersect(item.geometry, point)).toBe(true);
    }
    expect(shapesIntersect(footprint, bboxShape([-170, south, 170, north]))).toBe(false);
  });
});

test("an edge is compared with a few times as many edges as an area has, however they run", { tags: ["ST15"] }, () => {
  const teeth = Array.from({ length: 2000 }, (_, i) => [i, i % 2] as const);
  const back = teeth.toReversed().map(([x, y]) => [x + 0.3, y - 0.1] as const);
  const comb: Geometry = {
    type: "Polygon",
    coordinates: [[...teeth, ...back, teeth[0]!].map(([x, y]) => [x / 20 - 90, y])],
  };
  const [part] = toShape(comb).parts;
  expect(part!.bands!.flat().length).toBeLessThan(part!.segments.length);
  for (const [east, low] of [
    [-80, 0.95],
    [-80.01, 0.5],
    [-40, 1.5],
  ] as const) {
    const wedge: Geometry = {
      type: "Polygon",
      coordinates: [
        [
          [east, 2],
          [east, low],
          [east + 0.001, 2],
          [east, 2],
        ],
      ],
    };
    expect(shapesIntersect(toShape(wedge), toShape(comb))).toBe(naiveIntersect(wedge, comb));
  }
});
