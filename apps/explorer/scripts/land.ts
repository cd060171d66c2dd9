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
      .map((rings) => rings.filter((ring) => extent(ring) >= SMALLEST).map((ring) => simplify(ring, TOLERANCE)))
      .filter((rings) => rings.length > 0),
    UNITS,
  );
}
