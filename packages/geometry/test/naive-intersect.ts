import { orient2d } from "robust-predicates";
import type { Geometry, Position } from "../src/index.ts";

interface Simple {
  readonly chain: readonly Position[];
  /** All rings of the polygon that the chain belongs to. */
  readonly rings?: readonly (readonly Position[])[];
}

function simpleParts(geometry: Geometry): Simple[] {
  switch (geometry.type) {
    case "Point":
      return [{ chain: [geometry.coordinates, geometry.coordinates] }];
    case "MultiPoint":
      return geometry.coordinates.map((point) => ({ chain: [point, point] }));
    case "LineString":
      return [{ chain: geometry.coordinates }];
    case "MultiLineString":
      return geometry.coordinates.map((chain) => ({ chain }));
    case "Polygon":
      return geometry.coordinates.map((chain) => ({ chain, rings: geometry.coordinates }));
    case "MultiPolygon":
      return geometry.coordinates.flatMap((rings) => rings.map((chain) => ({ chain, rings })));
    case "GeometryCollection":
      return geometry.geometries.flatMap(simpleParts);
  }
}

const x = (position: Position): number => position[0] as number;
const y = (position: Position): number => position[1] as number;
const turn = (a: Position, b: Position, c: Position): number => Math.sign(orient2d(x(a), y(a), x(b), y(b), x(c), y(c)));

function isOn(a: Position, b: Position, p: Position): boolean {
  const between = (u: number, v: number, w: number): boolean => Math.min(u, v) <= w && w <= Math.max(u, v);
  return turn(a, b, p) === 0 && between(x(a), x(b), x(p)) && between(y(a), y(b), y(p));
}

function edgesOf(chain: readonly Position[]): [Position, Position][] {
  return chain.slice(1).map((end, i) => [chain[i] as Position, end]);
}

/** By winding numbers (the code under test counts crossings); rings in any direction. */
function isWithin(rings: readonly (readonly Position[])[], p: Position): boolean {
  const winds = rings.filter((ring) => {
    let winding = 0;
    for (const [a, b] of edgesOf(ring)) {
      if (y(a) <= y(p) && y(b) > y(p) && turn(a, b, p) !== turn([0, 0], [1, 0], [0, -1])) winding += 1;
      if (y(a) > y(p) && y(b) <= y(p) && turn(a, b, p) === turn([0, 0], [1, 0], [0, -1])) winding -= 1;
    }
    return winding !== 0;
  });
  return winds.length % 2 === 1;
}

/** Whether two geometries share a point: every edge against every edge, every vertex against every polygon. */
export function naiveIntersect(a: Geometry, b: Geometry): boolean {
  return simpleParts(a).some((p) =>
    simpleParts(b).some(
      (q) =>
        edgesOf(p.chain).some(([c, d]) =>
          edgesOf(q.chain).some(
            ([e, f]) =>
              [e, f].some((end) => isOn(c, d, end)) ||
              [c, d].some((end) => isOn(e, f, end)) ||
              (turn(c, d, e) * turn(c, d, f) < 0 && turn(e, f, c) * turn(e, f, d) < 0),
          ),
        ) ||
        p.chain.some((vertex) => q.rings !== undefined && isWithin(q.rings, vertex)) ||
        q.chain.some((vertex) => p.rings !== undefined && isWithin(p.rings, vertex)),
    ),
  );
}
