import { findPeaks, type Peak } from "./peaks.ts";
import type { CurveValue } from "./points.ts";

/** Share of the curve's range by which a summit rises above the land around it where it is a season. */
export const SEASON_PROMINENCE = 0.25;

/** A rise and fall of a curve, such as a crop from its emergence to its harvest. */
export interface Season {
  /** Time before the peak at which the curve leaves the threshold, milliseconds since 1970; `null`: it begins above it. */
  readonly start: number | null;
  /** Time of the highest value. */
  readonly peak: number;
  /** Time after the peak at which the curve falls to the threshold; `null`: it ends above it. */
  readonly end: number | null;
  readonly peakValue: number;
  /** The lower one of the lowest values on both sides of the peak, up to the next season or the curve's end. */
  readonly base: number;
  /** `peakValue` less `base`. */
  readonly amplitude: number;
  /** Times of the lowest values between it and its neighbours, or the ends of the curve. */
  readonly reach: readonly [from: number, to: number];
}

/**
 * Finds the seasons of a curve. A season is a summit that rises by a quarter of the curve's range. It starts and ends where
 * the curve crosses `base + threshold * amplitude` next to its peak, on the straight line between two values.
 *
 * @param curve in ascending time, without gaps: smoothed or filled
 * @param threshold share of the amplitude, above 0 and below 1
 * @see Jönsson and Eklundh 2004, https://doi.org/10.1016/j.cageo.2004.05.006, section 2.4: start and end by a share of the amplitude
 * @see White, Thornton and Running 1997, https://doi.org/10.1029/97GB00330: a threshold of 0.5
 */
export function findSeasons(curve: readonly CurveValue[], threshold: number): Season[] {
  const values = curve.map(({ value }) => value);
  const range = values.reduce((a, b) => Math.max(a, b), -Infinity) - values.reduce((a, b) => Math.min(a, b), Infinity);
  // differences that a double does not hold have no shares
  if (!Number.isFinite(range)) return [];
  const peaks = seasonPeaks(values, SEASON_PROMINENCE * range);
  const feet = [
    0,
    ...peaks.slice(1).map(({ index }, i) => lowestIn(values, peaks[i]!.index, index)),
    Math.max(0, values.length - 1),
  ];
  return peaks.map((peak, i) => seasonOf(curve, peak, { from: feet[i]!, to: feet[i + 1]!, threshold }));
}

/** Summits of a prominence; of those as high as each other with less than it between them the first. */
function seasonPeaks(values: readonly number[], least: number): Peak[] {
  const peaks: Peak[] = [];
  for (const peak of findPeaks(values)) {
    if (peak.prominence <= 0 || peak.prominence < least) continue;
    const before = peaks.at(-1);
    const dip = before === undefined ? -Infinity : values[lowestIn(values, before.index, peak.index)]!;
    if (values[peak.index]! - dip >= least) peaks.push(peak);
  }
  return peaks;
}

interface Reach {
  readonly from: number;
  readonly to: number;
  readonly threshold: number;
}

function seasonOf(curve: readonly CurveValue[], { index }: Peak, { from, to, threshold }: Reach): Season {
  const peakValue = curve[index]!.value;
  const base = curve.slice(from, to + 1).reduce((least, { value }) => Math.min(least, value), Infinity);
  const amplitude = peakValue - base;
  const level = base + threshold * amplitude;
  return {
    start: crossing(curve, { level, index, step: -1, last: from }),
    peak: curve[index]!.time,
    end: crossing(curve, { level, index, step: 1, last: to }),
    peakValue,
    base,
    amplitude,
    reach: [curve[from]!.time, curve[to]!.time],
  };
}

interface Walk {
  readonly level: number;
  readonly index: number;
  readonly step: 1 | -1;
  readonly last: number;
}

/** Walks from the peak down to the level, and returns the time between the last value above it and the first one that is not. */
function crossing(curve: readonly CurveValue[], { level, index, step, last }: Walk): number | null {
  for (let i = index; i !== last; i += step) {
    const [above, below] = [curve[i]!, curve[i + step]!];
    if (below.value > level) continue;
    const share = (above.value - level) / (above.value - below.value);
    return above.time + share * (below.time - above.time);
  }
  return null;
}

function lowestIn(values: readonly number[], from: number, to: number): number {
  let lowest = from;
  for (let i = from; i <= to; i++) if (values[i]! < values[lowest]!) lowest = i;
  return lowest;
}
