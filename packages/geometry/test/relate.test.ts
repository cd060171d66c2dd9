import { readFileSync } from "node:fs";
import fc from "fast-check";
import { orient2d } from "robust-predicates";
import { expect, test } from "vitest";
import {
  footprintShape,
  type Geometry,
  type Position,
  type Shape,
  type SpatialRelation,
  shapesIntersect,
  shapesRelate,
  toShape,
} from "../src/index.ts";

const judged = JSON.parse(readFileSync(new URL("./fixtures/predicates.json", import.meta.url), "utf8")) as {
  grid: [Geometry, Geometry, SpatialRelation[]][];
  across: { continuous: [Geometry, Geometry]; cut: [Geometry, Geometry]; holds: SpatialRelation[] }[];
};

const RELATIONS: readonly SpatialRelation[] = [
  "intersects",
  "disjoint",
  "equals",
  "touches",
  "within",
  "overlaps",
  "crosses",
  "contains",
];
const MIRRORED: Partial<Record<SpatialRelation, SpatialRelation>> = { within: "contains", contains: "within" };

function holding(a: Shape, b: Shape): SpatialRelation[] {
  return RELATIONS.filter((relation) => shapesRelate(relation, a, b));
}

test("agrees with GEOS on 1,500 pairs of points, lines and polygons on small grids", () => {
  for (const [a, b, holds] of judged.grid) {
    expect({ a, b, holds: holding(toShape(a), toShape(b)) }).toEqual({ a, b, holds });
    const mirrored = RELATIONS.filter((relation) => holds.includes(MIRRORED[relation] ?? relation));
    expect({ a: b, b: a, holds: holding(toShape(b), toShape(a)) }).toEqual({ a: b, b: a, holds: mirrored });
  }
});

test("agrees with GEOS on 200 pairs about 180 degrees, each continuous or cut at the antimeridian", () => {
  for (const { continuous, cut, holds } of judged.across) {
    for (const a of [continuous[0], cut[0]]) {
      for (const b of [continuous[1], cut[1]]) {
        expect({ a, b, holds: holding(footprintShape(a), footprintShape(b)) }).toEqual({ a, b, holds });
      }
    }
  }
});

test("a point on the antimeridian is inside of a footprint that is cut there", () => {
  const cut: Geometry = {
    type: "MultiPolygon",
    coordinates: [
      [
        [
          [179, 0],
          [180, 0],
          [180, 1],
          [179, 1],
          [179, 0],
        ],
      ],
      [
        [
          [-180, 0],
          [-179, 0],
          [-179, 1],
          [-180, 1],
          [-180, 0],
        ],
      ],
    ],
  };
  for (const longitude of [180, -180]) {
    const holds = (latitude: number): boolean =>
      shapesRelate("contains", footprintShape(cut), toShape({ type: "Point", coordinates: [longitude, latitude] }));
    expect([holds(0.5), holds(0), holds(2)]).toEqual([true, false, false]);
  }
});

/** Integers, which meet often, and numbers whose products do not underflow. */
const degrees = fc.oneof(
  fc.integer({ min: -6, max: 6 }),
  fc.double({ min: -6, max: 6, noNaN: true }).map((value) => Math.round(value * 2 ** 40) / 2 ** 40),
);
const position: fc.Arbitrary<Position> = fc.tuple(degrees, degrees);
const triangle = fc
  .tuple(position, position, position)
  .filter(([[ax, ay], [bx, by], [cx, cy]]) => orient2d(ax!, ay!, bx!, by!, cx!, cy!) !== 0)
  .map(([a, b, c]) => [a, b, c, a]);
const geometry: fc.Arbitrary<Geometry> = fc.oneof(
  position.map((coordinates): Geometry => ({ type: "Point", coordinates })),
  fc
    .array(position, { minLength: 2, maxLength: 5 })
    .map((coordinates): Geometry => ({ type: "LineString", coordinates })),
  triangle.map((ring): Geometry => ({ type: "Polygon", coordinates: [ring] })),
  fc
    .array(triangle, { minLength: 1, maxLength: 3 })
    .map((rings): Geometry => ({ type: "MultiPolygon", coordinates: rings.map((ring) => [ring]) })),
);

test("relations agree with one another and with shapesIntersect, whatever the geometries", () => {
  fc.assert(
    fc.property(geometry, geometry, (first, second) => {
      const [a, b] = [toShape(first), toShape(second)];
      const holds = new Set(holding(a, b));
      expect(holds.has("intersects")).toBe(shapesIntersect(a, b));
      expect(holds.has("disjoint")).toBe(!shapesIntersect(a, b));
      if (holds.has("disjoint")) expect(holds.size).toBe(1);
      expect(holds.has("equals") && holds.has("touches")).toBe(false);
      expect(holds.has("overlaps") && (holds.has("within") || holds.has("contains"))).toBe(false);
      const mirrored = RELATIONS.filter((relation) => holds.has(MIRRORED[relation] ?? relation));
      expect(holding(b, a)).toEqual(mirrored);
      expect(shapesRelate("equals", a, a)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each([1e-300, 5e-324])("coordinates about %d are compared exactly", (unit) => {
  const square = (size: number): Shape =>
    toShape({
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [size, 0],
          [size, size],
          [0, size],
          [0, 0],
        ],
      ],
    });
  expect(shapesRelate("within", square(unit), square(unit * 2))).toBe(true);
  expect(shapesRelate("within", square(unit * 2), square(unit))).toBe(false);
});
