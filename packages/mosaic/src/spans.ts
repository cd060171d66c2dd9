import type { FlatRing } from "@swath/geometry";

/** Sorted, disjoint intervals as from, to, from, to, … */
export type Spans = Float64Array<ArrayBuffer>;

/** The part of each line inside a shape; `lines[i]` belongs to the i-th line of a `LineSet`. */
export type Cuts = readonly Spans[];

/** Parallel lines, evenly spaced and centred, across `from`..`to` of one axis: 0 lines of constant x, 1 of constant y. */
export interface LineSet {
  readonly axis: 0 | 1;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

const NO_SPANS: Spans = new Float64Array(0);

/** At most this many crossings are computed for one shape; beyond, neighbouring lines share theirs. */
const MAX_CROSSINGS = 1 << 16;

/** Returns the spans of the lines inside polygons that may overlap, each given as rings (even-odd within a polygon). */
export function cutPolygons(polygons: readonly (readonly FlatRing[])[], lines: LineSet): Cuts {
  const edges = polygons.flat().reduce((sum, ring) => sum + ring.length / 2, 0);
  const stride = Math.max(1, Math.ceil((edges * lines.count) / MAX_CROSSINGS));
  const groups = Math.ceil(lines.count / stride);
  const coarse: LineSet = { ...lines, to: lineAt(lines, groups * stride - 0.5), count: groups };
  const spans: number[][] = Array.from({ length: groups }, () => []);
  for (const rings of polygons) {
    for (const [line, crossings] of crossingsOf(rings, coarse)) {
      for (const at of crossings.sort((a, b) => a - b)) spans[line]!.push(at);
    }
  }
  const united = spans.map(unite);
  return Array.from({ length: lines.count }, (_, i) => united[Math.floor(i / stride)]!);
}

/** The part of `a` outside of `b`. */
export function subtract(a: Spans, b: Spans): Spans {
  if (a.length === 0 || b.length === 0) return a;
  const out: number[] = [];
  let j = 0;
  for (let i = 0; i + 1 < a.length; i += 2) {
    let from = a[i]!;
    const to = a[i + 1]!;
    while (j + 1 < b.length && b[j + 1]! <= from) j += 2;
    for (let k = j; k + 1 < b.length && b[k]! < to; k += 2) {
      if (b[k]! > from) out.push(from, b[k]!);
      from = Math.max(from, b[k + 1]!);
    }
    if (from < to) out.push(from, to);
  }
  return Float64Array.from(out);
}

export function lengthOf(spans: Spans): number {
  let sum = 0;
  for (let i = 0; i + 1 < spans.length; i += 2) sum += spans[i + 1]! - spans[i]!;
  return sum;
}

/** Intervals in any order, which may overlap, as sorted and disjoint ones. */
function unite(spans: readonly number[]): Spans {
  if (spans.length <= 2) return spans.length < 2 ? NO_SPANS : Float64Array.from(spans);
  const pairs: [number, number][] = [];
  for (let i = 0; i + 1 < spans.length; i += 2) pairs.push([spans[i]!, spans[i + 1]!]);
  pairs.sort((a, b) => a[0] - b[0]);
  const out: number[] = [];
  for (const [from, to] of pairs) {
    const end = out.at(-1);
    if (end !== undefined && from <= end) out[out.length - 1] = Math.max(end, to);
    else out.push(from, to);
  }
  return Float64Array.from(out);
}

function lineAt({ from, to, count }: LineSet, index: number): number {
  return from + ((index + 0.5) * (to - from)) / count;
}

/** By line, where the edges of one polygon cross it; lines without crossings are absent. */
function crossingsOf(rings: readonly FlatRing[], lines: LineSet): Map<number, number[]> {
  const { axis, from, to, count } = lines;
  const perUnit = count / (to - from);
  const crossings = new Map<number, number[]>();
  for (const ring of rings) {
    for (let i = 0, previous = ring.length - 2; i < ring.length; previous = i, i += 2) {
      const up = ring[previous + axis]! < ring[i + axis]!;
      const [low, high] = up ? [previous, i] : [i, previous];
      const [v0, v1] = [ring[low + axis]!, ring[high + axis]!];
      const [u0, u1] = [ring[low + 1 - axis]!, ring[high + 1 - axis]!];
      const first = Math.max(0, Math.ceil((v0 - from) * perUnit - 0.5) - 1);
      for (let line = first; line < count; line++) {
        const v = lineAt(lines, line);
        if (v < v0) continue;
        if (v >= v1) break;
        const at = u0 + ((v - v0) * (u1 - u0)) / (v1 - v0);
        const others = crossings.get(line);
        if (others === undefined) crossings.set(line, [at]);
        else others.push(at);
      }
    }
  }
  return crossings;
}
