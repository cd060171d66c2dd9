import { type LongEdges, unwrapRing, unwrapRings } from "./antimeridian.ts";
import { type Bbox, type Bounds, bboxGeometry, uniteBounds, wrapBbox } from "./bbox.ts";
import type { Geometry, Position } from "./geojson.ts";
import { crossesRay, segmentsMeet } from "./predicates.ts";
import { type FlatRing, flattenPositions, ringBounds } from "./ring.ts";

/** One connected part of a geometry: its boundary as segments x1, y1, x2, y2 (a point is a segment of length 0). */
interface Part {
  readonly segments: Float64Array;
  /** True where the boundary encloses an area (without its inner rings: even-odd). */
  readonly isArea: boolean;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Starts of segments in `segments`, by latitude band, where there are many. */
  readonly bands: readonly (readonly number[])[] | undefined;
}

/**
 * A geometry prepared for many intersection tests. Longitudes may be outside ±180: two shapes are compared at all
 * whole turns, so that what crosses the antimeridian, cut there or not, is found from both sides.
 */
export interface Shape {
  readonly parts: readonly Part[];
}

/** Turns that are tried for two parts: more are met only by longitudes that mean nothing. */
const MAX_TURNS = 8;
/** A part of this many segments gets bands. */
const BANDED_FROM = 64;

function partOf(lines: readonly FlatRing[], isClosed: boolean): Part | undefined {
  const present = lines.filter(({ length }) => length > 0);
  if (present.length === 0) return undefined;
  const edges = (line: FlatRing): number => (isClosed || line.length === 2 ? line.length : line.length - 2) / 2;
  const segments = new Float64Array(present.reduce((sum, line) => sum + edges(line), 0) * 4);
  let at = 0;
  for (const line of present) {
    for (let i = 0; i < edges(line) * 2; i += 2, at += 4) {
      const next = (i + 2) % line.length;
      segments[at] = line[i]!;
      segments[at + 1] = line[i + 1]!;
      segments[at + 2] = line[next]!;
      segments[at + 3] = line[next + 1]!;
    }
  }
  const [west, south, east, north] = uniteBounds(present.map(ringBounds));
  const bands = segments.length < BANDED_FROM * 4 ? undefined : bandsOf(segments, south, north);
  return { segments, isArea: isClosed, west, south, east, north, bands };
}

/** Bands that a segment is in, on average, at most: it bounds what one edge of another part is compared with. */
const BANDS_A_SEGMENT = 3;

function bandsOf(segments: Float64Array, south: number, north: number): number[][] {
  let rise = 0;
  for (let i = 0; i < segments.length; i += 4) rise += Math.abs(segments[i + 1]! - segments[i + 3]!);
  // a segment is in one band more than it crosses whole ones
  const most = ((BANDS_A_SEGMENT - 1) * (segments.length / 4) * (north - south)) / rise;
  const count = Math.max(1, Math.min(256, Math.ceil(segments.length / 16), rise > 0 ? Math.floor(most) : 1));
  const bands: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < segments.length; i += 4) {
    const [y1, y2] = [segments[i + 1]!, segments[i + 3]!];
    const last = bandAt(Math.max(y1, y2), south, north, count);
    for (let band = bandAt(Math.min(y1, y2), south, north, count); band <= last; band++) bands[band]!.push(i);
  }
  return bands;
}

function bandAt(y: number, south: number, north: number, count: number): number {
  const scale = north > south ? count / (north - south) : 0;
  return Math.max(0, Math.min(count - 1, Math.floor((y - south) * scale)));
}

function partsOf(geometry: Geometry, longEdges: LongEdges): (Part | undefined)[] {
  const isAcross = longEdges === "across-antimeridian";
  const lineOf = (positions: readonly Position[]): Part | undefined => {
    const line = flattenPositions(positions, false);
    return partOf([isAcross ? unwrapRing(line, false) : line], false);
  };
  const polygonOf = (positions: readonly (readonly Position[])[]): Part | undefined => {
    const rings = positions.map((ring) => flattenPositions(ring, true)).filter(({ length }) => length > 0);
    return partOf(isAcross ? unwrapRings(rings) : rings, true);
  };
  switch (geometry.type) {
    case "Point":
      return [lineOf([geometry.coordinates])];
    case "MultiPoint":
      return geometry.coordinates.map((position) => lineOf([position]));
    case "LineString":
      return [lineOf(geometry.coordinates)];
    case "MultiLineString":
      return geometry.coordinates.map(lineOf);
    case "Polygon":
      return [polygonOf(geometry.coordinates)];
    case "MultiPolygon":
      return geometry.coordinates.map(polygonOf);
    case "GeometryCollection":
      return geometry.geometries.flatMap((member) => partsOf(member, longEdges));
  }
}

/**
 * The shape of a geometry, with edges that are straight in longitude and latitude. Positions that are not finite are
 * dropped.
 *
 * @param longEdges what an edge of more than 180° means; default `"as-written"`, as for geometries in a search
 */
export function toShape(geometry: Geometry, longEdges: LongEdges = "as-written"): Shape {
  return { parts: partsOf(geometry, longEdges).filter((part) => part !== undefined) };
}

/** The shape of a scene's footprint: `toShape` with edges of more than 180° across the antimeridian. */
export function footprintShape(geometry: Geometry): Shape {
  return toShape(geometry, "across-antimeridian");
}

