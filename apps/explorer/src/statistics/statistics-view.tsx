import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { HistogramChart, type HistogramOptions } from "../charts/histogram-chart.ts";
import { IntervalsChart, type IntervalsOptions } from "../charts/intervals-chart.ts";
import { valueText } from "../series/observations.ts";
import { intervalText, type NumbersRow } from "./rows.ts";

interface Drawn<O> {
  update(options: O): void;
  destroy(): void;
}

/** A chart in an element of its own, drawn again when its options change. */
function useChart<O>(
  options: O,
  make: (element: HTMLElement, options: O) => Drawn<O>,
): (element: HTMLElement | null) => void {
  const chart = useRef<Drawn<O> | undefined>(undefined);
  const element = useRef<HTMLElement | null>(null);
  useEffect(() => {
    if (element.current === null) return undefined;
    const drawn = make(element.current, options);
    chart.current = drawn;
    return () => drawn.destroy();
  }, []);
  const key = JSON.stringify(options);
  useEffect(() => chart.current?.update(options), [key]);
  return (found) => {
    element.current = found;
  };
}

const middleOf = ({ from, to }: NumbersRow): number => (Date.parse(from) + Date.parse(to)) / 2000;

export function Histogram({
  row,
  label,
  limits,
}: {
  readonly row: NumbersRow;
  readonly label: string;
  readonly limits: readonly [number, number];
}): JSX.Element {
  const options: HistogramOptions = { label, bars: row.bins, limits };
  const chart = useChart(options, (element, first) => new HistogramChart(element, first));
  const { mean, stDev, sampleCount, noDataCount, percentiles = {} } = row.stats;
  const median = percentiles["50.0"] ?? percentiles["50"] ?? null;
  const counted = sampleCount - noDataCount;
  const words =
    mean === null
      ? "No pixel of the area has a value."
      : `${counted.toLocaleString("en")} ${counted === 1 ? "pixel" : "pixels"}: mean ${valueText(mean)}, deviation ${valueText(stDev)}, median ${valueText(median)}.`;
  return (
    <figure class="chart-figure">
      <figcaption class="quiet">
        {intervalText(row)}. {words}
      </figcaption>
      <div ref={chart} class="chart histogram" role="img" aria-label={`Histogram of ${intervalText(row)}. ${words}`} />
    </figure>
  );
}

export function Intervals({
  rows,
  label,
  chosen,
  onChoose,
}: {
  readonly rows: readonly NumbersRow[];
  readonly label: string;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}): JSX.Element {
  const options: IntervalsOptions = {
    label,
    chosen,
    intervals: rows.map((row) => ({
      time: middleOf(row),
      mean: row.stats.mean,
      low: row.stats.percentiles?.["5.0"] ?? null,
      high: row.stats.percentiles?.["95.0"] ?? null,
    })),
  };
  const chart = useChart(options, (element, first) => new IntervalsChart(element, first, onChoose));
  return (
    <div
      ref={chart}
      class="chart"
      role="img"
      aria-label="Mean of each interval, within its 5th to 95th percentile. The table has the numbers."
    />
  );
}

export interface TableRow {
  readonly key: string;
  readonly name: string;
  readonly row: NumbersRow;
}

/** A table of numbers, a row for each interval or field; choosing a row shows its histogram. */
export function NumbersTable({
  caption,
  first,
  rows,
  chosen,
  onChoose,
}: {
  readonly caption: string;
  /** Title of the first column. */
  readonly first: string;
  readonly rows: readonly TableRow[];
  readonly chosen: string | undefined;
  readonly onChoose: (key: string) => void;
}): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
    <section class="table-box" tabIndex={0} aria-label={caption}>
      <table class="numbers">
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {["Mean", "Deviation", "Least", "Median", "Largest", "Seen"].map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, row: { stats, valid, problem } }) => (
            <tr key={key} class={key === chosen ? "chosen" : undefined}>
              <th scope="row">
                <button type="button" class="row-button" aria-pressed={key === chosen} onClick={() => onChoose(key)}>
                  {name}
                </button>
                {problem !== undefined && <span class="fault">{problem.detail ?? problem.title}</span>}
              </th>
              {[stats.mean, stats.stDev, stats.min, stats.percentiles?.["50.0"] ?? null, stats.max].map((value, i) => (
                <td key={["mean", "deviation", "min", "median", "max"][i]}>
                  {value === null ? "–" : valueText(value)}
                </td>
              ))}
              <td>{Math.round(valid * 100)} %</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
