import { counted } from "../counted.ts";
import type { IntervalsInto } from "../request.ts";
import type { ReducedOutput, SkippedScene } from "../run/compute/compute-job.ts";

/** A number with six significant digits, which are more than a measurement has; empty where there is none. */
const shortNumber = (value: number | null | undefined): string =>
  value === null || value === undefined ? "" : String(Number(value.toPrecision(6)));

/** The members of an interval's statistics that become lines. Moments are milliseconds since 1970. */
interface IntervalNumbers {
  readonly interval: { readonly from: number; readonly to: number };
  readonly outputs: readonly ReducedOutput[];
  readonly skipped: readonly SkippedScene[];
}

/** Statistics as lines of text for people and models: the names of the columns, and rows for each interval and output. */
export function statisticsText(
  intervals: readonly IntervalNumbers[],
  { calculations = {} }: Pick<IntervalsInto, "calculations">,
): { readonly columns: string; readonly rows: readonly string[] } {
  const percentsOf = (output: string): readonly number[] =>
    (calculations[output] ?? calculations.default)?.percentiles ?? [];
  const names = new Set(intervals.flatMap(({ outputs }) => outputs.map(({ name }) => name)));
  const percents = [...new Set([...names].flatMap(percentsOf))].sort((a, b) => a - b);
  const columns = ["from", "to", "output", "mean", "min", "max", "stDev", ...percents.map((at) => `p${at}`)];
  return {
    columns: `${columns.join(", ")}, pixels with a value / all`,
    rows: intervals.flatMap((each) => linesOf(each, percents, percentsOf)),
  };
}

function linesOf(
  { interval, outputs, skipped }: IntervalNumbers,
  percents: readonly number[],
  percentsOf: (output: string) => readonly number[],
): readonly string[] {
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10);
  const note = skipped.length === 0 ? "" : `, ${counted(skipped.length, "scene")} left out`;
  return outputs.flatMap((output) => {
    const { name, mean, min, max, standardDeviation, percentiles = [], count, pixels, histogram } = output;
    const own = percentsOf(name);
    const values = [mean, min, max, standardDeviation, ...percents.map((at) => percentiles[own.indexOf(at)])];
    const row = [day(interval.from), day(interval.to), name, ...values.map(shortNumber), `${count} / ${pixels}${note}`];
    return [row.join(", "), ...(histogram === undefined ? [] : [histogramLine(histogram)])];
  });
}

/** Counts of all bins, between the edges that say where they are. */
function histogramLine({ edges, counts, below, above }: NonNullable<ReducedOutput["histogram"]>): string {
  const bins = counts.map((count, i) => `[${shortNumber(edges[i])}] ${count}`).join(" ");
  return `histogram, counts between edges: ${bins} [${shortNumber(edges[counts.length])}]; below ${below}, above ${above}`;
}
