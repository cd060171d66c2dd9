import { Refusal } from "../../refusal.ts";

/** Bins of equal width, by their count or their width; an end that is absent is that of the values. */
export interface EqualBins {
  readonly count?: number | undefined;
  readonly width?: number | undefined;
  readonly low?: number | undefined;
  readonly high?: number | undefined;
}

/** Most bins of a histogram. */
export const MAX_BINS = 10_000;

/**
 * Edges of bins of equal width, ascending. As many as asked for divide the range evenly (numpy.histogram); bins of a width
 * start at `low`, by default the multiple of it at or below `min`, and the last one is cut at `high`. Values that are all
 * equal get a range of 1 around them, and an end beyond all values one of 1, or of a bin, beside it.
 *
 * @param min smallest value, for `low`
 * @param max largest value, for `high`
 * @throws {Refusal} `output-too-large` for more than 10,000 bins.
 */
export function equalEdges({ count, width, low, high }: EqualBins, min: number, max: number): number[] {
  if (width !== undefined) {
    const first = low ?? Math.min(Math.floor(min / width) * width, high === undefined ? min : high - width);
    const end = high ?? Math.max(max, first + width);
    const bins = Math.max(1, Math.ceil((end - first) / width - 1e-9));
    if (!(bins <= MAX_BINS)) throw tooManyBins(bins);
    const edges = Array.from({ length: bins }, (_, i) => first + i * width);
    return [...edges, high ?? Math.max(max, first + bins * width)];
  }
  const bins = count ?? 1;
  let [first, end] = [low ?? min, high ?? max];
  // no value is in the range, or all are equal
  if (first >= end) {
    first = low ?? (high ?? first + 0.5) - 1;
    end = high ?? first + 1;
  }
  const span = end - first;
  // the values of an expression may be farther apart than the largest number
  const step = Number.isFinite(span) ? span / bins : end / bins - first / bins;
  return Array.from({ length: bins + 1 }, (_, i) => (i === bins ? end : first + i * step));
}

function tooManyBins(bins: number): Refusal {
  // the count of very narrow bins overflows, and JSON has no infinity
  const requestedBins = Math.min(bins, Number.MAX_SAFE_INTEGER);
  return new Refusal("output-too-large", [], `The histogram would have ${requestedBins} bins (at most ${MAX_BINS}).`, {
    limits: { maxBins: MAX_BINS, requestedBins },
  });
}
