/** The little geometry an upstream needs: does an item's footprint meet a box or a GeoJSON geometry? Degrees, planar. */

export type Position = readonly number[];

/** GeoJSON geometry, as parsed from JSON. */
export interface GeoJson {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly GeoJson[];
}

/** A geometry taken apart: single points, open lines, and polygons (rings of which the first is the shell). */
export interface Parts {
  readonly points: Position[];
  readonly lines: (readonly Position[])[];
  readonly polygons: (readonly (readonly Position[])[])[];
}

/** @throws {TypeError} for anything that is not a GeoJSON geometry */
export function partsOf(geometry: GeoJson, into: Parts = { points: [], lines: [], polygons: [] }): Parts {
  const { type, coordinates } = geometry;
  if (type === "GeometryCollection") {
    for (const member of geometry.geometries ?? []) partsOf(member, into);
    return into;
  }
  if (!Array.isArray(coordinates)) throw new TypeError(`Expected a GeoJSON geometry, got ${JSON.stringify(type)}.`);
  switch (type) {
    case "Point":
      into.points.push(position(coordinates));
      break;
    case "MultiPoint":
      into.points.push(...coordinates.map(position));
      break;
    case "LineString":
      into.lines.push(path(coordinates));
      break;
    case "MultiLineString":
      into.lines.push(...coordinates.map(path));
      break;
    case "Polygon":
      into.polygons.push(coordinates.map(path));
      break;
    case "MultiPolygon":
      for (const polygon of coordinates) into.polygons.push((polygon as unknown[]).map(path));
      break;
    default:
      throw new TypeError(`Expected a GeoJSON geometry, got ${JSON.stringify(type)}.`);
  }
  return into;
}

function position(value: unknown): Position {
  if (!Array.isArray(value) || value.length < 2 || !value.every((n) => typeof n === "number")) {
    throw new TypeError(`Expected a position, got ${JSON.stringify(value)}.`);
  }
  return value as number[];
}

function path(value: unknown): readonly Position[] {
  if (!Array.isArray(value)) throw new TypeError(`Expected a list of positions, got ${JSON.stringify(value)}.`);
  return value.map(position);
}

/** A box as a geometry: two polygons where west is greater than east. */
export function boxGeometry([west, south, east, north]: readonly [number, number, number, number]): GeoJson {
  if (west > east) {
    const sides = [boxGeometry([west, south, 180, north]), boxGeometry([-180, south, east, north])];
    return { type: "MultiPolygon", coordinates: sides.map(({ coordinates }) => coordinates) };
  }
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

/** West, south, east, north of all positions. */
function boundsOf(parts: Parts): readonly [number, number, number, number] {
  const bounds: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = 0, y = 0] of [...parts.points, ...parts.lines.flat(), ...parts.polygons.flat(2)]) {
    bounds[0] = Math.min(bounds[0], x);
    bounds[1] = Math.min(bounds[1], y);
    bounds[2] = Math.max(bounds[2], x);
    bounds[3] = Math.max(bounds[3], y);
  }
  return bounds;
}

const boundsKept = new WeakMap<Parts, ReturnType<typeof boundsOf>>();

function keptBounds(parts: Parts): ReturnType<typeof boundsOf> {
  let bounds = boundsKept.get(parts);
  if (bounds === undefined) {
    bounds = boundsOf(parts);
    boundsKept.set(parts, bounds);
  }
  return bounds;
}

/** Whether two geometries share a point; touching counts. */
export function partsIntersect(a: Parts, b: Parts): boolean {
  const boundsA = keptBounds(a);
  const boundsB = keptBounds(b);
  if (boundsA[0] > boundsB[2] || boundsB[0] > boundsA[2] || boundsA[1] > boundsB[3] || boundsB[1] > boundsA[3])
    return false;
  const edgesA = edgesOf(a);
  const edgesB = edgesOf(b);
  for (const [p, q] of edgesA) for (const [r, s] of edgesB) if (segmentsMeet(p, q, r, s)) return true;
  return vertices(a).some((p) => covers(b, p)) || vertices(b).some((p) => covers(a, p));
}

function edgesOf({ lines, polygons }: Parts): (readonly [Position, Position])[] {
  return [...lines, ...polygons.flat()].flatMap((line) =>
    line.slice(1).map((end, i): readonly [Position, Position] => [line[i]!, end]),
  );
}

/** One vertex of each connected part is enough once no edges meet. */
function vertices({ points, lines, polygons }: Parts): Position[] {
  return [
    ...points,
    ...lines.flatMap((line) => line.slice(0, 1)),
    ...polygons.flatMap(([shell]) => (shell ?? []).slice(0, 1)),
  ];
}

function covers(parts: Parts, point: Position): boolean {
  if (parts.points.some(([x, y]) => x === point[0] && y === point[1])) return true;
  if (parts.lines.some((line) => line.some((p, i) => i > 0 && onSegment(line[i - 1]!, p, point)))) return true;
  return parts.polygons.some((polygon) => inPolygon(polygon, point));
}

function inPolygon(rings: readonly (readonly Position[])[], point: Position): boolean {
  let inside = false;
  const [x, y] = point as readonly [number, number];
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const a = ring[i - 1]!;
      const b = ring[i]!;
      if (onSegment(a, b, point)) return true;
      const [ax, ay] = a as readonly [number, number];
      const [bx, by] = b as readonly [number, number];
      if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) inside = !inside;
    }
  }
  return inside;
}

function turn(a: Position, b: Position, c: Position): number {
  return (b[0]! - a[0]!) * (c[1]! - a[1]!) - (b[1]! - a[1]!) * (c[0]! - a[0]!);
}

function onSegment(a: Position, b: Position, p: Position): boolean {
  return (
    turn(a, b, p) === 0 &&
    Math.min(a[0]!, b[0]!) <= p[0]! &&
    p[0]! <= Math.max(a[0]!, b[0]!) &&
    Math.min(a[1]!, b[1]!) <= p[1]! &&
    p[1]! <= Math.max(a[1]!, b[1]!)
  );
}

function segmentsMeet(a: Position, b: Position, c: Position, d: Position): boolean {
  const abc = turn(a, b, c);
  const abd = turn(a, b, d);
  const cda = turn(c, d, a);
  const cdb = turn(c, d, b);
  if (abc > 0 !== abd > 0 && cda > 0 !== cdb > 0 && abc !== 0 && abd !== 0 && cda !== 0 && cdb !== 0) return true;
  return onSegment(a, b, c) || onSegment(a, b, d) || onSegment(c, d, a) || onSegment(c, d, b);
}
