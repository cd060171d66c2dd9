import fc from "fast-check";
import { expect, test } from "vitest";
import { boundaryKm, groundAreaKm2 } from "../../src/limits/ground-area.ts";

type Ring = readonly (readonly [number, number])[];
const polygon = (...rings: readonly Ring[]) => ({
  type: "Polygon" as const,
  coordinates: rings.map((ring) => [...ring, ring[0]!].map(([x, y]) => [x, y])),
});
const box = (west: number, south: number, east: number, north: number): Ring => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
];

const FIELD: Ring = [
  [13.2, 45.45],
  [13.21, 45.452],
  [13.208, 45.46],
  [13.197, 45.458],
];
const POND: Ring = [
  [13.202, 45.453],
  [13.205, 45.453],
  [13.204, 45.456],
];
const ISLAND: Ring = [
  [179.98, -17],
  [180.02, -17.01],
  [180.01, -16.97],
];
const ARCTIC: Ring = [
  [-60, 82],
  [-59.8, 82.01],
  [-59.9, 82.03],
];

/*
 * pyproj 3.4.1 (GeographicLib): Geod(ellps="WGS84").polygon_area_perimeter(lons, lats), with 2,000 points on each edge that are
 * on a line in degrees; of boxes with 20,000 on each parallel.
 */
test.each<[string, Ring, number, number]>([
  ["a field", FIELD, 0.773_716_861, 3.524_193],
  ["a pond in it", POND, 0.039_121_239, 0.945_443],
  ["an island on the antimeridian", ISLAND, 8.838_837_38, 13.561_384],
  ["a place at 82° north", ARCTIC, 4.332_335_843, 9.712_303],
  ["a degree at the equator", box(0, 0, 1, 1), 12_308.463_894, 443.770_918],
  ["a degree in the middle", box(10, 45, 11, 46), 8_686.494_957, 378.593_231],
  ["a degree in the north", box(10, 80, 11, 81), 2_058.274_854, 260.191_235],
])("%s has the area and, to a hundredth, the boundary that GeographicLib says", (_, ring, km2, km) => {
  expect(groundAreaKm2(polygon(ring)) / km2).toBeCloseTo(1, 6);
  expect(boundaryKm(polygon(ring)) / km).toBeCloseTo(1, 2);
});

test("the whole Earth has the area of the WGS 84 ellipsoid, and the equator its length", () => {
  // GeographicLib, "Area of the WGS84 ellipsoid": 510,065,621.724 km²; 2π × 6378.137 km
  expect(groundAreaKm2(polygon(box(-180, -90, 180, 90)))).toBeCloseTo(510_065_621.724, 2);
  const equator = Array.from({ length: 361 }, (__, i) => [i - 180, 0] as const);
  expect(boundaryKm({ type: "Polygon", coordinates: [equator.map(([x, y]) => [x, y])] })).toBeCloseTo(40_075.017, 2);
});

test("holes are taken off the area and add to the boundary; parts add to both", () => {
  const [field, pond] = [polygon(FIELD), polygon(POND)];
  const pierced = polygon(FIELD, POND);
  expect(groundAreaKm2(pierced)).toBeCloseTo(groundAreaKm2(field) - groundAreaKm2(pond), 9);
  expect(boundaryKm(pierced)).toBeCloseTo(boundaryKm(field) + boundaryKm(pond), 9);
  const parts = { type: "MultiPolygon" as const, coordinates: [field.coordinates, polygon(ISLAND).coordinates] };
  expect(groundAreaKm2(parts)).toBeCloseTo(groundAreaKm2(field) + groundAreaKm2(polygon(ISLAND)), 9);
});

const degree = (min: number, max: number) => fc.double({ min, max, noNaN: true });

test("an area is that of its parts, whatever the direction of its ring and the turn of its longitudes", () => {
  fc.assert(
    fc.property(
      degree(-180, 170),
      degree(-89, 80),
      degree(0.001, 9),
      degree(0.001, 9),
      degree(0.1, 0.9),
      (west, south, width, height, share) => {
        const [east, north] = [west + width, south + height];
        const middle = south + share * height;
        const whole = groundAreaKm2(polygon(box(west, south, east, north)));
        const [lower, upper] = [box(west, south, east, middle), box(west, middle, east, north)].map((ring) =>
          groundAreaKm2(polygon(ring)),
        );
        expect((lower! + upper!) / whole).toBeCloseTo(1, 6);
        const ring = box(west, south, east, north);
        expect(groundAreaKm2(polygon(ring.toReversed())) / whole).toBeCloseTo(1, 9);
        expect(groundAreaKm2(polygon(ring.map(([x, y]) => [x + 360, y] as const))) / whole).toBeCloseTo(1, 6);
      },
    ),
  );
});
