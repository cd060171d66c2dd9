import type { Bbox, Geometry } from "@swath/query";

/** One connected piece of a geometry: its boundary as segments x1, y1, x2, y2 (a point is a segment of length 0). */
interface Part {
  readonly segments: Float64Array;
  /** True where the boundary encloses an area (holes included: even-odd). */
  readonly area: boolean;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  /** Segment numbers by latitude band, where there are many segments. */
  readonly bands: readonly (readonly number[])[] | undefined;
}

/**
 * A geometry made ready for many intersection tests. Longitudes may lie outside ±180: two shapes are
 * compared at shifts of 360 degrees, so that what crosses the antimeridian, split there or not, is found from both sides.
 */
export interface Shape {
  readonly parts: readonly Part[];
}

type Position = readonly number[];
type Ring = readonly Position[];

const BANDED_FROM = 64;

function partOf(rings: readonly Ring[], area: boolean): Part | undefined {
  const count = rings.reduce((sum, ring) => sum + Math.max(ring.length - 1, ring.length === 1 ? 1 : 0), 0);
  if (count === 0) return undefined;
  const segments = new Float64Array(count * 4);
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  let at = 0;
  for (const ring of rings) {
    for (let i = 0; i < Math.max(ring.length - 1, 1) && ring.length > 0; i++) {
      const from = ring[i] as Position;
      const to = ring[Math.min(i + 1, ring.length - 1)] as Position;
      segments.set([from[0] ?? NaN, from[1] ?? NaN, to[0] ?? NaN, to[1] ?? NaN], at);
      at += 4;
    }
    for (const position of ring) {
      const [x = NaN, y = NaN] = position;
      west = Math.min(west, x);
      east = Math.max(east, x);
      south = Math.min(south, y);
      north = Math.max(north, y);
    }
  }
  return {
    segments,
    area,
    west,
    south,
    east,
    north,
    bands: count < BANDED_FROM ? undefined : bandsOf(segments, south, north),
  };
}

function bandsOf(segments: Float64Array, south: number, north: number): number[][] {
  const count = Math.min(256, Math.ceil(segments.length / 16));
  const bands: number[][] = Array.from({ length: count }, () => []);
  const scale = north > south ? count / (north - south) : 0;
  for (let i = 0; i < segments.length; i += 4) {
    const y1 = segments[i + 1] as number;
    const y2 = segments[i + 3] as number;
    const last = Math.min(count - 1, Math.floor((Math.max(y1, y2) - south) * scale));
    for (let band = Math.min(count - 1, Math.floor((Math.min(y1, y2) - south) * scale)); band <= last; band++) {
      bands[band]?.push(i);
    }
  }
  return bands;
}

/**
 * The ring of a footprint that runs over the antimeridian without being split there (…179.9, −179.9…), with its
 * longitudes made continuous. Rings that are wide in earnest, or go round a pole, stay as they are.
 */
function unwrapped(ring: Ring): Ring {
  let previous = ring[0]?.[0] ?? 0;
  let jumped = false;
  const continuous = ring.map((position) => {
    const [x = NaN, y = NaN] = position;
    const turns = Math.round((previous - x) / 360);
    if (turns !== 0) jumped = true;
    previous = x + turns * 360;
    return [previous, y];
  });
  return jumped && continuous.at(-1)?.[0] === continuous[0]?.[0] ? continuous : ring;
}

function partsOf(geometry: Geometry, ringOf: (ring: Ring) => Ring): (Part | undefined)[] {
  switch (geometry.type) {
    case "Point":
      return [partOf([[geometry.coordinates]], false)];
    case "MultiPoint":
      return geometry.coordinates.map((position) => partOf([[position]], false));
    case "LineString":
      return [partOf([geometry.coordinates], false)];
    case "MultiLineString":
      return geometry.coordinates.map((line) => partOf([line], false));
    case "Polygon":
      return [partOf(geometry.coordinates.map(ringOf), true)];
    case "MultiPolygon":
      return geometry.coordinates.map((rings) => partOf(rings.map(ringOf), true));
    case "GeometryCollection":
      return geometry.geometries.flatMap((member) => partsOf(member, ringOf));
  }
}

/** The shape of a geometry as RFC 7946 has it: edges are straight in longitude and latitude. */
export function toShape(geometry: Geometry): Shape {
  return { parts: partsOf(geometry, (ring) => ring).filter((part) => part !== undefined) };
}

/** The shape of a scene's footprint: as `toShape`, but an edge longer than 180 degrees is taken to cross the antimeridian. */
export function toFootprint(geometry: Geometry): Shape {
  return { parts: partsOf(geometry, unwrapped).filter((part) => part !== undefined) };
}

/** The shape of a box; west > east crosses the antimeridian. */
export function bboxShape([west, south, east, north]: Bbox): Shape {
  const right = west > east ? east + 360 : east;
  const ring = [
    [west, south],
    [right, south],
    [right, north],
    [west, north],
    [west, south],
  ];
  return { parts: [partOf([ring], true) as Part] };
}

/** Whether two closed shapes share a point; touching counts. */
export function shapesIntersect(a: Shape, b: Shape): boolean {
  for (const p of a.parts) {
    for (const q of b.parts) {
      if (p.south > q.north || q.south > p.north) continue;
      for (let shift = -360; shift <= 360; shift += 360) {
        if (p.west <= q.east + shift && q.west + shift <= p.east && partsIntersect(p, q, shift)) return true;
      }
    }
  }
  return false;
}

