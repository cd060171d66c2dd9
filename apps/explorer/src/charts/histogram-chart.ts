import uPlot from "uplot";
import { type Bar, stepsOf } from "./bars.ts";
import { axisOf, ChartFrame } from "./frame.ts";
import type { Theme } from "./theme.ts";

const STEPS = uPlot.paths.stepped?.({ align: 1 });

export interface HistogramOptions {
  readonly label: string;
  readonly bars: readonly Bar[];
  /** Limits of the axis of values, the same for all intervals so that they can be compared. */
  readonly limits: readonly [number, number];
}

/** A histogram: how many pixels have which values. */
export class HistogramChart {
  readonly #frame: ChartFrame;
  #options: HistogramOptions;

  constructor(element: HTMLElement, options: HistogramOptions) {
    this.#options = options;
    this.#frame = new ChartFrame(element, (theme) => this.#plotOptions(theme));
    this.update(options);
  }

  update(options: HistogramOptions): void {
    this.#options = options;
    this.#frame.rebuild(stepsOf(options.bars));
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #plotOptions(theme: Theme): Omit<uPlot.Options, "width" | "height"> {
    const { label, limits } = this.#options;
    const [least, largest] = limits;
    const isFlat = least === largest;
    return {
      legend: { show: false },
      padding: [10, 12, 0, 0],
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => (isFlat ? [least - 0.5, largest + 0.5] : [least, largest]) },
        y: { range: (_, _least, most) => [0, Math.max(1, most * 1.05)] },
      },
      axes: [
        axisOf(theme, { label, size: 26, labelSize: 18, labelGap: 0, space: 50 }),
        axisOf(theme, { label: "Pixels", labelSize: 18, labelGap: 0, size: 46, space: 32 }),
      ],
      series: [
        {},
        {
          stroke: theme.accent,
          fill: theme.accent,
          width: 1,
          points: { show: false },
          ...(STEPS === undefined ? {} : { paths: STEPS }),
        },
      ],
    };
  }
}