/** The shape of a box; west > east crosses the antimeridian. */
export function bboxShape(bbox: Bbox): Shape {
  return toShape(bboxGeometry(bbox));
}

/** Whether two closed shapes share a point; touching counts. */
export function shapesIntersect(a: Shape, b: Shape): boolean {
  for (const p of a.parts) {
    for (const q of b.parts) {
      if (p.south > q.north || q.south > p.north) continue;
      const least = p.west - q.east;
      const most = p.east - q.west;
      // nearly all pairs: between one turn and the next, so that none brings them together
      if ((least > 0 && most < 360) || (least > -360 && most < 0)) continue;
      // the turns of `turnsInto`, without an array for each pair
      const first = Math.ceil(least / 360);
      const last = Math.floor(most / 360);
      for (let turn = first; turn <= last && turn < first + MAX_TURNS; turn++) {
        if (partsIntersect(p, q, turn * 360)) return true;
      }
    }
  }
  return false;
}

/** Whether two geometries share a point, edges of both as written; for one test of two geometries. */
export function geometriesIntersect(a: Geometry, b: Geometry): boolean {
  return shapesIntersect(toShape(a), toShape(b));
}

/**
 * Bounding box of a shape within ±180, west > east where it crosses the antimeridian: the narrowest one, which leaves
 * out the widest gap between the parts. `undefined` for an empty shape.
 */
export function shapeBbox(shape: Shape): Bbox | undefined {
  if (shape.parts.length === 0) return undefined;
  const bounds = shape.parts.map(({ west, south, east, north }): Bounds => {
    const turns = Math.floor((west + 180) / 360) * 360;
    return [west - turns, south, east - turns, north];
  });
  const [, south, farthest, north] = uniteBounds(bounds);
  bounds.sort((a, b) => a[0] - b[0]);
  let gap = -1;
  let after = 0;
  let reach = farthest - 360;
  bounds.forEach(([from, , to], i) => {
    if (from - reach > gap) {
      gap = from - reach;
      after = i;
    }
    reach = Math.max(reach, to);
  });
  if (gap <= 0) return [-180, south, 180, north];
  const east = bounds.reduce((most, [, , to], i) => Math.max(most, i < after ? to + 360 : to), -Infinity);
  return wrapBbox([bounds[after]![0], south, east, north]);
}

/** Whether `p` and `q`, moved by `shift` degrees to the east, share a point. */
function partsIntersect(p: Part, q: Part, shift: number): boolean {
  // the banded one is looked up, the other one walked
  const [walked, looked, by] = q.bands !== undefined && p.bands === undefined ? [p, q, -shift] : [q, p, shift];
  return (
    boundariesMeet(walked, looked, by) ||
    (p.isArea && covers(p, q.segments[0]! + shift, q.segments[1]!)) ||
    (q.isArea && covers(q, p.segments[0]! - shift, p.segments[1]!))
  );
}

function boundariesMeet(walked: Part, looked: Part, shift: number): boolean {
  const { segments: s } = walked;
  const { segments: t, bands, west, south, east, north } = looked;
  for (let i = 0; i < s.length; i += 4) {
    const x1 = s[i]! + shift;
    const y1 = s[i + 1]!;
    const x2 = s[i + 2]! + shift;
    const y2 = s[i + 3]!;
    if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) continue;
    if ((y1 < south && y2 < south) || (y1 > north && y2 > north)) continue;
    if (bands === undefined) {
      for (let j = 0; j < t.length; j += 4) if (meets(t, j, x1, y1, x2, y2)) return true;
      continue;
    }
    const last = bandAt(Math.max(y1, y2), south, north, bands.length);
    for (let band = bandAt(Math.min(y1, y2), south, north, bands.length); band <= last; band++) {
      for (const j of bands[band]!) if (meets(t, j, x1, y1, x2, y2)) return true;
    }
  }
  return false;
}

/** Whether the segment at `j` meets another: their boxes are compared first, which rules out most of them. */
function meets(t: Float64Array, j: number, x1: number, y1: number, x2: number, y2: number): boolean {
  const x3 = t[j]!;
  const y3 = t[j + 1]!;
  const x4 = t[j + 2]!;
  const y4 = t[j + 3]!;
  if (Math.max(x3, x4) < Math.min(x1, x2) || Math.min(x3, x4) > Math.max(x1, x2)) return false;
  if (Math.max(y3, y4) < Math.min(y1, y2) || Math.min(y3, y4) > Math.max(y1, y2)) return false;
  return segmentsMeet(x1, y1, x2, y2, x3, y3, x4, y4);
}

/** Whether an area holds a point, its boundary included. */
function covers({ segments: s, bands, west, south, east, north }: Part, x: number, y: number): boolean {
  if (x < west || x > east || y < south || y > north) return false;
  let crossings = 0;
  if (bands === undefined) {
    for (let j = 0; j < s.length; j += 4) {
      const crossing = crossesRay(s[j]!, s[j + 1]!, s[j + 2]!, s[j + 3]!, x, y);
      if (crossing < 0) return true;
      crossings += crossing;
    }
  } else {
    for (const j of bands[bandAt(y, south, north, bands.length)]!) {
      const crossing = crossesRay(s[j]!, s[j + 1]!, s[j + 2]!, s[j + 3]!, x, y);
      if (crossing < 0) return true;
      crossings += crossing;
    }
  }
  return crossings % 2 === 1;
}