/** Bounding box of a shape, normalized to ±180, west > east where it crosses the antimeridian; `undefined` of an empty one. */
export function shapeBbox(shape: Shape): Bbox | undefined {
  if (shape.parts.length === 0) return undefined;
  const south = shape.parts.reduce((least, part) => Math.min(least, part.south), Infinity);
  const north = shape.parts.reduce((most, part) => Math.max(most, part.north), -Infinity);
  // the widest gap between the parts' longitudes is what the box leaves out
  const spans = shape.parts
    .map(({ west, east }): [number, number] => {
      const turns = Math.floor((west + 180) / 360) * 360;
      return [west - turns, east - turns];
    })
    .sort((a, b) => a[0] - b[0]);
  let gap = -1;
  let after = 0;
  let reach = -Infinity;
  const farthest = spans.reduce((most, [, to]) => Math.max(most, to), -Infinity);
  spans.forEach(([from, to], i) => {
    const previous = i === 0 ? farthest - 360 : reach;
    if (from - previous > gap) {
      gap = from - previous;
      after = i;
    }
    reach = Math.max(reach, to);
  });
  if (gap <= 0) return [-180, south, 180, north];
  const west = (spans[after] as [number, number])[0];
  const east = spans.reduce((most, [, to], i) => Math.max(most, i < after ? to + 360 : to), -Infinity);
  return [west, south, east > 180 ? east - 360 : east, north];
}

function partsIntersect(p: Part, q: Part, shift: number): boolean {
  // the banded one is looked up, the other one walked
  const [walked, looked, by] = q.bands !== undefined && p.bands === undefined ? [p, q, -shift] : [q, p, shift];
  return (
    boundariesMeet(walked, looked, by) ||
    (p.area && contains(p, (q.segments[0] as number) + shift, q.segments[1] as number)) ||
    (q.area && contains(q, (p.segments[0] as number) - shift, p.segments[1] as number))
  );
}

function bandRange(part: Part, south: number, north: number): [number, number] {
  const count = part.bands?.length ?? 0;
  const scale = part.north > part.south ? count / (part.north - part.south) : 0;
  const band = (y: number): number => Math.max(0, Math.min(count - 1, Math.floor((y - part.south) * scale)));
  return [band(south), band(north)];
}

function boundariesMeet(walked: Part, looked: Part, shift: number): boolean {
  const s = walked.segments;
  for (let i = 0; i < s.length; i += 4) {
    const x1 = (s[i] as number) + shift;
    const y1 = s[i + 1] as number;
    const x2 = (s[i + 2] as number) + shift;
    const y2 = s[i + 3] as number;
    if (Math.max(x1, x2) < looked.west || Math.min(x1, x2) > looked.east) continue;
    if (Math.max(y1, y2) < looked.south || Math.min(y1, y2) > looked.north) continue;
    if (looked.bands === undefined) {
      for (let j = 0; j < looked.segments.length; j += 4) if (meets(looked.segments, j, x1, y1, x2, y2)) return true;
    } else {
      const [first, last] = bandRange(looked, Math.min(y1, y2), Math.max(y1, y2));
      for (let band = first; band <= last; band++) {
        for (const j of looked.bands[band] ?? []) if (meets(looked.segments, j, x1, y1, x2, y2)) return true;
      }
    }
  }
  return false;
}

/** Twice the signed area of a, b, c: its sign says on which side of a→b the point c lies. */
function side(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function meets(s: Float64Array, j: number, x1: number, y1: number, x2: number, y2: number): boolean {
  const x3 = s[j] as number;
  const y3 = s[j + 1] as number;
  const x4 = s[j + 2] as number;
  const y4 = s[j + 3] as number;
  if (Math.max(x3, x4) < Math.min(x1, x2) || Math.min(x3, x4) > Math.max(x1, x2)) return false;
  if (Math.max(y3, y4) < Math.min(y1, y2) || Math.min(y3, y4) > Math.max(y1, y2)) return false;
  // boxes overlap: they meet when neither lies strictly on one side of the other (collinear ones do, by their boxes)
  return (
    side(x1, y1, x2, y2, x3, y3) * side(x1, y1, x2, y2, x4, y4) <= 0 &&
    side(x3, y3, x4, y4, x1, y1) * side(x3, y3, x4, y4, x2, y2) <= 0
  );
}

function contains(part: Part, x: number, y: number): boolean {
  if (x < part.west || x > part.east || y < part.south || y > part.north) return false;
  const s = part.segments;
  let inside = false;
  const cross = (j: number): void => {
    const y1 = s[j + 1] as number;
    const y2 = s[j + 3] as number;
    if (y1 > y !== y2 > y) {
      const x1 = s[j] as number;
      if (x < ((y - y1) / (y2 - y1)) * ((s[j + 2] as number) - x1) + x1) inside = !inside;
    }
  };
  if (part.bands === undefined) {
    for (let j = 0; j < s.length; j += 4) cross(j);
  } else {
    for (const j of part.bands[bandRange(part, y, y)[0]] ?? []) cross(j);
  }
  return inside;
}
