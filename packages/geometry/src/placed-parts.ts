import type { Edge, Side } from "./arrangement.ts";
import type { Bounds } from "./bbox.ts";
import type { ExactPoint } from "./exact-point.ts";
import type { Shape } from "./shape.ts";

/** Turns that a part is placed at: more are touched only by longitudes that mean nothing. */
const MAX_TURNS = 8;

/** A part of a shape, moved by whole turns. */
export interface Placed {
  readonly of: Side;
  readonly index: number;
  /** Segments of the shape's part, before it is moved. */
  readonly segments: Float64Array;
  readonly isArea: boolean;
  readonly edges: readonly Edge[];
  /** Its position where it is a point. */
  readonly point: readonly [number, number] | undefined;
  readonly ends: readonly (readonly [number, number])[];
  readonly bounds: Bounds;
}

/** One turn is looked at; what continues beyond it is there again at its other end. */
export function isInWindow({ x }: ExactPoint): boolean {
  return x >= -180 && x <= 180;
}

/**
 * The parts at the turns at which they touch longitudes −180 to 180: most at one, those across the antimeridian at two,
 * so that both shapes are complete around everything in between.
 */
export function placedParts(shapes: readonly [Shape, Shape]): Placed[] {
  const placed: Placed[] = [];
  for (const side of [0, 1] as const) {
    for (const { segments, isArea, west, south, east, north } of shapes[side].parts) {
      const first = Math.ceil((-180 - east) / 360);
      const last = Math.floor((180 - west) / 360);
      for (let turn = first; turn <= last && turn < first + MAX_TURNS; turn++) {
        const shift = turn * 360;
        const part = placed.length;
        const own = { of: side, part, isArea };
        const bounds = [west + shift, south, east + shift, north] as const;
        placed.push({ of: side, index: part, isArea, segments, bounds, ...placeSegments(segments, shift, own) });
      }
    }
  }
  return placed;
}

function placeSegments(
  segments: Float64Array,
  shift: number,
  own: { readonly of: Side; readonly part: number; readonly isArea: boolean },
): Pick<Placed, "edges" | "point" | "ends"> {
  const edges: Edge[] = [];
  for (let i = 0; i < segments.length; i += 4) {
    const [x1, y1, x2, y2] = [segments[i]! + shift, segments[i + 1]!, segments[i + 2]! + shift, segments[i + 3]!];
    if (x1 !== x2 || y1 !== y2) edges.push({ ...own, index: i / 4, x1, y1, x2, y2, cuts: [] });
  }
  const start = [segments[0]! + shift, segments[1]!] as const;
  if (own.isArea) return { edges, point: undefined, ends: [] };
  if (edges.length === 0) return { edges, point: start, ends: [] };
  return { edges, point: undefined, ends: [start, [segments.at(-2)! + shift, segments.at(-1)!]] };
}

/** The edges that are about the box of the other geometry, and those that are outside of it. */
export function divided(parts: readonly Placed[], bounds: readonly Bounds[]): [near: Edge[], apart: Edge[]] {
  const [near, apart]: [Edge[], Edge[]] = [[], []];
  for (const { of, edges } of parts) {
    const [west, south, east, north] = bounds[1 - of]!;
    for (const edge of edges) {
      const { x1, y1, x2, y2 } = edge;
      const isApart =
        (x1 < west && x2 < west) ||
        (x1 > east && x2 > east) ||
        (y1 < south && y2 < south) ||
        (y1 > north && y2 > north);
      if (!isApart) near.push(edge);
      // where it is also at another turn, that one is looked at
      else if (Math.abs(x1 + x2) <= 360) apart.push(edge);
    }
  }
  return [near, apart];
}

export function coordinatesOf(parts: readonly Placed[]): number[] {
  return parts.flatMap(({ edges, point = [] }) => [
    ...edges.flatMap(({ x1, y1, x2, y2 }) => [x1, y1, x2, y2]),
    ...point,
  ]);
}
