import type { Geometry } from "@swath/geometry";
import type { SpatialExtent } from "@swath/openeo";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { areaOfExtent, isThin, regionOfExtent, searchAreaOf } from "../../src/where/cube-region.ts";
import { refusalOf } from "./refusal-of.ts";

const NODE = ["what", "graph", "nodes", "load"];
const DEGREES = "EPSG:4326";
const POINT: Geometry = { type: "Point", coordinates: [13.2, 45.4] };
const LINE: Geometry = {
  type: "LineString",
  coordinates: [
    [13, 45],
    [14, 45.5],
  ],
};
const SQUARE: Geometry = {
  type: "Polygon",
  coordinates: [
    [
      [20, 10],
      [21, 10],
      [21, 11],
      [20, 11],
      [20, 10],
    ],
  ],
};
const MIXED: Geometry = { type: "GeometryCollection", geometries: [POINT, SQUARE] };
const of = (geometry: Geometry): SpatialExtent => ({ geometry, crs: DEGREES });

test.each<[string, SpatialExtent, object]>([
  [
    "a box is one of its own CRS",
    { bbox: [380_600, 5_042_400, 380_700, 5_042_460], crs: "EPSG:32633" },
    { kind: "box", bounds: [380_600, 5_042_400, 380_700, 5_042_460], crs: "EPSG:32633" },
  ],
  [
    "a box across the antimeridian runs on beyond 180°",
    { bbox: [179, -17, -179, -16], crs: DEGREES },
    { kind: "box", bounds: [179, -17, 181, -16], crs: DEGREES },
  ],
  ["a polygon is a geometry", of(SQUARE), { kind: "geometry", geometry: SQUARE, crs: DEGREES }],
  ["a point is a geometry", of(POINT), { kind: "geometry", geometry: POINT, crs: DEGREES }],
  ["a line is a geometry", of(LINE), { kind: "geometry", geometry: LINE, crs: DEGREES }],
  ["what is mixed is a geometry", of(MIXED), { kind: "geometry", geometry: MIXED, crs: DEGREES }],
])("the pixels of an extent: %s", (_, extent, region) => {
  expect(regionOfExtent(extent, NODE)).toEqual(region);
});

test("lines and points have the box around them as their area, a tenth of a metre larger", () => {
  for (const [geometry, around] of [
    [POINT, [13.2, 45.4, 13.2, 45.4]],
    [LINE, [13, 45, 14, 45.5]],
    [MIXED, [13.2, 10, 21, 45.4]],
  ] as const) {
    const area = areaOfExtent(of(geometry), NODE);
    expect(area.polygon).toBeUndefined();
    const beyond = area.bounds.map((edge, i) => (edge - around[i]!) * (i < 2 ? -1 : 1));
    for (const each of beyond) expect(each * 111_320).toBeCloseTo(0.11, 2);
  }
  expect(areaOfExtent(of(SQUARE), NODE).bounds).toEqual([20, 10, 21, 11]);
});

test.each<[string, boolean, Geometry]>([
  ["a point", true, POINT],
  ["a line", true, LINE],
  ["points and lines together", true, { type: "GeometryCollection", geometries: [POINT, LINE] }],
  ["a polygon", false, SQUARE],
  ["a point beside a polygon", false, MIXED],
  ["that within another collection", false, { type: "GeometryCollection", geometries: [MIXED] }],
])("%s: thin is %s", (_, expected, geometry) => {
  expect(isThin(geometry)).toBe(expected);
});

test("an extent that is none is refused at its node", () => {
  const extent: SpatialExtent = { bbox: [13, 45, 13, 46], crs: DEGREES };
  for (const read of [areaOfExtent, regionOfExtent]) {
    expect(refusalOf(() => read(extent, NODE))).toMatchObject({ code: "invalid", path: NODE });
  }
});

describe("scenes are searched", () => {
  test("at a point by the point itself", () => {
    expect(searchAreaOf([of(POINT)], NODE)).toEqual({ geometry: POINT, boxes: [[13.2, 45.4, 13.2, 45.4]] });
  });

  test("in one extent by its own box, exactly", () => {
    const { boxes, geometry } = searchAreaOf([{ bbox: [13, 45, 14, 46], crs: DEGREES }], NODE);
    expect(boxes).toEqual([[13, 45, 14, 46]]);
    expect(geometry.type).toBe("MultiPolygon");
  });

  test("in several by one box around all, across the antimeridian where they are there", () => {
    const west: SpatialExtent = { bbox: [178, -17, 179, -16], crs: DEGREES };
    const across: SpatialExtent = { bbox: [179.5, -18, -179.5, -17], crs: DEGREES };
    const { boxes, geometry } = searchAreaOf([west, across], NODE);
    expect(boxes).toHaveLength(1);
    const expected = [178, -18, -179.5, -16];
    for (const [i, edge] of boxes[0]!.entries()) expect(edge).toBeCloseTo(expected[i]!, 5);
    expect(geometry).toMatchObject({ type: "GeometryCollection", geometries: [{}, {}] });
  });

  test("by a box that holds each extent", () => {
    const degree = (min: number, max: number) => fc.double({ min, max, noNaN: true });
    const extent = fc
      .tuple(degree(-170, 160), degree(-80, 70), degree(0.001, 9), degree(0.001, 9))
      .map(([west, south, w, h]) => [west, south, west + w, south + h] as const);
    fc.assert(
      fc.property(fc.array(extent, { minLength: 1, maxLength: 5 }), (all) => {
        const { boxes } = searchAreaOf(
          all.map((bbox) => ({ bbox, crs: DEGREES })),
          NODE,
        );
        const [[west, south, east, north]] = boxes as [[number, number, number, number]];
        for (const own of all) {
          expect(west <= own[0] && south <= own[1] && east >= own[2] && north >= own[3]).toBe(true);
        }
      }),
    );
  });
});
