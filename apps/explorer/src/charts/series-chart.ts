import uPlot from "uplot";
import { axisOf, ChartFrame, dateAxisOf, utcDate } from "./frame.ts";
import { alignedData, inOrder, type Mark, markAt, markPath } from "./marks.ts";
import { markColor, type Theme } from "./theme.ts";

export interface SeriesChartOptions {
  /** Title of the axis of values. */
  readonly label: string;
  /** Lines in the order of `Mark.line`; `kind` decides their color. */
  readonly lines: readonly { readonly name: string; readonly kind: number; readonly isChosen: boolean }[];
  /** Whether lines are colored; else all are grey, and marks alone have the color of their kind. */
  readonly colored: boolean;
  readonly marks: readonly Mark[];
  /** First and last moment of the axis of time, epoch seconds. */
  readonly span: readonly [number, number];
  /** Limits of the axis of values; without them, those of the marks. */
  readonly limits?: readonly [number, number] | undefined;
}

export interface SeriesChartCallbacks {
  /** The mark under the pointer or the keyboard's, as an index into {@link SeriesChart.marks}, and where it is in the element. */
  readonly onPoint: (at: { readonly index: number; readonly x: number; readonly y: number } | undefined) => void;
  readonly onChoose: (index: number) => void;
  readonly onZoom: (isZoomed: boolean) => void;
}

const RADIUS = 5;
/** Distance of masked marks from the bottom of the plot, CSS pixels. */
const RUG = 9;
/** Share of the range of values that stays free below them, for the masked marks. */
const BELOW = 0.12;

/** A curve of values over time: lines between values, marks by sensor or line, hollow marks below for what is masked. */
export class SeriesChart {
  readonly #frame: ChartFrame;
  readonly #callbacks: SeriesChartCallbacks;
  #options: SeriesChartOptions;
  #marks: readonly Mark[] = [];
  #pointed: number | undefined;
  #chosen: number | undefined;
  #isZoomed = false;

  constructor(element: HTMLElement, options: SeriesChartOptions, callbacks: SeriesChartCallbacks) {
    this.#options = options;
    this.#callbacks = callbacks;
    this.#frame = new ChartFrame(element, (theme) => this.#plotOptions(theme));
    this.update(options);
  }

  /** Marks in the order of time: indices of the callbacks are those of this list. */
  get marks(): readonly Mark[] {
    return this.#marks;
  }

  update(options: SeriesChartOptions): void {
    this.#options = options;
    this.#marks = inOrder(options.marks);
    this.#pointed = undefined;
    this.#frame.rebuild(alignedData(this.#marks, options.lines.length) as unknown as uPlot.AlignedData);
    this.#setZoomed(false);
  }

  /** Marks the observation whose scene is on the map. */
  choose(index: number | undefined): void {
    this.#chosen = index;
    this.#frame.plot?.redraw(false);
  }

  /** Goes to a mark, as the pointer does; undefined: to none. */
  point(index: number | undefined): void {
    this.#pointed = index === undefined ? undefined : Math.max(0, Math.min(this.#marks.length - 1, index));
    this.#frame.plot?.redraw(false);
    this.#callbacks.onPoint(this.#pointedPlace());
  }

