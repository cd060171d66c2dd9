import { orient2d } from "robust-predicates";
import type { Position } from "./geojson.ts";

/** A place where a polygon's boundary meets itself: the ring, and a position near it. */
export interface SelfIntersection {
  readonly ring: number;
  readonly position: readonly [number, number];
}

/**
 * Finds a position where a ring crosses or touches itself, or crosses or runs along another ring of the polygon. Rings
 * may touch one another at single points, as OGC 06-103r4 §6.1.11.1 allows, and rings that cross in a common vertex are
 * taken as touching. Repeated vertices in a row are skipped.
 *
 * A sweep from west to east (Shamos and Hoey 1976) that looks only at neighbours and stops at the first fault: it
 * needs time proportional to n log n for n vertices, whatever their shape. Orientations are exact (robust-predicates),
 * so that the order of the sweep cannot break down.
 */
export function findSelfIntersection(rings: readonly (readonly Position[])[]): SelfIntersection | undefined {
  const edges = edgesOf(rings);
  const events = eventsOf(edges);
  const active: number[] = []; // edges that the sweep line cuts, from south to north
  for (const event of events) {
    const edge = event >> 1;
    if ((event & 1) === LEFT) {
      const at = sweepIndex(edges, active, edge);
      for (const neighbour of neighboursOf(edges, active, at, edge)) {
        const fault = meet(edges, edge, neighbour);
        if (fault !== undefined) return fault;
      }
      active.splice(at, 0, edge);
    } else {
      const at = active.indexOf(edge);
      active.splice(at, 1);
      const [lower, upper] = [active[at - 1], active[at]];
      const fault = lower === undefined || upper === undefined ? undefined : meet(edges, lower, upper);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

/** Edges with their western end first (southern first where upright), in columns. */
interface Edges {
  readonly x1: Float64Array;
  readonly y1: Float64Array;
  readonly x2: Float64Array;
  readonly y2: Float64Array;
  readonly ring: Int32Array;
  readonly index: Int32Array;
  /** Edges of each ring, to know the last one as the neighbour of the first. */
  readonly ringLength: readonly number[];
}

const LEFT = 1;

function edgesOf(rings: readonly (readonly Position[])[]): Edges {
  const clean = rings.map((ring) =>
    ring.filter((position, i) => i === 0 || position[0] !== ring[i - 1]?.[0] || position[1] !== ring[i - 1]?.[1]),
  );
  const ringLength = clean.map((ring) => Math.max(ring.length - 1, 0));
  const count = ringLength.reduce((sum, length) => sum + length, 0);
  const column = (): Float64Array => new Float64Array(count);
  const edges = { x1: column(), y1: column(), x2: column(), y2: column() };
  const [ring, index] = [new Int32Array(count), new Int32Array(count)];
  let edge = 0;
  for (const [r, positions] of clean.entries()) {
    for (let i = 0; i + 1 < positions.length; i++, edge++) {
      const [ax = 0, ay = 0] = positions[i] ?? [];
      const [bx = 0, by = 0] = positions[i + 1] ?? [];
      const forward = ax < bx || (ax === bx && ay < by);
      edges.x1[edge] = forward ? ax : bx;
      edges.y1[edge] = forward ? ay : by;
      edges.x2[edge] = forward ? bx : ax;
      edges.y2[edge] = forward ? by : ay;
      ring[edge] = r;
      index[edge] = i;
    }
  }
  return { ...edges, ring, index, ringLength };
}

/** Ends of edges as `edge × 2 + (1 at its left end)`, west to east, south to north, left ends before right ends. */
function eventsOf({ x1, y1, x2, y2 }: Edges): Int32Array {
  const events = Int32Array.from({ length: x1.length * 2 }, (_, i) => i);
  const x = (event: number): number => ((event & 1) === LEFT ? x1 : x2)[event >> 1]!;
  const y = (event: number): number => ((event & 1) === LEFT ? y1 : y2)[event >> 1]!;
  return events.sort((a, b) => x(a) - x(b) || y(a) - y(b) || (b & 1) - (a & 1));
}

/** Returns the place of `edge` among the active ones: a binary search by the side of its left end. */
function sweepIndex(edges: Edges, active: readonly number[], edge: number): number {
  let [low, high] = [0, active.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isAbove(edges, edge, active[middle]!)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether `edge`, whose left end is at the sweep line, is above `other`; from a common point its right end decides. */
function isAbove({ x1, y1, x2, y2 }: Edges, edge: number, other: number): boolean {
  // robust-predicates: positive for a clockwise turn a → b → c, that is, for c south of the line from a to b
  const left = turn(x1[other]!, y1[other]!, x2[other]!, y2[other]!, x1[edge]!, y1[edge]!);
  if (left !== 0) return left < 0;
  return turn(x1[other]!, y1[other]!, x2[other]!, y2[other]!, x2[edge]!, y2[edge]!) < 0;
}

/**
 * The active edges that the new one may meet: one to each side, and beyond them those of its own ring that pass
 * through its left end, since edges of other rings that touch there may be between.
 */
function* neighboursOf(edges: Edges, active: readonly number[], at: number, edge: number): Generator<number> {
  const { x1, y1, x2, y2, ring } = edges;
  for (const step of [1, -1]) {
    const first = step === 1 ? at : at - 1;
    for (let i = first; i >= 0 && i < active.length; i += step) {
      const other = active[i]!;
      if (i === first || ring[other] === ring[edge]) yield other;
      if (turn(x1[other]!, y1[other]!, x2[other]!, y2[other]!, x1[edge]!, y1[edge]!) !== 0) break;
    }
  }
}

/** Returns the place where two edges meet although they may not. */
function meet(edges: Edges, a: number, b: number): SelfIntersection | undefined {
  const { x1, y1, x2, y2, ring, index, ringLength } = edges;
  const [ax, ay, bx, by] = [x1[a]!, y1[a]!, x2[a]!, y2[a]!];
  const [cx, cy, dx, dy] = [x1[b]!, y1[b]!, x2[b]!, y2[b]!];
  const [c, d] = [turn(ax, ay, bx, by, cx, cy), turn(ax, ay, bx, by, dx, dy)];
  const [p, q] = [turn(cx, cy, dx, dy, ax, ay), turn(cx, cy, dx, dy, bx, by)];
  if ((c > 0 && d > 0) || (c < 0 && d < 0) || (p > 0 && q > 0) || (p < 0 && q < 0)) return undefined;
  const sameRing = ring[a] === ring[b];
  if (c === 0 && d === 0) {
    // along one line; both run west to east, or south to north
    const apart = ax === bx ? by < cy || dy < ay : bx < cx || dx < ax;
    if (apart) return undefined;
    const end = bx === cx && by === cy;
    const start = dx === ax && dy === ay;
    if (!end && !start) return { ring: ring[a]!, position: ax < cx || (ax === cx && ay < cy) ? [cx, cy] : [ax, ay] };
    const touches = sameRing && !areNeighbours(index[a]!, index[b]!, ringLength[ring[a]!]!);
    return touches ? { ring: ring[a]!, position: end ? [bx, by] : [ax, ay] } : undefined;
  }
  const touching = c === 0 ? [cx, cy] : d === 0 ? [dx, dy] : p === 0 ? [ax, ay] : q === 0 ? [bx, by] : undefined;
  if (touching !== undefined) {
    const [x = 0, y = 0] = touching;
    const atBothEnds =
      ((x === ax && y === ay) || (x === bx && y === by)) && ((x === cx && y === cy) || (x === dx && y === dy));
    const allowed = !sameRing || (atBothEnds && areNeighbours(index[a]!, index[b]!, ringLength[ring[a]!]!));
    return allowed ? undefined : { ring: ring[a]!, position: [x, y] };
  }
  const share = p / (p - q);
  return { ring: ring[a]!, position: [ax + (bx - ax) * share, ay + (by - ay) * share] };
}

function areNeighbours(i: number, j: number, length: number): boolean {
  const distance = Math.abs(i - j);
  return distance === 1 || distance === length - 1;
}

/** Exactly zero for a point on the line through the two others; at their ends without the costly exact arithmetic. */
function turn(ax: number, ay: number, bx: number, by: number, x: number, y: number): number {
  if ((x === ax && y === ay) || (x === bx && y === by)) return 0;
  return orient2d(ax, ay, bx, by, x, y);
}
