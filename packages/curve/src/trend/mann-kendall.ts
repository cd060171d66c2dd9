import { type CurvePoint, hasValue } from "../points.ts";
import { erfc } from "./erfc.ts";
import { tieLengths, tieSum } from "./ties.ts";

/** Whether values rise or fall with time, whatever the form. */
export interface MannKendall {
  /** Pairs of observations that rise, less those that fall. */
  readonly s: number;
  /** `s`, moved by one to 0 (continuity), in standard deviations of what chance gives. */
  readonly z: number;
  /** Two-sided probability that chance gives as much, 0 to 1. */
  readonly p: number;
}

/**
 * Tests for a monotonic trend; gaps are left out. Ties of values and of times narrow the variance, and count in no pair.
 *
 * @param points in any order
 * @returns `p` 1 where no two observations differ in both
 * @see Mann 1945, https://doi.org/10.2307/1907187; Kendall 1975, Rank Correlation Methods, 4th edition, chapter 4
 *   (variance with ties in both, and continuity)
 * @see Knight 1966, https://doi.org/10.1080/01621459.1966.10480879: pairs counted by sorting
 */
export function mannKendall(points: readonly CurvePoint[]): MannKendall {
  const sorted = points.filter(hasValue).sort((a, b) => a.time - b.time || a.value - b.value);
  const times = tieLengths(sorted, (a, b) => a.time === b.time);
  const both = tieLengths(sorted, (a, b) => a.time === b.time && a.value === b.value);
  const { falls, ordered } = sortCountingFalls(Float64Array.from(sorted, ({ value }) => value));
  const values = tieLengths([...ordered], (a, b) => a === b);
  const pairs = (ties: readonly number[]): number => tieSum(ties, (t) => (t * (t - 1)) / 2);
  const n = sorted.length;
  // pairs that differ in time and value: those that fall, and the others, which rise
  const s = (n * (n - 1)) / 2 - pairs(times) - pairs(values) + pairs(both) - 2 * falls;
  const spread = Math.sqrt(variance(n, times, values));
  const z = s === 0 || !(spread > 0) ? 0 : (s - Math.sign(s)) / spread;
  return { s, z, p: erfc(Math.abs(z) / Math.SQRT2) };
}

/** The variance of S under chance: Kendall 1975, chapter 4; without ties `n (n - 1) (2n + 5) / 18`. */
function variance(n: number, times: readonly number[], values: readonly number[]): number {
  const five = (t: number): number => t * (t - 1) * (2 * t + 5);
  const three = (t: number): number => t * (t - 1) * (t - 2);
  const two = (t: number): number => t * (t - 1);
  const threes = tieSum(times, three) * tieSum(values, three);
  const twos = tieSum(times, two) * tieSum(values, two);
  return (
    (five(n) - tieSum(times, five) - tieSum(values, five)) / 18 +
    (threes === 0 ? 0 : threes / (9 * n * (n - 1) * (n - 2))) +
    (twos === 0 ? 0 : twos / (2 * n * (n - 1)))
  );
}

/** Sorts by merging, and counts the pairs that stand in falling order. */
function sortCountingFalls(values: Float64Array<ArrayBuffer>): {
  readonly falls: number;
  readonly ordered: Float64Array;
} {
  let falls = 0;
  let [from, to] = [values, new Float64Array(values.length)];
  for (let width = 1; width < values.length; width *= 2) {
    for (let start = 0; start < values.length; start += 2 * width) {
      const middle = Math.min(start + width, values.length);
      const end = Math.min(start + 2 * width, values.length);
      let [left, right] = [start, middle];
      for (let k = start; k < end; k++) {
        if (left < middle && (right === end || from[left]! <= from[right]!)) {
          to[k] = from[left++]!;
        } else {
          to[k] = from[right++]!;
          falls += middle - left;
        }
      }
    }
    [from, to] = [to, from];
  }
  return { falls, ordered: from };
}
