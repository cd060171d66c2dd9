import { equalEdges } from "./bins.ts";
import type { ReducedOutput, Reducer } from "./compute-job.ts";
import { binValues, percentilesOf, type SortedValues, sortValues, thinValues } from "./sorted-values.ts";

/** Values of which percentiles are exact. */
export const EXACT_VALUES = 4_000_000;

/** Numbers of a part of the pixels of one output: plain data. Parts of one output add up with {@link addNumbers}. */
export interface PartialNumbers {
  readonly pixels: number;
  readonly count: number;
  readonly sum: number;
  readonly mean: number;
  /** Sum of squared differences from the mean. */
  readonly squares: number;
  readonly min: number;
  readonly max: number;
  readonly first: number | null;
  /** All valid values, in as many parts as were added up, where a reducer needs them; thinned beyond 4,000,000. */
  readonly sorted?: readonly SortedValues[];
  /** One per bin, then those below the first edge and those above the last. */
  readonly histogram?: Float64Array;
}

/**
 * @param values one per pixel; NaN where `counted` pixels hold no value
 * @param counted 1 where a pixel belongs to the job; absent: all do
 */
export function numbersOf(
  values: Float64Array,
  counted: Uint8Array | undefined,
  reducers: readonly Reducer[],
): PartialNumbers {
  const kept = new Float64Array(values.length);
  let [pixels, count, sum] = [0, 0, 0];
  let [min, max] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  // Neumaier's compensated sum: exact to the last digit for any number of pixels
  let lost = 0;
  for (let i = 0; i < values.length; i++) {
    if (counted !== undefined && counted[i] === 0) continue;
    pixels += 1;
    const value = values[i]!;
    if (Number.isNaN(value)) continue;
    kept[count++] = value;
    const next = sum + value;
    lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
    sum = next;
    if (value < min) min = value;
    if (value > max) max = value;
  }
  sum += lost;
  const mean = count === 0 ? 0 : sum / count;
  let squares = 0;
  for (let i = 0; i < count; i++) squares += (kept[i]! - mean) ** 2;
  const first = count === 0 ? null : kept[0]!;
  const edges = reducers.map((reducer) => ("edges" in reducer ? reducer.edges : undefined)).find(Boolean);
  return {
    pixels,
    count,
    sum,
    mean,
    squares,
    min,
    max,
    first,
    ...(edges === undefined ? {} : { histogram: binned(kept.subarray(0, count), edges) }),
    ...(reducers.some(needsValues) ? { sorted: [sortValues(kept.slice(0, count))] } : {}),
  };
}

const needsValues = (reducer: Reducer): boolean => reducer.kind === "percentiles" || "equal" in reducer;

/** Bins hold their lower edge, the last one its upper edge too (numpy.histogram). */
function binned(values: Float64Array, edges: readonly number[]): Float64Array {
  const bins = edges.length - 1;
  const counts = new Float64Array(bins + 2);
  for (const value of values) {
    if (value < edges[0]!) counts[bins]! += 1;
    else if (value > edges[bins]!) counts[bins + 1]! += 1;
    else {
      let [low, high] = [0, bins - 1];
      while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (edges[middle]! <= value) low = middle;
        else high = middle - 1;
      }
      counts[low]! += 1;
    }
  }
  return counts;
}

/**
 * The numbers of two parts as those of both; `a` comes first in row order. Squares are combined about the common mean
 * (Chan, Golub and LeVeque 1979, "Updating formulae and a pairwise algorithm for computing sample variances").
 */
export function addNumbers(a: PartialNumbers, b: PartialNumbers): PartialNumbers {
  const count = a.count + b.count;
  const delta = b.mean - a.mean;
  return {
    pixels: a.pixels + b.pixels,
    count,
    sum: a.sum + b.sum,
    mean: count === 0 ? 0 : (a.sum + b.sum) / count,
    squares: a.squares + b.squares + (count === 0 ? 0 : (delta * delta * a.count * b.count) / count),
    min: Math.min(a.min, b.min),
    max: Math.max(a.max, b.max),
    first: a.first ?? b.first,
    ...(a.sorted === undefined || b.sorted === undefined ? {} : { sorted: joined([...a.sorted, ...b.sorted], count) }),
    ...(a.histogram === undefined || b.histogram === undefined
      ? {}
      : { histogram: a.histogram.map((value, i) => value + b.histogram![i]!) }),
  };
}

function joined(parts: readonly SortedValues[], count: number): readonly SortedValues[] {
  return count > EXACT_VALUES ? parts.map(thinValues) : parts;
}

/** The numbers of an output that no scene has pixels of. */
export function numbersOfNothing(name: string, pixels: number, reducers: readonly Reducer[]): ReducedOutput {
  return finishNumbers(name, { ...numbersOf(new Float64Array(0), undefined, reducers), pixels }, reducers);
}

/** The numbers that the reducers ask for. */
export function finishNumbers(name: string, part: PartialNumbers, reducers: readonly Reducer[]): ReducedOutput {
  const { pixels, count } = part;
  const orNull = (value: number): number | null => (count === 0 ? null : value);
  const isThinned = part.sorted !== undefined && count > EXACT_VALUES;
  let result: ReducedOutput = { name, pixels, count, ...(isThinned ? { approximate: true } : {}) };
  for (const reducer of reducers) {
    switch (reducer.kind) {
      case "moments":
        result = {
          ...result,
          sum: part.sum,
          mean: orNull(part.mean),
          standardDeviation: orNull(Math.sqrt(part.squares / count)),
        };
        break;
      case "squares":
        result = { ...result, squares: part.squares };
        break;
      case "extremes":
        result = { ...result, min: orNull(part.min), max: orNull(part.max) };
        break;
      case "percentiles":
        result = { ...result, percentiles: percentilesOf(part.sorted!, reducer.at) };
        break;
      case "histogram":
        result = { ...result, histogram: histogramOf(part, reducer) };
        break;
      case "first":
        result = { ...result, first: part.first };
        break;
    }
  }
  return result;
}

function histogramOf(
  part: PartialNumbers,
  reducer: Extract<Reducer, { kind: "histogram" }>,
): NonNullable<ReducedOutput["histogram"]> {
  if ("edges" in reducer) {
    const bins = reducer.edges.length - 1;
    const [below = 0, above = 0] = part.histogram!.slice(bins);
    return { edges: reducer.edges, counts: [...part.histogram!.slice(0, bins)], below, above };
  }
  if (part.count === 0) return { edges: [], counts: [], below: 0, above: 0 };
  const edges = equalEdges(reducer.equal, part.min, part.max);
  return { edges, ...binValues(part.sorted!, edges) };
}
