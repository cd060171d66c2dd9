import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { feature } from "topojson-client";
import { encodeRings, type Ring } from "../src/map/maplibre/rings.ts";

/** Units of a degree kept: 0.01° is about a kilometre, below what Natural Earth 1:50m resolves. */
const UNITS = 100;
/** Points nearer than this, in degrees, to the line between their neighbours are left out. */
const TOLERANCE = 0.03;
/** Islands with a smaller extent, in degrees, are left out: they would be about a pixel at zoom 6. */
const SMALLEST = 0.06;

const require = createRequire(import.meta.url);

function extent(ring: Ring): number {
  const span = (axis: 0 | 1): number => {
    const values = ring.map((point) => point[axis]);
    return values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
  };
  return Math.max(span(0), span(1));
}

/** Whether a ring is a pole: the file has the south one as a hole of Antarctica. */
const isPole = (ring: Ring): boolean => ring.every(([, y]) => Math.abs(y) > 89.9);

/** The line with as few points as stay within `tolerance` of it (Douglas and Peucker 1973); the ends stay. */
export function simplify(line: Ring, tolerance: number): Ring {
  const keep = new Uint8Array(line.length);
  keep[0] = 1;
  keep[line.length - 1] = 1;
  const open: [number, number][] = [[0, line.length - 1]];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const [first, last] = part;
    const [x0, y0] = line[first] as [number, number];
    const [x1, y1] = line[last] as [number, number];
    const length = Math.hypot(x1 - x0, y1 - y0);
    let [farthest, distance] = [first, tolerance];
    for (let i = first + 1; i < last; i++) {
      const [x, y] = line[i] as [number, number];
      const off =
        length === 0 ? Math.hypot(x - x0, y - y0) : Math.abs((x1 - x0) * (y0 - y) - (x0 - x) * (y1 - y0)) / length;
      if (off > distance) [farthest, distance] = [i, off];
    }
    if (farthest === first) continue;
    keep[farthest] = 1;
    open.push([first, farthest], [farthest, last]);
  }
  return line.filter((_, i) => keep[i] === 1);
}

/**
 * A ring whose points follow each other the short way, beyond ±180° where it crosses that line: the file has it cut there, and
 * its two edges as one. A ring around a pole goes on to that pole.
 */
export function unwrapRing(ring: Ring): Ring {
  const points: [number, number][] = [];
  for (const [x, y] of ring) {
    const before = points.at(-1)?.[0] ?? x;
    points.push([x + 360 * Math.round((before - x) / 360), y]);
  }
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return ring;
  if (Math.abs(last[0] - first[0]) > 180) {
    const pole = first[1] < 0 ? -90 : 90;
    return [...points, [last[0], pole], [first[0], pole], first];
  }
  const xs = points.map(([x]) => x);
  const middle = (xs.reduce((a, b) => Math.max(a, b)) + xs.reduce((a, b) => Math.min(a, b))) / 2;
  const shift = -360 * Math.round(middle / 360);
  return points.map(([x, y]) => [x + shift, y]);
}

/** Land of Natural Earth 1:50m (public domain, through the npm package world-atlas) as bytes that `decodeRings` reads. */
export function landBytes(): Uint8Array {
  const topology = JSON.parse(readFileSync(require.resolve("world-atlas/land-50m.json"), "utf8"));
  const { features } = feature(topology, topology.objects.land) as unknown as {
    features: { geometry: { type: string; coordinates: never } }[];
  };
  const polygons = features.flatMap(({ geometry }) =>
    geometry.type === "Polygon" ? [geometry.coordinates as Ring[]] : (geometry.coordinates as Ring[][]),
  );
  return encodeRings(
    polygons
      .map((rings) =>
        rings
          .filter((ring) => !isPole(ring))
          .map(unwrapRing)
          .filter((ring) => extent(ring) >= SMALLEST)
          .map((ring) => simplify(ring, TOLERANCE)),
      )
      .filter((rings) => rings.length > 0),
    UNITS,
  );
}
