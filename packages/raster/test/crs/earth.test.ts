import fc from "fast-check";
import { expect, test } from "vitest";
import { METRES_PER_LATITUDE } from "../../src/crs/earth.ts";
import {
  ECCENTRICITY2,
  EQUATOR_RADIUS,
  METRES_PER_DEGREE,
  resolveCrs,
  transformer,
  utmEpsg,
  utmZone,
} from "../../src/index.ts";

test("lengths of degrees are those of the WGS 84 ellipsoid", () => {
  const f = 1 / 298.257223563;
  expect(ECCENTRICITY2).toBeCloseTo(f * (2 - f), 16);
  expect(Math.round((EQUATOR_RADIUS * Math.PI) / 1800) * 10).toBe(METRES_PER_DEGREE);
  // the meridian from the equator to the pole, by its radius of curvature at 9,000 latitudes (Snyder 1987, 4-18)
  const steps = Array.from({ length: 9000 }, (_, i) => ((i + 0.5) / 9000) * (Math.PI / 2));
  const radius = (latitude: number) =>
    (EQUATOR_RADIUS * (1 - ECCENTRICITY2)) / (1 - ECCENTRICITY2 * Math.sin(latitude) ** 2) ** 1.5;
  const quarter = (steps.reduce((sum, latitude) => sum + radius(latitude), 0) / 9000) * (Math.PI / 2);
  expect(quarter).toBeCloseTo(10_001_965.73, 1);
  expect(Math.round(quarter / 90)).toBe(METRES_PER_LATITUDE);
});

test.each([
  [13.7, 45.5, 32_633],
  [-70, -33, 32_719],
  [-180, 10, 32_601],
  [180, 10, 32_601],
  [179.999, -10, 32_760],
  [186, 0, 32_602],
  [-186.1, 0, 32_659],
  [0, 0, 32_631],
  [-0.001, -0.001, 32_730],
])("the UTM zone of %d, %d is EPSG:%d", (longitude, latitude, epsg) => {
  expect(utmEpsg(longitude, latitude)).toBe(epsg);
});

test("a point is within three degrees of the middle meridian of its zone", () => {
  const degrees = fc.record({
    lon: fc.double({ min: -180, max: 180, noNaN: true }),
    lat: fc.double({ min: -80, max: 84, noNaN: true }),
  });
  fc.assert(
    fc.property(degrees, ({ lon, lat }) => {
      const epsg = utmEpsg(lon, lat);
      expect([epsg % 100, epsg % 100]).toEqual([utmZone(epsg), utmZone(utmEpsg(lon, -lat))]);
      const [x, y] = transformer(resolveCrs("EPSG:4326"), resolveCrs(`EPSG:${epsg}`))(lon, lat);
      // three degrees of the equator at a scale of 0.9996 to 1.001
      expect(Math.abs(x - 500_000)).toBeLessThan(334_100);
      expect(y >= 0 && y <= 10_000_000).toBe(true);
    }),
  );
});

test("codes of other CRSs are of no zone", () => {
  expect([undefined, 4326, 3857, 32_600, 32_661, 32_700, 32_761, 32_633.5].map(utmZone)).toEqual(
    new Array(8).fill(undefined),
  );
  expect([32_601, 32_660, 32_701, 32_760].map(utmZone)).toEqual([1, 60, 1, 60]);
});
