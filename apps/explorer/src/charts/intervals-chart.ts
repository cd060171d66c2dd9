import uPlot from "uplot";
import { axisOf, ChartFrame, dateAxisOf, utcDate } from "./frame.ts";
import type { Theme } from "./theme.ts";

/** Numbers of one interval; `null`: none of its pixels has a value. */
export interface IntervalNumbers {
  /** Middle of the interval, epoch seconds. */
  readonly time: number;
  readonly mean: number | null;
  readonly low: number | null;
  readonly high: number | null;
}

export interface IntervalsOptions {
  readonly label: string;
  readonly intervals: readonly IntervalNumbers[];
  readonly chosen: number;
}

/** Means of intervals as a line, in a band from a low to a high percentile. */
export class IntervalsChart {
  readonly #frame: ChartFrame;
  readonly #onChoose: (index: number) => void;
  #options: IntervalsOptions;

  constructor(element: HTMLElement, options: IntervalsOptions, onChoose: (index: number) => void) {
    this.#options = options;
    this.#onChoose = onChoose;
    this.#frame = new ChartFrame(element, (theme) => this.#plotOptions(theme));
    this.update(options);
  }

  update(options: IntervalsOptions): void {
    this.#options = options;
    const { intervals } = options;
    this.#frame.rebuild([
      intervals.map(({ time }) => time),
      intervals.map(({ high }) => high),
      intervals.map(({ low }) => low),
      intervals.map(({ mean }) => mean),
    ]);
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #plotOptions(theme: Theme): Omit<uPlot.Options, "width" | "height"> {
    const edge: uPlot.Series = { stroke: theme.line, width: 1, spanGaps: false, points: { show: false } };
    return {
      tzDate: utcDate,
      legend: { show: false },
      padding: [10, 12, 0, 0],
      cursor: { y: false, drag: { x: false, y: false }, points: { size: 9, fill: theme.ink } },
      scales: { x: { time: true, range: (_, min, max) => aroundOne(min, max) } },
      axes: [
        dateAxisOf(theme),
        axisOf(theme, { label: this.#options.label, labelSize: 18, labelGap: 0, size: 46, space: 32 }),
      ],
      series: [
        {},
        edge,
        edge,
        { stroke: theme.accent, width: 2, spanGaps: true, points: { show: true, size: 7, fill: theme.paper } },
      ],
      bands: [{ series: [1, 2], fill: theme.line }],
      hooks: { ready: [(plot) => this.#listen(plot)], draw: [(plot) => this.#drawChosen(plot, theme)] },
    };
  }

  #listen(plot: uPlot): void {
    plot.over.addEventListener("click", () => {
      const { idx } = plot.cursor;
      if (idx !== null && idx !== undefined) this.#onChoose(idx);
    });
  }

  #drawChosen(plot: uPlot, theme: Theme): void {
    const interval = this.#options.intervals[this.#options.chosen];
    if (interval === undefined) return;
    const { ctx, bbox } = plot;
    const x = Math.round(plot.valToPos(interval.time, "x", true));
    ctx.save();
    ctx.strokeStyle = theme.chosen;
    ctx.lineWidth = 2 * uPlot.pxRatio;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

const DAY_S = 86_400;

/** Limits of an axis of time with some space around a single interval. */
function aroundOne(min: number, max: number): [number, number] {
  const around = Math.max(DAY_S, (max - min) * 0.03);
  return [min - around, max + around];
}
