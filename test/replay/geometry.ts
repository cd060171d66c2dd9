import type { Json } from "./recordings.ts";

type Position = readonly number[];

/** A geometry as points, lines and polygons in the plane of longitude and latitude, degrees. */
interface Parts {
  readonly points: Position[];
  readonly lines: (readonly Position[])[];
  /** Rings of each polygon, the outer one first. */
  readonly polygons: (readonly (readonly Position[])[])[];
}

/** The box as a GeoJSON polygon. */
export function boxGeometry([west = 0, south = 0, east = 0, north = 0]: readonly number[]): Json {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  return { type: "Polygon", coordinates: [ring] };
}

/** Whether two GeoJSON geometries share a point, in the plane, as the archives' databases compare them. */
export function geometriesMeet(a: Json, b: Json): boolean {
  const [left, right] = [partsOf(a), partsOf(b)];
  const vertices = (parts: Parts): Position[] => [
    ...parts.points,
    ...parts.lines.flatMap((line) => line.slice(0, 1)),
    ...parts.polygons.flatMap(([outer = []]) => outer.slice(0, 1)),
  ];
  if (vertices(left).some((point) => right.polygons.some((polygon) => contains(polygon, point)))) return true;
  if (vertices(right).some((point) => left.polygons.some((polygon) => contains(polygon, point)))) return true;
  const edges = edgesOf(left);
  return edgesOf(right).some((other) => edges.some((edge) => cross(edge, other)));
}

function partsOf(geometry: Json): Parts {
  const parts: Parts = { points: [], lines: [], polygons: [] };
  const add = ({ type, coordinates, geometries }: Json): void => {
    const at = coordinates as never;
    if (type === "Point") parts.points.push(at);
    else if (type === "MultiPoint") parts.points.push(...(at as Position[]));
    else if (type === "LineString") parts.lines.push(at);
    else if (type === "MultiLineString") parts.lines.push(...(at as Position[][]));
    else if (type === "Polygon") parts.polygons.push(at);
    else if (type === "MultiPolygon") parts.polygons.push(...(at as Position[][][]));
    else if (type === "GeometryCollection") for (const each of geometries as Json[]) add(each);
    else throw new TypeError(`Expected a GeoJSON geometry, got "${String(type)}".`);
  };
  add(geometry);
  return parts;
}

type Edge = readonly [Position, Position];

/** Edges of lines and rings; a point is an edge without length. */
function edgesOf({ points, lines, polygons }: Parts): Edge[] {
  const chains = [...lines, ...polygons.flat()];
  return [
    ...points.map((point): Edge => [point, point]),
    ...chains.flatMap((chain) => chain.slice(1).map((end, i): Edge => [chain[i] as Position, end])),
  ];
}

/** By the number of edges that a ray to the east crosses. */
function contains(rings: readonly (readonly Position[])[], [x = 0, y = 0]: Position): boolean {
  let isInside = false;
  for (const ring of rings) {
    for (let i = 1; i < ring.length; i++) {
      const [x1 = 0, y1 = 0] = ring[i - 1] as Position;
      const [x2 = 0, y2 = 0] = ring[i] as Position;
      if (y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1) isInside = !isInside;
    }
  }
  return isInside;
}

/** Twice the signed area of a triangle. */
function turn([ax = 0, ay = 0]: Position, [bx = 0, by = 0]: Position, [cx = 0, cy = 0]: Position): number {
  return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

function cross([a, b]: Edge, [c, d]: Edge): boolean {
  const [abc, abd, cda, cdb] = [turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  const lies = (value: number, p: Position, [q, r]: Edge): boolean =>
    value === 0 && [0, 1].every((i) => isBetween(p[i] as number, q[i] as number, r[i] as number));
  return lies(abc, c, [a, b]) || lies(abd, d, [a, b]) || lies(cda, a, [c, d]) || lies(cdb, b, [c, d]);
}

function isBetween(value: number, a: number, b: number): boolean {
  return value >= Math.min(a, b) && value <= Math.max(a, b);
}
