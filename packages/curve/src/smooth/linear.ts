import { type CurvePoint, extentOf, finite, hasValue } from "../points.ts";

/**
 * Fills gaps on the straight line between the values around them, in time. Observed values stay as they are.
 *
 * Between two values of one time a gap has their mean. Before the first value and after the last one gaps stay.
 *
 * @param points in ascending time
 * @returns a value or `null` for each point
 * @see Meijering 2002, A chronology of interpolation, https://doi.org/10.1109/5.993400; equals `numpy.interp` between values
 */
export function fillLinear(points: readonly CurvePoint[]): (number | null)[] {
  const filled = points.map((point) => (hasValue(point) ? point.value : null));
  const [first, last] = extentOf(points) ?? [0, -1];
  let before = first;
  for (let after = first + 1; after <= last; after++) {
    if (filled[after] === null) continue;
    for (let gap = before + 1; gap < after; gap++) filled[gap] = finite(between(points, filled, [before, gap, after]));
    before = after;
  }
  return filled;
}

function between(
  points: readonly CurvePoint[],
  values: readonly (number | null)[],
  [before, gap, after]: readonly [number, number, number],
): number {
  const [from, at, to] = [points[before]!.time, points[gap]!.time, points[after]!.time];
  const [low, high] = [values[before]!, values[after]!];
  const share = to > from ? (at - from) / (to - from) : 0.5;
  return low + share * (high - low);
}
