import { resolveCrs } from "@swath/raster";
import { describe, expect, test } from "vitest";
import type { Refusal } from "../../src/refusal.ts";
import { areaOf } from "../../src/where/area.ts";

type Where = Parameters<typeof areaOf>[0];
const square = (west: number, south: number, side: number) => [
  [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ],
];
const polygon = (coordinates: unknown) => ({ type: "Polygon", coordinates });

const refusalOf = (read: () => unknown): Refusal => {
  try {
    read();
  } catch (error) {
    return error as Refusal;
  }
  throw new Error("Nothing was refused.");
};

test.each<[string, Where, (string | number)[]]>([
  ["neither a box nor a geometry", {}, []],
  ["both", { bbox: [1, 2, 3, 4], geometry: polygon(square(1, 2, 1)) }, []],
  ["an unknown CRS", { bbox: [1, 2, 3, 4], crs: "EPSG:27700" }, ["crs"]],
  ["five numbers", { bbox: [1, 2, 3, 4, 5] }, ["bbox"]],
  ["a number that is none", { bbox: [1, 2, Number.NaN, 4] }, ["bbox", "2"]],
  ["a box without an area", { bbox: [1, 2, 1, 4] }, ["bbox"]],
  ["west of east in metres", { bbox: [5, 2, 1, 4], crs: "EPSG:3857" }, ["bbox"]],
  ["south of north in metres", { bbox: [1, 4, 5, 2], crs: "EPSG:32633" }, ["bbox"]],
  ["a point", { geometry: { type: "Point", coordinates: [1, 2] } }, ["geometry", "type"]],
  ["an open ring", { geometry: polygon([square(1, 2, 1)[0]!.slice(0, 4)]) }, ["geometry", "coordinates", "0"]],
])("%s is refused where it stands, and in a graph at its node", (_, where, member) => {
  const plain = refusalOf(() => areaOf(where));
  expect(plain).toMatchObject({ name: "Refusal", code: "invalid", path: ["where", ...member] });
  expect(plain.faults).toEqual([{ path: plain.path, detail: plain.message }]);
  const node = ["what", "graph", "nodes", "load"];
  expect(refusalOf(() => areaOf(where, node))).toMatchObject({ code: "invalid", path: node, message: plain.message });
});

describe("an area carries its place", () => {
  const pole = { bbox: [-180, 85, 180, 90] };
  const far = { bbox: [9e8, 9e8, 9.1e8, 9.1e8], crs: "EPSG:32633" };

  test("so that what another CRS cannot hold is refused there", () => {
    const mercator = resolveCrs("EPSG:3857");
    for (const path of [["where"], ["what", "graph", "nodes", "save"]]) {
      expect(refusalOf(() => areaOf(pole, path).boundsIn(mercator))).toMatchObject({
        code: "invalid",
        path,
        message: expect.stringMatching(/^The area cannot be transformed to EPSG:3857: /),
      });
    }
    expect(refusalOf(() => areaOf(pole).boundsIn(mercator, { path: ["where", "frame", "crs"] })).path).toEqual([
      "where",
      "frame",
      "crs",
    ]);
  });

  test("and coordinates that are nowhere name the box or the polygon", () => {
    expect(refusalOf(() => areaOf(far)).path).toEqual(["where", "bbox"]);
    const geometry = polygon(square(9e8, 9e8, 1e6));
    expect(refusalOf(() => areaOf({ geometry, crs: "EPSG:32633" })).path).toEqual(["where", "geometry"]);
  });
});

test("a CRS may be named by code, URI and URN, in any letter case", () => {
  const names = {
    "EPSG:4326": ["epsg:4326", "http://www.opengis.net/def/crs/EPSG/0/4326", "urn:ogc:def:crs:OGC:1.3:CRS84"],
    "EPSG:32760": ["EPSG:32760", "urn:ogc:def:crs:EPSG::32760"],
  };
  for (const [name, all] of Object.entries(names)) {
    for (const crs of all) expect(areaOf({ bbox: [1, 2, 3, 4], crs }).crs.name).toBe(name);
  }
});

test("a box across the antimeridian runs on beyond 180°, and is searched as one that crosses it", () => {
  const area = areaOf({ bbox: [179, -17, -179, -16] });
  expect(area.bounds).toEqual([179, -17, 181, -16]);
  expect(area.bbox).toEqual([179, -17, -179, -16]);
  expect(area.outline.coordinates).toEqual([
    [
      [
        [179, -17],
        [181, -17],
        [181, -16],
        [179, -16],
        [179, -17],
      ],
    ],
  ]);
});
