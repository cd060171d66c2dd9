import uPlot from "uplot";
import { onScheme, type Theme, themeOf } from "./theme.ts";

/** Keeps a uPlot chart in an element: as large as it, in the colors of the scheme, drawn anew when either changes. */
export class ChartFrame {
  readonly element: HTMLElement;
  readonly #options: (theme: Theme) => Omit<uPlot.Options, "width" | "height">;
  readonly #resize: ResizeObserver;
  readonly #endScheme: () => void;
  #data: uPlot.AlignedData = [[]];
  #plot: uPlot | undefined;

  /** @param options of the chart; asked for again when the color scheme changes. */
  constructor(element: HTMLElement, options: (theme: Theme) => Omit<uPlot.Options, "width" | "height">) {
    this.element = element;
    this.#options = options;
    this.#endScheme = onScheme(() => this.rebuild());
    this.#resize = new ResizeObserver(() => {
      const { width, height } = this.#size();
      if (width > 0 && height > 0) this.#plot?.setSize({ width, height });
    });
    this.#resize.observe(element);
  }

  get plot(): uPlot | undefined {
    return this.#plot;
  }

  /** Draws other data with the same options. */
  setData(data: uPlot.AlignedData): void {
    this.#data = data;
    if (this.#plot === undefined) this.rebuild();
    else this.#plot.setData(data);
  }

  /** Draws data with options that are asked for anew. */
  rebuild(data = this.#data): void {
    this.#data = data;
    this.#plot?.destroy();
    this.#plot = new uPlot({ ...this.#options(themeOf(this.element)), ...this.#size() }, this.#data, this.element);
  }

  destroy(): void {
    this.#resize.disconnect();
    this.#endScheme();
    this.#plot?.destroy();
    this.#plot = undefined;
  }

  #size(): { width: number; height: number } {
    return { width: this.element.clientWidth, height: this.element.clientHeight };
  }
}

/** An axis in the colors of a theme. */
export function axisOf(theme: Theme, axis: uPlot.Axis): uPlot.Axis {
  const grid = { stroke: theme.line, width: 1 };
  return { stroke: theme.quiet, font: theme.font, labelFont: theme.font, grid, ticks: { ...grid, size: 4 }, ...axis };
}

const DAY_S = 86_400;
const YEAR = "\n{YYYY}";

/** An axis of dates: months are words, since 4/5 is in April for some readers and in May for others. */
export function dateAxisOf(theme: Theme): uPlot.Axis {
  return axisOf(theme, {
    space: 70,
    // least distance of two ticks, their text, and what follows it where a year or a day begins (uPlot's docs, "Axis & Grid Opts")
    values: [
      [365 * DAY_S, "{YYYY}", null, null, null, null, null, null, 1],
      [28 * DAY_S, "{MMM}", YEAR, null, null, null, null, null, 1],
      [DAY_S, "{D} {MMM}", YEAR, null, null, null, null, null, 1],
      [0, "{HH}:{mm}", "\n{D} {MMM} {YYYY}", null, "\n{D} {MMM}", null, null, null, 1],
    ],
  });
}

/** Dates of charts are UTC, as those of scenes. */
export const utcDate = (seconds: number): Date => uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC");
