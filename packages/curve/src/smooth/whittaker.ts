import { type CurvePoint, extentOf, finite, hasValue } from "../points.ts";

/**
 * Smooths by Whittaker's method of order 2, observation by observation: the result z minimizes
 * `sum(w (y - z)²) + lambda * sum((z[i] - 2 z[i+1] + z[i+2])²)`, where the weight w is 1 for a value and 0 for a gap.
 *
 * The least squares are solved by rotations of Givens on rows of three columns, in time and memory proportional to the
 * number of points: the square of the matrix, which the usual solution factorizes, loses half of the digits in long gaps.
 *
 * @param points in order
 * @param lambda above 0: the larger, the smoother
 * @returns a value for each point from the first value to the last, else `null`; of fewer than two values `null` alone
 * @see Eilers 2003, A perfect smoother, https://doi.org/10.1021/ac034173t, equations 2 to 6
 * @see Golub and Van Loan 2013, Matrix Computations, 4th edition, sections 5.1.8 (rotations) and 5.2.5 (QR by them)
 */
export function smoothWhittaker(points: readonly CurvePoint[], lambda: number): (number | null)[] {
  const smoothed = points.map((): number | null => null);
  const [first, last] = extentOf(points) ?? [0, 0];
  if (last === first) return smoothed;
  const system = new BandedRows(last - first + 1);
  const weight = Math.sqrt(lambda);
  for (let i = first; i <= last; i++) {
    const point = points[i]!;
    if (hasValue(point)) system.add(i - first, [1, 0, 0], point.value);
    if (i + 2 <= last) system.add(i - first, [weight, -2 * weight, weight], 0);
  }
  for (const [i, value] of system.solve().entries()) smoothed[first + i] = finite(value);
  return smoothed;
}

type Three = readonly [number, number, number];

/** Rows of three columns next to each other, rotated into an upper triangle as they come. */
class BandedRows {
  readonly #size: number;
  /** The diagonal and two columns to its right, row by row. */
  readonly #triangle: Float64Array;
  readonly #right: Float64Array;

  constructor(size: number) {
    this.#size = size;
    this.#triangle = new Float64Array(3 * size);
    this.#right = new Float64Array(size);
  }

  /** Adds the row that has these values in the columns from `column` on; rows come in the order of their columns. */
  add(column: number, [first, second, third]: Three, right: number): void {
    const triangle = this.#triangle;
    let [a, b, c, r] = [first, second, third, right];
    for (let i = column; i < this.#size && (a !== 0 || b !== 0 || c !== 0); i++) {
      const at = 3 * i;
      const [p, q, s, t] = [triangle[at]!, triangle[at + 1]!, triangle[at + 2]!, this.#right[i]!];
      const length = Math.hypot(p, a);
      if (length > 0) {
        const [cos, sin] = [p / length, a / length];
        triangle[at] = length;
        triangle[at + 1] = cos * q + sin * b;
        triangle[at + 2] = cos * s + sin * c;
        this.#right[i] = cos * t + sin * r;
        [b, c, r] = [cos * b - sin * q, cos * c - sin * s, cos * r - sin * t];
      }
      [a, b, c] = [b, c, 0];
    }
  }

  /** Solves the triangle from its last row on. */
  solve(): Float64Array {
    const solution = new Float64Array(this.#size + 2);
    for (let i = this.#size - 1; i >= 0; i--) {
      const [p, q, s] = [this.#triangle[3 * i]!, this.#triangle[3 * i + 1]!, this.#triangle[3 * i + 2]!];
      solution[i] = (this.#right[i]! - q * solution[i + 1]! - s * solution[i + 2]!) / p;
    }
    return solution.subarray(0, this.#size);
  }
}
