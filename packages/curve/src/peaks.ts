/** A summit of a curve, and how far it rises. */
export interface Peak {
  /** Place of the summit; the one in the middle of a flat one. */
  readonly index: number;
  /** Height above the higher one of the lowest places on both sides, up to the next higher summit or the end. */
  readonly prominence: number;
}

/**
 * Finds the summits of a curve: places, or runs of equal values, whose neighbours on both sides are lower.
 *
 * @see `scipy.signal.find_peaks` and `peak_prominences`, whose definitions these are
 */
export function findPeaks(values: readonly number[]): Peak[] {
  const left = lowestBefore(values);
  const right = lowestBefore(values.toReversed()).reverse();
  return summits(values).map((index) => ({
    index,
    prominence: values[index]! - Math.max(left[index]!, right[index]!),
  }));
}

function summits(values: readonly number[]): number[] {
  const found: number[] = [];
  let start = 0;
  for (let i = 1; i < values.length; i++) {
    if (values[i] === values[i - 1]) continue;
    const isSummit = start > 0 && values[start]! > values[start - 1]! && values[i]! < values[start]!;
    if (isSummit) found.push((start + i - 1) >> 1);
    start = i;
  }
  return found;
}

/** Returns for each place the lowest value from it back to the next higher place, in time proportional to their number. */
function lowestBefore(values: readonly number[]): number[] {
  const lowest: number[] = [];
  // places that nothing after them is higher than or as high as
  const higher: number[] = [];
  for (const [i, value] of values.entries()) {
    let least = value;
    while (higher.length > 0 && values[higher.at(-1)!]! <= value) least = Math.min(least, lowest[higher.pop()!]!);
    lowest.push(least);
    higher.push(i);
  }
  return lowest;
}
