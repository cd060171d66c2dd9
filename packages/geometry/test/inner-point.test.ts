import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { geometriesIntersect, innerPoint, type PolygonGeometry } from "../src/index.ts";

/** By GEOS: see fixtures/make-inner-points.py. */
const judged = JSON.parse(readFileSync(new URL("./fixtures/inner-points.json", import.meta.url), "utf8")) as {
  readonly geometry: PolygonGeometry;
  readonly point: readonly [number, number];
}[];

test("the inner point of a polygon is that of GEOS", { tags: ["ST18"] }, () => {
  expect(judged.length).toBeGreaterThan(60);
  for (const { geometry, point } of judged) {
    const [x, y] = innerPoint(geometry)!;
    expect([x - point[0], y - point[1]].map((each) => Math.abs(each) < 1e-9)).toEqual([true, true]);
  }
});

test("it is inside, however thin and small the polygon is", () => {
  const near = fc.double({ min: -1, max: 1, noNaN: true });
  fc.assert(
    fc.property(
      fc.tuple(fc.double({ min: -170, max: 170, noNaN: true }), fc.double({ min: -80, max: 80, noNaN: true })),
      fc.array(fc.tuple(near, near), { minLength: 3, maxLength: 3 }),
      fc.integer({ min: -6, max: 1 }),
      ([lon, lat], corners, power) => {
        const points = corners.map(([x, y]) => [lon + x * 10 ** power, lat + y * 10 ** power] as const);
        const [[x0, y0], [x1, y1], [x2, y2]] = points as [
          readonly [number, number],
          readonly [number, number],
          readonly [number, number],
        ];
        const area = Math.abs((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0));
        // thinner ones have no coordinates inside
        fc.pre(area > 1e-10 * 10 ** power);
        const polygon: PolygonGeometry = { type: "Polygon", coordinates: [[...points, points[0]!].map((p) => [...p])] };
        const point = innerPoint(polygon);
        expect(point).toBeDefined();
        expect(geometriesIntersect({ type: "Point", coordinates: point! }, polygon)).toBe(true);
      },
    ),
  );
});

test("polygons without an area have none", () => {
  expect(
    innerPoint({
      type: "Polygon",
      coordinates: [
        [
          [1, 1],
          [2, 2],
          [1, 1],
        ],
      ],
    }),
  ).toBeUndefined();
  expect(innerPoint({ type: "MultiPolygon", coordinates: [] })).toBeUndefined();
});
