import { type CurvePoint, finite, hasValue } from "../points.ts";
import { type Pause, Slopes } from "./slopes.ts";
import { tieLengths, tieSum } from "./ties.ts";

/** Milliseconds of 365.25 days, the year of trends. */
export const TREND_YEAR = 365.25 * 86_400_000;
/** Quantile of the normal distribution below which 0.025 of it lie. */
const QUANTILE = -1.959963984540054;

/** A straight line through a curve; numbers are `null` where no two values differ in time, or a double does not hold them. */
export interface TheilSen {
  /** Change of the value per 365.25 days: the median of the slopes between all pairs of values of different times. */
  readonly slope: number | null;
  /** Slopes between which the true one is with a probability of 0.95. */
  readonly confidence: readonly [low: number, high: number] | null;
  /** Value of the line at `origin`. */
  readonly intercept: number | null;
  /** Time of the first value, milliseconds since 1970; `null`: there is none. */
  readonly origin: number | null;
  /** Values that the line goes through. */
  readonly count: number;
}

/**
 * Fits a straight line that outliers do not move; gaps are left out. The intercept is that of the medians of times and values.
 *
 * Of 10,000 values 50 million pairs are compared: `pause` is awaited after every 100,000 of them.
 *
 * @param points in any order
 * @throws what `pause` throws
 * @see Theil 1950, A rank-invariant method of linear and polynomial regression analysis, Nederl. Akad. Wetensch. 53
 * @see Sen 1968, https://doi.org/10.1080/01621459.1968.10480934, equation 2.6 (confidence); equals `scipy.stats.theilslopes`
 */
export async function theilSen(
  points: readonly CurvePoint[],
  { pause }: { readonly pause?: Pause | undefined } = {},
): Promise<TheilSen> {
  const sorted = points.filter(hasValue).sort((a, b) => a.time - b.time);
  const origin = sorted[0]?.time ?? null;
  const x = Float64Array.from(sorted, ({ time }) => (time - (origin ?? 0)) / TREND_YEAR);
  const y = Float64Array.from(sorted, ({ value }) => value);
  const slopes = new Slopes(x, y, pause);
  const none = { slope: null, confidence: null, intercept: null, origin, count: sorted.length };
  if (slopes.count === 0) return none;
  const bounds = confidenceRanks(x, y, slopes.count);
  const [below, above, ...ends] = await slopes.at([...middle(slopes.count), ...(bounds ?? [])]);
  const slope = (below! + above!) / 2;
  const [low, high] = ends.map(finite);
  return {
    ...none,
    slope: finite(slope),
    confidence: typeof low === "number" && typeof high === "number" ? [low, high] : null,
    intercept: finite(medianOf(y) - slope * medianOf(x)),
  };
}

/** Ranks of the one or two numbers in the middle of so many. */
const middle = (count: number): [number, number] => [Math.ceil(count / 2) - 1, Math.floor(count / 2)];

function medianOf(values: Float64Array): number {
  const sorted = values.slice().sort();
  const [below, above] = middle(sorted.length);
  return (sorted[below]! + sorted[above]!) / 2;
}

/** Ranks of the ends of the confidence interval; none where ties leave no variance that can be told. */
function confidenceRanks(x: Float64Array, y: Float64Array, count: number): [number, number] | undefined {
  const term = (n: number): number => n * (n - 1) * (2 * n + 5);
  const ties = (sorted: Float64Array): number =>
    tieSum(
      tieLengths([...sorted], (a, b) => a === b),
      term,
    );
  const variance = (term(y.length) - ties(x) - ties(y.slice().sort())) / 18;
  if (!(variance >= 0)) return undefined;
  const width = QUANTILE * Math.sqrt(variance);
  return [Math.max(roundEven((count + width) / 2) - 1, 0), Math.min(roundEven((count - width) / 2), count - 1)];
}

/** Rounds halves to the even neighbour, as IEEE 754 does by default. */
function roundEven(value: number): number {
  const floor = Math.floor(value);
  if (value - floor !== 0.5) return Math.round(value);
  return floor % 2 === 0 ? floor : floor + 1;
}
