import { expect, test } from "vitest";
import { landBytes } from "../scripts/land.ts";
import { labelsText } from "../scripts/places.ts";
import { decodeRings } from "../src/map/maplibre/rings.ts";

const polygons = decodeRings(landBytes());

/** Whether an odd number of edges lies east of a point, in its world or the one beside it. */
function isLand(lon: number, lat: number): boolean {
  const isInside = (x: number): boolean =>
    polygons.some((rings) => {
      const crossed = rings.flatMap((ring) =>
        ring.filter(([x1, y1], i) => {
          const [x0, y0] = ring[i - 1] ?? [x1, y1];
          return y0 > lat !== y1 > lat && x < x0 + ((lat - y0) / (y1 - y0)) * (x1 - x0);
        }),
      );
      return crossed.length % 2 === 1;
    });
  return [lon - 360, lon, lon + 360].some(isInside);
}

test.each([
  ["the Norwegian Sea", 0, 67, false],
  ["the Davis Strait", -57, 67, false],
  ["the sea north of Fiji", -90, -16.52, false],
  ["the Bering Sea", -175, 62, false],
  ["the Arctic Ocean", 0, 71.2, false],
  ["the Caspian Sea", 51, 40, false],
  ["Chukotka", -175, 67, true],
  ["Siberia", 100, 67, true],
  ["Wrangel Island east of 180 degrees", -179.5, 71.2, true],
  ["Wrangel Island west of it", 179.5, 71.2, true],
  ["the South Pole", 0, -89.5, true],
])("%s at %d, %d is land: %s", (_, lon, lat, expected) => {
  expect(isLand(lon, lat)).toBe(expected);
});

test("no edge leads around the world, but along the South Pole", () => {
  const edges = polygons.flatMap((rings) =>
    rings.flatMap((ring) => ring.slice(1).map(([x, y], i) => ({ span: Math.abs(x - (ring[i]?.[0] ?? x)), y }))),
  );
  expect(edges.filter(({ span }) => span > 180)).toEqual([{ span: 360, y: -90 }]);
});

test("the name of Russia stands in the middle of it", () => {
  const { countries } = JSON.parse(labelsText()) as { countries: [name: string, lon: number, lat: number][] };
  const [, lon = 0, lat = 0] = countries.find(([name]) => name === "Russia") ?? [];
  expect(Math.abs(lon - 95)).toBeLessThan(15);
  expect(Math.abs(lat - 62)).toBeLessThan(5);
});
