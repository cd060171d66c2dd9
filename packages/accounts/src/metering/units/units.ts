declare const brand: unique symbol;

/** Processing units in steps of 1/10,000 unit: a whole number from 0. */
export type Units = number & { readonly [brand]: "units" };

const STEPS = 10_000;
/** Relative error that sums and quotients of doubles may carry: it must not round up to the next step. */
const TOLERANCE = 1e-9;

/** No units: the cost of what is free. */
export const NO_UNITS = 0 as Units;

/**
 * Units of a cost that was computed in floating point, rounded up to 1/10,000. Sum first and convert once: each
 * conversion rounds up.
 *
 * @param value units, finite and at least 0.
 * @throws {RangeError} for any other number, and above what a double holds exactly.
 */
export function toUnits(value: number): Units {
  const steps = value * STEPS;
  if (!(steps >= 0) || steps > Number.MAX_SAFE_INTEGER) throw new RangeError(`${value} is no number of units.`);
  const nearest = Math.round(steps);
  const isWhole = Math.abs(steps - nearest) <= TOLERANCE * Math.max(1, steps);
  return (isWhole ? nearest : Math.ceil(steps)) as Units;
}

/** The number outside: units with at most four decimals, such as `0.25` or `1.3333`. */
export function fromUnits(units: Units): number {
  return units / STEPS;
}
