import { describe, expect, test } from "vitest";
import { computedAngles, nodesOver } from "../../src/nbar/angle-grid.ts";
import { type Orbit, trackView } from "../../src/nbar/orbit.ts";
import { sunCoordinates, sunPosition } from "../../src/nbar/sun.ts";

/** As the collection files of Landsat give it. */
const WRS2: Orbit = { inclination: 98.2, altitude: 705, orbits: 233, days: 16, firstPath: -64.6 };

describe("the sun's position, to 0.01 degree", () => {
  test("of the example of Meeus, Astronomical Algorithms, 25.a: 13 October 1992, 0 h", () => {
    const { rightAscension, declination } = sunCoordinates(Date.parse("1992-10-13T00:00:00Z"));
    // the example's are of dynamical time, 59 seconds later
    expect(Math.abs(rightAscension - 198.38083)).toBeLessThan(0.001);
    expect(Math.abs(declination - -7.78507)).toBeLessThan(0.001);
  });

  test("of the example of NREL's Solar Position Algorithm (Reda and Andreas 2004, table A5.1), without refraction", {
    tags: ["OS13"],
  }, () => {
    const { zenith, azimuth } = sunPosition(Date.parse("2003-10-17T19:30:30Z"), -105.1786, 39.742476);
    expect(Math.abs(zenith - (90 - 39.872046))).toBeLessThan(0.01);
    expect(Math.abs(azimuth - 194.340241)).toBeLessThan(0.01);
  });

  // view:sun_elevation and view:sun_azimuth of published items, at the middle of their bounding boxes
  test.each([
    [
      "LC08_L2SP_047027_20201204_20210313_02_T1",
      "2020-12-04T19:02:11.194Z",
      -123.36797,
      47.442689,
      18.80722985,
      164.91405951,
    ],
    ["LC09_L2SP_010065_20220129_02_T1", "2022-01-29T15:28:34.396Z", -80.03627, -7.2337635, 57.84396063, 112.2005908],
  ])("of %s, as USGS computes it for the scene's middle", (_id, time, longitude, latitude, elevation, expected) => {
    const { zenith, azimuth } = sunPosition(Date.parse(time), longitude, latitude);
    // the middle of a bounding box is some hundred metres beside the scene's
    expect(Math.abs(zenith - (90 - elevation))).toBeLessThan(0.012);
    expect(Math.abs(azimuth - expected)).toBeLessThan(0.012);
  });

  test("is above the equator at noon of an equinox, east in the morning, west in the evening", () => {
    expect(sunPosition(Date.parse("2024-03-20T12:07:20Z"), 0, 0).zenith).toBeLessThan(0.2);
    expect(sunPosition(Date.parse("2024-03-20T08:00:00Z"), 0, 0).azimuth).toBeCloseTo(90, 0);
    expect(sunPosition(Date.parse("2024-03-20T16:00:00Z"), 0, 0).azimuth).toBeCloseTo(270, 0);
    expect(sunPosition(Date.parse("2024-03-20T00:00:00Z"), 0, 0).zenith).toBeGreaterThan(170);
  });
});

describe("the direction to a satellite on its path", () => {
  // middles of the bounding boxes of published scenes that look straight down
  test.each([
    [1, -65.18838, -2.8948335],
    [8, -75.0756525, 1.4439743],
    [47, -123.36797, 47.442689],
    [10, -80.03627, -7.2337635],
    [99, 67.967631, -81.337988],
    [191, 13.64, 46.04],
  ])(
    "of path %i is at the zenith in the middle of a scene, within 0.6 degrees",
    { tags: ["OS13"] },
    (path, longitude, latitude) => {
      expect(trackView(WRS2, path)(longitude, latitude).zenith).toBeLessThan(0.6);
    },
  );

  test("is 7.5 degrees off the satellite's vertical at the edges of a swath of 185 km, and to the track's side", () => {
    const degreesPerKm = 360 / 40_030;
    const equator = -64.6 - (360 / 233) * 99;
    for (const side of [-1, 1]) {
      const { zenith, azimuth } = trackView(WRS2, 100)(equator + side * 92.5 * degreesPerKm, 0);
      // from the ground it is the earth's curvature more: the track leans by 12 degrees, 92.5 km are 90.5 across it
      const off = zenith - 90.5 * degreesPerKm;
      expect(Math.abs(off - 7.5)).toBeLessThan(0.25);
      expect(Math.abs(azimuth - (side < 0 ? 102 : 282))).toBeLessThan(0.5);
    }
  });
});

test("computed angles are given at nodes over all of a scene's pixels, and none where there is no ground", () => {
  const nodes = nodesOver("EPSG:32633", [30, 0, 300_000, 0, -30, 5_100_000], [6000, 7200]);
  expect([nodes.width, nodes.height]).toEqual([21, 25]);
  expect(nodes.transform).toEqual([9000, 0, 300_000, 0, -9000, 5_100_000]);
  const { angles } = computedAngles(nodes, { time: Date.parse("2024-07-04T09:50:00Z"), orbit: WRS2, path: 191 });
  expect(angles).toHaveLength(21 * 25);
  for (const each of angles) {
    expect(each?.sunZenith).toBeGreaterThan(20);
    expect(each?.sunZenith).toBeLessThan(35);
    expect(each?.viewZenith).toBeLessThan(15);
  }
  const nowhere = nodesOver("EPSG:4326", [1, 0, 0, 0, -1, 100], [4, 4]);
  const none = computedAngles(nowhere, { time: 0, orbit: WRS2, path: 1 }).angles;
  expect(none[0]).toBeUndefined();
});
