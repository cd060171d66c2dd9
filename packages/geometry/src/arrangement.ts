import type { ExactPlane, ExactPoint, Segment } from "./exact-point.ts";

/** Index of one of two geometries. */
export type Side = 0 | 1;

/** An edge of an area or a segment of a line, of one connected part of one of two geometries. */
export interface Edge extends Segment {
  readonly of: Side;
  /** Number of the part over both geometries. */
  readonly part: number;
  /** Number of the segment in its part. */
  readonly index: number;
  readonly isArea: boolean;
  /** Points where other edges meet it between its ends, in any order. */
  readonly cuts: ExactPoint[];
}

/** A point where a line of one geometry meets a line of the other. */
export type Meeting = ExactPoint;

/**
 * Cuts all edges where those of other parts meet them, and at points.
 *
 * @returns where lines of the two geometries meet
 */
export function cutEdges(plane: ExactPlane, edges: readonly Edge[], points: readonly ExactPoint[]): Meeting[] {
  const meetings: Meeting[] = [];
  const sorted = [...edges].sort((a, b) => Math.min(a.x1, a.x2) - Math.min(b.x1, b.x2));
  let active: Edge[] = [];
  for (const edge of sorted) {
    const west = Math.min(edge.x1, edge.x2);
    active = active.filter((other) => Math.max(other.x1, other.x2) >= west);
    for (const other of active) {
      if (other.part === edge.part || areApart(edge, other)) continue;
      const found = meet(plane, edge, other);
      if (edge.of !== other.of && !edge.isArea && !other.isArea) meetings.push(...found);
    }
    active.push(edge);
  }
  for (const point of points) {
    for (const edge of edges) if (isOn(plane, edge, point) && !isEnd(edge, point)) edge.cuts.push(point);
  }
  return meetings;
}

/** The pieces between neighbouring cuts, with their middles. */
export function piecesOf(plane: ExactPlane, edge: Edge): Piece[] {
  const ends = [plane.vertex(edge.x1, edge.y1), plane.vertex(edge.x2, edge.y2)] as const;
  if (edge.cuts.length === 0) return [{ edge, ends, middle: plane.middle(...ends) }];
  const axis = Math.abs(edge.x2 - edge.x1) >= Math.abs(edge.y2 - edge.y1) ? "x" : "y";
  const sign = ends[1][axis] >= ends[0][axis] ? 1 : -1;
  const cuts = [ends[0], ...edge.cuts.sort((a, b) => sign * plane.compare(a, b, axis)), ends[1]];
  const distinct = cuts.filter((cut, i) => i === 0 || plane.compare(cut, cuts[i - 1]!, axis) !== 0);
  return distinct.slice(1).map((end, i) => {
    const start = distinct[i]!;
    return { edge, ends: [start, end], middle: plane.middle(start, end) };
  });
}

/** A part of an edge that no other edge meets between its ends. */
export interface Piece {
  readonly edge: Edge;
  readonly ends: readonly [ExactPoint, ExactPoint];
  readonly middle: ExactPoint;
}

/** Whether a point is on an edge, its ends included. */
export function isOn(plane: ExactPlane, edge: Segment, point: ExactPoint): boolean {
  const { x1, y1, x2, y2 } = edge;
  const { x, y, error } = point;
  if (x < Math.min(x1, x2) - error || x > Math.max(x1, x2) + error) return false;
  if (y < Math.min(y1, y2) - error || y > Math.max(y1, y2) + error) return false;
  return (
    plane.side(edge, point) === 0 &&
    plane.compareTo(point, Math.min(x1, x2), "x") >= 0 &&
    plane.compareTo(point, Math.max(x1, x2), "x") <= 0 &&
    plane.compareTo(point, Math.min(y1, y2), "y") >= 0 &&
    plane.compareTo(point, Math.max(y1, y2), "y") <= 0
  );
}

function areApart(a: Segment, b: Segment): boolean {
  return (
    Math.max(a.y1, a.y2) < Math.min(b.y1, b.y2) ||
    Math.max(b.y1, b.y2) < Math.min(a.y1, a.y2) ||
    Math.max(a.x1, a.x2) < Math.min(b.x1, b.x2) ||
    Math.max(b.x1, b.x2) < Math.min(a.x1, a.x2)
  );
}

/** Cuts two edges where they meet. @returns the points that they share; the ends of a common stretch. */
function meet(plane: ExactPlane, p: Edge, q: Edge): ExactPoint[] {
  const [p1, p2] = [plane.vertex(p.x1, p.y1), plane.vertex(p.x2, p.y2)];
  const [q1, q2] = [plane.vertex(q.x1, q.y1), plane.vertex(q.x2, q.y2)];
  const [a, b] = [plane.side(q, p1), plane.side(q, p2)];
  if ((a > 0 && b > 0) || (a < 0 && b < 0)) return [];
  const [c, d] = [plane.side(p, q1), plane.side(p, q2)];
  if ((c > 0 && d > 0) || (c < 0 && d < 0)) return [];
  if (a !== 0 && b !== 0 && c !== 0 && d !== 0) {
    const crossing = plane.crossing(p, q);
    p.cuts.push(crossing);
    q.cuts.push(crossing);
    return [crossing];
  }
  const shared: ExactPoint[] = [];
  for (const [edge, ends] of [
    [q, [p1, p2]],
    [p, [q1, q2]],
  ] as const) {
    for (const end of ends) {
      if (!isOn(plane, edge, end)) continue;
      shared.push(end);
      if (!isEnd(edge, end)) edge.cuts.push(end);
    }
  }
  return shared;
}

function isEnd({ x1, y1, x2, y2 }: Segment, { x, y, isVertex }: ExactPoint): boolean {
  return isVertex && ((x === x1 && y === y1) || (x === x2 && y === y2));
}
