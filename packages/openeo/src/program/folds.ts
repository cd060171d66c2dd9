import type { Fold } from "../expression/operations.ts";

/**
 * Folds that take one value after the other. The state is 1 to 3 registers: the result so far; for `mean` the sum and
 * the count; for `variance` and `sd` the mean, the sum of squared differences from it, and the count (Welford 1962,
 * "Note on a method for calculating corrected sums of squares and products").
 */
export function beginFold({ name }: Fold, state: readonly Float64Array[], value: Float64Array, count: number): void {
  const [a, b, n] = state as [Float64Array, Float64Array, Float64Array];
  switch (name) {
    case "count":
      for (let i = 0; i < count; i++) a[i] = Number.isNaN(value[i]!) ? 0 : 1;
      break;
    case "mean":
      a.set(value);
      for (let i = 0; i < count; i++) b[i] = Number.isNaN(value[i]!) ? 0 : 1;
      break;
    case "variance":
    case "sd":
      a.set(value);
      for (let i = 0; i < count; i++) {
        const isValue = !Number.isNaN(value[i]!);
        b[i] = isValue ? 0 : Number.NaN;
        n[i] = isValue ? 1 : 0;
      }
      break;
    default:
      a.set(value);
  }
}

/** Takes the next value of each pixel into the state. */
export function takeValue(
  { name, ignoresNodata }: Fold,
  state: readonly Float64Array[],
  value: Float64Array,
  count: number,
): void {
  const [a, b, n] = state as [Float64Array, Float64Array, Float64Array];
  // the first value, or one more, where no data is left out; else no data stays no data
  if (name === "mean") takeIntoMean(a, b, value, count, ignoresNodata);
  else if (name === "variance" || name === "sd") takeIntoVariance(a, b, n, value, count, ignoresNodata);
  else if (name === "count") for (let i = 0; i < count; i++) a[i]! += Number.isNaN(value[i]!) ? 0 : 1;
  else takeIntoOne(name, ignoresNodata, a, value, count);
}

function takeIntoOne(
  name: Fold["name"],
  ignoresNodata: boolean,
  a: Float64Array,
  value: Float64Array,
  count: number,
): void {
  if (!ignoresNodata && name === "first") return;
  if (!ignoresNodata && name === "last") {
    a.set(value);
    return;
  }
  const take = TAKES[name as keyof typeof TAKES];
  for (let i = 0; i < count; i++) {
    const [so, next] = [a[i]!, value[i]!];
    if (Number.isNaN(so)) a[i] = ignoresNodata ? next : so;
    else if (Number.isNaN(next)) a[i] = ignoresNodata ? so : next;
    else a[i] = take(so, next);
  }
}

const TAKES = {
  sum: (so: number, next: number): number => so + next,
  product: (so: number, next: number): number => so * next,
  min: (so: number, next: number): number => Math.min(so, next),
  max: (so: number, next: number): number => Math.max(so, next),
  first: (so: number): number => so,
  last: (_: number, next: number): number => next,
} as const;

function takeIntoMean(
  sum: Float64Array,
  n: Float64Array,
  value: Float64Array,
  count: number,
  ignoresNodata: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const next = value[i]!;
    if (!Number.isNaN(next)) {
      sum[i] = n[i] === 0 ? (ignoresNodata ? next : Number.NaN) : sum[i]! + next;
      n[i]! += 1;
    } else if (!ignoresNodata) sum[i] = Number.NaN;
  }
}

function takeIntoVariance(
  mean: Float64Array,
  squares: Float64Array,
  n: Float64Array,
  value: Float64Array,
  count: number,
  ignoresNodata: boolean,
): void {
  for (let i = 0; i < count; i++) {
    const next = value[i]!;
    if (Number.isNaN(next)) {
      if (!ignoresNodata) squares[i] = Number.NaN;
      continue;
    }
    n[i]! += 1;
    if (n[i] === 1) {
      mean[i] = next;
      squares[i] = ignoresNodata ? 0 : Number.NaN;
      continue;
    }
    const difference = next - mean[i]!;
    mean[i]! += difference / n[i]!;
    squares[i]! += difference * (next - mean[i]!);
  }
}

/** Writes the result to the first register of the state. */
export function endFold({ name }: Fold, state: readonly Float64Array[], count: number): void {
  const [a, b, n] = state as [Float64Array, Float64Array, Float64Array];
  if (name === "mean") for (let i = 0; i < count; i++) a[i] = a[i]! / b[i]!;
  else if (name === "variance") for (let i = 0; i < count; i++) a[i] = b[i]! / (n[i]! - 1);
  else if (name === "sd") for (let i = 0; i < count; i++) a[i] = Math.sqrt(b[i]! / (n[i]! - 1));
}
