import { expect, test } from "vitest";
import { turnsInto } from "../src/antimeridian.ts";
import {
  type Bbox,
  bboxesIntersect,
  flattenRing,
  footprintShape,
  type Geometry,
  type PolygonGeometry,
  polygonGeometry,
  shapeBbox,
  shapesIntersect,
  splitBbox,
  toShape,
  unwrapBbox,
  unwrapPolygons,
  unwrapRing,
  wrapBbox,
} from "../src/index.ts";

const ring = (...longitudes: number[]): number[][] => longitudes.map((x, i) => [x, i % 4 < 2 ? 0 : 1]);

test.each([
  {
    name: "a jump of more than 180 degrees goes the short way",
    from: [179, -179, -179, 179],
    to: [179, 181, 181, 179],
  },
  { name: "a jump to the west too", from: [-179, 179, 179, -179], to: [-179, -181, -181, -179] },
  { name: "an edge of 180 degrees stays", from: [-90, 90, 90, -90], to: [-90, 90, 90, -90] },
  { name: "an edge of 360 degrees is that of a world map", from: [-180, 180, 180, -180], to: [-180, 180, 180, -180] },
  { name: "longitudes past 180 stay", from: [179, 181, 181, 179], to: [179, 181, 181, 179] },
])("$name", ({ from, to }) => {
  const unwrapped = unwrapRing(flattenRing(ring(...from))!);
  expect([...unwrapped].filter((_, i) => i % 2 === 0)).toEqual(to);
});

test.each([
  { latitude: 80, inside: 89, outside: 70, bbox: [-180, 80, 180, 90] },
  { latitude: -80, inside: -89, outside: -70, bbox: [-180, -90, 180, -80] },
])("a footprint around the pole at $latitude holds the pole", ({ latitude, inside, outside, bbox }) => {
  const shape = footprintShape({ type: "Polygon", coordinates: [[0, 90, 180, -90, 0].map((x) => [x, latitude])] });
  const holds = (x: number, y: number): boolean =>
    shapesIntersect(shape, toShape({ type: "Point", coordinates: [x, y] }));
  for (const x of [-180, -135, -1, 0, 44, 179]) expect([holds(x, inside), holds(x, outside)]).toEqual([true, false]);
  expect(shapeBbox(shape)).toEqual(bbox);
});

test("an inner ring on the other side of the antimeridian is inside its outer ring", () => {
  const box = (west: number, south: number, east: number, north: number): number[][] => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const holed: Geometry = {
    type: "Polygon",
    coordinates: [box(179, 0, -179, 2), box(-179.75, 0.5, -179.25, 1.5)],
  };
  const meets = (x: number): boolean =>
    shapesIntersect(footprintShape(holed), toShape({ type: "Point", coordinates: [x, 1] }));
  expect([179.5, -179.9, -179.5, -179.1, -178.9].map(meets)).toEqual([true, true, false, true, false]);
});

test("an edge of a search is as written, that of a footprint the short way", () => {
  const wide: Geometry = {
    type: "LineString",
    coordinates: [
      [-178, 0],
      [178, 0],
    ],
  };
  const origin = toShape({ type: "Point", coordinates: [0, 0] });
  const far = toShape({ type: "Point", coordinates: [180, 0] });
  expect([origin, far].map((point) => shapesIntersect(toShape(wide), point))).toEqual([true, false]);
  expect([origin, far].map((point) => shapesIntersect(footprintShape(wide), point))).toEqual([false, true]);
});

const square = (west: number, east: number): number[][] => [
  [west, 0],
  [east, 0],
  [east, 1],
  [west, 1],
  [west, 0],
];
const spans = (geometry: PolygonGeometry): (Bbox | undefined)[] =>
  unwrapPolygons(geometry).map((rings) => {
    const xs = [...rings[0]!].filter((_, i) => i % 2 === 0);
    return [Math.min(...xs), 0, Math.max(...xs), 1];
  });
const polygons = (...parts: [number, number][]): PolygonGeometry => ({
  type: "MultiPolygon",
  coordinates: parts.map(([west, east]) => [square(west, east)]),
});

test.each([
  {
    name: "cut at it",
    parts: [
      [-180, -178],
      [177, 180],
    ],
    at: [
      [180, 182],
      [177, 180],
    ],
  },
  {
    name: "one across it, one east of it",
    parts: [
      [179, -179],
      [-179.5, -178],
    ],
    at: [
      [179, 181],
      [180.5, 182],
    ],
  },
  { name: "one written from the east", parts: [[-179, 179]], at: [[179, 181]] },
  {
    name: "far from it",
    parts: [
      [139, 141],
      [-121, -119],
    ],
    at: [
      [139, 141],
      [-121, -119],
    ],
  },
  { name: "all around", parts: [[-180, 180]], at: [[-180, 180]] },
] as { name: string; parts: [number, number][]; at: [number, number][] }[])(
  "polygons $name are side by side",
  ({ parts, at }) => {
    expect(spans(polygons(...parts))).toEqual(at.map(([west, east]) => [west, 0, east, 1]));
  },
);

test("unwrapped polygons as GeoJSON are unwrapped already", () => {
  const once = polygonGeometry(unwrapPolygons(polygons([-180, -178], [177, 180])));
  expect(polygonGeometry(unwrapPolygons(once))).toEqual(once);
});

test("turns are those that bring longitudes together, none of too many", () => {
  expect(turnsInto(170, 190, -180, 180)).toEqual([-360, 0]);
  expect(turnsInto(10, 20, 200, 300)).toEqual([]);
  expect(turnsInto(-1e300, 1e300, 0, 1)).toEqual([]);
});

test("a box across the antimeridian splits in two, any other stays", { tags: ["S7"] }, () => {
  expect(splitBbox([170, -45, -170, -40])).toEqual([
    [170, -45, 180, -40],
    [-180, -45, -170, -40],
  ]);
  expect(splitBbox([9, 47, 10, 48])).toEqual([[9, 47, 10, 48]]);
});

test.each([
  { bounds: [170, 0, 190, 1], bbox: [170, 0, -170, 1] },
  { bounds: [-190, 0, -175, 1], bbox: [170, 0, -175, 1] },
  { bounds: [9, 0, 10, 1], bbox: [9, 0, 10, 1] },
  { bounds: [-10, 0, 350, 1], bbox: [-180, 0, 180, 1] },
] as const)("$bounds is the box $bbox", ({ bounds, bbox }) => {
  expect(wrapBbox(bounds)).toEqual(bbox);
  if (bounds[0] >= -180 && bounds[2] - bounds[0] < 360) expect(unwrapBbox(bbox)).toEqual(bounds);
});

test.each([
  { a: [170, 0, -170, 1], b: [175, 0, 176, 1], meet: true },
  { a: [170, 0, -170, 1], b: [-176, 0, -175, 1], meet: true },
  { a: [170, 0, -170, 1], b: [0, 0, 10, 1], meet: false },
  { a: [170, 0, -170, 1], b: [175, 2, 176, 3], meet: false },
  { a: [170, 0, 180, 1], b: [-180, 1, -170, 2], meet: true },
  { a: [0, 0, 1, 1], b: [1, 1, 2, 2], meet: true },
] as const)("boxes $a and $b share a point: $meet", ({ a, b, meet }) => {
  expect([bboxesIntersect(a, b), bboxesIntersect(b, a)]).toEqual([meet, meet]);
});
