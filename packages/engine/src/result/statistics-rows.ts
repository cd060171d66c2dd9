import type { IntervalsInto } from "../request.ts";
import type { ReducedOutput, SkippedScene } from "../run/compute/compute-job.ts";

/** Numbers of one output in one interval. */
export interface OutputRow {
  /** Unit of the values: `REFLECTANCE`, `KELVIN` ... for a band, `1` for an index; absent for an expression. */
  readonly unit?: string;
  readonly stats: {
    readonly min: number | null;
    readonly max: number | null;
    readonly mean: number | null;
    /** Standard deviation of the population. */
    readonly stDev: number | null;
    /** Pixels of the area. */
    readonly sampleCount: number;
    /** Those that are masked, missing or outside of scenes. */
    readonly noDataCount: number;
    /** By percent, such as `50.0`. */
    readonly percentiles?: Readonly<Record<string, number | null>>;
  };
  readonly histogram?: {
    readonly bins: readonly { readonly lowEdge: number; readonly highEdge: number; readonly count: number }[];
    readonly overflowCount: number;
    readonly underflowCount: number;
  };
}

/** Statistics of one interval. */
export interface StatisticsRow {
  /** RFC 3339, UTC, both ends inclusive. */
  readonly interval: { readonly from: string; readonly to: string };
  readonly outputs: Readonly<Record<string, OutputRow>>;
  /** Items that gave pixels, first on top. */
  readonly itemIds: readonly string[];
  readonly skipped: readonly SkippedScene[];
}

/** The members of `Statistics` that become rows. Moments are milliseconds since 1970. */
export interface IntervalNumbers {
  readonly intervals: readonly {
    readonly interval: { readonly from: number; readonly to: number };
    readonly outputs: readonly ReducedOutput[];
    readonly used: readonly string[];
    readonly skipped: readonly SkippedScene[];
  }[];
  readonly outputUnits: Readonly<Record<string, string>>;
}

/** Statistics as rows of plain data, one for each interval, in the members' names of Sentinel Hub's Statistical API. */
export function statisticsRows(
  { intervals, outputUnits }: IntervalNumbers,
  { calculations = {} }: Pick<IntervalsInto, "calculations">,
): readonly StatisticsRow[] {
  const percentsOf = (output: string): readonly number[] =>
    (calculations[output] ?? calculations.default)?.percentiles ?? [];
  return intervals.map(({ interval, outputs, used, skipped }) => ({
    interval: { from: new Date(interval.from).toISOString(), to: new Date(interval.to).toISOString() },
    outputs: Object.fromEntries(
      outputs.map((output) => [output.name, outputOf(output, percentsOf(output.name), outputUnits[output.name])]),
    ),
    itemIds: [...used],
    skipped,
  }));
}

function outputOf(output: ReducedOutput, percents: readonly number[], unit: string | undefined): OutputRow {
  const { pixels, count, min = null, max = null, mean = null, standardDeviation = null, histogram } = output;
  const percentiles = output.percentiles?.map((each, i) => [nameOf(percents[i] ?? 0), each] as const);
  return {
    ...(unit === undefined ? {} : { unit }),
    stats: {
      min,
      max,
      mean,
      stDev: standardDeviation,
      sampleCount: pixels,
      noDataCount: pixels - count,
      ...(percentiles === undefined ? {} : { percentiles: Object.fromEntries(percentiles) }),
    },
    ...(histogram === undefined ? {} : { histogram: histogramOf(histogram) }),
  };
}

/** `50` as "50.0", as Sentinel Hub writes it. */
const nameOf = (percent: number): string => (Number.isInteger(percent) ? percent.toFixed(1) : String(percent));

function histogramOf({ edges, counts, below, above }: NonNullable<ReducedOutput["histogram"]>) {
  return {
    bins: counts.map((count, i) => ({ lowEdge: edges[i] as number, highEdge: edges[i + 1] as number, count })),
    overflowCount: above,
    underflowCount: below,
  };
}
