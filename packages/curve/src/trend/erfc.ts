/**
 * The complementary error function of 0 and above, to some 1e-15 of its value.
 *
 * @see Abramowitz and Stegun 1964, Handbook of Mathematical Functions, 7.1.6 (series) and 7.1.14 (continued fraction)
 */
export function erfc(x: number): number {
  if (x > 27) return 0;
  return x < 2 ? 1 - series(x) : continuedFraction(x);
}

function series(x: number): number {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * sum; n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

/** Evaluates `exp(-x²) / sqrt(π) / (x + (1/2) / (x + 1 / (x + (3/2) / (x + ...))))` from its end on. */
function continuedFraction(x: number): number {
  let below = x;
  for (let n = 120; n > 0; n--) below = x + n / 2 / below;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / below;
}
