import { type CurvePoint, extentOf, finite } from "../points.ts";
import { fillLinear } from "./linear.ts";

/** Points of a window that a polynomial is fitted to, and its degree. */
export interface SavitzkyGolayOptions {
  /** Observations: odd, at least 3. */
  readonly window: number;
  /** Degree of the polynomial: at least 0, less than `window`. */
  readonly order: number;
}

/**
 * Smooths by Savitzky's and Golay's method, observation by observation: each value is that of the polynomial of least
 * squares through the window around it. Gaps are filled first, on straight lines in time. At both ends the polynomial
 * through the first or last window gives all values that lack a window of their own (`interp` of scipy's `savgol_filter`).
 *
 * @param points in ascending time
 * @returns a value for each point from the first value to the last, else `null`; `null` alone where these are fewer than
 *   the window has
 * @see Savitzky and Golay 1964, https://doi.org/10.1021/ac60214a047
 * @see Gorry 1990, https://doi.org/10.1021/ac00205a007, equations 6 and 7: weights by Gram's polynomials
 */
export function smoothSavitzkyGolay(
  points: readonly CurvePoint[],
  { window, order }: SavitzkyGolayOptions,
): (number | null)[] {
  const filled = fillLinear(points);
  const smoothed = points.map((): number | null => null);
  const [first, last] = extentOf(points) ?? [0, -1];
  if (last - first + 1 < window) return smoothed;
  const half = (window - 1) / 2;
  const weights = gramWeights(half, order);
  for (let i = first; i <= last; i++) {
    const center = Math.min(Math.max(i, first + half), last - half);
    const row = weights[i - center + half]!;
    let sum = 0;
    for (const [k, weight] of row.entries()) sum += weight * filled[center - half + k]!;
    smoothed[i] = finite(sum);
  }
  return smoothed;
}

/** Weights of the points of a window for the value at each of its places: equation 7 of Gorry, `s` = 0. */
function gramWeights(half: number, order: number): Float64Array[] {
  const places = Array.from({ length: 2 * half + 1 }, (_, k) => k - half);
  const grams = places.map((place) => gramPolynomials(half, order, place));
  const shares = Array.from({ length: order + 1 }, (_, k) => {
    // (2m)^(k) / (2m + k + 1)^(k + 1), generalized factorials
    let share = (2 * k + 1) / (2 * half + k + 1);
    for (let j = 0; j < k; j++) share *= (2 * half - j) / (2 * half + k - j);
    return share;
  });
  return grams.map((at) =>
    Float64Array.from(grams, (other) => shares.reduce((sum, share, k) => sum + share * other[k]! * at[k]!, 0)),
  );
}

/** Gram's polynomials of degrees 0 to `order` at a place, -half to half: equation 6 of Gorry, `s` = 0. */
function gramPolynomials(half: number, order: number, place: number): number[] {
  const grams = [1];
  for (let k = 1; k <= order; k++) {
    const below = k * (2 * half - k + 1);
    const [one, two] = [grams[k - 1]!, grams[k - 2] ?? 0];
    grams.push(((4 * k - 2) / below) * place * one - (((k - 1) * (2 * half + k)) / below) * two);
  }
  return grams;
}
