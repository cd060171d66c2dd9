/**
 * Operations on one value of each operand, as openEO's processes of the same names define them. NaN is the no-data
 * value of all cubes; booleans are 1 and 0. A no-data operand gives no data, except for the three-valued `and`, `or`,
 * and `if`, `is_nodata`.
 */
export const OPERATIONS = {
  add: (x, y) => x + y,
  subtract: (x, y) => x - y,
  multiply: (x, y) => x * y,
  divide: (x, y) => x / y,
  // in JavaScript any base to the power of 0 is 1
  power: (base, p) => (Number.isNaN(base) ? Number.NaN : base ** p),
  sqrt: (x) => Math.sqrt(x),
  ln: (x) => Math.log(x),
  log: (x, base) => logarithm(x, base),
  exp: (x) => Math.exp(x),
  absolute: (x) => Math.abs(x),
  clip: (x, min, max) => Math.min(Math.max(x, min), max),
  eq: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x === y ? 1 : 0),
  neq: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x === y ? 0 : 1),
  lt: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x < y ? 1 : 0),
  lte: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x <= y ? 1 : 0),
  gt: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x > y ? 1 : 0),
  gte: (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : x >= y ? 1 : 0),
  and: (x, y) => (x === 0 || y === 0 ? 0 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 1),
  or: (x, y) => (x === 1 || y === 1 ? 1 : Number.isNaN(x) || Number.isNaN(y) ? Number.NaN : 0),
  not: (x) => (Number.isNaN(x) ? Number.NaN : x === 0 ? 1 : 0),
  if: (value, accept, reject) => (value === 1 ? accept : reject),
  is_nodata: (x) => (Number.isNaN(x) ? 1 : 0),
} as const satisfies Readonly<Record<string, (x: number, y: number, z: number) => number>>;

/** An operation on up to three numbers; booleans are 0 and 1, no data is NaN. */
export type Operation = keyof typeof OPERATIONS;

function logarithm(x: number, base: number): number {
  if (base === 10) return Math.log10(x);
  return base === 2 ? Math.log2(x) : Math.log(x) / Math.log(base);
}

/** A reduction of the values of an array to one value. */
export interface Fold {
  readonly name: FoldName;
  /** Whether no-data values are left out; else one of them makes the result no data. */
  readonly ignoresNodata: boolean;
  /** The quantile, 0 to 1, with `quantile`. */
  readonly at?: number;
}

/** Names of reductions of an array to one value. */
export const FOLD_NAMES = [
  "sum",
  "product",
  "min",
  "max",
  "mean",
  "variance",
  "sd",
  "count",
  "first",
  "last",
  "quantile",
] as const;
/** Name of a reduction of an array to one value. */
export type FoldName = (typeof FOLD_NAMES)[number];

/** A fold of the values of one array; NaN for none. `variance` and `sd` are those of a sample: divided by n − 1. */
export function foldValues({ name, ignoresNodata, at = 0.5 }: Fold, values: readonly number[]): number {
  const kept = values.filter((value) => !Number.isNaN(value));
  if (name === "count") return kept.length;
  if (kept.length === 0 || (!ignoresNodata && kept.length < values.length && name !== "first" && name !== "last")) {
    return Number.NaN;
  }
  const used = ignoresNodata ? kept : values;
  switch (name) {
    case "sum":
      return used.reduce((sum, value) => sum + value, 0);
    case "product":
      return used.reduce((product, value) => product * value, 1);
    case "min":
      return used.reduce((least, value) => Math.min(least, value));
    case "max":
      return used.reduce((most, value) => Math.max(most, value));
    case "mean":
      return used.reduce((sum, value) => sum + value, 0) / used.length;
    case "variance":
      return varianceOf(used);
    case "sd":
      return Math.sqrt(varianceOf(used));
    case "first":
      return used[0]!;
    case "last":
      return used[used.length - 1]!;
    case "quantile":
      return quantileOf(Float64Array.from(used).sort(), used.length, at);
  }
}

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}

/**
 * A quantile of the first `count` values, which ascend: linear between the nearest (Hyndman and Fan 1996, type 7;
 * numpy's default method).
 */
export function quantileOf(sorted: Float64Array, count: number, at: number): number {
  const position = at * (count - 1);
  const below = Math.floor(position);
  const low = sorted[below]!;
  const part = position - below;
  return part === 0 ? low : low + (sorted[below + 1]! - low) * part;
}