  #pointedPlace(): { index: number; x: number; y: number } | undefined {
    const plot = this.#frame.plot;
    const index = this.#pointed;
    const mark = index === undefined ? undefined : this.#marks[index];
    if (mark === undefined || plot === undefined || index === undefined) return undefined;
    const { x, y } = this.#place(plot, mark);
    const { left, top } = plot.bbox;
    return { index, x: x + left / uPlot.pxRatio, y: y + top / uPlot.pxRatio };
  }

  get pointed(): number | undefined {
    return this.#pointed;
  }

  resetZoom(): void {
    const [min, max] = this.#options.span;
    this.#frame.plot?.setScale("x", { min, max });
  }

  destroy(): void {
    this.#frame.destroy();
  }

  #setZoomed(isZoomed: boolean): void {
    if (isZoomed === this.#isZoomed) return;
    this.#isZoomed = isZoomed;
    this.#callbacks.onZoom(isZoomed);
  }

  #plotOptions(theme: Theme): Omit<uPlot.Options, "width" | "height"> {
    const { label, lines, colored, span, limits } = this.#options;
    const values = this.#marks.flatMap(({ value }) => value ?? []);
    return {
      tzDate: utcDate,
      legend: { show: false },
      padding: [10, 12, 0, 0],
      cursor: { y: false, points: { show: false }, drag: { x: true, y: false, dist: 8 } },
      scales: {
        x: { time: true, range: (_, min, max) => (min === max || min === undefined ? [...span] : [min, max]) },
        y: { range: () => valueRange(limits ?? extremes(values)) },
      },
      axes: [dateAxisOf(theme), axisOf(theme, { label, labelSize: 18, labelGap: 0, size: 46, space: 32 })],
      series: [
        {},
        ...lines.map(
          ({ kind, isChosen }): uPlot.Series => ({
            stroke: colored ? markColor(theme, kind) : theme.quiet,
            width: isChosen ? 3.5 : colored ? 1.5 : 1,
            spanGaps: true,
            points: { show: false },
          }),
        ),
      ],
      hooks: {
        ready: [(plot) => this.#begin(plot)],
        draw: [(plot) => this.#draw(plot, theme)],
        setScale: [(plot, key) => this.#scaled(plot, key)],
        setCursor: [(plot) => this.#follow(plot)],
      },
    };
  }

  #begin(plot: uPlot): void {
    const [min, max] = this.#options.span;
    plot.setScale("x", { min, max });
    plot.over.addEventListener("click", () => {
      if (this.#pointed !== undefined) this.#callbacks.onChoose(this.#pointed);
    });
  }

  #scaled(plot: uPlot, key: string): void {
    if (key !== "x") return;
    const { min, max } = plot.scales.x ?? {};
    const [first, last] = this.#options.span;
    if (min === null || max === null || min === undefined || max === undefined) return;
    this.#setZoomed(min > first + 1 || max < last - 1);
  }

  /** Where a mark is in the plotting area, CSS pixels. */
  #place(plot: uPlot, { time, value }: Mark): { x: number; y: number } {
    const height = plot.bbox.height / uPlot.pxRatio;
    return { x: plot.valToPos(time, "x"), y: value === null ? height - RUG : plot.valToPos(value, "y") };
  }

  #follow(plot: uPlot): void {
    const { left = -1, top = -1 } = plot.cursor;
    if (left < 0 || top < 0) {
      // leaving the plot does not forget what the keyboard points at
      if (focusedBeside(this.#frame.element) !== this.#frame.element) this.point(undefined);
      return;
    }
    const index = markAt(
      this.#marks.map((mark) => this.#place(plot, mark)),
      { x: left, y: top },
    );
    if (index !== this.#pointed) this.point(index);
  }

  #draw(plot: uPlot, theme: Theme): void {
    const { ctx, bbox } = plot;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left - RUG, bbox.top - RUG, bbox.width + 2 * RUG, bbox.height + RUG);
    ctx.clip();
    // marks of the line that stands out lie above the others
    const stands = ({ line }: Mark): number => Number(this.#options.lines[line]?.isChosen);
    const order = [...this.#marks.entries()].sort(([, a], [, b]) => stands(a) - stands(b)).map(([i]) => i);
    const last = [this.#chosen, this.#pointed].filter((i) => i !== undefined);
    for (const i of [...order.filter((i) => !last.includes(i)), ...last]) this.#drawMark(plot, theme, i);
    ctx.restore();
  }

  #drawMark(plot: uPlot, theme: Theme, index: number): void {
    const mark = this.#marks[index];
    if (mark === undefined) return;
    const { ctx, bbox } = plot;
    const ratio = uPlot.pxRatio;
    const { x, y } = this.#place(plot, mark);
    const [left, top] = [bbox.left + x * ratio, bbox.top + y * ratio];
    const isPointed = index === this.#pointed;
    const path = markPath(mark.kind, left, top, (isPointed ? RADIUS + 1.5 : RADIUS) * ratio);
    const color = markColor(theme, mark.kind);
    ctx.lineWidth = 1.5 * ratio;
    ctx.fillStyle = mark.value === null ? theme.paper : color;
    ctx.strokeStyle = mark.value === null ? color : theme.paper;
    ctx.fill(path);
    ctx.stroke(path);
    if (index !== this.#chosen && !isPointed) return;
    ctx.strokeStyle = index === this.#chosen ? theme.chosen : theme.ink;
    ctx.lineWidth = 2 * ratio;
    ctx.stroke(markPath(0, left, top, (RADIUS + 4) * ratio));
  }
}

/** The element that has the focus in the tree of another one: that of the page, or of a shadow. */
const focusedBeside = (element: Element): Element | null =>
  (element.getRootNode() as Document | ShadowRoot).activeElement;

function extremes(values: readonly number[]): readonly [number, number] {
  if (values.length === 0) return [0, 1];
  return values.reduce<[number, number]>(
    ([least, largest], value) => [Math.min(least, value), Math.max(largest, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
}

/** Limits of the axis of values around those that are shown, with space below for masked marks. */
function valueRange([least, largest]: readonly [number, number]): [number, number] {
  const height = largest - least || Math.abs(largest) * 0.2 || 0.2;
  return [least - BELOW * height, largest + 0.05 * height];
}
