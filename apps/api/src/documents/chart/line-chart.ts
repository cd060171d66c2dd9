import { Canvas, type Color, textWidth } from "./canvas.ts";
import { numberTicks, timeTicks } from "./ticks.ts";

export interface ChartPoint {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly value: number;
  /** Names what the point is of: points of one name have one color. */
  readonly name: string;
}

export interface ChartOptions {
  readonly title: string;
  /** Ends of the time axis, milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** Under the chart, in small type. */
  readonly credit: string;
}

const [WIDTH, HEIGHT] = [1200, 600] as const;
const PLOT = { left: 100, top: 100, right: WIDTH - 40, bottom: HEIGHT - 90 } as const;
const WHITE: Color = [255, 255, 255];
const INK: Color = [33, 37, 41];
const GREY: Color = [110, 118, 125];
const LINES: Color = [228, 231, 235];
const CURVE: Color = [176, 184, 191];
/** Colors that people with color-blindness can tell apart: Okabe and Ito 2008, without yellow. */
const COLORS: readonly Color[] = [
  [0, 114, 178],
  [213, 94, 0],
  [0, 158, 115],
  [204, 121, 167],
  [86, 180, 233],
  [230, 159, 0],
];

/** Points over time on a white ground, joined by a line: RGB, 1200 × 600 pixels. */
export function lineChart(points: readonly ChartPoint[], { title, from, to, credit }: ChartOptions): Canvas {
  const canvas = new Canvas(WIDTH, HEIGHT, WHITE);
  canvas.text(title, PLOT.left, 24, INK, { scale: 3 });
  canvas.text(credit.slice(0, 180), PLOT.left, HEIGHT - 24, GREY, { scale: 1 });
  const [low, high] = rangeOf(points);
  const span = Math.max(1, to - from);
  const x = (time: number): number => PLOT.left + ((time - from) / span) * (PLOT.right - PLOT.left);
  const y = (value: number): number => PLOT.bottom - ((value - low) / (high - low)) * (PLOT.bottom - PLOT.top);
  for (const { at, label } of numberTicks(low, high)) {
    canvas.rule(PLOT.left, y(at), PLOT.right, y(at), LINES);
    canvas.text(label, PLOT.left - 12, y(at) - 7, INK, { align: "end" });
  }
  for (const { at, label } of timeTicks(from, from + span)) {
    canvas.rule(x(at), PLOT.top, x(at), PLOT.bottom, LINES);
    canvas.rule(x(at), PLOT.bottom, x(at), PLOT.bottom + 6, INK);
    canvas.text(label, x(at), PLOT.bottom + 14, INK, { align: "middle" });
  }
  canvas.rule(PLOT.left, PLOT.top, PLOT.left, PLOT.bottom, INK);
  canvas.rule(PLOT.left, PLOT.bottom, PLOT.right, PLOT.bottom, INK);
  if (points.length === 0) {
    canvas.text("No values", (PLOT.left + PLOT.right) / 2, (PLOT.top + PLOT.bottom) / 2, GREY, { align: "middle" });
    return canvas;
  }
  points.forEach((point, i) => {
    const before = points[i - 1];
    if (before !== undefined) canvas.line(x(before.time), y(before.value), x(point.time), y(point.value), 1.5, CURVE);
  });
  const names = [...new Set(points.map(({ name }) => name))].sort();
  const colorOf = (name: string): Color => COLORS[names.indexOf(name) % COLORS.length]!;
  for (const { time, value, name } of points)
    canvas.disc(x(time), y(value), points.length > 300 ? 3 : 4.5, colorOf(name));
  drawLegend(canvas, names, colorOf);
  return canvas;
}

/** The values' range with a twentieth around it; at least a fifth of the values, so that noise does not look like a season. */
function rangeOf(points: readonly ChartPoint[]): readonly [low: number, high: number] {
  const values = points.map(({ value }) => value);
  const low = values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
  const high = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  if (!(low <= high)) return [0, 1];
  const least = Math.max(Math.abs(low), Math.abs(high)) / 5 || 1;
  const margin = Math.max((high - low) / 20, (least - (high - low)) / 2);
  return [low - margin, high + margin];
}

function drawLegend(canvas: Canvas, names: readonly string[], colorOf: (name: string) => Color): void {
  let left = PLOT.left + 6;
  for (const name of names) {
    canvas.disc(left, 71, 5, colorOf(name));
    canvas.text(name, left + 14, 64, INK);
    left += textWidth(name, 2) + 44;
  }
}
