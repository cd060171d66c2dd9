import { expect, test } from "vitest";
import { type Geometry, MAX_VERTICES, parseIntersects, QueryError } from "../../src/index.ts";

const body = { in: "body", pointer: "/intersects" } as const;

function errorOf(input: unknown, location?: Parameters<typeof parseIntersects>[1]): QueryError {
  try {
    parseIntersects(input, location);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error("It parsed.");
}

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

test.each(GEOMETRIES.map((geometry) => ({ geometry })))(
  "$geometry.type is read from text and from a body alike",
  { tags: ["S9"] },
  ({ geometry }) => {
    expect(parseIntersects(JSON.stringify(geometry))).toEqual(geometry);
    expect(parseIntersects(geometry, body)).toEqual(geometry);
  },
);

test.each([
  { name: "a Feature", input: { type: "Feature", geometry: null }, pointer: "/intersects/type" },
  { name: "an unknown type", input: { type: "Circle", coordinates: [0, 0] }, pointer: "/intersects/type" },
  { name: "null", input: null, pointer: "/intersects" },
  { name: "text in a body", input: "{}", pointer: "/intersects" },
  { name: "a point of one number", input: { type: "Point", coordinates: [1] }, pointer: "/intersects/coordinates" },
  { name: "a point of text", input: { type: "Point", coordinates: ["1", "2"] }, pointer: "/intersects/coordinates" },
  { name: "a point without coordinates", input: { type: "Point" }, pointer: "/intersects/coordinates" },
  { name: "a longitude of 181", input: { type: "Point", coordinates: [181, 0] }, pointer: "/intersects/coordinates" },
  {
    name: "a latitude of -91",
    input: {
      type: "LineString",
      coordinates: [
        [0, 0],
        [0, -91],
      ],
    },
    pointer: "/intersects/coordinates/1",
  },
  {
    name: "a line of one position",
    input: { type: "LineString", coordinates: [[0, 0]] },
    pointer: "/intersects/coordinates",
  },
  { name: "an empty polygon", input: { type: "Polygon", coordinates: [] }, pointer: "/intersects/coordinates" },
  {
    name: "a ring of three positions",
    input: {
      type: "Polygon",
      coordinates: [
        [
          [0, 0],
          [1, 1],
          [0, 0],
        ],
      ],
    },
    pointer: "/intersects/coordinates/0",
  },
  {
    name: "an open ring",
    input: { type: "Polygon", coordinates: [square.slice(0, 4)] },
    pointer: "/intersects/coordinates/0",
  },
  {
    name: "a bow tie in the second polygon",
    input: {
      type: "MultiPolygon",
      coordinates: [
        [square],
        [
          [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
            [0, 0],
          ],
        ],
      ],
    },
    pointer: "/intersects/coordinates/1/0",
  },
  {
    name: "an empty collection",
    input: { type: "GeometryCollection", geometries: [] },
    pointer: "/intersects/geometries",
  },
])("$name is refused with its location", { tags: ["S10"] }, ({ input, pointer }) => {
  expect(errorOf(input, body)).toMatchObject({ code: "invalid-body", pointer });
  if (typeof input !== "string") {
    expect(errorOf(JSON.stringify(input))).toMatchObject({ code: "invalid-parameter", pointer: "intersects" });
  }
});

test("broken JSON in a query is an invalid parameter", () => {
  expect(errorOf('{"type":"Point"')).toMatchObject({ code: "invalid-parameter", pointer: "intersects" });
});

test("the error of a self-intersection says where it is", () => {
  const bowTie = {
    type: "Polygon",
    coordinates: [
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
        [0, 0],
      ],
    ],
  };
  expect(errorOf(bowTie, body).message).toBe("The polygon intersects itself near 0.5, 0.5 (longitude, latitude).");
});

test("10,000 vertices are read and one more is refused", { tags: ["S10"] }, () => {
  const circle = (count: number): string => {
    const ring = Array.from({ length: count - 1 }, (_, i) => [Math.cos(i / 2000), Math.sin(i / 2000)]);
    const line = [...ring, [50, 50]];
    return JSON.stringify({ type: "LineString", coordinates: line });
  };
  expect(parseIntersects(circle(MAX_VERTICES)).type).toBe("LineString");
  expect(errorOf(circle(MAX_VERTICES + 1)).message).toContain("10000 vertices at most");
});

test("collections 1,000 deep are refused without exhausting the stack", () => {
  const deep = `${'{"type":"GeometryCollection","geometries":['.repeat(1000)}{"type":"Point","coordinates":[0,0]}${"]}".repeat(1000)}`;
  expect(errorOf(deep).message).toMatch(/^(\/geometries\/0)+: Geometry collections may be nested 8 deep at most\.$/);
});
