import { bboxesIntersect, bboxGeometry, geometriesIntersect, type PolygonGeometry } from "@swath/geometry";
import fc from "fast-check";
import { expect, test } from "vitest";
import { searchBoxes } from "../../src/where/search-boxes.ts";

const square = (west: number, south: number, side = 0.01) => [
  [
    [west, south],
    [west + side, south],
    [west + side, south + side],
    [west, south + side],
    [west, south],
  ],
];

test("a field is searched by its box, and so is a country", () => {
  expect(searchBoxes({ type: "Polygon", coordinates: square(13, 45) })).toEqual([[13, 45, 13.01, 45.01]]);
  expect(searchBoxes({ type: "Polygon", coordinates: square(13, 45, 8) })).toHaveLength(1);
});

test("fields that are far apart, across the antimeridian too, are searched by a box each", () => {
  const boxes = searchBoxes({ type: "MultiPolygon", coordinates: [square(13, 45), square(60, 5), square(185, -20)] });
  expect(boxes.map((box) => box.map((side) => Number(side.toFixed(6)))).sort()).toEqual(
    [
      [-175, -20, -174.99, -19.99],
      [13, 45, 13.01, 45.01],
      [60, 5, 60.01, 5.01],
    ].sort(),
  );
});

test("a river is searched by boxes along it, which are a small part of the box around it", () => {
  const bank = Array.from({ length: 41 }, (_, i) => [10 + i / 2, 40 + i / 2]);
  const other = bank.toReversed().map(([x, y]) => [x! + 0.001, y! - 0.001]);
  const boxes = searchBoxes({ type: "Polygon", coordinates: [[...bank, ...other, bank[0]!]] });
  expect(boxes.length).toBeGreaterThan(8);
  expect(boxes.length).toBeLessThanOrEqual(16);
  const area = boxes.reduce((sum, [west, south, east, north]) => sum + (east - west) * (north - south), 0);
  expect(area).toBeLessThan((20 * 20) / 8);
});

test("whatever meets the polygons meets a box", { tags: ["TS14"] }, () => {
  const place = fc.tuple(
    fc.double({ min: -179, max: 179, noNaN: true }),
    fc.double({ min: -80, max: 80, noNaN: true }),
  );
  const side = fc.double({ min: 0.001, max: 6, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(place, side), { minLength: 1, maxLength: 30 }), place, side, (fields, at, size) => {
      const polygon: PolygonGeometry = {
        type: "MultiPolygon",
        coordinates: fields.map(([[x, y], own]) => square(x, y, own)),
      };
      const [x, y] = at;
      const boxes = searchBoxes(polygon);
      expect(boxes.length).toBeLessThanOrEqual(16);
      const scene = { type: "Polygon" as const, coordinates: square(x, y, size) };
      if (!geometriesIntersect(scene, polygon)) return;
      const found = boxes.some(
        (box) =>
          geometriesIntersect(scene, bboxGeometry(box)) ||
          bboxesIntersect(box, [x, y, x + size > 180 ? x + size - 360 : x + size, y + size]),
      );
      expect(found).toBe(true);
    }),
  );
});
