/** The lowest and the highest value that colors stand for. */
export type Range = readonly [low: number, high: number];

/**
 * The range between two percentiles of values, to six digits; what is not finite does not count.
 *
 * @param percentiles 0 to 100.
 * @returns undefined where no value is finite; of a constant half of one below and above it, so that it is shown in the middle.
 */
export function rangeBetween(values: Iterable<number>, percentiles: Range): Range | undefined {
  const sorted = Float64Array.from(values).filter(Number.isFinite).sort();
  if (sorted.length === 0) return undefined;
  const [low, high] = percentiles.map((percent) => Number(percentileOf(sorted, percent).toPrecision(6))) as [
    number,
    number,
  ];
  return low < high ? [low, high] : [low - 0.5, low + 0.5];
}

/** Percentile of sorted values by linear interpolation (numpy's default). */
function percentileOf(sorted: Float64Array, percent: number): number {
  const at = ((sorted.length - 1) * percent) / 100;
  const [below = 0, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}
