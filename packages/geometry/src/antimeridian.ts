import { type PolygonGeometry, polygonsOf } from "./geojson.ts";
import { type FlatRing, flattenRing, ringBounds, ringPositions, shiftRing } from "./ring.ts";

/**
 * The meaning of an edge of more than 180° of longitude.
 *
 * - `"as-written"`: straight from one longitude to the other, the long way, as RFC 7946 has it (3.1.1). A geometry that
 *   crosses the antimeridian is cut there by its author (3.1.9). This is the meaning of a search: `intersects` and
 *   spatial functions of a filter, so that a box of 350° is a box of 350°.
 * - `"across-antimeridian"`: the short way. Footprints in real catalogues are often not cut: 179.9, −179.9 is an edge of
 *   0.2°. This is the meaning of footprints, and of polygons that select pixels.
 */
export type LongEdges = "as-written" | "across-antimeridian";

/**
 * The rule for the antimeridian, for rings and lines whose long edges go across it: longitudes are made continuous, so
 * that they may run beyond ±180. An edge of more than 180° takes the short way, except one of 360° or more, which is
 * the edge of a world map and stays. A ring that then ends whole turns away from its start winds around a pole and is
 * extended over it: the north pole where the mean latitude of its points is positive, else the south pole.
 *
 * Whatever is compared after that is compared at all whole turns (see `turnsInto`), so that 190° and −170° are one
 * meridian, and cut and continuous forms of one geometry are found in the same way.
 *
 * @param ring degrees
 * @param isClosed false for a line, which has no edge from its end to its start
 */
export function unwrapRing(ring: FlatRing, isClosed = true): FlatRing {
  const out = ring.slice();
  let turns = 0;
  let latitudes = 0;
  for (let i = 2; i < ring.length; i += 2) {
    turns += turnOf(ring[i]! - ring[i - 2]!);
    out[i] = ring[i]! + turns;
    latitudes += ring[i + 1]!;
  }
  if (!isClosed || ring.length === 0) return out;
  turns += turnOf(ring[0]! - ring.at(-2)!);
  if (turns === 0) return out;
  const pole = latitudes < 0 ? -90 : 90;
  const end = ring[0]! + turns;
  return Float64Array.from([...out, end, ring[1]!, end, pole, ring[0]!, pole]);
}

function turnOf(step: number): number {
  if (Math.abs(step) <= 180 || Math.abs(step) >= 360) return 0;
  return step > 0 ? -360 : 360;
}

/** The rings of one polygon by the rule of `unwrapRing`; inner rings are moved by whole turns into the outer one. */
export function unwrapRings(rings: readonly FlatRing[]): FlatRing[] {
  const [outer, ...inner] = rings.map((ring) => unwrapRing(ring));
  if (outer === undefined) return [];
  const middle = middleOf(outer);
  return [outer, ...inner.map((ring) => shiftRing(ring, Math.round((middle - middleOf(ring)) / 360) * 360))];
}

function middleOf(ring: FlatRing): number {
  const [west, , east] = ringBounds(ring);
  return (west + east) / 2;
}

/**
 * Polygons by the rule of `unwrapRing`, and those that the antimeridian has cut apart side by side again: where the
 * polygons meet it from both sides, or run across it, those west of Greenwich move one turn to the east. Rings of fewer
 * than three points are dropped.
 */
export function unwrapPolygons(geometry: PolygonGeometry): FlatRing[][] {
  const polygons = polygonsOf(geometry)
    .map((rings) => unwrapRings(rings.flatMap((ring) => flattenRing(ring) ?? [])))
    .filter((rings) => rings.length > 0);
  const spans = polygons.map(([outer]) => ringBounds(outer!));
  const isAcross = spans.some(([west, , east]) => west < -180 || east > 180);
  const isCut = spans.some(([, , east]) => east >= 180) && spans.some(([west]) => west <= -180);
  if (!isAcross && !isCut) return polygons;
  return polygons.map((rings, i) => (spans[i]![2] <= 0 ? rings.map((ring) => shiftRing(ring, 360)) : rings));
}

/** Flat rings as GeoJSON. */
export function polygonGeometry(polygons: readonly (readonly FlatRing[])[]): PolygonGeometry {
  const [first, ...others] = polygons.map((rings) => rings.map(ringPositions));
  return others.length === 0
    ? { type: "Polygon", coordinates: first ?? [] }
    : { type: "MultiPolygon", coordinates: [first ?? [], ...others] };
}

/** More turns than this come from longitudes that mean nothing. */
const MAX_TURNS = 5;

/**
 * The whole turns (−360, 0, 360, …) by which longitudes `fromWest`..`fromEast` have to move to touch
 * `toWest`..`toEast`; none where there would be more than five.
 */
export function turnsInto(fromWest: number, fromEast: number, toWest: number, toEast: number): number[] {
  const first = Math.ceil((toWest - fromEast) / 360);
  const count = Math.floor((toEast - fromWest) / 360) - first + 1;
  if (!(count > 0 && count <= MAX_TURNS)) return [];
  return Array.from({ length: count }, (_, i) => (first + i) * 360);
}

/** The ring at each of the turns by which it touches longitudes `west`..`east`. */
export function ringTurns(ring: FlatRing, west: number, east: number): FlatRing[] {
  const [minX, , maxX] = ringBounds(ring);
  return turnsInto(minX, maxX, west, east).map((turn) => shiftRing(ring, turn));
}
