import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bboxGeometry, type Geometry, geometriesIntersect } from "../src/index.ts";

const judged = JSON.parse(readFileSync(new URL("./fixtures/geometry.json", import.meta.url), "utf8")) as {
  pairs: [Geometry, Geometry, boolean][];
};

const square = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
  [0, 0],
];

const GEOMETRIES: Geometry[] = [
  { type: "Point", coordinates: [-105.1019, 40.1672] },
  { type: "Point", coordinates: [-105.1019, 40.1672, 1500] },
  {
    type: "MultiPoint",
    coordinates: [
      [0, 0],
      [180, 90],
    ],
  },
  {
    type: "LineString",
    coordinates: [
      [0, 0],
      [1, 1],
      [0, 1],
      [1, 0],
    ],
  },
  {
    type: "MultiLineString",
    coordinates: [
      [
        [0, 0],
        [1, 1],
      ],
      [
        [2, 2],
        [3, 3],
      ],
    ],
  },
  { type: "Polygon", coordinates: [square] },
  {
    type: "Polygon",
    coordinates: [
      square,
      [
        [1, 1],
        [1, 2],
        [2, 2],
        [1, 1],
      ],
    ],
  },
  {
    type: "MultiPolygon",
    coordinates: [
      [square],
      [
        [
          [9, 9],
          [9, 8],
          [8, 8],
          [9, 9],
        ],
      ],
    ],
  },
  {
    type: "GeometryCollection",
    geometries: [
      { type: "Point", coordinates: [1, 2] },
      { type: "GeometryCollection", geometries: [{ type: "Polygon", coordinates: [square] }] },
    ],
  },
];

describe("geometriesIntersect", () => {
  test("agrees with GEOS on every judged pair, in either order", { tags: ["S9"] }, () => {
    for (const [a, b, expected] of judged.pairs) {
      expect({ a, b, intersects: geometriesIntersect(a, b) }).toEqual({ a, b, intersects: expected });
      expect(geometriesIntersect(b, a)).toBe(expected);
    }
  });

  test("every geometry intersects itself", () => {
    for (const geometry of GEOMETRIES) expect(geometriesIntersect(geometry, geometry)).toBe(true);
  });

  test("a collection intersects what one of its members does", () => {
    const collection: Geometry = { type: "GeometryCollection", geometries: GEOMETRIES };
    expect(geometriesIntersect(collection, { type: "Point", coordinates: [3.5, 0.5] })).toBe(true);
    expect(geometriesIntersect(collection, { type: "Point", coordinates: [30, 1] })).toBe(false);
  });

  test("a box across the antimeridian intersects footprints on both sides and none in between", () => {
    const box = bboxGeometry([170, -45, -170, -40]);
    const at = (x: number): Geometry => ({ type: "Point", coordinates: [x, -42] });
    expect([175, 180, -180, -175, 0, 169, -169].map((x) => geometriesIntersect(box, at(x)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
