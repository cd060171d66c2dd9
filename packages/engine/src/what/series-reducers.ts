import { type Path, Refusal } from "../refusal.ts";
import type { SeriesReducer } from "../request.ts";
import type { ReducedOutput, Reducer } from "../run/compute/compute-job.ts";
import type { SeriesPrograms } from "./series-programs.ts";

/** Most reducers of one series, and most classes of a share. */
const MAX_REDUCERS = 16;
const MAX_SHARE_CLASSES = 32;

/** A reducer, and what its number is called. */
export interface NamedReducer {
  readonly name: string;
  readonly reducer: SeriesReducer | "first";
}

/** Bins of classes: one for each number of 8 bits, and one more, since the last bin has both edges. */
const CLASS_EDGES: readonly number[] = Array.from({ length: 258 }, (_, edge) => edge);
const OF_CLASSES: readonly unknown[] = ["majority", "count", "first"];

/**
 * Names reducers: by their own names, percentiles `p90`, shares `share_4_5`.
 *
 * @throws {Refusal} `invalid` beside several measures, for one that is there twice, for bad settings, for numbers of classes and classes of numbers.
 */
export function namedReducers(
  reducers: readonly SeriesReducer[],
  { isClass, measures }: SeriesPrograms,
  path: Path,
): NamedReducer[] {
  if (reducers.length > MAX_REDUCERS)
    throw new Refusal("invalid", path, `Expected at most ${MAX_REDUCERS} reducers, got ${reducers.length}.`);
  if (reducers.length > 0 && measures !== undefined) {
    throw new Refusal("invalid", path, "Expected index or expression: reducers are of one value.");
  }
  const named = reducers.map((reducer, i) => ({ name: nameOf(reducer, [...path, i]), reducer }));
  for (const [i, { name, reducer }] of named.entries()) {
    checkClasses(reducer, isClass, [...path, i]);
    if (named.findIndex((other) => other.name === name) === i) continue;
    throw new Refusal("invalid", [...path, i], `Expected each reducer once, got "${name}" again.`);
  }
  return named;
}

/** @throws {Refusal} `invalid` for a mean or the like of classes, and for a majority of numbers. */
export function checkClasses(reducer: SeriesReducer | "first", isClass: boolean, path: Path): void {
  const isOfClasses = OF_CLASSES.includes(reducer) || (typeof reducer === "object" && "share" in reducer);
  if (isClass && !isOfClasses) {
    const detail = `The values are numbers of classes: expected majority, count or share, got ${nameOf(reducer, path)}.`;
    throw new Refusal("invalid", path, detail);
  }
  if (!isClass && reducer === "majority")
    throw new Refusal("invalid", path, "A majority is one of classes, and the values are numbers.");
}

function nameOf(reducer: SeriesReducer | "first", path: Path): string {
  if (typeof reducer === "string") return reducer;
  if ("percentile" in reducer) {
    const { percentile } = reducer;
    if (percentile >= 0 && percentile <= 100) return `p${percentile}`;
    throw new Refusal("invalid", [...path, "percentile"], `Expected 0 to 100, got ${percentile}.`);
  }
  const { share } = reducer;
  if (share.length > 0 && share.length <= MAX_SHARE_CLASSES && share.every(Number.isFinite))
    return `share_${[...share].join("_")}`;
  throw new Refusal("invalid", [...path, "share"], `Expected 1 to ${MAX_SHARE_CLASSES} numbers.`);
}

/** The calculations that give the numbers of some reducers. */
export function calculationsFor(reducers: readonly NamedReducer["reducer"][], isClass: boolean): Reducer[] {
  const has = (...names: readonly string[]): boolean =>
    reducers.some((each) => typeof each === "string" && names.includes(each));
  const at = [...new Set(reducers.flatMap((each) => percentOf(each) ?? []))];
  const edges = isClass ? (reducers.some(isCounted) ? CLASS_EDGES : []) : shareEdges(reducers);
  return [
    ...(has("first") ? [{ kind: "first" } as const] : []),
    ...(has("mean", "stdDev") ? [{ kind: "moments" } as const] : []),
    ...(has("min", "max") ? [{ kind: "extremes" } as const] : []),
    ...(at.length === 0 ? [] : [{ kind: "percentiles", at } as const]),
    ...(edges.length === 0 ? [] : [{ kind: "histogram", edges } as const]),
  ];
}

/** The number of a reducer in an output of {@link calculationsFor} these reducers; `null` where no pixel has a value. */
export function reducedNumber(
  output: ReducedOutput,
  reducer: NamedReducer["reducer"],
  all: readonly NamedReducer["reducer"][],
): number | null {
  const percent = percentOf(reducer);
  if (percent !== undefined) {
    const at = [...new Set(all.flatMap((each) => percentOf(each) ?? []))];
    return output.percentiles?.[at.indexOf(percent)] ?? null;
  }
  if (typeof reducer === "object") return "share" in reducer ? shareOf(output, reducer.share) : null;
  if (reducer === "count") return output.count;
  if (reducer === "stdDev") return output.standardDeviation ?? null;
  if (reducer === "majority") return majorityOf(output);
  return (reducer === "median" ? undefined : output[reducer]) ?? null;
}

const percentOf = (reducer: NamedReducer["reducer"]): number | undefined =>
  reducer === "median" ? 50 : typeof reducer === "object" && "percentile" in reducer ? reducer.percentile : undefined;

const isCounted = (reducer: NamedReducer["reducer"]): boolean =>
  reducer === "majority" || (typeof reducer === "object" && "share" in reducer);

/** Bins that hold one value each, and those between: from a value to the next double. */
function shareEdges(reducers: readonly NamedReducer["reducer"][]): number[] {
  const values = reducers.flatMap((each) => (typeof each === "object" && "share" in each ? each.share : []));
  const edges = [...new Set(values.flatMap((value) => [value, nextUp(value), nextUp(nextUp(value))]))];
  return edges.sort((a, b) => a - b);
}

/** The least double above a number (IEEE 754, section 5.3.1). */
function nextUp(value: number): number {
  if (value === 0) return Number.MIN_VALUE;
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0]! += value > 0 ? 1n : -1n;
  return new Float64Array(bits.buffer)[0]!;
}

function shareOf({ histogram, count }: ReducedOutput, values: readonly number[]): number | null {
  if (histogram === undefined || count === 0) return null;
  const bins = [...new Set(values)].map((value) => histogram.edges.indexOf(value));
  return bins.reduce((sum, bin) => sum + (histogram.counts[bin] ?? 0), 0) / count;
}

function majorityOf({ histogram, count }: ReducedOutput): number | null {
  if (histogram === undefined || count === 0) return null;
  const most = histogram.counts.reduce((a, b) => Math.max(a, b), 0);
  return histogram.edges[histogram.counts.indexOf(most)] ?? null;
}
