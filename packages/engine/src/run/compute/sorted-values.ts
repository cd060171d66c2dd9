/**
 * Values in ascending order, equal ones once: plain data, so that it crosses threads. Bands of 16-bit samples have at most
 * 65,536 different values, whatever the number of pixels.
 */
export interface SortedValues {
  readonly values: Float64Array;
  /** Values up to and including each of `values`; absent: each stands for one. */
  readonly cumulative?: Float64Array;
  /** Count of all values. */
  readonly count: number;
}

/** Different values that a thinned part keeps: each stands for 1/4,096 of it. */
const THINNED = 4096;

/** Sorts `values` in place, and keeps equal ones once where that needs less memory. */
export function sortValues(values: Float64Array): SortedValues {
  values.sort();
  const count = values.length;
  let different = count === 0 ? 0 : 1;
  for (let i = 1; i < count; i++) if (values[i] !== values[i - 1]) different += 1;
  if (different * 2 > count) return { values, count };
  const kept = new Float64Array(different);
  const cumulative = new Float64Array(different);
  let at = -1;
  for (let i = 0; i < count; i++) {
    if (i === 0 || values[i] !== values[i - 1]) kept[++at] = values[i]!;
    cumulative[at] = i + 1;
  }
  return { values: kept, cumulative, count };
}

/**
 * At most 4,096 values in place of many: the middle one of each 1/4,096 of the ranks stands for them. A rank is wrong by
 * at most 1/8,192 of the count, and so is one among several parts by at most 1/8,192 of their counts together.
 */
export function thinValues(sorted: SortedValues): SortedValues {
  const { count, values } = sorted;
  if (values.length <= THINNED) return sorted;
  const kept = new Float64Array(THINNED);
  const cumulative = new Float64Array(THINNED);
  for (let i = 0; i < THINNED; i++) {
    const start = Math.floor((i * count) / THINNED);
    const end = Math.floor(((i + 1) * count) / THINNED);
    kept[i] = valueAt([sorted], (start + end - 1) >> 1);
    cumulative[i] = end;
  }
  return { values: kept, cumulative, count };
}

/** First index of `values` that is not below (`inclusive`: not at or below) `limit`. */
function bound(values: Float64Array, limit: number, inclusive: boolean): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const value = values[middle]!;
    if (value < limit || (inclusive && value === limit)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function countOf({ cumulative }: SortedValues, index: number): number {
  return index === 0 ? 0 : cumulative === undefined ? index : cumulative[index - 1]!;
}

/** Counts the values of all parts below `limit`, or (`inclusive`) at or below it. */
export function countBelow(parts: readonly SortedValues[], limit: number, inclusive: boolean): number {
  return parts.reduce((sum, part) => sum + countOf(part, bound(part.values, limit, inclusive)), 0);
}

/** The value of this rank, from 0, among those of all parts together. */
export function valueAt(parts: readonly SortedValues[], rank: number): number {
  let found = Number.POSITIVE_INFINITY;
  for (const part of parts) {
    // the first of this part's values with more than `rank` values of all parts up to it
    let [low, high] = [0, part.values.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const reached = parts.length === 1 ? countOf(part, middle + 1) : countBelow(parts, part.values[middle]!, true);
      if (reached > rank) high = middle;
      else low = middle + 1;
    }
    if (low < part.values.length && part.values[low]! < found) found = part.values[low]!;
  }
  return found;
}

/**
 * Percentiles, linear between the two nearest values (numpy.percentile, method "linear"); `null` without values.
 *
 * @param at 0 to 100
 */
export function percentilesOf(parts: readonly SortedValues[], at: readonly number[]): (number | null)[] {
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return at.map((percent) => {
    if (count === 0) return null;
    const position = (percent / 100) * (count - 1);
    const low = Math.floor(position);
    const share = position - low;
    const from = valueAt(parts, low);
    const to = share === 0 ? from : valueAt(parts, Math.min(low + 1, count - 1));
    // numpy takes the nearer end as the start, so that neither end is missed by rounding
    return share < 0.5 ? from + (to - from) * share : to - (to - from) * (1 - share);
  });
}

/** Counts the values in each bin, and below and above all bins; bins hold their lower edge, the last one both. */
export function binValues(
  parts: readonly SortedValues[],
  edges: readonly number[],
): { readonly counts: number[]; readonly below: number; readonly above: number } {
  const last = edges.length - 1;
  const before = edges.map((edge, i) => countBelow(parts, edge, i === last));
  const count = parts.reduce((sum, part) => sum + part.count, 0);
  return {
    counts: before.slice(1).map((end, i) => end - before[i]!),
    below: before[0]!,
    above: count - before[last]!,
  };
}
